package shelfwire

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Error is what the service answered instead of data. Decide by Code: one of the service (/docs/problems lists them), no-answer (nothing was
// answered, or it was cut off) or not-shelfwire (a proxy's page, or the wrong address).
type Error struct {
	Code string
	// Status is that of HTTP, 0 without an answer.
	Status int
	Detail string
	// RequestID names the request in the service's log.
	RequestID string
	// RetryAfter is 0 where the service did not say.
	RetryAfter time.Duration
	Cause      error
}

func (e *Error) Error() string {
	text := e.Code + ": " + e.Detail
	if e.RequestID != "" {
		text += " (request " + e.RequestID + ")"
	}
	return text
}

func (e *Error) Unwrap() error { return e.Cause }

// IsPassing says whether the same request may succeed later.
func (e *Error) IsPassing() bool {
	switch e.Status {
	case 429, 502, 503, 504:
		return true
	}
	// a page of something in between has statuses of its own: 520 to 530 where the service is down
	return e.Code == "no-answer" || e.Code == "not-shelfwire" && (e.Status == 408 || e.Status >= 500)
}

// isFinal is what asking again does not change.
func (e *Error) isFinal() bool {
	switch e.Code {
	case "missing-token", "invalid-token", "token-without-account", "not-shelfwire":
		return !e.IsPassing()
	}
	return false
}

// MirrorError is of a mirror that cannot be used as it is: position-damaged, not-filled, cursor-ahead, damaged, locked, no-mirror,
// not-a-mirror, other-service, other-store.
type MirrorError struct {
	Code    string
	Message string
}

func (e *MirrorError) Error() string { return e.Message }

func mirrorError(code, format string, values ...any) *MirrorError {
	return &MirrorError{code, fmt.Sprintf(format, values...)}
}

const refusalMax = 1 << 16

func refusal(response *http.Response) *Error {
	text, _ := io.ReadAll(io.LimitReader(response.Body, refusalMax))
	var problem struct{ Code, Detail string }
	if json.Unmarshal(text, &problem) != nil || problem.Code == "" {
		problem.Code = "not-shelfwire"
		problem.Detail = fmt.Sprintf("status %d without a problem of the API: %s", response.StatusCode, start(text))
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return &Error{
		Code:       problem.Code,
		Status:     response.StatusCode,
		Detail:     problem.Detail,
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: time.Duration(seconds) * time.Second,
	}
}
