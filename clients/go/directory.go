package shelfwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"sync"
)

// DirectoryTarget is a mirror in a directory, in the format of @shelfwire/client, so that either can continue the other's mirror:
// DIRECTORY/STORE/0000000000000400.ndjson has the products 400 to 599, by id, one a line; DIRECTORY/STORE/position has the position of the mirror.
// One process at a time writes it; others may read.
type DirectoryTarget struct {
	// Directory is its path.
	Directory string
	// DropDamaged drops lines that cannot be read when a file is written again, instead of failing: for a repair, which writes their products anew.
	DropDamaged bool

	mutex  sync.Mutex
	lock   *directoryLock
	opened map[string]bool
}

// width is how many ids share a file, which a small change rewrites.
const width = 200

var (
	fileName = regexp.MustCompile(`^(\d{16})\.ndjson$`)
	slugForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)
)

// NewDirectoryTarget makes a target; the first batch creates the directory.
func NewDirectoryTarget(directory string) *DirectoryTarget {
	return &DirectoryTarget{Directory: directory, opened: map[string]bool{}}
}

// Lock locks the directory; otherwise the first batch does. It returns a MirrorError where another process has locked it.
func (d *DirectoryTarget) Lock() error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.hold()
}

func (d *DirectoryTarget) hold() error {
	if d.lock != nil {
		return d.lock.check()
	}
	if err := os.MkdirAll(d.Directory, 0o777); err != nil {
		return err
	}
	lock, err := takeLock(filepath.Join(d.Directory, "shelfwire.lock"))
	d.lock = lock
	return err
}

// Close releases the directory.
func (d *DirectoryTarget) Close() error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.lock != nil {
		d.lock.release()
		d.lock = nil
	}
	return nil
}

// Position is the saved position of a store; empty where there is none.
func (d *DirectoryTarget) Position(store string) (string, error) {
	place, err := d.place(store)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(place, "position"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

func (d *DirectoryTarget) place(store string) (string, error) {
	if !slugForm.MatchString(store) {
		return "", fmt.Errorf("%q is not the slug of a store", store)
	}
	return filepath.Join(d.Directory, store), nil
}

// Apply writes the files, and then the position.
func (d *DirectoryTarget) Apply(batch Batch) (bool, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if err := d.hold(); err != nil {
		return false, err
	}
	place, err := d.open(batch.Store)
	if err != nil {
		return false, err
	}
	if now, err := d.Position(batch.Store); err != nil || now != batch.Expected {
		return false, err
	}
	changes := map[int64]map[int64][]byte{}
	note := func(id int64, text []byte) {
		first := id - id%width
		if changes[first] == nil {
			changes[first] = map[int64][]byte{}
		}
		changes[first][id] = text
	}
	for _, product := range batch.Products {
		note(product.ID, product.Text)
	}
	for _, id := range batch.Removed {
		note(id, nil)
	}
	for first, ofFile := range changes {
		if err := d.rewrite(filepath.Join(place, nameOf(first)), first, ofFile); err != nil {
			return false, err
		}
	}
	// the files must be on disk before the position says that they are
	settle(place)
	if err := replace(filepath.Join(place, "position"), []byte(batch.Position)); err != nil {
		return false, err
	}
	settle(place)
	return true, nil
}

// open makes the store's directory, and removes temporary files of a process that was killed.
func (d *DirectoryTarget) open(store string) (string, error) {
	place, err := d.place(store)
	if err != nil || d.opened[store] {
		return place, err
	}
	if err := os.MkdirAll(place, 0o777); err != nil {
		return place, err
	}
	unfinished, _ := filepath.Glob(filepath.Join(place, "*.tmp"))
	for _, file := range unfinished {
		if err := os.Remove(file); err != nil {
			return place, err
		}
	}
	d.opened[store] = true
	return place, nil
}

func (d *DirectoryTarget) rewrite(file string, first int64, changes map[int64][]byte) error {
	before, err := textOf(file)
	if err != nil {
		return err
	}
	lines := map[int64][]byte{}
	var damage *Damage
	linesIn(file, before, first, func(product Product) { lines[product.ID] = product.Text }, func(found Damage) { damage = &found })
	if damage != nil && !d.DropDamaged {
		return refuse(*damage)
	}
	for id, text := range changes {
		if text == nil {
			delete(lines, id)
			continue
		}
		// a product that was served in several lines becomes one line
		line := new(bytes.Buffer)
		if bytes.IndexByte(text, '\n') < 0 {
			line.Write(text)
		} else if err := json.Compact(line, text); err != nil {
			return err
		}
		lines[id] = line.Bytes()
	}
	ids := make([]int64, 0, len(lines))
	for id := range lines {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	after := new(bytes.Buffer)
	for _, id := range ids {
		after.Write(lines[id])
		after.WriteByte('\n')
	}
	if after.Len() == 0 {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if bytes.Equal(after.Bytes(), before) {
		return nil
	}
	return replace(file, after.Bytes())
}

// IDs are the ids above after, ascending, limit at most.
func (d *DirectoryTarget) IDs(store string, after int64, limit int) ([]int64, error) {
	var ids []int64
	var damage *Damage
	err := d.files(store, after, func(products []Product) error {
		for _, product := range products {
			if product.ID > after && len(ids) < limit {
				ids = append(ids, product.ID)
			}
		}
		if damage != nil && !d.DropDamaged {
			return refuse(*damage)
		}
		if len(ids) == limit {
			return errEnough
		}
		return nil
	}, func(found Damage) { damage = &found })
	if err == errEnough {
		err = nil
	}
	return ids, err
}

var errEnough = errors.New("enough")

// Held calls take with the products by id ascending. Products that are written meanwhile may be among them or not.
func (d *DirectoryTarget) Held(store string, take func(Product) error, damaged func(Damage)) error {
	return d.files(store, 0, func(products []Product) error {
		for _, product := range products {
			if err := take(product); err != nil {
				return err
			}
		}
		return nil
	}, damaged)
}

// files calls take with the products of each file that may have ids above after.
func (d *DirectoryTarget) files(store string, after int64, take func([]Product) error, damaged func(Damage)) error {
	place, err := d.place(store)
	if err != nil {
		return err
	}
	// sorted by name, and so by id
	entries, err := os.ReadDir(place)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		name := fileName.FindStringSubmatch(entry.Name())
		if name == nil {
			continue
		}
		first, err := strconv.ParseInt(name[1], 10, 64)
		if err != nil || first+width <= after {
			continue
		}
		file := filepath.Join(place, entry.Name())
		text, err := textOf(file)
		if err != nil {
			return err
		}
		var products []Product
		linesIn(file, text, first, func(product Product) { products = append(products, product) }, damaged)
		sort.Slice(products, func(i, j int) bool { return products[i].ID < products[j].ID })
		if err := take(products); err != nil {
			return err
		}
	}
	return nil
}

// Stores are the slugs of stores that have a position.
func (d *DirectoryTarget) Stores() ([]string, error) {
	entries, err := os.ReadDir(d.Directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var stores []string
	for _, entry := range entries {
		if !entry.IsDir() || !slugForm.MatchString(entry.Name()) {
			continue
		}
		if text, err := d.Position(entry.Name()); err == nil && text != "" {
			stores = append(stores, entry.Name())
		}
	}
	return stores, err
}

func linesIn(file string, text []byte, first int64, take func(Product), damaged func(Damage)) {
	lines := bytes.Split(text, []byte{'\n'})
	// a complete file ends with a line feed: otherwise its last line was cut off, and an empty line is reported for it
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	} else {
		lines = append(lines, nil)
	}
	taken := map[int64]bool{}
	for i, line := range lines {
		var product Product
		// of two lines for one product, it is unknown which one is right
		if json.Unmarshal(line, &product) != nil || product.ID < first || product.ID >= first+width || taken[product.ID] {
			damaged(Damage{file, i + 1, first, first + width - 1})
			continue
		}
		// the whole line, with any blanks around the object: they count as a difference from what was served
		product.Text = line
		taken[product.ID] = true
		take(product)
	}
}

func refuse(damage Damage) error {
	return mirrorError("directory-damaged", "%s, line %d is no product, or one that the file has twice: it was cut off or changed by something else. `verify --repair` reads what is "+
		"missing from the service", damage.File, damage.Line)
}

func nameOf(first int64) string { return fmt.Sprintf("%016d.ndjson", first) }

// textOf is empty where there is no such file.
func textOf(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// replace replaces a file atomically: a reader, and a process after a crash, finds either the old content or the new one.
func replace(file string, text []byte) error {
	written, err := os.OpenFile(file+".tmp", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = written.Write(text)
	if err := firstOf(err, written.Sync(), written.Close()); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}

// settle waits until the names in a directory are on disk, where the system supports that.
func settle(directory string) {
	if opened, err := os.Open(directory); err == nil {
		_ = opened.Sync()
		_ = opened.Close()
	}
}
