package shelfwire

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"math"
	mathrand "math/rand"
	"sync"
	"time"
)

// Sync keeps a mirror of stores in a target: filled from the export, then kept up to date by the change feed. However it ends, it continues from the
// position in its target.
type Sync struct {
	Client *Client
	Target Target
	// Stores are slugs.
	Stores []string
	// Wait is for how many seconds the service holds a request until there is a change. With 0 the feed is read every Every, and after a Hint.
	Wait  int
	Every time.Duration
	// OnStatus is called after each step, by several goroutines. An error that it returns ends Run.
	OnStatus func(Status) error

	by    string
	lock  sync.Mutex
	hints map[string]chan struct{}
	// stores in which this process has found another one's fill; the first time it assumes that the other has ended, and takes over
	yielded map[string]bool
	written map[string]int
}

// Status is a step: filling, current, following, reset, waiting, unknown-store or retrying.
type Status struct {
	Store string
	State string
	// Products and Removed are counts.
	Products, Removed int
	// Err and Pause are set with retrying: the error, and the time until the next attempt.
	Err   error
	Pause time.Duration
}

const (
	batchSize = 200
	heldSize  = 1000
	lastID    = 1<<53 - 1
	pauseMax  = 30 * time.Second
	// the longest Retry-After that is obeyed: a longer one was probably not meant for us, and would end the mirror in effect
	askedMax          = time.Hour
	unknownStorePause = 30 * time.Second
	fillerSilent      = 60
)

// NewSync makes a Sync with default values. Change its fields before you call Run or Once.
func NewSync(client *Client, target Target, stores ...string) *Sync {
	name := make([]byte, 16)
	// crypto/rand practically never fails
	_, _ = rand.Read(name)
	hints := map[string]chan struct{}{}
	for _, store := range stores {
		hints[store] = make(chan struct{}, 1)
	}
	return &Sync{
		Client: client, Target: target, Stores: stores, Wait: 25, Every: time.Minute, OnStatus: func(Status) error { return nil },
		by: hex.EncodeToString(name), hints: hints, yielded: map[string]bool{}, written: map[string]int{},
	}
}

// Hint is to be called when a webhook announces a change: with Wait 0, the feed is read now.
func (s *Sync) Hint() {
	for _, hint := range s.hints {
		select {
		case hint <- struct{}{}:
		default:
		}
	}
}

// Once reads until every store is current: for a schedule. It returns the first error, after the client's own attempts. That a store is not active is
// returned only when the others are current.
func (s *Sync) Once(ctx context.Context) error {
	var lock sync.Mutex
	var unknown error
	err := s.each(ctx, func(ctx context.Context, store string) error {
		for {
			isCurrent, err := s.step(ctx, store, 0)
			var refused *Error
			if errors.As(err, &refused) && refused.Code == "unknown-store" {
				lock.Lock()
				unknown = firstOf(unknown, err)
				lock.Unlock()
				return s.OnStatus(Status{Store: store, State: "unknown-store"})
			}
			if isCurrent || err != nil {
				return err
			}
		}
	})
	return firstOf(err, unknown)
}

// Run follows until the context ends, which is no error. It returns an error where the token, the address or a position is wrong, or OnStatus failed;
// after all other errors it tries again.
func (s *Sync) Run(ctx context.Context) error {
	return s.each(ctx, func(ctx context.Context, store string) error {
		isCurrent, failures := false, 0
		for ctx.Err() == nil {
			before := s.count(store, 0)
			wait := 0
			// the first request does not wait for a change: it finds out whether the store is current
			if isCurrent {
				wait = s.Wait
			}
			var err error
			isCurrent, err = s.step(ctx, store, wait)
			switch {
			case ctx.Err() != nil:
			case err != nil:
				isCurrent = false
				failures++
				// only failures without progress in between lengthen the pause: a fill that fails now and then continues
				if s.count(store, 0) != before {
					failures = 1
				}
				if err := s.retry(ctx, store, err, failures); err != nil {
					return err
				}
			default:
				failures = 0
				if isCurrent && s.Wait == 0 {
					s.untilHint(ctx, store)
				}
			}
		}
		return nil
	})
}

// each works on all stores at once; the first error ends them all.
func (s *Sync) each(outer context.Context, work func(context.Context, string) error) error {
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	results := make(chan error, len(s.Stores))
	for _, store := range s.Stores {
		go func(store string) { results <- work(ctx, store) }(store)
	}
	var first error
	for range s.Stores {
		if err := <-results; err != nil && first == nil {
			first = err
			cancel()
		}
	}
	return first
}

func (s *Sync) count(store string, more int) int {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.written[store] += more
	return s.written[store]
}

func (s *Sync) retry(ctx context.Context, store string, err error, failures int) error {
	var damaged *MirrorError
	var refused *Error
	if errors.As(err, &damaged) || (errors.As(err, &refused) && refused.isFinal()) {
		return err
	}
	pause := 250 * time.Millisecond << min(failures, 7)
	if pause > pauseMax {
		pause = pauseMax
	}
	status := Status{Store: store, State: "retrying", Err: err, Pause: pause/2 + time.Duration(mathrand.Float64()*float64(pause)/2)}
	if refused != nil && refused.Code == "unknown-store" {
		status = Status{Store: store, State: "unknown-store", Pause: unknownStorePause}
	}
	if refused != nil && refused.RetryAfter > status.Pause {
		status.Pause = askedMax
		if refused.RetryAfter < askedMax {
			status.Pause = refused.RetryAfter
		}
	}
	if err := s.OnStatus(status); err != nil {
		return err
	}
	_ = sleep(ctx, status.Pause)
	return nil
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func (s *Sync) untilHint(ctx context.Context, store string) {
	timer := time.NewTimer(s.Every)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-s.hints[store]:
	case <-timer.C:
	}
}

// step reads one window of the feed, or fills a store. It returns whether the store is current.
func (s *Sync) step(ctx context.Context, store string, wait int) (bool, error) {
	text, err := s.Target.Position(store)
	if err != nil {
		return false, err
	}
	if text == "" {
		return false, s.begin(ctx, store, "")
	}
	at, err := positionOf(store, text)
	if err != nil {
		return false, err
	}
	if at.Kind == filling {
		return false, s.goOn(ctx, store, text, at)
	}
	answer, err := s.Client.Changes(ctx, store, at.Cursor, wait, true)
	var refused *Error
	if errors.As(err, &refused) && refused.Code == "cursor-ahead" {
		// the service was restored from a backup older than the mirror: it is filled again over its present products, and those that are gone are removed
		if err := s.OnStatus(Status{Store: store, State: "reset"}); err != nil {
			return false, err
		}
		return false, s.begin(ctx, store, text)
	}
	if err != nil {
		return false, err
	}
	next, err := answer.after(at.Cursor)
	if err != nil {
		return false, err
	}
	if len(answer.Changes) > 0 || next != at.Cursor {
		listed := map[int64]bool{}
		for _, product := range answer.Products {
			listed[product.ID] = true
		}
		var removed []int64
		for _, change := range answer.Changes {
			if !listed[change.ProductID] {
				removed = append(removed, change.ProductID)
			}
		}
		batch := Batch{store, text, followingFrom(next), answer.Products, removed, answer.Changes}
		if isWritten, err := s.apply(batch); err != nil || !isWritten {
			return false, err
		}
		if len(answer.Changes) > 0 {
			status := Status{Store: store, State: "following", Products: len(answer.Products), Removed: len(removed)}
			if err := s.OnStatus(status); err != nil {
				return false, err
			}
		}
	}
	if answer.HasMore {
		return false, nil
	}
	return true, s.OnStatus(Status{Store: store, State: "current"})
}

func (s *Sync) apply(batch Batch) (bool, error) {
	isWritten, err := s.Target.Apply(batch)
	if err == nil {
		s.count(batch.Store, 1)
	}
	return isWritten, err
}

// errElsewhere ends a fill whose target another process has written.
var errElsewhere = errors.New("another process works on this store")

func (s *Sync) begin(ctx context.Context, store, expected string) error {
	var fill *fill
	// the id of the last product, and the error of begin or take, as opposed to one of the transfer
	var last int64
	var failed error
	take := func(product Product) error {
		last = product.ID
		failed = fill.take(product)
		return failed
	}
	err := s.Client.Export(ctx, store, func(cursor Cursor) error {
		text := fillingFrom(cursor, s.by, 0)
		// the cursor is saved before the first product
		isWritten, err := s.apply(Batch{Store: store, Expected: expected, Position: text})
		if err == nil && !isWritten {
			err = errElsewhere
		}
		fill = s.newFill(store, text, cursor, 0)
		failed = err
		return err
	}, take)
	if fill == nil {
		return err
	}
	var cut *Error
	if failed == nil && errors.As(err, &cut) && cut.IsPassing() {
		// the service ends an export of which nothing is read for a minute, as when the target writes slowly
		if err = s.OnStatus(Status{Store: store, State: "retrying", Err: err}); err != nil {
			return err
		}
	}
	if err == nil {
		// the products after the last one are read by pages, because a proxy may end an export that was cut off as if it were complete
		err = s.Client.Walk(ctx, store, last, fill.take)
	}
	return fill.end(err)
}

func (s *Sync) goOn(ctx context.Context, store, text string, at position) error {
	if at.By != s.by {
		if isFilled, err := s.isFilledElsewhere(ctx, store, text); isFilled || err != nil {
			return err
		}
	}
	taken := fillingFrom(at.Cursor, s.by, *at.After)
	if taken != text {
		if isWritten, err := s.apply(Batch{Store: store, Expected: text, Position: taken}); err != nil || !isWritten {
			return err
		}
	}
	fill := s.newFill(store, taken, at.Cursor, *at.After)
	// an export cannot begin in the middle; pages can
	return fill.end(s.Client.Walk(ctx, store, *at.After, fill.take))
}

// isFilledElsewhere says whether another process is filling the store: its position moves within a minute. The first time the other is taken for gone
// without waiting.
func (s *Sync) isFilledElsewhere(ctx context.Context, store, text string) (bool, error) {
	s.lock.Lock()
	hasYielded := s.yielded[store]
	s.yielded[store] = true
	s.lock.Unlock()
	if !hasYielded {
		return false, nil
	}
	if err := s.OnStatus(Status{Store: store, State: "waiting"}); err != nil {
		return false, err
	}
	for second := 0; second < fillerSilent; second++ {
		if err := sleep(ctx, time.Second); err != nil {
			return false, err
		}
		if now, err := s.Target.Position(store); err != nil || now != text {
			return true, err
		}
	}
	return false, nil
}

// fill writes products in batches, and removes other products of the target.
type fill struct {
	sync   *Sync
	store  string
	text   string
	cursor Cursor
	after  int64
	count  int
	batch  []Product
}

func (s *Sync) newFill(store, text string, cursor Cursor, after int64) *fill {
	return &fill{sync: s, store: store, text: text, cursor: cursor, after: after}
}

func (f *fill) take(product Product) error {
	f.batch = append(f.batch, product)
	if len(f.batch) < batchSize {
		return nil
	}
	return f.write(product.ID, fillingFrom(f.cursor, f.sync.by, product.ID))
}

// end writes the rest. The changes since the beginning of the fill are still to be read.
func (f *fill) end(err error) error {
	if err == nil {
		err = f.write(lastID, followingFrom(f.cursor))
	}
	if err == errElsewhere {
		return nil
	}
	return err
}

// write writes the batch, and removes other products of the target up to an id, a page of the target's ids at a time. The last page saves the position
// last.
func (f *fill) write(upTo int64, last string) error {
	for isLast := false; !isLast; {
		held, err := f.sync.Target.IDs(f.store, f.after, heldSize)
		if err != nil {
			return err
		}
		end := upTo
		if len(held) == heldSize {
			end = int64(math.Min(float64(upTo), float64(held[len(held)-1])))
		}
		isLast = end == upTo
		shown := 0
		listed := map[int64]bool{}
		for shown < len(f.batch) && f.batch[shown].ID <= end {
			listed[f.batch[shown].ID] = true
			shown++
		}
		var removed []int64
		for _, id := range held {
			if id <= end && !listed[id] {
				removed = append(removed, id)
			}
		}
		next := last
		if !isLast {
			next = fillingFrom(f.cursor, f.sync.by, end)
		}
		isWritten, err := f.sync.apply(Batch{Store: f.store, Expected: f.text, Position: next, Products: f.batch[:shown], Removed: removed})
		if err != nil {
			return err
		}
		if !isWritten {
			return errElsewhere
		}
		f.text, f.after, f.count = next, end, f.count+shown
		f.batch = append([]Product(nil), f.batch[shown:]...)
	}
	return f.sync.OnStatus(Status{Store: f.store, State: "filling", Products: f.count})
}
