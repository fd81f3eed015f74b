package main

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"shelfwire"
)

const (
	exitDone        = 0
	exitUnequal     = 1
	exitUsage       = 2
	exitUnavailable = 3
	exitRefused     = 4
	exitMirror      = 5
	exitUnexpected  = 70
	exitInterrupted = 130
)

// failure ends a command. Its message tells a person what to do next.
type failure struct {
	exit    int
	code    string
	message string
}

func (f *failure) Error() string { return f.message }

func usage(format string, values ...any) *failure {
	return &failure{exitUsage, "usage", fmt.Sprintf(format, values...)}
}

func failureOf(err error, url string) *failure {
	var known *failure
	if errors.As(err, &known) {
		return known
	}
	var refused *shelfwire.Error
	if errors.As(err, &refused) {
		return ofService(refused, url)
	}
	var mirror *shelfwire.MirrorError
	if errors.As(err, &mirror) {
		exit := exitMirror
		if mirror.Code == "not-filled" || mirror.Code == "cursor-ahead" {
			exit = exitUnequal
		}
		return &failure{exit, mirror.Code, mirror.Message}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return &failure{exitMirror, "file", err.Error()}
	}
	return &failure{exitUnexpected, "unexpected", err.Error()}
}

func ofService(refused *shelfwire.Error, url string) *failure {
	switch {
	case refused.Code == "missing-token" || refused.Code == "invalid-token":
		return &failure{exitRefused, refused.Code, "the service does not know this token: it was revoked, has expired, or is of another service. " +
			`The panel makes tokens on its page "Tokens"`}
	case refused.IsPassing():
		return &failure{exitUnavailable, refused.Code, refused.Error() + ": try again later"}
	case refused.Code == "not-shelfwire":
		return &failure{exitRefused, refused.Code, fmt.Sprintf(
			"what answers at %s is not Shelfwire: give the service's address, such as https://catalog.example (%s)", url, refused)}
	}
	return &failure{exitRefused, refused.Code, refused.Error()}
}

// isFinal says whether trying again is useless until a person acts.
func (f *failure) isFinal(err error) bool {
	for _, passing := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE, syscall.EIO} {
		if errors.Is(err, passing) {
			return false
		}
	}
	return f.exit == exitMirror || f.exit == exitUnexpected
}
