package relay

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// SignatureHeader returns the value of X-Ferry-Signature for a body, one v1 for each active secret.
func SignatureHeader(now time.Time, body []byte, secrets [][]byte) string {
	header := fmt.Sprintf("t=%d", now.Unix())
	for _, secret := range secrets {
		code := hmac.New(sha256.New, secret)
		fmt.Fprintf(code, "%d.", now.Unix())
		code.Write(body)
		header += ",v1=" + hex.EncodeToString(code.Sum(nil))
	}
	return header
}
