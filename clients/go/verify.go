package shelfwire

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"sort"
	"strconv"
)

// Finding is a product that is missing, superfluous or different.
type Finding struct {
	ID          int64
	Kind        string
	Differences []Difference
}

// Comparison is the result of comparing a store.
type Comparison struct {
	Store string
	// Products is how many the service has.
	Products int
	// Findings are by id ascending.
	Findings []Finding
	Damages  []Damage
	// Changed is how many products have changed since the mirror's position: they are not compared.
	Changed int
	// AsOf is the time of that position.
	AsOf string
}

// IsEqual says that nothing was found.
func (c Comparison) IsEqual() bool { return len(c.Findings) == 0 && len(c.Damages) == 0 }

// blockSize is how many ids a block of digests has.
const blockSize = 1024

type digest [16]byte

// halvesOf are the content half and the price half, without braces. `,"prices":[` is the member, because quotes within texts are escaped.
func halvesOf(text []byte) (halves [2][]byte) {
	at := bytes.Index(text, []byte(`,"prices":[`))
	if at < 0 || text[0] != '{' || text[len(text)-1] != '}' {
		return halves
	}
	return [2][]byte{text[1:at], text[at+1 : len(text)-1]}
}

// tagsOf are the tags of both halves. They equal the service's where the text is exactly what it serves.
func tagsOf(text []byte) (tags [2]string) {
	for i, half := range halvesOf(text) {
		sum := sha512.Sum512(half)
		tags[i] = base64.RawURLEncoding.EncodeToString(sum[:12])
	}
	return tags
}

// add adds a product's half to the digest of its block; the order does not matter.
func (d *digest) add(id int64, tag string) {
	sum := sha512.Sum512([]byte(strconv.FormatInt(id, 10) + ":" + tag))
	for at := 0; at < len(d); at += 8 {
		binary.BigEndian.PutUint64(d[at:], binary.BigEndian.Uint64(d[at:])^binary.BigEndian.Uint64(sum[at:]))
	}
}

type ownBlock struct {
	block   int64
	texts   map[int64][]byte
	tags    map[int64][2]string
	digests [2]digest
}

func newBlock(block int64) *ownBlock {
	return &ownBlock{block: block, texts: map[int64][]byte{}, tags: map[int64][2]string{}}
}

func (b *ownBlock) add(product Product) {
	tags := tagsOf(product.Text)
	b.texts[product.ID], b.tags[product.ID] = product.Text, tags
	for half, tag := range tags {
		b.digests[half].add(product.ID, tag)
	}
}

type theirBlock struct {
	Block          int64
	Products       int
	Content, Price string
}

func (b theirBlock) digests() (both [2]digest) {
	for i, text := range [2]string{b.Content, b.Price} {
		// a text that is no digest counts as zero, the digest of an empty block
		if read, err := hex.DecodeString(text); err == nil {
			copy(both[i][:], read)
		}
	}
	return both
}

type comparing struct {
	client  *Client
	store   string
	cursor  Cursor
	changed map[int64]bool
	found   Comparison
}

// Compare compares a mirror with the service as of the mirror's own position: by digests, without reading the products that are equal. Products that
// have changed since that position are not compared, so a mirror that is behind, or is followed meanwhile, does not count as different. It returns a
// MirrorError where the mirror is not filled yet, or the service was restored from an older backup.
func Compare(ctx context.Context, client *Client, target Held, store string) (Comparison, error) {
	text, err := target.Position(store)
	var at position
	if err == nil && text != "" {
		at, err = positionOf(store, text)
	}
	if err == nil && at.Kind != following {
		err = mirrorError("not-filled", "%s: the mirror is not filled yet: run `mirror` until it says that it is up to date", store)
	}
	if err != nil {
		return Comparison{}, err
	}
	c := &comparing{client, store, at.Cursor, map[int64]bool{}, Comparison{Store: store, AsOf: at.Since}}
	// before the comparison, and after it for changes that were made meanwhile
	if err := c.readOn(ctx); err != nil {
		return Comparison{}, err
	}
	if err := c.compare(ctx, target); err != nil {
		return Comparison{}, err
	}
	if err := c.readOn(ctx); err != nil {
		return Comparison{}, err
	}
	findings := c.found.Findings
	c.found.Findings = nil
	for _, finding := range findings {
		if !c.changed[finding.ID] {
			c.found.Findings = append(c.found.Findings, finding)
		}
	}
	sort.Slice(c.found.Findings, func(i, j int) bool { return c.found.Findings[i].ID < c.found.Findings[j].ID })
	c.found.Changed = len(c.changed)
	return c.found, nil
}

func (c *comparing) readOn(ctx context.Context) error {
	for hasMore := true; hasMore; {
		answer, err := c.client.Changes(ctx, c.store, c.cursor, 0, false)
		var refused *Error
		if errors.As(err, &refused) && refused.Code == "cursor-ahead" {
			return mirrorError("cursor-ahead",
				"%s: the service was restored from a backup older than this mirror: run `mirror`, which fills it again", c.store)
		}
		if err != nil {
			return err
		}
		for _, change := range answer.Changes {
			c.changed[change.ProductID] = true
		}
		if c.cursor, err = answer.after(c.cursor); err != nil {
			return err
		}
		hasMore = answer.HasMore
	}
	return nil
}

func (c *comparing) compare(ctx context.Context, target Held) error {
	theirs, err := c.digests(ctx)
	if err != nil {
		return err
	}
	own := newBlock(-1)
	finish := func() error {
		their := theirs[own.block]
		delete(theirs, own.block)
		if own.digests == their.digests() {
			return nil
		}
		return c.compareBlock(ctx, own)
	}
	err = target.Held(c.store, func(product Product) error {
		if block := product.ID / blockSize; block != own.block {
			if err := finish(); err != nil {
				return err
			}
			own = newBlock(block)
		}
		own.add(product)
		return nil
	}, func(damage Damage) { c.found.Damages = append(c.found.Damages, damage) })
	if err != nil {
		return err
	}
	if err := finish(); err != nil {
		return err
	}
	for block := range theirs {
		if err := c.compareBlock(ctx, newBlock(block)); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparing) digests(ctx context.Context) (map[int64]theirBlock, error) {
	blocks := map[int64]theirBlock{}
	query := url.Values{"store": {c.store}, "limit": {"5000"}}
	for {
		var page struct {
			Data []theirBlock
			Meta struct {
				NextAfterBlock *int64 `json:"next_after_block"`
			}
		}
		if err := c.client.read(ctx, "/digest", query, &page); err != nil {
			return nil, err
		}
		for _, block := range page.Data {
			blocks[block.Block] = block
			c.found.Products += block.Products
		}
		if page.Meta.NextAfterBlock == nil {
			return blocks, nil
		}
		query.Set("after_block", strconv.FormatInt(*page.Meta.NextAfterBlock, 10))
	}
}

// compareBlock reads the tags of a block's products, and then the products whose tags differ.
func (c *comparing) compareBlock(ctx context.Context, own *ownBlock) error {
	after := own.block*blockSize - 1
	if after < 0 {
		after = 0
	}
	var answer struct {
		Data []struct {
			ID             int64
			Content, Price string
		}
	}
	query := url.Values{"store": {c.store}, "after_id": {strconv.FormatInt(after, 10)}, "limit": {strconv.Itoa(blockSize)}}
	if err := c.client.read(ctx, "/digest/products", query, &answer); err != nil {
		return err
	}
	var suspects []int64
	seen := map[int64]bool{}
	for _, product := range answer.Data {
		if product.ID/blockSize != own.block {
			continue
		}
		seen[product.ID] = true
		if tags, isHeld := own.tags[product.ID]; !isHeld || tags != [2]string{product.Content, product.Price} {
			suspects = append(suspects, product.ID)
		}
	}
	for id := range own.tags {
		if !seen[id] {
			suspects = append(suspects, id)
		}
	}
	sort.Slice(suspects, func(i, j int) bool { return suspects[i] < suspects[j] })
	for len(suspects) > 0 {
		some := suspects[:min(len(suspects), batchSize)]
		suspects = suspects[len(some):]
		products, err := c.client.Products(ctx, c.store, some)
		if err != nil {
			return err
		}
		served := map[int64][]byte{}
		for _, product := range products {
			served[product.ID] = product.Text
		}
		for _, id := range some {
			if err := c.judge(id, own.texts[id], served[id]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *comparing) judge(id int64, held, served []byte) error {
	finding := Finding{ID: id}
	switch {
	case held == nil && served == nil:
		return nil
	case served == nil:
		finding.Kind = "superfluous"
	case held == nil:
		finding.Kind = "missing"
	default:
		finding.Kind = "different"
		service, err := parse(served)
		if err != nil {
			return fmt.Errorf("product %d: %w", id, err)
		}
		mirror, err := parse(held)
		if err != nil {
			mirror = string(held)
		}
		// the same product in another JSON notation is no difference
		if finding.Differences = differences(nil, "", mirror, service); len(finding.Differences) == 0 {
			return nil
		}
	}
	c.found.Findings = append(c.found.Findings, finding)
	return nil
}

// Repair reads missing or different products again, and removes those that the service does not have. The position stays; where a mirror moves it
// meanwhile, the batch is read again. It returns how many products were written and removed.
func Repair(ctx context.Context, client *Client, target Target, found Comparison) (written, removed int, err error) {
	for _, ids := range groupsOf(found) {
		for isWritten := false; !isWritten; {
			position, err := target.Position(found.Store)
			if err != nil {
				return written, removed, err
			}
			products, err := client.Products(ctx, found.Store, ids)
			if err != nil {
				return written, removed, err
			}
			listed := map[int64]bool{}
			for _, product := range products {
				listed[product.ID] = true
			}
			var gone []int64
			for _, id := range ids {
				if !listed[id] {
					gone = append(gone, id)
				}
			}
			isWritten, err = target.Apply(Batch{Store: found.Store, Expected: position, Position: position, Products: products, Removed: gone})
			if err != nil {
				return written, removed, err
			}
			if isWritten {
				written, removed = written+len(products), removed+len(gone)
			}
		}
	}
	return written, removed, nil
}

// groupsOf are the ids by file. All ids of a damaged file are in one group, so that the file is written once, and is then complete.
func groupsOf(found Comparison) [][]int64 {
	ids := map[int64]bool{}
	for _, finding := range found.Findings {
		ids[finding.ID] = true
	}
	for _, damage := range found.Damages {
		for id := damage.First; id <= damage.Last; id++ {
			if id > 0 {
				ids[id] = true
			}
		}
	}
	byFile := map[int64][]int64{}
	for id := range ids {
		byFile[id/width] = append(byFile[id/width], id)
	}
	groups := make([][]int64, 0, len(byFile))
	for _, group := range byFile {
		group := group
		sort.Slice(group, func(i, j int) bool { return group[i] < group[j] })
		groups = append(groups, group)
	}
	sort.Slice(groups, func(i, j int) bool { return groups[i][0] < groups[j][0] })
	return groups
}
