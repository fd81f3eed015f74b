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

// DirectoryTarget is a mirror in a directory, as @shelfwire/client has it, so either may go on with the other's:
// DIRECTORY/STORE/0000000000000400.ndjson has the products 400 to 599, by id, one a line; DIRECTORY/STORE/position is where the mirror stands.
// One process at a time writes it; others may read.
type DirectoryTarget struct {
	// Directory is its path.
	Directory string
	// DropDamaged leaves out lines that cannot be read, where a file is written again, instead of refusing: for a repair.
	DropDamaged bool

	mutex  sync.Mutex
	lock   *directoryLock
	opened map[string]bool
}

// width is for how many ids a file is: what a small change writes again.
const width = 200

var (
	fileName = regexp.MustCompile(`^(\d{16})\.ndjson$`)
	slugForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)
)

// NewDirectoryTarget makes one; the directory is made with the first batch.
func NewDirectoryTarget(directory string) *DirectoryTarget {
	return &DirectoryTarget{Directory: directory, opened: map[string]bool{}}
}

// Lock takes the directory, which the first batch does otherwise. A MirrorError says that another process has it.
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

// Close gives the directory up.
func (d *DirectoryTarget) Close() error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.lock != nil {
		d.lock.release()
		d.lock = nil
	}
	return nil
}

// Position is empty where there is nothing of the store.
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
	// the files are there for good before the position says so
	settle(place)
	if err := replace(filepath.Join(place, "position"), []byte(batch.Position)); err != nil {
		return false, err
	}
	settle(place)
	return true, nil
}

// open makes the store's directory, and removes what a process that was killed had not finished.
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
		// of one that was served in several lines
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

// IDs are ascending, from after one.
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

// Held gives the products by id ascending; what is written meanwhile may be among them or not.
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

// files gives the products of each file that has ids after one.
func (d *DirectoryTarget) files(store string, after int64, take func([]Product) error, damaged func(Damage)) error {
	place, err := d.place(store)
	if err != nil {
		return err
	}
	// by name, which is by id
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

// Stores are those that it has something of.
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
	// a file that is whole ends with a line's end
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	} else {
		lines = append(lines, nil)
	}
	taken := map[int64]bool{}
	for i, line := range lines {
		var product Product
		// of two lines of a product nobody knows which one counts
		if json.Unmarshal(line, &product) != nil || product.ID < first || product.ID >= first+width || taken[product.ID] {
			damaged(Damage{file, i + 1, first, first + width - 1})
			continue
		}
		// as it stands there: what is around it would be another way to write it
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

// replace writes a file whole: whoever reads it, and whoever finds it after a crash, has the one of before or this one.
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

// settle waits until the names in a directory are on its disk, where the system can tell.
func settle(directory string) {
	if opened, err := os.Open(directory); err == nil {
		_ = opened.Sync()
		_ = opened.Close()
	}
}
