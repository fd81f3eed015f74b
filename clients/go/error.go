package shelfwire

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Error is an error answer of the service, or the lack of an answer. Decide by Code: a code of the service (/docs/problems lists them), no-answer
// (there was no answer, or it was cut off) or not-shelfwire (a proxy's page, or the wrong address).
type Error struct {
	Code string
	// Status is the HTTP status; 0 without an answer.
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
	// pages of proxies: some have statuses of their own, such as 520 to 530, for a service that is down
	return e.Code == "no-answer" || e.Code == "not-shelfwire" && (e.Status == 408 || e.Status >= 500)
}

// isFinal says whether trying again would not help.
func (e *Error) isFinal() bool {
	switch e.Code {
	case "missing-token", "invalid-token", "token-without-account", "not-shelfwire":
		return !e.IsPassing()
	}
	return false
}

// MirrorError says that a mirror cannot be used as it is. Its codes: position-damaged, not-filled, cursor-ahead, directory-damaged, directory-locked,
// no-mirror, not-a-mirror, other-service, other-store.
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
