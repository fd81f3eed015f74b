package shelfwire

import (
	"encoding/json"
	"strings"
)

// Batch has the products that one step of a mirror writes.
type Batch struct {
	// Store is its slug.
	Store string
	// Expected is the position that the target must still have for this batch to be written; empty: none.
	Expected string
	// Position is an opaque text to be saved with the batch.
	Position string
	// Products replace the target's versions of them.
	Products []Product
	// Removed are ids that the store no longer lists; the target may not have had them.
	Removed []int64
	// Changes are the feed's changes of these products; none while a store is filled.
	Changes []Change
}

// Target is where a mirror is kept.
type Target interface {
	// Position is the position that was saved last for a store; empty where there is none.
	Position(store string) (string, error)
	// Apply writes a batch and its position: in one transaction where the target has transactions, otherwise the position last, because writing a
	// batch twice does no harm. It returns false, and writes nothing, where the position is not batch.Expected.
	Apply(batch Batch) (bool, error)
	// IDs are the ids above after of its products of a store, ascending, limit at most.
	IDs(store string, after int64, limit int) ([]int64, error)
}

// Held is a target that can be verified.
type Held interface {
	Target
	// Held calls take with the products of a store by id ascending, until take fails, and damaged with each part that cannot be read.
	Held(store string, take func(Product) error, damaged func(Damage)) error
}

// Damage is a line that is no product or repeats one, or the cut-off end of a file. The file is for the product ids First to Last.
type Damage struct {
	File        string `json:"file"`
	Line        int    `json:"line"`
	First, Last int64  `json:"-"`
}

const (
	following = "following"
	filling   = "filling"
)

// position is the position of a store's mirror: following the feed, or filled up to the id After, with the cursor from before the first product.
type position struct {
	Kind string `json:"kind"`
	Cursor
	// By identifies the process that fills: two that fill at once would undo each other's work.
	By    string `json:"by,omitempty"`
	After *int64 `json:"after,omitempty"`
}

func (p position) text() string {
	text := new(strings.Builder)
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false)
	// cannot fail: all members are texts and numbers
	_ = encoder.Encode(p)
	return strings.TrimSuffix(text.String(), "\n")
}

func followingFrom(cursor Cursor) string { return position{Kind: following, Cursor: cursor}.text() }

func fillingFrom(cursor Cursor, by string, after int64) string {
	return position{Kind: filling, Cursor: cursor, By: by, After: &after}.text()
}

func positionOf(store, text string) (position, error) {
	var read position
	err := json.Unmarshal([]byte(text), &read)
	if err != nil || read.Since == "" || (read.Kind != following && (read.Kind != filling || read.After == nil)) {
		return read, mirrorError("position-damaged",
			"the position of the mirror of %s is damaged (%q): remove it, and the mirror is filled again", store, text)
	}
	return read, nil
}
