package language_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rulecheck/rulecheck/internal/content/language"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// ignored are the sets of parts for which the readers are compared.
var ignored = [3][]string{
	{language.Whitespace},
	{language.Whitespace, language.Comments},
	{language.Whitespace, language.Comments, language.Docstrings, language.Imports},
}

// answer holds the verdicts of another reader on two versions of a file.
type answer struct {
	Error    string  `json:"error"`    // it cannot read one of them
	Same     [3]bool `json:"same"`     // for each set of parts, whether only these differ
	Stripped string  `json:"stripped"` // the second version without comments
	Changed  string  `json:"changed"`  // and with another character in a token
}

// TestReadersOfLanguages compares what may be ignored with the tokenizers of the languages
// themselves: go/scanner, Python's tokenize and TypeScript's parser. It reads the pairs of files in
// testdata/versions, and the modified files of the newest commits in IGNORE_REPOSITORIES.
func TestReadersOfLanguages(t *testing.T) {
	for _, l := range []struct {
		name, extensions string
		ask              func(*testing.T) func(name, before, after string) answer
	}{
		{"Go", "go", func(*testing.T) func(_, _, _ string) answer { return readGo }},
		{"Python", "py pyi", program("python3", "testdata/oracle.py", "import tokenize", "-c")},
		{"TypeScript", "js jsx mjs cjs ts tsx mts cts", program("node", "testdata/oracle.cjs", "require(process.env.TYPESCRIPT || 'typescript')", "-e")},
	} {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			ask := l.ask(t)
			extensions := strings.Fields(l.extensions)
			c := &comparison{T: t, ask: ask}
			samples, _ := filepath.Glob("testdata/versions/*.txtar")
			for _, sample := range samples {
				archive, err := txtar.ParseFile(sample)
				if err != nil {
					t.Fatal(err)
				}
				for i := 0; i+1 < len(archive.Files); i += 2 {
					before, after := archive.Files[i], archive.Files[i+1]
					if slices.Contains(extensions, strings.TrimPrefix(path.Ext(before.Name), ".")) {
						c.compare(sample+": "+before.Name, before.Name, string(before.Data), string(after.Data))
					}
				}
			}
			for _, repository := range filepath.SplitList(os.Getenv("IGNORE_REPOSITORIES")) {
				c.compareCommits(repository, extensions, lawtest.Cases(t, "IGNORE_COMMITS", 1000))
			}
			t.Logf("%d pairs of versions: %d equal but for the parts, %d not read by the other reader, %d not read by this one", c.pairs, c.same, c.unreadable, c.unsure)
		})
	}
}

// program returns a function that starts a program which reads a language, or skips the test.
func program(command, script, probe, flag string) func(*testing.T) func(_, _, _ string) answer {
	return func(t *testing.T) func(_, _, _ string) answer {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), command, flag, probe).CombinedOutput(); err != nil {
			t.Skipf("no %s with this module (TYPESCRIPT is the path of the npm package): %v\n%.200s", command, err, out)
		}
		cmd := exec.CommandContext(t.Context(), command, script)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = in.Close()
			_ = cmd.Wait()
		})
		answers := bufio.NewReader(out)
		return func(name, before, after string) (a answer) {
			question, _ := json.Marshal([]string{name, before, after})
			if _, err := in.Write(append(question, '\n')); err != nil {
				t.Fatal(err)
			}
			line, err := answers.ReadBytes('\n')
			if err == nil {
				err = json.Unmarshal(line, &a)
			}
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
	}
}

// comparison counts what was compared.
type comparison struct {
	*testing.T

	ask                             func(name, before, after string) answer
	pairs, same, unreadable, unsure int
}

// compare compares the readers on two versions of a file.
func (c *comparison) compare(where, name, before, after string) {
	c.pairs++
	other := c.ask(name, before, after)
	if other.Error != "" {
		c.unreadable++
		return
	}
	for _, text := range []string{before, after} {
		if _, ok := language.Significant(name, text, language.PartsOf(ignored[2])); !ok {
			c.unsure++
			c.Logf("%s: not read", where)
			return
		}
	}
	for i, kinds := range ignored {
		if got := language.SameBut(name, before, after, language.PartsOf(kinds)); got != other.Same[i] {
			c.Errorf("%s: only %s differ: %v; the other reader says %v", where, kinds, got, other.Same[i])
		}
	}
	if other.Same[2] {
		c.same++
	}
	if other.Stripped != after && !language.SameBut(name, after, other.Stripped, language.PartsOf(ignored[1])) {
		c.Errorf("%s: without comments it is another file:\n%s", where, firstDifference(name, after, other.Stripped))
	}
	if other.Changed != "" && language.SameBut(name, after, other.Changed, language.PartsOf(ignored[2])) {
		c.Errorf("%s: a token changed, and the file is the same", where)
	}
}

// firstDifference shows where two texts begin to differ without white space and comments.
func firstDifference(name, a, b string) string {
	x, _ := language.Significant(name, a, language.PartsOf(ignored[1]))
	y, _ := language.Significant(name, b, language.PartsOf(ignored[1]))
	i := 0
	for i < min(len(x), len(y)) && x[i] == y[i] {
		i++
	}
	from := max(0, i-80)
	return fmt.Sprintf("%.120q\n%.120q", x[from:], y[from:])
}

// compareCommits compares the versions of the files that the newest commits with such files
// modify.
func (c *comparison) compareCommits(repository string, extensions []string, number int) {
	args := []string{"-C", repository, "log", "--no-merges", "-n", strconv.Itoa(number), "--format=%x00%h", "--raw", "--abbrev=40", "--no-renames", "--diff-filter=M", "--"}
	for _, e := range extensions {
		args = append(args, "*."+e)
	}
	log, err := exec.CommandContext(c.Context(), "git", args...).Output()
	if err != nil {
		c.Fatal(err)
	}
	objects := exec.CommandContext(c.Context(), "git", "-C", repository, "cat-file", "--batch")
	in, _ := objects.StdinPipe()
	out, _ := objects.StdoutPipe()
	if err := objects.Start(); err != nil {
		c.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_ = objects.Wait()
	}()
	reader := bufio.NewReader(out)
	commits := strings.Split(string(log), "\x00")[1:]
	for _, commit := range commits {
		id, rows, _ := strings.Cut(commit, "\n")
		for row := range strings.Lines(rows) {
			facts, name, ok := strings.Cut(strings.TrimSpace(row), "\t")
			fields := strings.Fields(facts)
			if !ok || len(fields) != 5 || strings.Contains(facts, "120000") || strings.Contains(facts, "160000") || strings.HasPrefix(name, `"`) {
				continue
			}
			before, ok1 := object(c.T, in, reader, fields[2])
			after, ok2 := object(c.T, in, reader, fields[3])
			if ok1 && ok2 {
				c.compare(id+" "+name, path.Base(name), before, after)
			}
		}
	}
	c.Logf("%s: %d commits", repository, len(commits))
}

// object reads a file of a repository, or returns false if it is missing, large or no text.
func object(t *testing.T, in io.Writer, out *bufio.Reader, id string) (string, bool) {
	t.Helper()
	var size int
	if _, err := fmt.Fprintln(in, id); err != nil {
		t.Fatal(err)
	}
	header, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(header, "missing\n") {
		return "", false
	}
	if _, err := fmt.Sscanf(strings.Fields(header)[2], "%d", &size); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(out, data); err != nil {
		t.Fatal(err)
	}
	data = data[:size]
	return string(data), size <= 1<<20 && bytes.IndexByte(data, 0) < 0 && string(bytes.ToValidUTF8(data, nil)) == string(data)
}

// obeyedInGo matches the comments that a tool obeys.
var obeyedInGo = regexp.MustCompile(`^//(go:|export |extern |line )|^/\*line |^//\s*\+build\b|\bLINT\.\w`)

// readGo compares two versions of a file with go/scanner and go/parser.
func readGo(_, before, after string) (result answer) {
	a, err := readGoFile(before)
	if err != nil {
		return answer{Error: err.Error()}
	}
	b, err := readGoFile(after)
	if err != nil {
		return answer{Error: err.Error()}
	}
	for i, kinds := range ignored {
		result.Same[i] = slices.Equal(a.signature(kinds), b.signature(kinds))
	}
	result.Stripped, result.Changed = b.stripped(), b.changed()
	return result
}

// goToken is a token of go/scanner; goFile are those of a file.
type goToken struct {
	text                   string
	from, to               int
	comment, kept, imports bool
}

type goFile struct {
	text   string
	tokens []goToken
}

func readGoFile(text string) (*goFile, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "a.go", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	place := func(p token.Pos) int { return set.Position(p).Offset }
	var removed, preambles [][2]int // the places of imports, and of the comments that cgo compiles
	for _, d := range tree.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.IMPORT {
			continue
		}
		from := place(group.Pos())
		for _, s := range group.Specs {
			spec := s.(*ast.ImportSpec)
			if blank := spec.Name != nil && spec.Name.Name == "_"; blank || spec.Path.Value == `"C"` {
				removed = append(removed, [2]int{from, place(spec.Pos())})
				from = place(spec.End())
			}
			for _, doc := range []*ast.CommentGroup{group.Doc, spec.Doc} {
				if spec.Path.Value == `"C"` && doc != nil {
					preambles = append(preambles, [2]int{place(doc.Pos()), place(doc.End())})
				}
			}
		}
		removed = append(removed, [2]int{from, place(group.End()) + 1}) // with the semicolon
	}
	within := func(places [][2]int, from, to int) bool {
		return slices.ContainsFunc(places, func(p [2]int) bool { return p[0] <= from && to <= p[1] })
	}
	f := &goFile{text: text}
	source := token.NewFileSet().AddFile("a.go", -1, len(text))
	var s scanner.Scanner
	s.Init(source, []byte(text), nil, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			return f, nil
		}
		from := source.Offset(pos)
		t := goToken{text: literal, from: from, to: from + len(literal), comment: kind == token.COMMENT}
		switch {
		case t.comment:
			t.to = from + strings.Index(text[from:], literal[:2]) + len(literal)
			t.kept = obeyedInGo.MatchString(literal) || within(preambles, from, t.to)
		case kind == token.SEMICOLON:
			t.text, t.to = ";", from+1
		case literal == "":
			t.text, t.to = kind.String(), from+len(kind.String())
		}
		t.imports = !t.comment && within(removed, from, t.to)
		f.tokens = append(f.tokens, t)
	}
}

// signature is equal for files that differ in the parts alone.
func (f *goFile) signature(kinds []string) (all []string) {
	for _, t := range f.tokens {
		switch {
		case t.comment && slices.Contains(kinds, language.Comments) && !t.kept:
		case t.imports && slices.Contains(kinds, language.Imports):
		case t.comment:
			alone := strings.TrimSpace(f.text[strings.LastIndexByte(f.text[:t.from], '\n')+1:t.from]) == ""
			text := strconv.FormatBool(alone)
			for line := range strings.Lines(t.text) {
				text += "\n" + strings.TrimSpace(line)
			}
			all = append(all, text)
		default:
			all = append(all, t.text)
		}
	}
	return all
}

func (f *goFile) stripped() string {
	var b strings.Builder
	at := 0
	for _, t := range f.tokens {
		if t.comment && !t.kept {
			b.WriteString(f.text[at:t.from])
			b.WriteString(map[bool]string{true: "\n", false: " "}[strings.Contains(f.text[t.from:t.to], "\n")])
			at = t.to
		}
	}
	return b.String() + f.text[at:]
}

// changed changes a token that looks most like a comment.
func (f *goFile) changed() string {
	var chosen *goToken
	for i := range f.tokens {
		t := &f.tokens[i]
		if t.comment || t.imports || t.to-t.from < 3 {
			continue
		}
		if chosen = t; strings.Contains(t.text, "//") || strings.Contains(t.text, "/*") {
			break
		}
	}
	if chosen == nil {
		return ""
	}
	return f.text[:chosen.to-1] + "x" + f.text[chosen.to-1:]
}
