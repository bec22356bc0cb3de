package otlp

import (
	"encoding/json"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
)

// batch is a row: the records of several programs. Its members are found without regard to
// case.
type batch struct {
	*jsonscan.Scanner

	resources []resource
	wrong     bool // a member has another type than OTLP/JSON gives it
}

// resource holds the records of one program as JSON.
type resource struct {
	attributes        attributes
	logRecords, spans [][]byte
}

// readBatch reads a row without its records; ok is false if it is not JSON.
func readBatch(text []byte) (b batch, ok bool) {
	s := jsonscan.New(text)
	b.Scanner = &s
	b.object(func(name string) {
		if name == "resourcelogs" || name == "resourcespans" {
			b.list(b.readResource)
		}
	})
	return b, s.AtEnd()
}

func (b *batch) readResource() {
	var r resource
	b.object(func(name string) {
		switch name {
		case "resource":
			b.object(func(name string) {
				if name == "attributes" {
					b.wrong = json.Unmarshal(b.Skip(), &r.attributes) != nil || b.wrong
				}
			})
		case "scopelogs", "scopespans":
			b.list(func() {
				b.object(func(name string) {
					switch name {
					case "logrecords":
						b.list(func() { r.logRecords = append(r.logRecords, b.Skip()) })
					case "spans":
						b.list(func() { r.spans = append(r.spans, b.Skip()) })
					}
				})
			})
		}
	})
	b.resources = append(b.resources, r)
}

// object reads an object, or null, and calls member with the name of each in lower case.
func (b *batch) object(member func(name string)) {
	switch b.Peek() {
	case '{':
		b.Object(func(key []byte) { member(strings.ToLower(string(key))) })
	case 'n':
	default:
		b.wrong = true
	}
}

// list reads a list, or null.
func (b *batch) list(element func()) {
	switch b.Peek() {
	case '[':
		b.Array(element)
	case 'n':
	default:
		b.wrong = true
	}
}
