package shelfwire

import (
	"encoding/json"
	"errors"
	"fmt"
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

// UnmarshalJSON refuses one without a cursor: saved as a position, the mirror would be lost.
func (l *ChangeList) UnmarshalJSON(text []byte) error {
	type plain ChangeList
	var named struct {
		plain
		NextSince *string `json:"next_since"`
		NextID    *int64  `json:"next_id"`
		HasMore   *bool   `json:"has_more"`
	}
	if err := json.Unmarshal(text, &named); err != nil {
		return err
	}
	if named.Changes == nil || named.NextSince == nil || named.NextID == nil || named.HasMore == nil {
		return errors.New("changes without a cursor")
	}
	*l = ChangeList(named.plain)
	l.NextSince, l.NextID, l.HasMore = *named.NextSince, *named.NextID, *named.HasMore
	return nil
}

func (l ChangeList) cursor() Cursor { return Cursor{l.NextSince, l.NextID} }

// after is where the feed goes on. One that has more, and nothing behind the cursor, would be asked again at once for ever.
func (l ChangeList) after(cursor Cursor) (Cursor, error) {
	if l.HasMore && l.cursor() == cursor {
		return cursor, &Error{Code: "no-answer", Detail: fmt.Sprintf("the feed has more, and no cursor after %d", cursor.SinceID)}
	}
	return l.cursor(), nil
}

// page is one of products by id. The last one alone has no next, and says so.
type page struct {
	Data []Product
	next *int64
}

// UnmarshalJSON refuses one that does not say whether another follows: what is behind it would be taken for removed.
func (p *page) UnmarshalJSON(text []byte) error {
	var named struct {
		Data []Product
		Meta struct {
			NextAfterID json.RawMessage `json:"next_after_id"`
		}
	}
	if err := json.Unmarshal(text, &named); err != nil {
		return err
	}
	if named.Data == nil || named.Meta.NextAfterID == nil {
		return errors.New("a page that does not say which one follows")
	}
	p.Data = named.Data
	return json.Unmarshal(named.Meta.NextAfterID, &p.next)
}
