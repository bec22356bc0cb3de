package format_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// reader reads what a format wrote, as the programs do that it is for.
type reader struct {
	// structure describes everything but the texts. It is the same for every text.
	structure func(t testing.TB, output string) string
	// outline describes what instructions cannot change; nil: they cannot change structure.
	outline func(t testing.TB, output string) string
	// texts checks that texts are read back; nil: structure is all.
	texts func(t testing.TB, output string, r *report.Report)
}

// readers has the formats that readerOf does not recognize, or whose texts are read back;
// the job summary is written by the format github.
var readers = map[string]reader{
	"text":     {structure: linesOf, outline: headsOf},
	"markdown": {structure: blocksOf, outline: sectionsOf},
	"brief":    {structure: blocksOf},
	"json":     {structure: valuesOf, texts: textsInJSON},
	"sarif":    {structure: valuesOf, texts: textsInSARIF},
	"github":   {structure: commandsOf, texts: textsInGitHub},
	"summary":  {structure: blocksOf, outline: sectionsOf},
	"junit":    {structure: xmlOf, texts: textsInJUnit},
	"gitlab":   {structure: valuesOf, texts: textsInGitLab},
	"row":      {structure: valuesOf, texts: textsInRow},
	"html":     {structure: elementsOf, texts: textsInHTML},
}

// readerOf returns the reader of a format. Of JSON, lines of JSON and XML it reads the structure.
func readerOf(name, output string) (reader, bool) {
	read, ok := readers[name]
	first, _, _ := strings.Cut(output, "\n")
	switch {
	case ok:
		return read, true
	case json.Valid([]byte(output)):
		return reader{structure: valuesOf}, true
	case json.Valid([]byte(first)):
		return reader{structure: linesOfJSON}, true
	case strings.HasPrefix(output, "<?xml "):
		return reader{structure: xmlOf}, true
	}
	return reader{}, false
}

// TestHostileLaw writes random hostile texts in every format and reads them back: they
// change no structure, so a finding is one finding and nothing else, no character is
// invisible, and GitHub's runner reads no command but the annotations. HOSTILE is
// the number of reports; each has some 50 hostile texts.
func TestHostileLaw(t *testing.T) {
	reports := lawtest.Cases(t, "HOSTILE", 60)
	for _, f := range format.All() {
		tame, summary := both(t, f, reporttest.Small(), format.Options{})
		read, ok := readerOf(f.Name, tame)
		if !ok {
			t.Errorf("format %s is neither JSON nor XML and has no row in readers; want one that parses it as its readers do", f.Name)
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(reports) {
				random := rand.New(rand.NewPCG(seed, 17))
				named := reporttest.HostileReport(random, false)
				output, sum := both(t, f, named, format.Options{})
				name := fmt.Sprintf("seed %d", seed)
				same(t, name, output, read.structure(t, tame), read.structure(t, output))
				full := reporttest.HostileReport(random, true)
				other, fullSum := both(t, f, full, format.Options{})
				if read.outline == nil {
					same(t, name+" with instructions", other, read.structure(t, tame), read.structure(t, other))
				} else {
					same(t, name+" with instructions", other, read.outline(t, tame), read.outline(t, other))
				}
				if read.texts != nil {
					read.texts(t, output, named)
					read.texts(t, other, full)
				}
				verbose, _ := both(t, f, full, format.Options{Verbose: true})
				commands := 0
				if f.Name == "github" {
					commands = len(commandLines(tame))
				}
				for i, out := range []string{output, other, verbose} {
					if i == 2 && out == other {
						continue // the format has no verbose form
					}
					visible(t, name, out)
					if n := len(commandLines(out)); n != commands {
						t.Fatalf("%s: the runner reads %d commands, want %d, in\n%s", name, n, commands, out)
					}
				}
				if f.Name == "github" {
					s := readers["summary"]
					same(t, name+" summary", sum, s.structure(t, summary), s.structure(t, sum))
					same(t, name+" summary with instructions", fullSum, s.outline(t, summary), s.outline(t, fullSum))
					visible(t, name, sum+fullSum)
				}
				if t.Failed() {
					return
				}
			}
		})
	}
}

// both returns what a format writes, and its job summary.
func both(t *testing.T, f format.Format, r *report.Report, o format.Options) (output, summary string) {
	t.Helper()
	var out, sum bytes.Buffer
	o.StepSummary = &sum
	if err := f.Write(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String(), sum.String()
}

func same(t *testing.T, name, output, want, got string) {
	t.Helper()
	if want != got {
		t.Fatalf("%s: texts change the structure (-want +got):\n%s\nof\n%s", name, cmp.Diff(want, got), output)
	}
}

// visible checks that every character of an output can be seen.
func visible(t *testing.T, name, output string) {
	t.Helper()
	if !utf8.ValidString(output) {
		t.Fatalf("%s: not UTF-8: %q", name, output)
	}
	for i, r := range output {
		if ' ' <= r && r <= '~' {
			continue
		}
		bad := r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) ||
			strings.ContainsRune("\u200b\u2060\u2064\ufeff\u00ad\u034f\u115f\u3164\uffa0\u180e\ufff9", r) || r >= 0xe0000 && r < 0xe0100
		if bad {
			t.Fatalf("%s: %U in %q", name, r, output[max(0, i-40):min(len(output), i+40)])
		}
	}
}

// commandLines returns the lines in which GitHub's runner (ActionCommand.cs) finds a
// command: "::" after white space and another one, or "##[" and "]" anywhere. It compares
// by culture, which skips characters of no width.
func commandLines(output string) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(output, "\r", "\n"), "\n") {
		if strings.Count(line, ":") < 4 && strings.Count(line, "#") < 2 {
			continue
		}
		bare := strings.TrimLeftFunc(strings.Map(withWidth, line), unicode.IsSpace)
		rest, second := strings.CutPrefix(bare, "::")
		_, bracket, first := strings.Cut(bare, "##[")
		if second && strings.Contains(rest, "::") || first && strings.Contains(bracket, "]") {
			lines = append(lines, line)
		}
	}
	return lines
}

// withWidth removes characters without width.
func withWidth(r rune) rune {
	if r > unicode.MaxLatin1 && unicode.In(r, unicode.Cf, unicode.Variation_Selector) || r == '\u00ad' {
		return -1
	}
	return r
}

// linesOf describes the lines of a text by their indentation.
func linesOf(_ testing.TB, output string) string {
	var b strings.Builder
	for line := range strings.Lines(output) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		fmt.Fprintln(&b, min(indent, 2), strings.TrimSpace(line) == "")
	}
	return b.String()
}

// head matches the lines that begin a section of the text format.
var head = regexp.MustCompile(`(?m)^(error|warning|note|waived|not waived|notice|failed|passed|logs):`)

func headsOf(_ testing.TB, output string) string {
	return strings.Join(head.FindAllString(output, -1), "\n")
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// blocksOf describes the blocks of a markdown document. Of inline markup it accepts code,
// and links by their address.
func blocksOf(tb testing.TB, output string) string {
	tb.Helper()
	source := []byte(output)
	root := gfm.Parse(text.NewReader(source))
	var b strings.Builder
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case n.Type() == ast.TypeInline && entering:
			switch n.Kind() {
			case ast.KindText, ast.KindString, ast.KindCodeSpan, ast.KindAutoLink:
			default:
				tb.Errorf("%s in\n%s", n.Kind(), output)
			}
		case n.Type() != ast.TypeInline && entering:
			fmt.Fprintf(&b, "(%s", n.Kind())
			if h, ok := n.(*ast.Heading); ok {
				fmt.Fprint(&b, h.Level)
			}
		case n.Type() != ast.TypeInline:
			b.WriteString(")\n")
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// sectionsOf lists the sections of a markdown document. It accepts no image in it, and no
// HTML but what changes letters only.
func sectionsOf(tb testing.TB, output string) string {
	tb.Helper()
	source := []byte(output)
	root := gfm.Parse(text.NewReader(source))
	var b strings.Builder
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level < 3 {
				fmt.Fprintf(&b, "%d %s\n", n.Level, entriesOf(n.NextSibling()))
			}
		case *ast.Image:
			tb.Errorf("an image in\n%s", output)
		case *ast.RawHTML:
			if tag := string(n.Segments.Value(source)); !regexp.MustCompile(`^(</?(promise|kbd|sub|sup)>|<br>|<!--[^<>]+-->)$`).MatchString(tag) {
				tb.Errorf("HTML %s in\n%s", tag, output)
			}
		case *ast.HTMLBlock:
			if block := string(n.Lines().Value(source)); !regexp.MustCompile(`^\s*<!--[^<>]+-->\s*$`).MatchString(block) {
				tb.Errorf("HTML %s in\n%s", block, output)
			}
		}
		return ast.WalkContinue, nil
	})
	last := root.LastChild()
	if last == nil || last.Kind() != ast.KindParagraph || !strings.HasPrefix(string(last.Lines().Value(source)), "failed: ") {
		tb.Errorf("the verdict is not the last paragraph of\n%s", output)
	}
	return b.String()
}

// entriesOf counts the entries below a heading.
func entriesOf(n ast.Node) string {
	if n == nil {
		return "none"
	}
	if n.Kind() == ast.KindList {
		return fmt.Sprint(n.ChildCount(), " items")
	}
	return n.Kind().String()
}

// valuesOf describes JSON by its keys, the lengths of lists, and the types of values.
func valuesOf(tb testing.TB, output string) string {
	tb.Helper()
	d := json.NewDecoder(strings.NewReader(output))
	var value any
	if err := d.Decode(&value); err != nil || d.More() {
		tb.Fatalf("%v in\n%s", err, output)
	}
	var b strings.Builder
	describe(&b, value)
	return b.String()
}

func describe(b *strings.Builder, value any) {
	switch value := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(value))
		for key := range value {
			if key != "helpUri" && key != "uriBaseId" { // of a URL, of a path that is not absolute
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		b.WriteString("{\n")
		for _, key := range keys {
			b.WriteString(key + ":")
			describe(b, value[key])
		}
		b.WriteString("}\n")
	case []any:
		fmt.Fprintf(b, "%d[\n", len(value))
		elements := make([]string, 0, len(value))
		for _, element := range value {
			var one strings.Builder
			describe(&one, element)
			elements = append(elements, one.String())
		}
		slices.Sort(elements) // findings are sorted by their texts
		b.WriteString(strings.Join(elements, ""))
		b.WriteString("]\n")
	default:
		fmt.Fprintf(b, "%T\n", value)
	}
}
