package shelfwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// Difference is a member in which two products differ.
type Difference struct {
	// Member is its path, such as prices.0.computed_price.
	Member string
	// Mirror and Service are JSON; nil: that side has no such member.
	Mirror, Service json.RawMessage
}

// object is a JSON object that keeps the order of its members.
type object struct {
	names  []string
	values map[string]any
}

// absent represents a member that one side lacks.
type absent struct{}

// parse reads JSON into nil, bool, string, json.Number, []any and *object.
func parse(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	value, err := valueOf(decoder)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return value, nil
}

func valueOf(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			value, err := valueOf(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err := decoder.Token()
		return list, err
	case json.Delim('{'):
		read := &object{values: map[string]any{}}
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			value, err := valueOf(decoder)
			if err != nil {
				return nil, err
			}
			read.set(name.(string), value)
		}
		_, err := decoder.Token()
		return read, err
	}
	return token, nil
}

func (o *object) set(name string, value any) {
	if _, isThere := o.values[name]; !isThere {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

// members are the members of an object, or of a list by index; nil for any other value.
func members(value any) *object {
	switch value := value.(type) {
	case *object:
		return value
	case []any:
		list := &object{values: map[string]any{}}
		for i, one := range value {
			list.set(strconv.Itoa(i), one)
		}
		return list
	}
	return nil
}

// differences compares member by member. The same value in another JSON notation is no difference.
func differences(found []Difference, member string, mirror, service any) []Difference {
	_, isMirrorList := mirror.([]any)
	_, isServiceList := service.([]any)
	own, their := members(mirror), members(service)
	if own == nil || their == nil || isMirrorList != isServiceList {
		if isEqual(mirror, service) {
			return found
		}
		return append(found, Difference{member, textOfValue(mirror), textOfValue(service)})
	}
	names := append([]string(nil), own.names...)
	for _, name := range their.names {
		if _, isThere := own.values[name]; !isThere {
			names = append(names, name)
		}
	}
	for _, name := range names {
		path := name
		if member != "" {
			path = member + "." + name
		}
		found = differences(found, path, own.at(name), their.at(name))
	}
	return found
}

func (o *object) at(name string) any {
	if value, isThere := o.values[name]; isThere {
		return value
	}
	return absent{}
}

func isEqual(mirror, service any) bool {
	one, isNumber := mirror.(json.Number)
	other, isOther := service.(json.Number)
	if isNumber && isOther {
		a, errA := one.Float64()
		b, errB := other.Float64()
		return one == other || (errA == nil && errB == nil && a == b)
	}
	// objects and lists were compared by their members before
	return mirror == service
}

func textOfValue(value any) json.RawMessage {
	if value == (any)(absent{}) {
		return nil
	}
	text := new(bytes.Buffer)
	writeValue(text, value)
	return text.Bytes()
}

func writeValue(text *bytes.Buffer, value any) {
	switch value := value.(type) {
	case *object:
		text.WriteByte('{')
		for i, name := range value.names {
			if i > 0 {
				text.WriteByte(',')
			}
			writeValue(text, name)
			text.WriteByte(':')
			writeValue(text, value.values[name])
		}
		text.WriteByte('}')
	case []any:
		text.WriteByte('[')
		for i, one := range value {
			if i > 0 {
				text.WriteByte(',')
			}
			writeValue(text, one)
		}
		text.WriteByte(']')
	default:
		encoder := json.NewEncoder(text)
		encoder.SetEscapeHTML(false)
		// cannot fail: the value is a text, a number, a boolean or null
		_ = encoder.Encode(value)
		text.Truncate(text.Len() - 1)
	}
}
