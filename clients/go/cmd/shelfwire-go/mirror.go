package main

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"shelfwire"
)

// report says what a mirror does.
type report struct {
	output *output
	url    string
	lock   sync.Mutex
	said   map[string]string
}

func mirror(ctx context.Context, given options, client *shelfwire.Client, target shelfwire.Target, stores []string, output *output) (int, error) {
	report := &report{output: output, url: client.URL, said: map[string]string{}}
	sync := shelfwire.NewSync(client, target, stores...)
	sync.OnStatus = report.tell
	if !given.isOnce {
		return exitDone, sync.Run(ctx)
	}
	err := sync.Once(ctx)
	if ctx.Err() != nil {
		return exitInterrupted, nil
	}
	return exitDone, err
}

// tell returns what ends the mirror: what only a person can mend.
func (r *report) tell(status shelfwire.Status) error {
	r.lock.Lock()
	before := r.said[status.Store]
	r.said[status.Store] = status.State
	r.lock.Unlock()
	// an answer without changes comes every few seconds
	if status.State == "current" && before == "current" {
		return nil
	}
	more := fields{{"time", time.Now().UTC().Format(time.RFC3339)}, {"store", status.Store}}
	text := map[string]string{
		"current":       "up to date",
		"reset":         "the service was restored from a backup older than this mirror; filling it again",
		"waiting":       "another process fills this mirror; waiting for it",
		"unknown-store": "not active now; what the mirror has of it stays, and it is asked for again",
	}[status.State]
	switch status.State {
	case "filling":
		more = append(more, field{"products", status.Products})
		text = fmt.Sprintf("filling, %d products written", status.Products)
	case "following":
		more = append(more, field{"products", status.Products}, field{"removed", status.Removed})
		text = fmt.Sprintf("%d products written, %d removed", status.Products, status.Removed)
	case "retrying":
		failed := failureOf(status.Err, r.url)
		if failed.isFinal(status.Err) {
			return failed
		}
		seconds := int(math.Ceil(status.Pause.Seconds()))
		more = append(more, field{"code", failed.code}, field{"message", failed.message}, field{"pause_seconds", seconds})
		text = fmt.Sprintf("trying again in %d s: %s", seconds, failed.message)
	}
	r.output.event(status.State, more, status.Store+": "+text)
	return nil
}
