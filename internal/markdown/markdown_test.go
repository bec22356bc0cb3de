package markdown_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/plain"
)

func TestCode(t *testing.T) {
	for name, want := range map[string]markdown.Text{
		"src/a_b.py":        "`src/a_b.py`",
		"src/__init__.py":   "`src/__init__.py`",
		"a b":               "`a b`",
		"`a`":               "`` `a` ``",
		"![x](//evil)\n# x": "`![x](//evil)\\n# x`",
		"##[add-mask]x":     "`##\\x5badd-mask]x`",
		"\u200b\U000e0041":  "`\\u200b\\U000e0041`",
		"-rf":               "`-rf`",
		"":                  "`  `",
	} {
		if got := markdown.Code(name); got != want {
			t.Errorf("Code(%q) = %s, want %s", name, got, want)
		}
	}
}

func TestBody(t *testing.T) {
	for body, want := range map[string]markdown.Text{
		"Add a test.\n\n- one\n- two `<b>`\n":     "Add a test.\n\n- one\n- two `<b>`",
		"```\n<!-- kept\n```":                     "```\n<!-- kept\n```",
		"```python\n# open":                       "```python\n# open\n```",
		"~~~~\nopen\n```":                         "~~~~\nopen\n```\n~~~~",
		"<!-- open":                               "\\<!-- open",
		"a\n<!-- a note -->\nb <!-- c --> d":      "a\n<!-- a note -->\nb <!-- c --> d",
		"<!-- x --!> <img src=x> -->":             "\\<!-- x --!> \\<img src=x> -->",
		"<script>\n\n## x":                        "\\<script>\n\n### x",
		"<pre>\n\n<details><summary>":             "\\<pre>\n\n\\<details>\\<summary>",
		"Say <promise>Rule</promise>.":            "Say <promise>Rule</promise>.",
		"Say <promise>Rule.":                      "Say \\<promise>Rule.",
		"![x](https://evil)":                      "\\![x](https://evil)",
		"![x]\n\n[x]: https://evil":               "\\![x]\n\n\\[x]: https://evil",
		"[x][1] `[a]: b`\n\n[1]: https://evil":    "[x][1] `[a]: b`\n\n\\[1]: https://evil",
		"> - [a\nb]: <https://evil>\n\n[^1]: x y": "> - \\[a\nb]: \\<https://evil>\n\n\\[^1]: x y",
		"    [x]: code":                           "\\[x]: code",
		"# One\n\n## Two\n\n### Three":            "### One\n\n### Two\n\n### Three",
		"One\n===\n\nTwo\n---\n\n> Three\n> ===":  "One\n\\===\n\nTwo\n\\---\n\n> Three\n> \\===",
		"#":                                       "###",
		"    <!-- not code in a list":             "\\<!-- not code in a list",
		"see <https://example.com/a> and <a@b.c>": "see <https://example.com/a> and <a@b.c>",
		"x < y, a\\<b> and a\\\\<b>":              "x < y, a\\<b> and a\\\\\\<b>",
	} {
		if got := markdown.Body(body); got != want {
			t.Errorf("Body(%q)\n got %q\nwant %q", body, got, want)
		}
	}
}

// A body whose parsing would take quadratic time is shown as code.
func TestComplexBodyIsCode(t *testing.T) {
	for _, body := range []string{
		strings.Repeat("```\n<!--\n", 1<<15), strings.Repeat("[x](", 1001), strings.Repeat("> ", 100), "a\n" + strings.Repeat("1. ", 100), strings.Repeat("-\t", 100),
	} {
		got := string(markdown.Body(body))
		fence := got[:strings.IndexByte(got, '\n')]
		if strings.Trim(fence, "`") != "" || len(fence) < 3 || !strings.HasSuffix(got, "\n"+fence) {
			t.Errorf("the body begins with %q and ends with %q, want one code block", got[:10], got[len(got)-10:])
		}
	}
}

func TestCut(t *testing.T) {
	const head = "x\n\n## A\na\n\n"
	for _, tt := range []struct{ rest, want string }{
		{strings.Repeat("b\n", 50), strings.Repeat("b\n", 9) + "b"},
		{"```\n" + strings.Repeat("b\n", 50), "```\n" + strings.Repeat("b\n", 7) + "b\n```"},
		{"<!--\n" + strings.Repeat("b\n", 50), ""},
	} {
		want := markdown.Text(strings.TrimRight(head+tt.want, "\n"))
		if tt.want == "" {
			want = "x"
		}
		if got := markdown.Cut(markdown.Text(head+tt.rest), len(head)+20+64); got != want {
			t.Errorf("Cut(%q) = %q, want %q", tt.rest, got, want)
		}
	}
}

func TestFill(t *testing.T) {
	names := map[string][]string{"{trigger_files}": {"a.py", "x`\n<!-- $(y)"}, "{expected_files}": {"a b"}}
	got := markdown.Fill("{trigger_files} and `pytest {trigger_files}` {other}\n\n    {expected_files}", func(p string) ([]string, int, bool) {
		return names[p], len(names[p]) / 2 * 7, names[p] != nil
	})
	want := "`a.py`, ``x`\\n<!-- $(y)`` and 7 more and `pytest a.py, $'x\\x60\\x0a<!-- $(y)' and 7 more` {other}\n\n    'a b'"
	if got != want {
		t.Errorf("Fill =\n%s\nwant\n%s", got, want)
	}
}

func TestFprintWritesNoCommands(t *testing.T) {
	var b strings.Builder
	if err := markdown.Fprint(&b, "::error::x\n\u00a0 ::x a=b::c\n:::note\na::b::\n"); err != nil {
		t.Fatal(err)
	}
	if want := "\\::error::x\n\u00a0 \\::x a=b::c\n:::note\na::b::\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestTags(t *testing.T) {
	const source = "<a>x</a> `<b>` <!-- <c> --> <d e='<f>'>\n\n    <g>\n\n```\n<h>\n```\n> ```\n> <i>\n\n`<j>\n<k>` ``<l>``\n\n<m>\nx\n</m>\n\n<pre>\n<n>\n</pre>"
	var got []string
	for at := range len(source) {
		if markdown.Tags(source)[at] {
			got = append(got, source[at:at+3])
		}
	}
	if want := "<a> </a <d  <m> </m"; strings.Join(got, " ") != want {
		t.Errorf("tags %v, want %s", got, want)
	}
}

// pieces are the parts of hostile names and bodies.
var pieces = rapid.SampledFrom([]string{
	"a", "b c", "\n", "\n\n", "\r\n", "\t", "    ", "  ", "# ", "## ", "#", "===\n", "---\n", "* ", "- ", "1. ", "> ", "`", "``", "```", "```\n", "~~~\n", "~", "_", "__", "*", "**",
	"<", ">", "<!--", "-->", "--!>", "<script>", "</script>", "<pre>", "<details>", "<img src=x>", "<b a='", "<?", "<![CDATA[", "<!X", "]]>", "<promise>", "</promise>", "<a@b.c>", "<https://x>",
	"![", "[", "](x)", "]", "[x]: y\n", "[^1]: note\n", "[a\nb]: <y> 'z'\n", "[x]", "[^1]", "!", "\\", "|", "|-|-|\n", "&lt;", "&#33;", ":", "::error::", "##[x]", "www.x.y", "http://x.y", "\x1b[31m", "\u202e", "\u200b", "\U000e0041", "\x00", "\xff", "é", "⚠️",
})

var hostile = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(pieces, 0, 25).Draw(t, "pieces"), "")
})

var commonMark = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// shown returns the text of a node as a reader sees it, and whether it has anything but
// text and code.
func shown(source []byte, n ast.Node) (seen string, markup bool) {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.WriteString(html.UnescapeString(unescape(string(c.Segment.Value(source)))))
		case *ast.String:
			b.Write(c.Value)
		case *ast.CodeSpan:
			for t := c.FirstChild(); t != nil; t = t.NextSibling() {
				b.Write(t.(*ast.Text).Segment.Value(source))
			}
		case *ast.AutoLink:
			b.Write(c.Label(source))
		default:
			return b.String(), true
		}
	}
	return b.String(), false
}

// unescape removes the backslashes that markdown removes.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
			b.WriteString(html.EscapeString(s[i : i+1]))
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Code and lines are read back as they are, in one paragraph without markup.
func TestCodeAndLinesLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		s := hostile.Draw(t, "text")
		for kind, c := range map[string]struct {
			text markdown.Text
			want string
		}{
			"code": {markdown.Code(s), string(plain.Line(s))},
			"line": {markdown.Line(s), strings.TrimSpace(string(plain.Line(s)))},
		} {
			source := []byte(c.text)
			root := commonMark.Parse(text.NewReader(source))
			if c.want == "" && (root.FirstChild() == nil || kind != "line") {
				continue
			}
			if root.ChildCount() != 1 || root.FirstChild().Kind() != ast.KindParagraph {
				t.Fatalf("%s of %q is %q, which is no paragraph", kind, s, source)
			}
			seen, markup := shown(source, root.FirstChild())
			if markup || seen != c.want {
				t.Fatalf("%s of %q is %q, which shows %q (markup %t), want %q", kind, s, source, seen, markup, c.want)
			}
		}
	})
}

// allMarkdown has footnotes, as GitHub does.
var allMarkdown = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser()

// What other bodies refer to is not defined by a body.
func TestBodiesDefineNothing(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		body := hostile.Draw(t, "body") + rapid.SampledFrom([]string{"", "\n\n[x]: y\n", "\n\n> [^1]: note", "\n\n- [a b]: <y>\n"}).Draw(t, "definition")
		source := []byte(string(markdown.Body(body)) + "\n\n## B\n\n[x] ![x] [z][x] [a b] [^1] after\n")
		root := allMarkdown.Parse(text.NewReader(source))
		last := root.LastChild()
		if last.Kind() != ast.KindParagraph {
			t.Fatalf("what follows is lost in\n%s", source)
		}
		for c := last.FirstChild(); c != nil; c = c.NextSibling() {
			if c.Kind() != ast.KindText {
				t.Fatalf("the body defines what a %s refers to in\n%s", c.Kind(), source)
			}
		}
	})
}

// A body adds no heading of the report, no image and no HTML, and what follows stays.
func TestBodyLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		body := hostile.Draw(t, "body")
		for _, before := range []string{"## A\nx", "## A\n- x", "## A\n- x\n  - `y`"} {
			source := []byte(before + "\n\n" + string(markdown.Body(body)) + "\n\n## B\n\nafter\n")
			root := commonMark.Parse(text.NewReader(source))
			if last, ok := root.LastChild().PreviousSibling().(*ast.Heading); !ok || last.Level != 2 || root.LastChild().Kind() != ast.KindParagraph {
				t.Fatalf("what follows is lost in\n%s", source)
			}
			headings := 0
			_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				h, ok := n.(*ast.Heading)
				switch {
				case !entering:
				case ok && h.Level < 3:
					headings++
				case n.Kind() == ast.KindImage:
					t.Fatalf("an image in\n%s", source)
				case n.Kind() == ast.KindHTMLBlock, n.Kind() == ast.KindRawHTML:
					at := string(source[n.Pos():])
					if !strings.HasPrefix(at, "<promise>") && !strings.HasPrefix(at, "</promise>") && !strings.HasPrefix(at, "<!--") {
						t.Fatalf("HTML in\n%s", source)
					}
				}
				return ast.WalkContinue, nil
			})
			if headings != 2 {
				t.Fatalf("%d headings, want 2, in\n%s", headings, source)
			}
		}
	})
}

// Names that fill instructions stay in their place: in prose they are text or code, in
// code they do not end it.
func TestFillLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(hostile, 1, 4).Draw(t, "names")
		filled := markdown.Fill("Of {trigger_files} run `a {trigger_files} b` and\n\n```sh\n{trigger_files}\n```\n\nend", func(string) ([]string, int, bool) { return names, 0, true })
		source := []byte(markdown.Body(filled))
		root := commonMark.Parse(text.NewReader(source))
		var kinds []string
		for c := root.FirstChild(); c != nil; c = c.NextSibling() {
			kinds = append(kinds, c.Kind().String())
		}
		seen, markup := shown(source, root.FirstChild())
		if strings.Join(kinds, " ") != "Paragraph FencedCodeBlock Paragraph" || markup || !strings.HasPrefix(seen, "Of ") || !strings.HasSuffix(seen, " b and") {
			t.Fatalf("%q fill\n%s\nwhich is read as %v, %q", names, source, kinds, seen)
		}
	})
}

// linked has the extension that makes addresses of text links.
var linked = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// A line mentions no one and links nothing, whatever a commit's author writes.
func TestLinesAreNotLiveLaw(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"@org/team", "a@b.example", "https://evil.example/x", "HTTP://evil.example", "www.evil.example", "mailto:a@b.example", "xmpp:a@b/c", "(", ")", " ", "`", "*", "_", "|", "\\", "fix", "#1", "1.", "-", "ftp://x.example", "é", "<", ">", ",",
	})
	mention := regexp.MustCompile(`@[A-Za-z0-9]`)
	lawtest.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		for kind, source := range map[string][]byte{"line": []byte(markdown.Line(s)), "cell": []byte("| a |\n|---|\n" + markdown.Row(markdown.Line(s)))} {
			_ = ast.Walk(linked.Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				switch n := n.(type) {
				case *ast.AutoLink, *ast.Link, *ast.Image:
					t.Fatalf("%s of %q is %q, which has a link", kind, s, source)
				case *ast.CodeSpan:
					return ast.WalkSkipChildren, nil
				case *ast.Text:
					if entering && mention.Match(n.Segment.Value(source)) {
						t.Fatalf("%s of %q is %q, which mentions someone", kind, s, source)
					}
				}
				return ast.WalkContinue, nil
			})
		}
	})
}
