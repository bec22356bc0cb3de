package bash

import (
	"slices"
	"strings"
)

// options describes the options of a program: those that take a value, and the long
// names that may be abbreviated.
type options struct {
	// Values are the letters of short options that take a value, which may be the next
	// word. Attached are those that take one only within the same word.
	Values, Attached string
	// Long lists long options; "name=" takes a value, which may be the next word, and
	// "name?" one only after "=". A space and a letter after it name the short form.
	Long []string
	// First ends the options at the first operand, as wrappers do.
	First bool
	// Single options begin with one dash: -name.
	Single []string
	// Bare is a first word without a dash that is read as a cluster, as by tar.
	Bare bool
}

// option is one option as it was given.
type option struct {
	name  string // long if there is a long name: "force"; else the letter
	value string
	given bool // has a value
}

// parsed is a command's words by their role.
type parsed struct {
	options  []option
	operands []string
	rest     int    // index of the first operand in the words
	roles    []bool // of each word: whether it is an option, with its own value or not
	open     bool   // a word may be an option that is not in the line
}

// parse reads the words after a program's name.
func (o options) parse(words []string) parsed {
	p := parsed{rest: len(words), roles: make([]bool, len(words))}
	ended := false
	operand := func(i int) {
		p.rest = min(p.rest, i)
		p.operands = append(p.operands, words[i])
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case ended, w == "-", w == "":
			operand(i)
			ended = ended || o.First
		case w == "--":
			p.roles[i] = true
			ended = true
			if o.First {
				p.rest = min(p.rest, i+1)
			}
		case strings.HasPrefix(w, "--"), w[0] == '-' && o.single(w):
			p.roles[i] = true
			i = o.long(&p, words, i)
		case w[0] == '-', i == 0 && o.Bare:
			p.roles[i] = true
			i = o.short(&p, words, i)
		default:
			p.open = p.open || isOpen(w)
			operand(i)
			ended = ended || o.First
		}
	}
	return p
}

func (o options) single(w string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(w, "-"), "=")
	return slices.ContainsFunc(o.Single, func(s string) bool { return strings.TrimSuffix(s, "=") == name })
}

// long reads a long option and returns the index of its last word.
func (o options) long(p *parsed, words []string, i int) int {
	name, value, given := strings.Cut(strings.TrimLeft(words[i], "-"), "=")
	if isUnknown(name) {
		p.open = true
	}
	known := slices.Concat(o.Long, o.Single)
	row := lookup(known, name)
	opt := option{name: cmpOr(trimRow(row), name), value: value, given: given}
	if strings.HasSuffix(row, "=") && !given && i+1 < len(words) {
		i++
		opt.value, opt.given = words[i], true
	}
	p.add(opt)
	return i
}

// lookup finds a row by name, or the only one that the name abbreviates.
func lookup(rows []string, name string) string {
	var found []string
	for _, row := range rows {
		row, _, _ = strings.Cut(row, " ")
		switch bare := trimRow(row); {
		case bare == name:
			return row
		case name != "" && strings.HasPrefix(bare, name):
			found = append(found, row)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

func trimRow(row string) string { return strings.TrimRight(row, "=?") }

// short reads a cluster of short options and returns the index of its last word.
func (o options) short(p *parsed, words []string, i int) int {
	letters := strings.TrimPrefix(words[i], "-")
	if isUnknown(letters) {
		p.open = true
	}
	for j, c := range letters {
		opt := option{name: o.full(c)}
		rest := letters[j+len(string(c)):]
		switch {
		case strings.ContainsRune(o.Attached, c):
			opt.value, opt.given = rest, rest != ""
			p.add(opt)
			return i
		case strings.ContainsRune(o.Values, c):
			opt.value, opt.given = rest, true
			if rest == "" && i+1 < len(words) {
				i++
				opt.value = words[i]
			}
			p.add(opt)
			return i
		}
		p.add(opt)
	}
	return i
}

// full returns the long name of a letter.
func (o options) full(c rune) string {
	for _, row := range o.Long {
		if name, letters, ok := strings.Cut(row, " "); ok && strings.ContainsRune(letters, c) {
			return trimRow(name)
		}
	}
	return string(c)
}

// add adds an option, which cancels its opposite: --no-force after --force.
func (p *parsed) add(o option) {
	opposite := "no-" + o.name
	if bare, ok := strings.CutPrefix(o.name, "no-"); ok {
		opposite = bare
	}
	p.options = slices.DeleteFunc(p.options, func(other option) bool { return other.name == opposite })
	p.options = append(p.options, o)
}

// has reports whether an option is given.
func (p parsed) has(names ...string) bool {
	return slices.ContainsFunc(p.options, func(o option) bool { return slices.Contains(names, o.name) })
}

// values returns the values of options.
func (p parsed) values(names ...string) []string {
	var list []string
	for _, o := range p.options {
		if o.given && slices.Contains(names, o.name) {
			list = append(list, o.value)
		}
	}
	return list
}
