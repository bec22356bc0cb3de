// Package baseline keeps the findings that a project knows of and has not fixed yet, so that
// a check fails on new ones only.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// File is the path of the known findings in the repository.
const File = ".rulecheck/known.json"

// most is how many bytes the file has at most.
const most = 16 << 20

// version is that of the file's form.
const version = 1

// Entry is one known finding. Names of files are printable, see [finding.Printable].
type Entry struct {
	Fingerprint string   `json:"fingerprint"` // of the finding when it was accepted; each once
	Rule        string   `json:"rule"`
	Files       []string `json:"files"`              // that triggered the rule, or the finding's place if none did
	Expected    []string `json:"expected,omitempty"` // files that are missing
	Session     string   `json:"session,omitempty"`  // of a finding in a session
	Date        string   `json:"date"`               // when it was accepted: 2026-05-01
	Reason      string   `json:"reason"`
}

type document struct {
	Version  int     `json:"version"`
	Findings []Entry `json:"findings"`
}

// Read reads the known findings in a tree; none if there is no file. A malformed file has
// a problem and no entries.
func Read(tree fs.FS) ([]Entry, *finding.Problem) {
	source, err := regular.ReadFS(tree, File, most)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, &finding.Problem{File: File, Line: 1, Column: 1, Code: finding.CodeUnreadable, Message: fmt.Sprintf("cannot read the file: %v", yaml.Reason(err))}
	}
	return Parse(source)
}

// Parse reads the content of the file.
func Parse(source []byte) ([]Entry, *finding.Problem) {
	p := parser{source: source, dec: json.NewDecoder(bytes.NewReader(source))}
	entries, err := p.document()
	if err == nil {
		return entries, nil
	}
	at := min(max(p.at, 0), int64(len(source)))
	before := source[:at]
	return nil, &finding.Problem{
		File: File, Line: 1 + bytes.Count(before, []byte("\n")), Column: int(at) - bytes.LastIndexByte(before, '\n'),
		Code: rule.CodeBadValue, Message: finding.Visible(err.Error()) + `; want the file as "rulecheck baseline accept" writes it`,
	}
}

// parser reads a document entry by entry, to know where each begins.
type parser struct {
	source []byte
	dec    *json.Decoder
	at     int64 // where the value begins that is being read, or where it is wrong
}

func (p *parser) document() ([]Entry, error) {
	var raw struct {
		Version  *int            `json:"version"`
		Findings json.RawMessage `json:"findings"`
	}
	if err := p.decode(p.source, 0, &raw); err != nil {
		return nil, err
	}
	if raw.Version == nil || *raw.Version != version {
		return nil, fmt.Errorf(`"version" is not %d`, version)
	}
	start := int64(bytes.Index(p.source, raw.Findings))
	p.at = max(start, 0)
	if len(raw.Findings) == 0 || raw.Findings[0] != '[' {
		return nil, errors.New(`"findings" is no list`)
	}
	list := json.NewDecoder(bytes.NewReader(raw.Findings))
	_, _ = list.Token() // the bracket
	var entries []Entry
	seen := map[string]bool{}
	for list.More() {
		var text json.RawMessage
		if err := list.Decode(&text); err != nil {
			return nil, err
		}
		from := start + list.InputOffset() - int64(len(text))
		var e Entry
		if err := p.decode(text, from, &e); err != nil {
			return nil, err
		}
		p.at = from
		if err := e.check(); err != nil {
			return nil, err
		}
		if seen[e.Fingerprint] {
			return nil, fmt.Errorf("the fingerprint %q is there twice", e.Fingerprint)
		}
		seen[e.Fingerprint] = true
		entries = append(entries, e)
	}
	return entries, nil
}

// decode decodes text, which begins at an offset of the source, and sets where it is wrong.
func (p *parser) decode(text []byte, from int64, into any) error {
	p.at = from
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		p.at = from + max(syntax.Offset-1, 0)
	} else if value, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		p.at = from + max(value.Offset-1, 0)
		return fmt.Errorf("%q is a %s", value.Field, value.Value)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		p.at = from + int64(len(text))
		return errors.New("the file ends too early")
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		p.at = from + dec.InputOffset()
		return errors.New("there is more after the end")
	}
	return nil
}

var fingerprints = lazyregexp.New(`^[0-9a-f]{32}$`)

// check returns what is wrong with an entry.
func (e Entry) check() error {
	_, undated := time.Parse(time.DateOnly, e.Date)
	switch {
	case !fingerprints().MatchString(e.Fingerprint):
		return fmt.Errorf("%q is not the fingerprint of a finding", e.Fingerprint)
	case e.Rule == "":
		return errors.New(`"rule" is missing`)
	case len(e.Files) == 0:
		return errors.New(`"files" is missing`)
	case undated != nil:
		return fmt.Errorf(`"date" is %s, not a date such as "2026-05-01"`, strconv.Quote(e.Date))
	case plain.Blank(e.Reason):
		return errors.New(`"reason" is missing`)
	}
	return nil
}

// Format returns the content of the file for entries, the same bytes whatever their order.
func Format(entries []Entry) ([]byte, error) {
	entries = append([]Entry{}, entries...) // a list, not null, if there are none
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), slices.Compare(a.Files, b.Files), slices.Compare(a.Expected, b.Expected),
			cmp.Compare(a.Session, b.Session), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	var b bytes.Buffer
	err := plain.WriteJSON(&b, document{version, entries})
	return b.Bytes(), err
}
