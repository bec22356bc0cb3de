package ifchange

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/content/language"
)

// Document holds the directives of one file.
type Document struct {
	Blocks   []Block
	Problems []Problem // in the order of their lines
	Foreign  []Foreign // directives in the form of other linters, which Rewrite rewrites
}

// Block is a block between IfChange and ThenChange.
type Block struct {
	Line    int // of IfChange, from 1
	Close   int // the line of ThenChange
	Label   string
	Targets []Target

	text []string // the lines strictly between the directives
}

// Target is an entry of ThenChange.
type Target struct {
	Line  int    // of the entry
	Path  string // relative to the root; with a slash at the end, any file of a directory
	Label string // of a block in the file; empty: the file
}

// Problem is a mistake in the directives of a file.
type Problem struct {
	Kind    string `json:"kind"` // one of the constants below
	Line    int    `json:"line"` // from 1
	Message string `json:"message"`
}

// Kinds of problems.
const (
	Malformed = "malformed"
	Orphan    = "orphan"
	Duplicate = "duplicate_label"
	Nested    = "nested"
)

// Parse reads the directives in the comments of a file. Names are relative to the root of
// the repository.
func Parse(name, content string) Document {
	if !mayHave(content) {
		return Document{}
	}
	content = strings.TrimPrefix(content, charset.Mark)
	b := builder{name: name, labels: map[string]int{}}
	for line := range strings.Lines(content) {
		b.lines = append(b.lines, strings.TrimRight(line, "\r\n"))
	}
	for _, d := range directivesOf(language.Of(name).Comments(content)) {
		b.add(d)
	}
	for _, o := range b.open {
		if !o.bad {
			b.problem(Orphan, o.Line, "%s has no %s; want one below the block", o.word, closes(o.word))
		}
	}
	sortProblems(b.Problems)
	return b.Document
}

// mayHave reports whether a text contains the prefix of directives, its letters in any case.
func mayHave(content string) bool {
	const letters = len(prefix) - 1
	for from := 0; ; {
		dot := strings.IndexByte(content[from:], '.')
		if dot < 0 {
			return false
		}
		if dot += from; dot >= letters && strings.EqualFold(content[dot-letters:dot], prefix[:letters]) {
			return true
		}
		from = dot + 1
	}
}

// builder joins directives to blocks.
type builder struct {
	Document

	name   string
	lines  []string
	labels map[string]int // the line of each
	open   []opened
}

// opened is a block without an end so far.
type opened struct {
	Block

	word string
	last int
	bad  bool // a problem of it is known
}

func closes(word string) string {
	if word == labelWord {
		return endLabelWord
	}
	return thenWord
}

func (b *builder) problem(kind string, line int, format string, args ...any) {
	b.Problems = append(b.Problems, Problem{kind, line, fmt.Sprintf(format, args...)})
}

func (b *builder) add(d directive) {
	if d.wrong != "" {
		b.problem(Malformed, d.line, "%s", d.wrong)
	}
	if knownWord(d.word) == "" {
		return
	}
	b.compare(d)
	if d.word == ifWord || d.word == labelWord {
		b.begin(d)
	} else {
		b.end(d)
	}
}

// begin opens a block.
func (b *builder) begin(d directive) {
	o := opened{Block: Block{Line: d.line}, word: d.word, last: d.last, bad: d.wrong != ""}
	if !o.bad {
		switch {
		case len(d.entries) > 1:
			b.problem(Malformed, d.line, "%q has %d labels; want one", d.word, len(d.entries))
			o.bad = true
		case len(d.entries) == 1:
			label := quotation(d.entries[0].text)
			if o.bad = !labelForm().MatchString(label); o.bad {
				b.problem(Malformed, d.line, "label %q; want a letter or \"_\", then letters, digits, \"_\", \"-\" or \".\"", finish(label))
				break
			}
			o.Label = label
		}
	}
	if first, taken := b.labels[o.Label]; taken && o.Label != "" {
		b.problem(Duplicate, d.line, "duplicate label %q; the first is in line %d", o.Label, first)
		o.Label = ""
	} else if o.Label != "" {
		b.labels[o.Label] = d.line
	}
	if n := len(b.open); n > 0 && b.open[n-1].word == ifWord && d.word == ifWord {
		b.problem(Nested, d.line, "nested %s; the block of line %d has no %s yet", ifWord, b.open[n-1].Line, thenWord)
		for i := range b.open {
			b.open[i].bad = true
		}
	}
	b.open = append(b.open, o)
}

// end closes the block that was opened last.
func (b *builder) end(d directive) {
	n := len(b.open) - 1
	for n >= 0 && closes(b.open[n].word) != d.word {
		n--
	}
	if n < 0 {
		if d.wrong == "" {
			b.problem(Orphan, d.line, "%s without a block; want one beginning above it", d.word)
		}
		return
	}
	o := b.open[n]
	b.open = append(b.open[:n], b.open[n+1:]...)
	o.Close = d.line
	if d.word == thenWord && d.wrong == "" && !o.bad && len(d.entries) == 0 && o.Label == "" {
		b.problem(Malformed, d.line, "%s() without targets closes a block without a label; want a target or a label", thenWord)
	}
	for _, e := range d.entries {
		b.target(&o.Block, e)
	}
	if o.last < d.line { // a line may have both in two comments
		o.text = b.lines[o.last : d.line-1]
	}
	b.Blocks = append(b.Blocks, o.Block)
}

// target adds a target to a block, once.
func (b *builder) target(to *Block, e entry) {
	t, wrong := targetOf(b.name, e.text)
	t.Line = e.line
	switch {
	case wrong != "":
		b.problem(Malformed, e.line, "%s", wrong)
	case t.Path == b.name && t.Label == "":
		b.problem(Malformed, e.line, "target %q is the file of the block itself; want \":label\" or another file", e.text)
	case t.Path == b.name && t.Label == to.Label:
		b.problem(Malformed, e.line, "target %q is the block itself; want another one", e.text)
	default:
		for _, other := range to.Targets {
			if other.Path == t.Path && other.Label == t.Label {
				return
			}
		}
		to.Targets = append(to.Targets, t)
	}
}

// targetOf reads a target in a file: //path from the root, ./path and ../path from the
// directory of the file, as is a name without a slash; any other path from the root.
func targetOf(file, text string) (t Target, wrong string) {
	text = quotation(text)
	name, label := text, ""
	if i := strings.LastIndexAny(text, ":#"); i >= 0 && !strings.Contains(text[i:], "/") {
		name, label = text[:i], text[i+1:]
		if !labelForm().MatchString(label) {
			return t, fmt.Sprintf("label %q of target %q; want a letter or \"_\", then letters, digits, \"_\", \"-\" or \".\"", finish(label), finish(text))
		}
	}
	name, problem := rootedPath(file, name)
	switch {
	case problem != "":
		return t, fmt.Sprintf("target %q %s", finish(text), problem)
	case label != "" && strings.HasSuffix(name, "/"):
		return t, fmt.Sprintf("target %q is a label of a directory; want a file", finish(text))
	}
	return Target{Path: name, Label: label}, ""
}

// rootedPath returns the path of a target relative to the root, or what is wrong with it.
func rootedPath(file, name string) (rooted, wrong string) {
	if name == "" {
		return file, ""
	}
	if strings.Contains(name, "://") {
		return "", "is a URL; want a path of the repository"
	}
	for i := range len(name) {
		if name[i] < ' ' || name[i] == 0x7f {
			return "", "has a control character; want a path of the repository"
		}
	}
	directory := strings.HasSuffix(name, "/") || name == "." || name == ".." || strings.HasSuffix(name, "/..") || strings.HasSuffix(name, "/.")
	relative := strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || !strings.Contains(name, "/")
	switch {
	case relative:
		name = path.Join(path.Dir(file), name)
	case strings.Contains("/"+name+"/", "/../"):
		return "", "has \"..\"; want it only at the beginning, for a path relative to the file"
	default:
		name = path.Clean(strings.TrimLeft(name, "/"))
	}
	if name == "." || name == ".." || strings.HasPrefix(name, "../") {
		return "", "is not below the root of the repository; want a file, or a directory that ends with \"/\""
	}
	if directory {
		name += "/"
	}
	return name, ""
}

func sortProblems(list []Problem) {
	slices.SortStableFunc(list, func(a, b Problem) int { return a.Line - b.Line })
}
