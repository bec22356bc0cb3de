package rule

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Table is the keys of a mapping, and how its problems are reported.
type Table struct {
	Keys []Key
	// Path is the place of the mapping in its file, such as nodes.code.gate.
	// Messages begin with it; if it is empty, they name the key in quotes.
	Path string
	// Modes may be keys, and Keys has one of them at most. A key that is nearly another one is reported
	// with it.
	Modes policies.Modes
	// Code replaces the code of a problem with a key's value, which is nil if the
	// key is missing. Nil: no code is replaced.
	Code func(code string, k Key, value *yaml.Node) string
}

// decoder decodes a mapping by a table.
type decoder struct {
	*yaml.Log
	Table

	values Values
}

// Decode decodes a mapping; nil and null are mappings without keys. Keys that are
// missing from it are reported at the given place. Values that are missing have
// their default, and values with a problem no data.
func (t Table) Decode(n *yaml.Node, at yaml.Place, l *yaml.Log) Values {
	d := &decoder{Log: l, Table: t, values: Values{}}
	switch {
	case n == nil || n.Kind == yaml.Null:
		d.mapping("", &yaml.Node{Kind: yaml.Mapping, At: at}, at)
	case n.Kind == yaml.Mapping:
		d.mapping("", n, at)
	case n.Kind != yaml.Broken:
		d.report(n.At, CodeWrongType, Key{}, n, "%s: is %s; want a mapping with the keys %s", t.Path, n.Describe(), strings.Join(children(t.Keys, ""), ", "))
	}
	for _, k := range t.Keys {
		if v, given := d.values[k.Name]; given && !d.values.applies(k) {
			d.withoutEffect(k, v)
		}
	}
	d.values.fill(t.Keys)
	return d.values
}

// withoutEffect reports a key whose other keys are missing.
func (d *decoder) withoutEffect(k Key, v Value) {
	if k.WithAny != nil {
		d.report(v.At, CodeUnknownField, k, v.Node, "key %q has no effect by itself; want one of %s too", k.Name, suggest.Quoted(k.WithAny))
		return
	}
	d.report(v.At, CodeUnknownField, k, v.Node, "key %q has no effect without %q; want both, or neither", k.Name, k.With)
}

// report reports a problem with a key's value.
func (d *decoder) report(at yaml.Place, code string, k Key, n *yaml.Node, format string, args ...any) {
	if d.Code != nil {
		code = d.Code(code, k, n)
	}
	d.Add(at, code, format, args...)
}

func (d *decoder) mapping(prefix string, n *yaml.Node, at yaml.Place) {
	allowed := children(d.Keys, prefix)
	for _, e := range n.Entries {
		name := prefix + e.Name
		k, leaf := lookup(d.Keys, name)
		switch {
		case !slices.Contains(allowed, e.Name):
			d.report(e.At, CodeUnknownField, k, e.Value, "%s%s", d.aboutKey(prefix, e.Name, "unknown key", ""), d.advice(prefix, e.Name, allowed))
		case leaf:
			d.value(k, e)
		case e.Value.Kind == yaml.Mapping && len(e.Value.Entries) == 0 && d.isChoice(name+"."):
			d.report(e.Value.At, CodeEmptyValue, k, e.Value, "%q is empty; want some of the keys %s", name, strings.Join(children(d.Keys, name+"."), ", "))
		case e.Value.Kind == yaml.Mapping:
			d.mapping(name+".", e.Value, e.At)
		case e.Value.Kind != yaml.Broken:
			d.report(e.Value.At, CodeWrongType, k, e.Value, "%s is %s; want a mapping with the keys %s",
				d.slot(Key{Param: policies.Param{Name: name}}), e.Value.Describe(), strings.Join(children(d.Keys, name+"."), ", "))
		}
	}
	for _, name := range required(d.Keys, prefix) {
		if !slices.ContainsFunc(n.Entries, func(e yaml.Entry) bool { return e.Name == name }) {
			d.missing(prefix, name, at)
		}
	}
}

// advice returns the end of a message about a key that is not allowed.
func (d *decoder) advice(prefix, name string, allowed []string) string {
	if mode := suggest.Nearest(name, d.Modes.Names()); prefix == "" && mode != "" && keyNames.Nearest(name, allowed) == "" {
		return fmt.Sprintf("; did you mean the mode %q? A rule has one mode", mode)
	}
	return cmp.Or(rewriteOf(name), keyNames.OneOf(name, allowed))
}

// isChoice reports whether the mode requires none of the keys at a prefix, and some of them
// have an effect only with others.
func (d *decoder) isChoice(prefix string) bool {
	return slices.ContainsFunc(d.Keys, func(k Key) bool { return strings.HasPrefix(k.Name, prefix) && k.WithAny != nil })
}

// missing reports a required key that is missing.
func (d *decoder) missing(prefix, name string, at yaml.Place) {
	full := prefix + name
	want := "a mapping with the keys " + strings.Join(children(d.Keys, full+"."), ", ")
	k, leaf := lookup(d.Keys, full)
	if leaf {
		want = k.want()
	}
	d.report(at, CodeMissingField, k, nil, "%s; want %s", d.aboutKey(prefix, name, "key", " is missing"), want)
}

// aboutKey returns the start of a message about a key: its name between words.
func (d *decoder) aboutKey(prefix, name, before, after string) string {
	if d.Path != "" {
		return d.Path + "." + prefix + name + ": " + strings.TrimSpace(cmp.Or(after, before))
	}
	in := ""
	if prefix != "" {
		in = " in " + strconv.Quote(strings.TrimSuffix(prefix, "."))
	}
	return before + " " + strconv.Quote(name) + after + in
}

// slot is the place of a scalar: a key, or an entry of its list.
type slot struct {
	Key
	valueType

	path  string // of the mapping, as in Table
	entry int    // from 1; 0: the key's own value
}

func (d *decoder) slot(k Key) slot { return slot{Key: k, valueType: types[k.Type], path: d.Path} }

// String returns the slot's name in messages.
func (s slot) String() string {
	switch {
	case s.path != "" && s.entry > 0:
		return fmt.Sprintf("%s.%s[%d]:", s.path, s.Name, s.entry-1)
	case s.path != "":
		return s.path + "." + s.Name + ":"
	case s.entry > 0:
		return fmt.Sprintf("entry %d of %q", s.entry, s.Name)
	default:
		return strconv.Quote(s.Name)
	}
}

// want describes the accepted values.
func (s slot) want() string {
	if s.entry > 0 {
		return s.one
	}
	return s.Key.want()
}

// value decodes one key's value.
func (d *decoder) value(k Key, e yaml.Entry) {
	v := Value{At: e.At, Node: e.Value}
	s := d.slot(k)
	before := len(d.List)
	switch {
	case e.Value.Kind == yaml.Broken || k.Unread != "":
		// It was reported already, or is passed on as it is.
	case e.Value.Kind == yaml.List && s.many != "":
		d.entries(s, e.Value, &v)
	case k.Any && e.Value.Kind == yaml.Mapping:
		d.any(s, e.Value, &v)
	case s.many != "" && k.AtLeast > 1:
		d.wrongType(s, e.Value)
	default:
		v.Data = d.single(s, e.Value, &v)
	}
	broken := func(n *yaml.Node) bool { return n.Kind == yaml.Broken }
	if len(d.List) > before || slices.ContainsFunc(v.scalars, broken) {
		v = Value{At: e.At, Node: e.Value}
	}
	d.values[k.Name] = v
}

// anyKey is the key of alternatives.
const anyKey = "any"

// any decodes a mapping with alternatives.
func (d *decoder) any(s slot, n *yaml.Node, v *Value) {
	for _, e := range n.Entries {
		switch {
		case e.Name != anyKey:
			d.report(e.At, CodeUnknownField, s.Key, e.Value, "%s%s", d.aboutKey(s.Name+".", e.Name, "unknown key", ""), suggest.OneOf(e.Name, []string{anyKey}))
		case e.Value.Kind == yaml.Broken:
			v.scalars = append(v.scalars, e.Value)
		case e.Value.Kind == yaml.List && len(e.Value.Items) < 2:
			d.report(e.Value.At, codeTooFew, s.Key, e.Value, "%q has too few %s: %d; want at least 2", s.Name+"."+anyKey, s.many, len(e.Value.Items))
		case e.Value.Kind != yaml.List:
			d.report(e.Value.At, CodeWrongType, s.Key, e.Value, "%q is %s; want a list of at least 2 %s", s.Name+"."+anyKey, e.Value.Describe(), s.many)
		default:
			d.entries(s, e.Value, v)
			v.Data = map[string]any{anyKey: v.Data}
		}
	}
	if n.Find(anyKey) == nil {
		d.report(n.At, CodeMissingField, s.Key, n, "%s; want a list of at least 2 %s", d.aboutKey(s.Name+".", anyKey, "key", " is missing"), s.many)
	}
}

// entries decodes a list.
func (d *decoder) entries(s slot, n *yaml.Node, v *Value) {
	whole, texts := s, []string{}
	for i, item := range n.Items {
		s.entry = i + 1
		if s.Mapping != nil && item.Kind == yaml.Mapping {
			d.mappingEntry(s, item, v)
			continue
		}
		if text, ok := d.single(s, item, v).(string); ok {
			if s.Distinct && slices.Contains(texts, text) {
				d.report(item.At, CodeBadValue, s.Key, item, "%s is %q again; want each entry once", s, text)
			}
			texts = append(texts, text)
		}
	}
	v.Data = texts
	switch {
	case s.AtLeast > 1 && len(n.Items) < s.AtLeast:
		d.report(n.At, codeTooFew, s.Key, n, "%s has too few %s: %d; want at least %d", whole, s.many, len(n.Items), s.AtLeast)
	case len(n.Items) == 0:
		d.report(n.At, CodeEmptyValue, s.Key, n, "%s is an empty list; want %s", whole, whole.want())
	}
}

// mappingEntry decodes an entry of a list that is a mapping.
func (d *decoder) mappingEntry(s slot, n *yaml.Node, v *Value) {
	before := len(d.List)
	values := Table{Keys: s.Mapping, Path: fmt.Sprintf("%s[%d]", s.Name, s.entry-1)}.Decode(n, n.At, d.Log)
	if len(d.List) > before {
		return
	}
	if err := s.Entry(values); err != nil {
		d.report(n.At, CodeBadValue, s.Key, n, "%s: %v", s, err)
	}
	v.Mappings = append(v.Mappings, values)
}

// single decodes a scalar to a string, bool, int or float64, or to nil if it has a problem.
func (d *decoder) single(s slot, n *yaml.Node, v *Value) any {
	v.scalars = append(v.scalars, n)
	// A number instead of a checked text, such as 3 for 3s, goes to the check,
	// whose message is more useful than "is the integer 3".
	numeral := s.kind == yaml.Text && s.check != nil && (n.Kind == yaml.Integer || n.Kind == yaml.Float)
	switch {
	case n.Kind == yaml.Broken:
		return nil
	case s.kind == yaml.Float:
		return d.fraction(s, n)
	case n.Kind != s.kind && !numeral:
		d.wrongType(s, n)
		return nil
	case s.kind == yaml.Boolean:
		return strings.EqualFold(n.Text, "true")
	case s.kind == yaml.Integer:
		return d.integer(s, n)
	default:
		return d.text(s, n, v)
	}
}

func (d *decoder) integer(s slot, n *yaml.Node) any {
	i, err := n.Int()
	switch {
	case errors.Is(err, strconv.ErrRange) && n.Text[0] != '-' && n.IsUint64():
		return math.MaxInt // nothing that is counted reaches either
	case errors.Is(err, strconv.ErrRange) && n.Text[0] != '-':
		d.report(n.At, CodeBadValue, s.Key, n, "%s is %s; want a whole number from %d to %d", s, yaml.Shorten(n.Text), s.minimum(), uint64(math.MaxUint64))
		return nil
	case err != nil || i < s.minimum():
		d.report(n.At, CodeBadValue, s.Key, n, "%s is %s; want a whole number from %d", s, yaml.Shorten(n.Text), s.minimum())
		return nil
	}
	return i
}

// maxAmount is more dollars than can be counted.
const maxAmount = 9_000_000

func (d *decoder) fraction(s slot, n *yaml.Node) any {
	if n.Kind != yaml.Float && n.Kind != yaml.Integer {
		d.wrongType(s, n)
		return nil
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || !(f > 0 && (f <= 1 || s.Type == policies.Amount && f <= maxAmount)) {
		d.report(n.At, CodeBadValue, s.Key, n, "%s is %s; want %s", s, n.Text, s.want())
		return nil
	}
	return f
}

func (d *decoder) text(s slot, n *yaml.Node, v *Value) any {
	mayBeEmpty := s.Blank && s.entry > 0
	if n.Text == "" && !mayBeEmpty {
		d.report(n.At, CodeEmptyValue, s.Key, n, "%s is empty; want %s", s, s.want())
		return nil
	}
	if len(s.OneOf) > 0 && !slices.Contains(s.OneOf, n.Text) {
		d.report(n.At, CodeBadValue, s.Key, n, "%s is %q%s", s, n.Text, s.oneOf(n.Text))
		return nil
	}
	if issue := s.issue(n.Text); issue != nil {
		d.report(n.Point(issue.Offset), issue.Code, s.Key, n, "%s %s", s, issue.Message)
		return nil
	}
	if !s.pattern {
		return n.Text
	}
	p, err := s.compile(n.Text)
	if err != nil {
		issue := patternIssue(err)
		d.report(n.Point(issue.Offset), issue.Code, s.Key, n, "%s: %s", s, issue.Message)
		return nil
	}
	v.patterns = append(v.patterns, p)
	return n.Text
}

// oneOf returns the end of a message about a text that is not accepted. It may have been meant
// as a mapping.
func (s slot) oneOf(text string) string {
	if s.Form != "" && suggest.Nearest(text, s.OneOf) == "" {
		return "; want " + s.Form + ", or one of " + suggest.Quoted(s.OneOf)
	}
	return suggest.OneOf(text, s.OneOf)
}

// issue returns the first issue with a text by the checks of its type and its key,
// or nil.
func (s slot) issue(text string) *yaml.Issue {
	for _, check := range []func(string) *yaml.Issue{s.check, s.Check} {
		if check != nil {
			if issue := check(text); issue != nil {
				return issue
			}
		}
	}
	return nil
}

// wrongType reports a value of the wrong type.
func (d *decoder) wrongType(s slot, n *yaml.Node) {
	if n.Kind == yaml.Null {
		d.report(n.At, CodeWrongType, s.Key, n, "%s has no value; want %s", s, s.want())
		return
	}
	advice := ""
	if s.kind == yaml.Text && n.Kind != yaml.Text && n.Text != "" {
		advice = "; quote it: " + yaml.Quote(n.Text)
	}
	if d, err := time.ParseDuration(n.Text); err == nil && s.kind == yaml.Integer && d >= time.Second {
		advice = fmt.Sprintf("; in seconds: %d", int64(d.Seconds()))
	}
	d.report(n.At, CodeWrongType, s.Key, n, "%s is %s; want %s%s", s, n.Describe(), s.want(), advice)
}

// keyNames are the names that other programs have for keys of rules and of the configuration.
var keyNames = suggest.Synonyms{
	"severity": "level", "priority": "level", "if": "when", "condition": "when", "only_if": "when", "ignore": "exclude", "excludes": "exclude",
	"if_not": "unless", "except_if": "unless", "skip_if": "unless", "files": "trigger", "file": "trigger", "paths": "trigger", "path": "trigger", "pattern": "trigger", "patterns": "trigger",
	"glob": "trigger", "globs": "trigger", "on": "trigger", "match": "trigger", "if_changed": "trigger", "title": "name", "id": "name",
	"run": "action", "command": "action", "cmd": "action", "fix": "action", "labels": "tags", "link": "url", "docs": "url", "disabled": "enabled",
	"base": "compare_to", "since": "compare_to", "rules_path": "rules", "packs": "extends", "presets": "extends", "branch": "default_branch",
	"lines": "added_lines",
}
