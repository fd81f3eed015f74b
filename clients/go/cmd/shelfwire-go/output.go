package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode"
)

// output prints lines for people, or one JSON object a line. Texts come from catalogs and servers that may be hostile to a terminal.
type output struct {
	isJSON bool
	lock   sync.Mutex
}

// printable is a text that is safe to show on a terminal, in one line: other characters are written as \uXXXX.
func printable(text string) string {
	var shown strings.Builder
	for _, character := range text {
		if unicode.IsPrint(character) {
			shown.WriteRune(character)
		} else if character < 0x10000 {
			fmt.Fprintf(&shown, "\\u%04x", character)
		} else {
			fmt.Fprintf(&shown, "\\u%04x\\u%04x", 0xd800+(character-0x10000)>>10, 0xdc00+(character-0x10000)&0x3ff)
		}
	}
	return shown.String()
}

type fields []field

type field struct {
	name  string
	value any
}

func (o *output) event(event string, more fields, lines ...string) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.isJSON {
		lines = []string{object(append(fields{{"event", event}}, more...))}
	}
	for _, line := range lines {
		fmt.Println(printable(line))
	}
}

// object is the JSON of members in their order, in one line.
func object(members fields) string {
	text := new(bytes.Buffer)
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false)
	text.WriteByte('{')
	for i, member := range members {
		if i > 0 {
			text.WriteByte(',')
		}
		_ = encoder.Encode(member.name)
		text.WriteByte(':')
		// cannot fail: values are texts, numbers, lists of them, and JSON that was parsed before
		_ = encoder.Encode(member.value)
	}
	text.WriteByte('}')
	return strings.ReplaceAll(text.String(), "\n", "")
}

func (o *output) failed(failed *failure) {
	if o.isJSON {
		o.event("error", fields{{"code", failed.code}, {"exit", failed.exit}, {"message", failed.message}})
	}
	fmt.Fprintf(os.Stderr, "shelfwire-go: %s\n", printable(failed.message))
}
