package main

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"shelfwire"
)

// report prints the progress of a mirror.
type report struct {
	output *output
	url    string
	lock   sync.Mutex
	said   map[string]said
}

// said is the state that was printed last for a store.
type said struct {
	state string
	at    time.Time
}

// fillEvery is how often the progress of a fill is printed.
const fillEvery = 2 * time.Second

func mirror(ctx context.Context, given options, client *shelfwire.Client, target shelfwire.Target, stores []string, output *output) (int, error) {
	report := &report{output: output, url: client.URL, said: map[string]said{}}
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

// tell prints a status. It returns an error, which ends the mirror, where only a person can mend the failure.
func (r *report) tell(status shelfwire.Status) error {
	if !r.isNews(status) {
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

// isNews says whether a status is printed: not "current" again, which every answer without changes reports, and a fill only every few seconds.
func (r *report) isNews(status shelfwire.Status) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	before := r.said[status.Store]
	if before.state == status.State {
		if status.State == "current" || (status.State == "filling" && time.Since(before.at) < fillEvery) {
			return false
		}
	}
	r.said[status.Store] = said{status.State, time.Now()}
	return true
}
