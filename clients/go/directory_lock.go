package shelfwire

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const (
	lockTouch = 5 * time.Second
	// lockSilent is after how long a holder that has not touched its file counts as gone.
	lockSilent = time.Minute
)

type holder struct {
	ID   string `json:"id"`
	PID  int    `json:"pid"`
	Host string `json:"host"`
}

// directoryLock is a lock file that its holder touches every few seconds, in the format of @shelfwire/client: either respects the other's lock.
type directoryLock struct {
	file string
	id   string
	end  chan struct{}
}

func takeLock(file string) (*directoryLock, error) {
	name := make([]byte, 16)
	_, _ = rand.Read(name)
	host, _ := os.Hostname()
	own := holder{hex.EncodeToString(name), os.Getpid(), host}
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	for {
		created, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			_, err = created.Write(text)
			if err := firstOf(err, created.Close()); err != nil {
				_ = os.Remove(file)
				return nil, err
			}
			lock := &directoryLock{file, own.ID, make(chan struct{})}
			go lock.touch()
			return lock, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		found, err := os.ReadFile(file)
		about, statErr := os.Stat(file)
		if err != nil || statErr != nil {
			// it was released meanwhile
			if errors.Is(firstOf(err, statErr), fs.ErrNotExist) {
				continue
			}
			return nil, firstOf(err, statErr)
		}
		var other holder
		_ = json.Unmarshal(found, &other)
		if !isGone(other, host, about.ModTime()) {
			return nil, mirrorError("directory-locked", "process %d on %s writes this directory (%s): end it, or give another directory",
				other.PID, other.Host, file)
		}
		removeLock(file, own.ID, found)
	}
}

// removeLock removes the lock of a process that is gone, unless another process did so first and holds the lock now.
func removeLock(file, id string, found []byte) {
	aside := file + "." + id
	_ = os.Rename(file, aside)
	moved, err := os.ReadFile(aside)
	if err == nil && string(moved) != string(found) {
		// another process was quicker: its lock is put back. If a third one has taken it in between, the second notices before it writes
		if back, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err == nil {
			_, _ = back.Write(moved)
			_ = back.Close()
		}
	}
	_ = os.Remove(aside)
}

func isGone(other holder, host string, touched time.Time) bool {
	if time.Since(touched) > lockSilent {
		return true
	}
	if other.ID == "" || other.Host != host {
		return false
	}
	// a lock with our pid was left by a process that has ended: in a container, the first process always has pid 1
	if other.PID == os.Getpid() {
		return true
	}
	process, err := os.FindProcess(other.PID)
	return err != nil || errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone) ||
		errors.Is(process.Signal(syscall.Signal(0)), syscall.ESRCH)
}

func (l *directoryLock) touch() {
	ticker := time.NewTicker(lockTouch)
	defer ticker.Stop()
	for {
		select {
		case <-l.end:
			return
		case now := <-ticker.C:
			// a missing lock file is noticed before the next write
			_ = os.Chtimes(l.file, now, now)
		}
	}
}

// check returns an error where this process has lost the lock. It is called before each write.
func (l *directoryLock) check() error {
	if l.isHeld() {
		return nil
	}
	return mirrorError("directory-locked", "%s was taken over, because this process had stood still: start again", l.file)
}

func (l *directoryLock) isHeld() bool {
	text, err := os.ReadFile(l.file)
	var now holder
	return err == nil && json.Unmarshal(text, &now) == nil && now.ID == l.id
}

func (l *directoryLock) release() {
	close(l.end)
	if l.isHeld() {
		_ = os.Remove(l.file)
	}
}
