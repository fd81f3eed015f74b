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

// Product is a product as it was served. Its text is kept: serialized again, a number or a string could look different, and so would its digest.
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

// Cursor is a position in the change feed. Both members must be from the same answer.
type Cursor struct {
	Since   string `json:"since"`
	SinceID int64  `json:"since_id"`
}

// Change is the latest change of a product.
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

// UnmarshalJSON refuses an answer without a cursor: a mirror that saved it as its position would be lost.
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

// after is the cursor from which the feed continues. It fails where the feed says that there is more but its cursor has not moved: reading on at once
// would never end.
func (l ChangeList) after(cursor Cursor) (Cursor, error) {
	if l.HasMore && l.cursor() == cursor {
		return cursor, &Error{Code: "no-answer", Detail: fmt.Sprintf("the feed has more, and no cursor after %d", cursor.SinceID)}
	}
	return l.cursor(), nil
}

// page is a page of products by id. Only the last one has no next, which its answer says with null.
type page struct {
	Data []Product
	next *int64
}

// UnmarshalJSON refuses a page that does not say whether another one follows: products after it would be taken for removed.
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
