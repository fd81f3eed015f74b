package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"shelfwire"
)

// opened is a mirror on this machine, and a file that notes the service and the stores that it copies: two accounts, or production and staging, must
// not be mixed in one mirror.
type opened struct {
	target *shelfwire.DirectoryTarget
	file   string
}

type source struct {
	Store   string `json:"store"`
	URL     string `json:"url"`
	StoreID int64  `json:"storeId"`
}

func mirrorError(code, format string, values ...any) error {
	return &shelfwire.MirrorError{Code: code, Message: fmt.Sprintf(format, values...)}
}

func openMirror(given options) (opened, error) {
	mirror := opened{shelfwire.NewDirectoryTarget(given.directory), filepath.Join(given.directory, "shelfwire.json")}
	mirror.target.DropDamaged = given.isRepairing
	stores, err := mirror.target.Stores()
	if err != nil {
		return mirror, err
	}
	if given.command != "mirror" {
		if len(stores) == 0 {
			return mirror, mirrorError("no-mirror", "%s is no mirror: is the path right? `mirror` makes one", given.directory)
		}
		if !given.isRepairing {
			return mirror, nil
		}
	} else if err := mirror.checkPlace(given.directory, len(stores)); err != nil {
		return mirror, err
	}
	return mirror, mirror.target.Lock()
}

// checkPlace refuses a directory with other files, such as a home directory that was given by mistake.
func (o opened) checkPlace(directory string, stores int) error {
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	isOwn := stores > 0 || len(entries) == 0
	for _, entry := range entries {
		isOwn = isOwn || entry.Name() == "shelfwire.json" || entry.Name() == "shelfwire.lock"
	}
	if isOwn {
		return nil
	}
	return mirrorError("not-a-mirror", "%s has other files and is no mirror: give a directory that is empty or not there", directory)
}

func (o opened) sources() (map[string]source, error) {
	known := map[string]source{}
	text, err := os.ReadFile(o.file)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	var read struct{ Sources []source }
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, mirrorError("directory-damaged",
			"%s cannot be read: remove it if the directory is of this account, and it is written anew", o.file)
	}
	for _, one := range read.Sources {
		known[one.Store] = one
	}
	return known, nil
}

// choose returns the slugs of the stores to work on, after checking that the mirror copies these and no others. For the command mirror it notes them.
func (o opened) choose(given options, url string, active []shelfwire.Store) ([]string, error) {
	known, err := o.sources()
	if err != nil {
		return nil, err
	}
	ids := map[string]int64{}
	var slugs []string
	for _, store := range active {
		ids[store.Slug] = store.ID
		slugs = append(slugs, store.Slug)
	}
	asked := []string(given.stores)
	if len(asked) == 0 && given.command == "mirror" {
		asked = slugs
	} else if len(asked) == 0 {
		if asked, err = o.target.Stores(); err != nil {
			return nil, err
		}
	}
	var stores []string
	chosen := map[string]bool{}
	for _, store := range asked {
		id, isActive := ids[store]
		if !isActive {
			return nil, &failure{exitRefused, "unknown-store",
				fmt.Sprintf("there is no active store %q: this token reads %s", store, strings.Join(slugs, ", "))}
		}
		from, isKnown := known[store]
		if isKnown && from.URL != url && !given.isMoved {
			return nil, mirrorError("other-service", "%s is a mirror of %s, not of %s: give another place, or say --moved if the service has moved there",
				given.directory, from.URL, url)
		}
		if isKnown && from.StoreID != id {
			return nil, mirrorError("other-store", "%s has %q of another account (store %d, and this token's is %d): give another place for this account",
				given.directory, store, from.StoreID, id)
		}
		known[store] = source{store, url, id}
		if !chosen[store] {
			stores = append(stores, store)
		}
		chosen[store] = true
	}
	if given.command != "mirror" {
		return stores, nil
	}
	return stores, o.note(known)
}

func (o opened) note(known map[string]source) error {
	all := struct {
		Sources []source `json:"sources"`
	}{}
	for _, one := range known {
		all.Sources = append(all.Sources, one)
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.file+".tmp", append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(o.file+".tmp", o.file)
}
