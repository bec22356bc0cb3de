package format_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

func TestTextOptions(t *testing.T) {
	compare(t, "text-quiet", write(t, "text", reporttest.Rich(), format.Options{Quiet: true}))
	compare(t, "text-verbose", write(t, "text", reporttest.Rich(), format.Options{Verbose: true}))
	compare(t, "text-narrow", write(t, "text", reporttest.Rich(), format.Options{Width: 60}))
	compare(t, "text-color", write(t, "text", reporttest.Rich(), format.Options{Color: true}))
	if got := write(t, "text", reporttest.Clean(), format.Options{Quiet: true}); got != "" {
		t.Errorf("a quiet clean run says %q, want nothing", got)
	}
}

// A hook reports what the author has to know: not that nothing was found, and not what the
// hook for the message will report.
func TestTextOfHooks(t *testing.T) {
	hook := format.Options{Hook: true}
	if got := write(t, "text", reporttest.Clean(), hook); got != "" {
		t.Errorf("a hook without findings says %q, want nothing", got)
	}
	left := reporttest.Clean()
	left.Findings = []finding.Finding{{Rule: "a", Level: finding.Error, Path: "a", Line: 1, Deferred: true}}
	left.Notices = []string{"1 finding left"}
	if got, want := write(t, "text", left, hook), "notice: 1 finding left\n"; got != want {
		t.Errorf("a hook that leaves a finding says %q, want %q", got, want)
	}
	skipped := reporttest.Clean()
	skipped.Summary.Skipped = 1
	failed := reporttest.Clean()
	failed.Findings = []finding.Finding{{Rule: "a", Level: finding.Error, Path: "a", Line: 1}}
	warned := reporttest.Clean()
	warned.Findings = []finding.Finding{{Rule: "a", Level: finding.Warning, Path: "a", Line: 1}}
	for name, r := range map[string]*report.Report{"skipped": skipped, "failed": failed, "warned": warned} {
		if got, want := write(t, "text", r, hook), write(t, "text", r, format.Options{}); got != want {
			t.Errorf("%s: a hook says %q, want %q", name, got, want)
		}
	}
}

// Colour is all that Color changes.
func TestTextColorAddsOnlyColor(t *testing.T) {
	painted := write(t, "text", reporttest.Rich(), format.Options{Color: true, Verbose: true})
	bare := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(painted, "")
	if d := cmp.Diff(write(t, "text", reporttest.Rich(), format.Options{Verbose: true}), bare); d != "" {
		t.Errorf("text without its colours (-plain +painted):\n%s", d)
	}
}

// At a terminal, lines are as wide as it at most, except those of a single word, and have the
// same words.
func TestTextIsWrapped(t *testing.T) {
	whole := write(t, "text", reporttest.Rich(), format.Options{Verbose: true})
	for _, width := range []int{60, 80, 140} {
		got := write(t, "text", reporttest.Rich(), format.Options{Verbose: true, Width: width})
		for line := range strings.Lines(got) {
			line = strings.TrimRight(line, "\n")
			if words := strings.TrimSpace(line); wrap.Columns(plain.Line(line)) > width && strings.Contains(words, " ") {
				t.Errorf("at %d columns a line is %q", width, line)
			}
		}
		if d := cmp.Diff(strings.Fields(whole), strings.Fields(got)); d != "" {
			t.Errorf("at %d columns the words are others (-whole +wrapped):\n%s", width, d)
		}
	}
}

func TestTextSaysWhereRulesAreFromWhereThatIsNotTheHead(t *testing.T) {
	r := reporttest.Clean()
	r.RulesFrom = reporttest.Tip
	got := write(t, "text", r, format.Options{})
	if want := "1 change, 1 rule (from 9f8e7d6)\n"; !strings.Contains(got, want) {
		t.Errorf("text is\n%swant it to contain %q", got, want)
	}
}

// Instructions that name the files of a finding are shown with it; those that
// do not are shown once.
func TestTextShowsEveryInstructionOnce(t *testing.T) {
	r := reporttest.Clean()
	for _, f := range []struct{ path, body string }{{"a", "Look at a."}, {"b", "Look."}, {"c", "Look."}, {"d", ""}} {
		r.Findings = append(r.Findings, finding.Finding{
			Rule: "look", Name: "look", Mode: "created", Level: finding.Error, Path: f.path, Line: 1,
			TriggerFiles: []string{f.path}, Body: f.body,
		})
	}
	const want = `error: look
  a:1

    Look at a.

  b:1
  c:1

    Look.

  d:1

`
	got, _, _ := strings.Cut(write(t, "text", r, format.Options{}), "index against")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
}

func TestTextPlaces(t *testing.T) {
	tests := []struct {
		name string
		f    finding.Finding
		want string
	}{
		{"no trigger file", finding.Finding{Mode: "token_budget", Path: "log.jsonl", Line: 7, Message: "too many"}, "log.jsonl:7: too many"},
		{"elsewhere than its trigger", finding.Finding{Mode: "created", Path: "docs/x.md", Line: 4, TriggerFiles: []string{"a"}}, "docs/x.md:4\n  a"},
		{"nothing survived", finding.Finding{Mode: "trigger", Path: ".rulecheck/config.yml", Line: 1, TriggerFiles: []string{"gone", "old"}}, "gone (deleted)\n  old (renamed)"},
		{"named elsewhere", finding.Finding{Mode: "refs", Path: "x.md", Line: 3, TriggerFiles: []string{"gone"}, Message: "why"}, "x.md:3, gone (deleted): why"},
		{"several and expected", finding.Finding{Mode: "pair", Path: "a", Line: 2, TriggerFiles: []string{"a", "b"}, Expected: []string{"c", "d"}}, "a:2, b → c, d"},
		{"a project's own mode", finding.Finding{Mode: "own", Path: "a", Line: 2, TriggerFiles: []string{"a"}, Expected: []string{"c"}, Message: "why"}, "a:2 → c: why"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := reporttest.Clean()
			r.Changes["base"] = []diff.Change{
				{Path: "gone", Status: diff.Deleted},
				{Path: "new", OldPath: "old", Status: diff.Renamed},
			}
			tt.f.Rule, tt.f.Name, tt.f.Level = "r", "r", finding.Error
			r.Findings = []finding.Finding{tt.f}
			got := write(t, "text", r, format.Options{Quiet: true})
			if want := "error: r\n  " + tt.want + "\n"; got != want {
				t.Errorf("text is\n%swant\n%s", got, want)
			}
		})
	}
}

// Whatever a file, a message or a log holds, the terminal sees printable lines
// and a CI runner no command.
func FuzzText(f *testing.F) {
	for _, name := range reporttest.OddNames {
		f.Add(name, "\tindented\r\n::add-mask::x\n##[group]y")
	}
	f.Add("a\u202eb", "\x1b]0;title\x07\u0085\u2028")
	f.Fuzz(func(t *testing.T, path, text string) {
		r := reporttest.Clean()
		r.Notices = []string{text}
		for _, mode := range []string{"created", "own"} {
			r.Findings = append(r.Findings, finding.Finding{
				Rule: mode, Name: text, Mode: mode, Level: finding.Error, Path: path, Line: 1,
				TriggerFiles: []string{path}, Message: text, Body: text,
			})
		}
		for _, name := range []string{"text", "github"} {
			for line := range strings.Lines(write(t, name, r, format.Options{Verbose: true})) {
				line = strings.TrimSuffix(line, "\n")
				if name == "github" && (strings.HasPrefix(line, "::error file=") || strings.HasPrefix(line, "::error title=")) {
					continue // ours
				}
				if i := strings.IndexFunc(line, acts); i >= 0 {
					t.Errorf("%s: %q has a character that does something at %d", name, line, i)
				}
				if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
					t.Errorf("%s: %q is a command to a CI runner", name, line)
				}
			}
		}
	})
}

// acts reports whether a terminal does something else with r than to show it.
func acts(r rune) bool {
	return r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
