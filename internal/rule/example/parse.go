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
	commitMark  = "C "
	authorMark  = "by "
	requestMark = "P "
	labelMark   = "L "
	draft       = "draft"
	reportArrow = "→" // in reports, from which findings are copied
	silent      = "silent"
	fires       = "fires"
	shellMark   = "$ "
	toolMark    = "> "
)

// effects are the outcomes of examples with calls.
var effects = []string{"deny", "ask", "warn", "allow"}

const (
	wantFile = `"M", "A", "D", "T" or "?" and a path, "R" and "old -> new", or "=" and the path of a file that did not change, or "C" and the subject of a commit, "P" and the title of the pull request, "L" and its label`
	wantCall = `"$" and a shell line, or ">", a tool and a file`
	wantEnd  = `"silent", "fires", or findings such as "a.go, b.go -> c.go"`
)

// parser parses an example line by line.
type parser struct {
	*yaml.Log
	Example

	at      yaml.Place     // of the line being read
	named   map[string]int // the line of each file's name
	divider bool           // was read
	message *[]string      // of the commit or pull request above; nil: there is a file above
	silent  bool
	bad     bool // a line has a problem
}

// read parses the lines of an example, whose first is line first of the file.
func (p *parser) read(lines []string, first int) {
	for i, text := range lines {
		p.at = yaml.Place{Line: first + i, Column: 1}
		line := strings.TrimRight(text, " \t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line == divider && p.divider:
			p.report(0, `a second %q; want one, between the files and the outcome`, line)
		case line == divider:
			p.divider = true
		case p.divider:
			p.outcome(line)
		case strings.HasPrefix(text, shellMark), strings.HasPrefix(text, toolMark):
			p.call(line)
		case isContent(text):
			p.content(text)
		case strings.HasPrefix(line, commitMark):
			p.Commits = append(p.Commits, Commit{Subject: strings.TrimSpace(line[len(commitMark):])})
			p.message = &p.Commits[len(p.Commits)-1].Body
		case strings.HasPrefix(line, authorMark):
			p.author(strings.TrimSpace(line[len(authorMark):]))
		case strings.HasPrefix(line, requestMark), strings.HasPrefix(line, labelMark), line == draft:
			p.request(line)
		case strings.HasPrefix(line, branchMark):
			p.branch(line[len(branchMark):])
		default:
			p.message = nil
			p.file(line)
		}
	}
	p.at = yaml.Place{Line: p.Line, Column: 1}
	switch outcomes := len(p.Wanted); {
	case p.bad: // the bad line may have what is missing
	case len(p.Calls) > 0 && (len(p.Files)+len(p.Commits) > 0 || p.Request != nil || p.Branch != ""):
		p.report(0, "the example has files and calls; want one of them")
	case len(p.Calls) > 0 && p.Effect == "":
		p.report(0, "the example has no outcome; want a line %q, and below it one of %s", divider, suggest.Quoted(effects))
	case len(p.Calls) > 0:
	case len(p.Files)+len(p.Commits) == 0:
		p.report(0, "the example has no files; want %s", wantFile)
	case !p.divider:
		p.report(0, "the example has no outcome; want a line %q, and below it %s", divider, wantEnd)
	case outcomes == 0 && !p.silent && !p.Fires:
		p.report(0, "the example has no outcome; want %s below %q", wantEnd, divider)
	}
}

// report adds a problem at the byte at offset of the line being read.
func (p *parser) report(offset int, format string, args ...any) {
	p.bad = true
	p.Add(yaml.Place{Line: p.at.Line, Column: p.at.Column + offset}, Code, format, args...)
}

func isContent(line string) bool {
	return line == "+" || line == "-" || strings.HasPrefix(line, "+ ") || strings.HasPrefix(line, "- ")
}

// content parses a line of content of the file above it.
func (p *parser) content(line string) {
	sign, text := line[:1], strings.TrimPrefix(line[1:], " ")
	if p.message != nil {
		if *p.message = append(*p.message, text); sign == "-" {
			p.report(0, `a commit or pull request cannot have lines with "-"`)
		}
		return
	}
	if len(p.Files) == 0 {
		p.report(0, "no file above %q; want %s", yaml.Shorten(line), wantFile)
		return
	}
	f := &p.Files[len(p.Files)-1]
	switch {
	case sign == "+" && f.Status == Deleted,
		sign == "-" && (f.Status == Added || f.Status == Untracked || f.Status == Unchanged):
		p.report(0, `a file with the status "%c" cannot have lines with %q`, f.Status, sign)
	case sign == "+":
		f.Added = append(f.Added, text)
	default:
		f.Removed = append(f.Removed, text)
	}
}

// author parses a line such as "by Ada <ada@example.com>" below a commit.
func (p *parser) author(text string) {
	name, email, ok := strings.Cut(text, " <")
	switch {
	case len(p.Commits) == 0:
		p.report(0, "no commit above %q; want %q and a subject", yaml.Shorten(authorMark+text), strings.TrimSpace(commitMark))
	case !ok || name == "" || !strings.HasSuffix(email, ">"):
		p.report(len(authorMark), "the author is %s; want a name and an address, such as Ada <ada@example.com>", yaml.Quote(text))
	default:
		p.Commits[len(p.Commits)-1].Author = text
	}
}

// request parses a line about the pull request.
func (p *parser) request(line string) {
	if p.Request == nil {
		p.Request = &Request{}
	}
	switch title, titled := strings.CutPrefix(line, requestMark); {
	case line == draft:
		p.Request.Draft = true
	case !titled:
		p.Request.Labels = append(p.Request.Labels, strings.TrimSpace(line[len(labelMark):]))
	case p.Request.Title != "":
		p.report(0, "a second pull request; the first is %q", p.Request.Title)
	default:
		p.Request.Title = strings.TrimSpace(title)
		p.message = &p.Request.Body
	}
}

// call parses a line such as "$ git push --force" or "> Edit src/a.go".
func (p *parser) call(line string) {
	if text, ok := strings.CutPrefix(line, shellMark); ok {
		p.Calls = append(p.Calls, Call{Text: text})
		return
	}
	tool, file, ok := strings.Cut(strings.TrimPrefix(line, toolMark), " ")
	if !ok || tool == "" || file == "" {
		p.report(0, "%q; want %s", yaml.Shorten(line), wantCall)
		return
	}
	p.Calls = append(p.Calls, Call{Tool: tool, Text: file})
}

// branch parses a line such as "@ release/1.0".
func (p *parser) branch(name string) {
	if p.Branch != "" {
		p.report(0, "a second branch; the first is %q", p.Branch)
	} else if at := git.BadBranch(name); at >= 0 {
		p.report(len(branchMark)+at, "the branch is %s; want the name of a branch, such as main", yaml.Quote(name))
	}
	p.Branch = name
}

// file parses a line such as "M src/a.go".
func (p *parser) file(line string) {
	letter, rest, spaced := strings.Cut(line, " ")
	if !isStatus(letter) || !spaced {
		hint := ""
		if upper := strings.ToUpper(letter); upper != letter && isStatus(upper) {
			hint = "did you mean " + strconv.Quote(upper) + "? "
		}
		p.report(0, "%q has no status; %swant %s", yaml.Shorten(line), hint, wantFile)
		return
	}
	f := File{Status: letter[0]}
	old, path, renamed := cutArrow(rest, arrow)
	if renamed != (f.Status == Renamed) {
		p.report(0, "%q; want %s", yaml.Shorten(line), wantFile)
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

// name parses the path of a file that no earlier line has.
func (p *parser) name(text string, offset int) (string, bool) {
	path, ok := p.path(text, offset)
	if !ok {
		return "", false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." {
			p.report(offset, `bad path %q; want one such as "src/a.go", without "..", "./" or a "/" at either end`, text)
			return "", false
		}
	}
	if line, taken := p.named[path]; taken {
		p.report(offset, "%q is on line %d already; want each file once", path, line)
		return "", false
	}
	p.named[path] = p.at.Line
	return path, true
}

// path parses a path, or a Go string if it begins with a quote.
func (p *parser) path(text string, offset int) (string, bool) {
	if !strings.HasPrefix(text, `"`) {
		switch {
		case text == "":
			p.report(offset, "a path is missing")
		case text != strings.TrimSpace(text):
			p.report(offset, "%q begins or ends with a blank; want one blank before a path, or the path in quotes", text)
		default:
			return text, true
		}
		return "", false
	}
	path, err := strconv.Unquote(text)
	if err != nil || path == "" {
		p.report(offset, `bad quoted path %s; want one such as "a\tb"`, text)
		return "", false
	}
	return path, true
}

// outcome parses a line below the divider.
func (p *parser) outcome(line string) {
	if len(p.Calls) > 0 {
		if !slices.Contains(effects, line) || p.Effect != "" {
			p.report(0, "%q; want one of %s, alone", yaml.Shorten(line), suggest.Quoted(effects))
		}
		p.Effect = line
		return
	}
	only := line == silent || line == fires
	switch {
	case p.silent || p.Fires || only && len(p.Wanted) > 0:
		p.report(0, "%q and another outcome; want %q or %q alone", yaml.Shorten(line), silent, fires)
	case only:
		p.silent, p.Fires = line == silent, line == fires
	default:
		p.finding(line)
	}
}

// finding parses a line such as "a.go, b.go -> c.go", or "a.go:3".
func (p *parser) finding(line string) {
	var f Finding
	files, expected, found := cutArrow(line, arrow)
	if !found {
		files = line
		if before, _, ok := cutArrow(line, reportArrow); ok {
			p.report(len(before)+1, "bad arrow %q; want %q", reportArrow, arrow)
			return
		}
	}
	entries := listOf(files)
	for _, e := range entries {
		text, at := cutLine(e.text)
		if at > 0 && len(entries) > 1 {
			p.report(e.offset, "%q has the line of one of several files; want no line", e.text)
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

// once sorts paths and removes duplicates, as in findings.
func once(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}

// known reports a file that the example does not have.
func (p *parser) known(path string, offset int) bool {
	if _, ok := p.named[path]; ok || p.bad {
		return true
	}
	names := append(slices.Sorted(maps.Keys(p.named)), silent, fires)
	p.report(offset, "%q is not a file of the example%s", path, suggest.OneOf(path, names))
	return false
}
