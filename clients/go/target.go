package shelfwire

import (
	"encoding/json"
	"strings"
)

// Batch is what one step of a mirror writes.
type Batch struct {
	// Store is its slug.
	Store string
	// Expected is the position that the target must have for this batch to be written; empty: none.
	Expected string
	// Position is to be saved with it, as it is.
	Position string
	// Products take the place of what the target has of them.
	Products []Product
	// Removed are no longer listed by the store; the target may not have had them.
	Removed []int64
	// Changes are what the feed said of these products; none while a store is filled.
	Changes []Change
}

// Target is where a mirror is kept.
type Target interface {
	// Position is what was saved last for a store; empty where there is nothing.
	Position(store string) (string, error)
	// Apply writes a batch and its position: in one transaction where the target has them, otherwise the position last, because a batch that is
	// written twice does no harm. False, and nothing is written, where the position is not batch.Expected.
	Apply(batch Batch) (bool, error)
	// IDs are those of its products of a store, ascending from after one, so many at most.
	IDs(store string, after int64, limit int) ([]int64, error)
}

// Held is a target that can be verified.
type Held interface {
	Target
	// Held gives the products of a store by id ascending to take, until it fails; what cannot be read, to damaged.
	Held(store string, take func(Product) error, damaged func(Damage)) error
}

// Damage is a line of a file that is no product or one that the file has already, or the end of one that was cut off. The products of its file are First to Last.
type Damage struct {
	File        string `json:"file"`
	Line        int    `json:"line"`
	First, Last int64  `json:"-"`
}

const (
	following = "following"
	filling   = "filling"
)

// position is where the mirror of a store stands: following the feed, or filled up to an id, with the cursor of before the first product.
type position struct {
	Kind string `json:"kind"`
	Cursor
	// By names the process that fills: two that fill at once would undo each other's work.
	By    string `json:"by,omitempty"`
	After *int64 `json:"after,omitempty"`
}

func (p position) text() string {
	text := new(strings.Builder)
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false)
	// of texts and numbers, which cannot fail
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
