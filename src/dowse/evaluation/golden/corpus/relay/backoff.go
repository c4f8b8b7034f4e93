package relay

import (
	"math/rand"
	"time"
)

// NextDelay returns how long to wait before the given attempt (2 is the first repetition).
// It doubles from first up to max and adds up to a fifth of jitter.
func NextDelay(attempt int, first, max time.Duration, random *rand.Rand) time.Duration {
	delay := first
	for step := 2; step < attempt && delay < max; step++ {
		delay *= 2
	}
	if delay > max {
		delay = max
	}
	return delay + time.Duration(random.Int63n(int64(delay)/5+1))
}
