package api

import (
	"sync"
	"time"
)

// TokenBucket lets through rate requests a second on average and burst at once.
type TokenBucket struct {
	mutex  sync.Mutex
	rate   float64
	burst  float64
	tokens float64
	last   time.Time
}

// Take reports whether a request may pass, and if not, how long the caller should wait.
func (b *TokenBucket) Take(now time.Time) (bool, time.Duration) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.tokens = min(b.burst, b.tokens+now.Sub(b.last).Seconds()*b.rate)
	b.last = now
	if b.tokens >= 1 {
		b.tokens--
		return true, 0
	}
	return false, time.Duration((1 - b.tokens) / b.rate * float64(time.Second))
}
