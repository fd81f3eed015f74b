package shelfwire

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Event is the content of a delivery.
type Event struct {
	// Event is price, content or removed.
	Event string `json:"event"`
	// StoreID is nil where the change is in every store.
	StoreID    *int64  `json:"store_id"`
	ProductIDs []int64 `json:"product_ids"`
	OccurredAt string  `json:"occurred_at"`
	// Delivery is the same in every retry.
	Delivery string `json:"-"`
	IsTest   bool   `json:"-"`
}

// ErrWebhookRefused is the error of a delivery that must not be trusted: answer 401.
var ErrWebhookRefused = errors.New("this delivery is not to be believed")

// WebhookTolerance is how far a delivery's time may be from this clock.
const WebhookTolerance = 300 * time.Second

// VerifyWebhook reads a delivery that was signed with one of the secrets (two while one is being replaced), at a time close to now. The body must be
// as it arrived, before any parsing. Read it with http.MaxBytesReader: 64 kB are far above a delivery.
func VerifyWebhook(body []byte, header http.Header, secrets []string, now time.Time) (Event, error) {
	var event Event
	if len(secrets) == 0 {
		return event, errors.New("VerifyWebhook needs a secret")
	}
	timestamp := header.Get("X-Service-Timestamp")
	// only digits, at most twelve
	sent, err := strconv.ParseUint(timestamp, 10, 63)
	if err != nil || len(timestamp) > 12 {
		return event, fmt.Errorf("%w: X-Service-Timestamp is missing or malformed", ErrWebhookRefused)
	}
	apart := now.Unix() - int64(sent)
	if apart > int64(WebhookTolerance/time.Second) || -apart > int64(WebhookTolerance/time.Second) {
		return event, fmt.Errorf("%w: signed at %s, more than %s from this clock", ErrWebhookRefused, timestamp, WebhookTolerance)
	}
	isSigned := false
	for _, secret := range secrets {
		if secret == "" {
			return event, errors.New("VerifyWebhook was given an empty secret")
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(timestamp + "."))
		mac.Write(body)
		expected := []byte("sha256=" + hex.EncodeToString(mac.Sum(nil)))
		for _, name := range [...]string{"X-Service-Signature", "X-Service-Signature-Next", "X-Service-Signature-Previous"} {
			isSigned = hmac.Equal(expected, []byte(header.Get(name))) || isSigned
		}
	}
	if !isSigned {
		return event, fmt.Errorf("%w: no signature is valid", ErrWebhookRefused)
	}
	err = json.Unmarshal(body, &event)
	event.Delivery, event.IsTest = header.Get("X-Service-Delivery"), header.Get("X-Service-Test") == "1"
	return event, err
}
