package format_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

func textsInJSON(tb testing.TB, output string, r *report.Report) {
	tb.Helper()
	var read report.Report
	if err := json.Unmarshal([]byte(output), &read); err != nil {
		tb.Fatal(err)
	}
	sameTexts(tb, r, &read)
}

func textsInRow(tb testing.TB, output string, r *report.Report) {
	tb.Helper()
	read, err := report.ReadRow([]byte(output))
	if err != nil {
		tb.Fatal(err)
	}
	sameTexts(tb, r, read)
}

func sameTexts(tb testing.TB, want, got *report.Report) {
	tb.Helper()
	texts := func(r *report.Report) []string {
		list := slices.Clone(r.Notices)
		for _, f := range r.Findings {
			list = append(append(append(list, f.Path, f.Name, f.Rule, f.Message), f.TriggerFiles...), f.Expected...)
		}
		for i, text := range list {
			list[i] = plain.Valid(text)
		}
		return list
	}
	if diff := cmp.Diff(texts(want), texts(got)); diff != "" {
		tb.Errorf("-want +got:\n%s", diff)
	}
}

// sarifLinks match what readers of a message take as an escape, a link or a bracket: those
// that escape brackets only, and those that escape any character.
var sarifLinks = []*regexp.Regexp{
	regexp.MustCompile(`\\[\[\]]|\[((?:\\[\[\]\\]|[^\[\]\\])*)\]\((\d+)\)|[\[\]]`),
	regexp.MustCompile(`\\.|\[((?:\\.|[^\[\]\\])*)\]\((\d+)\)|[\[\]]`),
}

func textsInSARIF(tb testing.TB, output string, r *report.Report) {
	tb.Helper()
	var log struct {
		Runs []struct {
			Results []struct {
				RuleIndex        int
				Message          struct{ Text string }
				Locations        []sarifPlace
				RelatedLocations []sarifPlace
			}
		}
	}
	if err := json.Unmarshal([]byte(output), &log); err != nil {
		tb.Fatal(err)
	}
	for i, result := range log.Runs[0].Results {
		f := r.Findings[i]
		ids := map[string]bool{}
		for j, related := range result.RelatedLocations {
			ids[strconv.Itoa(related.ID)] = true
			if path := related.path(tb); path != f.Related[j].Path {
				tb.Errorf("finding %d has the related file %q, want %q", i, path, f.Related[j].Path)
			}
		}
		if path := result.Locations[0].path(tb); path != f.Path {
			tb.Errorf("finding %d is in %q, want %q", i, path, f.Path)
		}
		for _, grammar := range sarifLinks {
			for _, m := range grammar.FindAllStringSubmatch(result.Message.Text, -1) {
				if escape := strings.HasPrefix(m[0], `\`); !escape && !ids[m[2]] {
					tb.Errorf("the message %q has %q, which links to no related file", result.Message.Text, m[0])
				}
			}
		}
	}
}

type sarifPlace struct {
	ID               int
	PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
}

func (p sarifPlace) path(tb testing.TB) string {
	tb.Helper()
	uri := p.PhysicalLocation.ArtifactLocation.URI
	read, err := url.Parse(uri)
	if err != nil || read.RawQuery != "" || read.Fragment != "" || read.Scheme != "" && read.Scheme != "file" {
		tb.Errorf("%q is no path: %v", uri, err)
		return ""
	}
	return read.Path
}

// runnerEscapes are those that the runner decodes (ActionCommand.cs).
var runnerEscapes = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")

// annotationOf reads a command as the runner does.
func annotationOf(line string) (name string, properties map[string]string, message string) {
	info, message, _ := strings.Cut(strings.TrimPrefix(line, "::"), "::")
	name, list, _ := strings.Cut(info, " ")
	properties = map[string]string{}
	for property := range strings.SplitSeq(list, ",") {
		key, value, _ := strings.Cut(property, "=")
		properties[key] = runnerEscapes.Replace(value)
	}
	return name, properties, runnerEscapes.Replace(message)
}

// commandsOf describes the annotations, and the number of lines in the log.
func commandsOf(_ testing.TB, output string) string {
	var list []string
	for _, line := range commandLines(output) {
		name, properties, message := annotationOf(line)
		keys := make([]string, 0, len(properties))
		for key := range properties {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		list = append(list, fmt.Sprintln(name, keys, properties["line"], strings.Count(message, "\n")))
	}
	slices.Sort(list) // findings are sorted by their texts
	return fmt.Sprintln(list, strings.Count(output, "\n"))
}

func textsInGitHub(tb testing.TB, output string, r *report.Report) {
	tb.Helper()
	lines := commandLines(output)
	for _, f := range r.Findings {
		if f.Waived() {
			continue
		}
		found := slices.ContainsFunc(lines, func(line string) bool {
			_, properties, message := annotationOf(line)
			return properties["title"] == string(plain.Line(f.Name)) && strings.HasPrefix(message, string(plain.Line(report.Message(f))))
		})
		if !found {
			tb.Errorf("no annotation of %q in\n%s", f.Name, output)
		}
	}
}

// elementsOf describes a page by its elements and attributes. Links to pages and the elements
// of instructions, which depend on the texts, are left out; links are checked.
func elementsOf(tb testing.TB, output string) string {
	tb.Helper()
	skipped := map[*html.Node]bool{}
	root, err := html.Parse(strings.NewReader(output))
	if err != nil {
		tb.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		switch n.Type { //nolint:exhaustive // others are counted by their elements
		case html.ElementNode:
			link := n.Data == "a" && strings.Contains(fmt.Sprint(n.Attr), "noopener")
			if link && !strings.HasPrefix(n.Attr[0].Val, "https://") && !strings.HasPrefix(n.Attr[0].Val, "http://") {
				tb.Errorf("a link to %q", n.Attr[0].Val)
			}
			above := n.Parent
			instructions := above != nil && len(above.Attr) > 0 && above.Data == "details" && above.Attr[0].Val == "body" && n.Data == "div"
			if skipped[n] = instructions || skipped[above]; skipped[n] || link {
				continue
			}
			depth := 0
			for p := above; p != nil; p = p.Parent {
				if p.Data != "a" || !strings.Contains(fmt.Sprint(p.Attr), "noopener") {
					depth++
				}
			}
			fmt.Fprint(&b, depth, " ", n.Data)
			for _, a := range n.Attr {
				b.WriteString(" " + a.Key)
				if a.Key != "data-value" && a.Key != "content" {
					b.WriteString("=" + a.Val)
				}
			}
			b.WriteString("\n")
		case html.CommentNode:
			tb.Errorf("a comment in the page: %q", n.Data)
		}
	}
	return b.String()
}

func textsInHTML(tb testing.TB, output string, r *report.Report) {
	tb.Helper()
	root, err := html.Parse(strings.NewReader(output))
	if err != nil {
		tb.Fatal(err)
	}
	shown := map[string]bool{}
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			shown[strings.TrimSpace(n.Data)] = true
		}
	}
	for _, f := range r.Findings {
		for _, want := range slices.Concat([]string{f.Name}, f.Expected, r.Notices) {
			if text := strings.TrimSpace(string(plain.Line(want))); !shown[text] {
				tb.Errorf("the page does not show %q", text)
			}
		}
	}
}
