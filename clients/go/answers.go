package shelfwire

import (
	"encoding/json"
	"errors"
)

// Store is an active store of the account.
type Store struct {
	ID        int64
	Slug      string
	Name      string
	Locale    string
	Currency  string
	IsDefault bool `json:"is_default"`
}

// Product is a product as it was served: written anew, a number or a text could come out in another way, and its digest would differ.
type Product struct {
	ID   int64
	Text []byte
}

// UnmarshalJSON keeps the text, and reads the id.
func (p *Product) UnmarshalJSON(text []byte) error {
	var named struct{ ID *int64 }
	if err := json.Unmarshal(text, &named); err != nil {
		return err
	}
	if named.ID == nil {
		return errors.New("a product without an id")
	}
	p.ID, p.Text = *named.ID, append([]byte(nil), text...)
	return nil
}

// MarshalJSON gives the text.
func (p Product) MarshalJSON() ([]byte, error) { return p.Text, nil }

// Decode reads the product into a struct or map of yours.
func (p Product) Decode(into any) error { return json.Unmarshal(p.Text, into) }

// Cursor is a place in the change feed. Its halves belong together.
type Cursor struct {
	Since   string `json:"since"`
	SinceID int64  `json:"since_id"`
}

// Change is what the feed says of a product.
type Change struct {
	ProductID   int64    `json:"product_id"`
	ChangeType  string   `json:"change_type"`
	ChangeTypes []string `json:"change_types"`
	CreatedAt   string   `json:"created_at"`
}

// ChangeList is a window of the feed.
type ChangeList struct {
	Changes   []Change
	Products  []Product
	NextSince string `json:"next_since"`
	NextID    int64  `json:"next_id"`
	HasMore   bool   `json:"has_more"`
}

func (l ChangeList) cursor() Cursor { return Cursor{l.NextSince, l.NextID} }
