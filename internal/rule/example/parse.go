package example

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// The words of an example.
const (
	divider     = "--"
	arrow       = "->"
	branchMark  = "@ "
	reportArrow = "→" // stands in reports, where it is copied from
	silent      = "silent"
	fires       = "fires"
)

const (
	wantFile = `"M", "A", "D", "T" or "?" and a path, "R" and "old -> new", or "=" and the path of a file that did not change`
	wantEnd  = `"silent", "fires", or findings such as "a.go, b.go -> c.go"`
)

// parser reads one example, line by line.
type parser struct {
	*yaml.Log
	Example

	at      yaml.Place     // of the line being read
	named   map[string]int // the line of each file's name
	divider bool           // has been read
	silent  bool
	flawed  bool // some line has a problem
}

// read reads the lines of an example. The first is the given one of the file.
func (p *parser) read(lines []string, first int) {
	for i, text := range lines {
		p.at = yaml.Place{Line: first + i, Column: 1}
		line := strings.TrimRight(text, " \t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line == divider && p.divider:
			p.bad(0, `a second %q; want one, between what changed and what is found`, line)
		case line == divider:
			p.divider = true
		case p.divider:
			p.outcome(line)
		case isContent(text):
			p.content(text)
		case strings.HasPrefix(line, branchMark):
			p.branch(line[len(branchMark):])
		default:
			p.file(line)
		}
	}
	p.at = yaml.Place{Line: p.Line, Column: 1}
	switch outcomes := len(p.Wanted); {
	case p.flawed: // what is missing may be on that line
	case len(p.Files) == 0:
		p.bad(0, "the example has no files; want %s", wantFile)
	case !p.divider:
		p.bad(0, "the example does not say what is found; want a line %q, and below it %s", divider, wantEnd)
	case outcomes == 0 && !p.silent && !p.Fires:
		p.bad(0, "the example does not say what is found; want %s below %q", wantEnd, divider)
	}
}

// bad reports the byte at offset of the line being read.
func (p *parser) bad(offset int, format string, args ...any) {
	p.flawed = true
	p.Add(yaml.Place{Line: p.at.Line, Column: p.at.Column + offset}, codeBadExample, format, args...)
}

func isContent(line string) bool {
	return line == "+" || line == "-" || strings.HasPrefix(line, "+ ") || strings.HasPrefix(line, "- ")
}

// content is a line of the file above it.
func (p *parser) content(line string) {
	sign, text := line[:1], strings.TrimPrefix(line[1:], " ")
	if len(p.Files) == 0 {
		p.bad(0, "%q stands below no file; want %s", yaml.Shorten(line), wantFile)
		return
	}
	f := &p.Files[len(p.Files)-1]
	switch {
	case f.Status == Unchanged,
		sign == "+" && f.Status == Deleted,
		sign == "-" && (f.Status == Added || f.Status == Untracked):
		p.bad(0, `a file with the status "%c" has no lines with %q`, f.Status, sign)
	case sign == "+":
		f.Added = append(f.Added, text)
	default:
		f.Removed = append(f.Removed, text)
	}
}

// branch is a line such as "@ release/1.0".
func (p *parser) branch(name string) {
	if p.Branch != "" {
		p.bad(0, "a second branch; it is %q already", p.Branch)
	} else if at := git.BadBranch(name); at >= 0 {
		p.bad(len(branchMark)+at, "the branch is %s; want the name of a branch, such as main", yaml.Quote(name))
	}
	p.Branch = name
}

// file is a line such as "M src/a.go".
func (p *parser) file(line string) {
	letter, rest, spaced := strings.Cut(line, " ")
	if !isStatus(letter) || !spaced {
		hint := ""
		if upper := strings.ToUpper(letter); upper != letter && isStatus(upper) {
			hint = "did you mean " + strconv.Quote(upper) + "? "
		}
		p.bad(0, "%q begins with no status; %swant %s", yaml.Shorten(line), hint, wantFile)
		return
	}
	f := File{Status: letter[0]}
	old, path, renamed := cutArrow(rest, arrow)
	if renamed != (f.Status == Renamed) {
		p.bad(0, "%q; want %s", yaml.Shorten(line), wantFile)
		return
	}
	at := len(line) - len(rest)
	var ok bool
	if renamed {
		if f.OldPath, ok = p.name(old, at); !ok {
			return
		}
		at = len(line) - len(path)
	} else {
		path = rest
	}
	if f.Path, ok = p.name(path, at); !ok {
		return
	}
	p.Files = append(p.Files, f)
}

func isStatus(word string) bool {
	return len(word) == 1 && strings.IndexByte("ADMRT?=", word[0]) >= 0
}

// name reads the path of a file that no earlier line has named.
func (p *parser) name(text string, offset int) (string, bool) {
	path, ok := p.path(text, offset)
	if !ok {
		return "", false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." {
			p.bad(offset, `%q is no path in a repository; want one such as "src/a.go", without "..", "./" or a "/" at either end`, text)
			return "", false
		}
	}
	if line, taken := p.named[path]; taken {
		p.bad(offset, "%q is named on line %d already; want each file once", path, line)
		return "", false
	}
	p.named[path] = p.at.Line
	return path, true
}

// path reads a path as it is, or, where it begins with a quote, as a Go string.
func (p *parser) path(text string, offset int) (string, bool) {
	if !strings.HasPrefix(text, `"`) {
		switch {
		case text == "":
			p.bad(offset, "a path is missing")
		case text != strings.TrimSpace(text):
			p.bad(offset, "%q begins or ends with a blank; want one blank before a path, or the path in quotes", text)
		default:
			return text, true
		}
		return "", false
	}
	path, err := strconv.Unquote(text)
	if err != nil || path == "" {
		p.bad(offset, `%s is no quoted path; want one such as "a\tb"`, text)
		return "", false
	}
	return path, true
}

// outcome is a line below the divider.
func (p *parser) outcome(line string) {
	only := line == silent || line == fires
	switch {
	case p.silent || p.Fires || only && len(p.Wanted) > 0:
		p.bad(0, "%q and something else; %q and %q stand alone", yaml.Shorten(line), silent, fires)
	case only:
		p.silent, p.Fires = line == silent, line == fires
	default:
		p.finding(line)
	}
}

// finding is a line such as "a.go, b.go -> c.go", or "a.go:3".
func (p *parser) finding(line string) {
	var f Finding
	files, expected, found := cutArrow(line, arrow)
	if !found {
		files = line
		if before, _, ok := cutArrow(line, reportArrow); ok {
			p.bad(len(before)+1, "found %q; write %q", reportArrow, arrow)
			return
		}
	}
	entries := listOf(files)
	for _, e := range entries {
		text, at := cutLine(e.text)
		if at > 0 && len(entries) > 1 {
			p.bad(e.offset, "%q gives the line of one of several files; want none", e.text)
			return
		}
		path, ok := p.path(text, e.offset)
		if !ok || !p.known(path, e.offset) {
			return
		}
		f.At = at
		f.Files = append(f.Files, path)
	}
	if found {
		for _, e := range listOf(expected) {
			path, ok := p.path(e.text, len(line)-len(expected)+e.offset)
			if !ok {
				return
			}
			f.Expected = append(f.Expected, path)
		}
	}
	f.Files, f.Expected = once(f.Files), once(f.Expected)
	p.Wanted = append(p.Wanted, f)
}

// once sorts paths and drops what is among them twice, as findings have them.
func once(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}

// known refuses a file that the example does not have.
func (p *parser) known(path string, offset int) bool {
	if _, ok := p.named[path]; ok || p.flawed {
		return true
	}
	names := append(slices.Sorted(maps.Keys(p.named)), silent, fires)
	p.bad(offset, "%q is no file of the example%s", path, suggest.OneOf(path, names))
	return false
}
