package format_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// sarifRun is one run with everything that a result refers to.
type sarifRun struct {
	Tool struct {
		Driver struct {
			Name, Version, InformationURI string
			Rules                         []struct {
				ID                   string
				Name                 string
				FullDescription      struct{ Text string }
				Help                 struct{ Text, Markdown string }
				HelpURI              string
				DefaultConfiguration struct{ Level string }
				Properties           struct {
					Tags      []string
					Precision string
					Severity  string `json:"problem.severity"`
				}
			}
		}
	}
	Invocations []struct {
		ToolExecutionNotifications, ToolConfigurationNotifications []struct {
			Level      string
			Descriptor *struct{ ID string }
			Message    struct{ Text string }
			Locations  []sarifLocation
		}
	}
	OriginalURIBaseIDs map[string]any `json:"originalUriBaseIds"`
	ColumnKind         string
	Results            []struct {
		RuleID, Level               string
		RuleIndex                   int
		Message                     struct{ Text string }
		Locations, RelatedLocations []sarifLocation
		PartialFingerprints         map[string]string
		Suppressions                *[]struct {
			Kind, Status, Justification string
			Properties                  struct{ Source, Commit, NotHonoured string }
		}
		Properties map[string]any
	}
	Properties struct {
		RulesFrom string
		Baselines []report.Baseline
		Summary   report.Summary
	}
}

// sarifReports are the reports whose SARIF is checked in detail.
var sarifReports = map[string]func() *report.Report{
	"small": reporttest.Small, "rich": reporttest.Rich, "audited": reporttest.Audited, "both": reporttest.Both,
}

func readRun(t *testing.T, r *report.Report) sarifRun {
	t.Helper()
	var file struct{ Runs []sarifRun }
	if err := json.Unmarshal([]byte(write(t, "sarif", r, format.Options{})), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Runs) != 1 {
		t.Fatalf("%d runs, want 1", len(file.Runs))
	}
	return file.Runs[0]
}

// TestSARIFFiles writes the reports for make sarif, which validates them with
// Microsoft's tool, into the directory SARIF_DIR.
func TestSARIFFiles(t *testing.T) {
	dir := os.Getenv("SARIF_DIR")
	if dir == "" {
		t.Skip("SARIF_DIR is not set")
	}
	for name, r := range sarifReports {
		if err := os.WriteFile(filepath.Join(dir, name+".sarif"), []byte(write(t, "sarif", r(), format.Options{})), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Every finding is one result, in the same order, with all that is known of it.
func TestSARIFResults(t *testing.T) {
	for name, build := range sarifReports {
		t.Run(name, func(t *testing.T) {
			r := build()
			run := readRun(t, r)
			if len(run.Results) != len(r.Findings) {
				t.Fatalf("%d results, want %d", len(run.Results), len(r.Findings))
			}
			for i, result := range run.Results {
				f := r.Findings[i]
				if result.RuleID != f.Rule || run.Tool.Driver.Rules[result.RuleIndex].ID != f.Rule || result.Level != string(f.Level) {
					t.Errorf("result %d is %s (rule %d) at level %s, want %s at level %s", i, result.RuleID, result.RuleIndex, result.Level, f.Rule, f.Level)
				}
				fingerprints := map[string]string{"rulecheck/v1": f.Fingerprint}
				if f.LineHash != "" {
					fingerprints["primaryLocationLineHash"] = f.LineHash
				}
				if diff := cmp.Diff(fingerprints, result.PartialFingerprints); diff != "" {
					t.Errorf("result %d: fingerprints (-want +got):\n%s", i, diff)
				}
				if len(result.Locations) != 1 {
					t.Fatalf("result %d has %d locations, want 1", i, len(result.Locations))
				}
				locates(t, result.Locations[0], f.Path, f.Line)
				if got, want := withoutLinks(result.Message.Text), finding.Visible(report.Message(f)); !strings.HasPrefix(got, want) {
					t.Errorf("result %d has the message %q, want it to begin with %q", i, got, want)
				}
				related := furtherPlaces(f)
				if len(result.RelatedLocations) != len(related) {
					t.Fatalf("result %d has %d related locations, want %d", i, len(result.RelatedLocations), len(related))
				}
				for n, l := range result.RelatedLocations {
					locates(t, l, related[n].Path, related[n].Line)
					if link := fmt.Sprintf("](%d)", n+1); l.ID != n+1 || !strings.Contains(result.Message.Text, link) {
						t.Errorf("result %d: related location %d has the id %d and the message %q, want a link to it", i, n+1, l.ID, result.Message.Text)
					}
				}
			}
		})
	}
}

// Waivers become suppressions, and the keys of sessions properties.
func TestSARIFDetailsOfResults(t *testing.T) {
	for name, build := range sarifReports {
		t.Run(name, func(t *testing.T) {
			r := build()
			for i, result := range readRun(t, r).Results {
				f := r.Findings[i]
				if result.Suppressions == nil || len(*result.Suppressions) > 1 || (len(*result.Suppressions) == 1) != (f.Waiver != nil) {
					t.Fatalf("result %d has the suppressions %v, want a list with the waiver %v", i, result.Suppressions, f.Waiver)
				}
				for _, s := range *result.Suppressions {
					status := map[bool]string{true: "accepted", false: "rejected"}[f.Waived()]
					got := finding.Waiver{Source: s.Properties.Source, Commit: s.Properties.Commit, Reason: s.Justification, NotHonoured: s.Properties.NotHonoured}
					if s.Kind != "external" || s.Status != status || got != *f.Waiver {
						t.Errorf("result %d has the suppression %+v, want the waiver %+v, %s", i, s, *f.Waiver, status)
					}
				}
				for key, want := range map[string][]string{"trigger_files": f.TriggerFiles, "expected": f.Expected} {
					if got, _ := result.Properties[key].([]any); len(got) != len(want) {
						t.Errorf("result %d has the %s %v, want all of %q", i, key, got, want)
					}
				}
				if _, ok := result.Properties["session"]; ok != (f.Session != nil) {
					t.Fatalf("result %d has the properties %v, want a session only for sessions", i, result.Properties)
				}
				if f.Session == nil {
					continue
				}
				for _, key := range []string{"session", "visit", "peak", "count", "rule_type", "diagnostic", "suggestion", "recent_events", "metrics_snapshot"} {
					if _, ok := result.Properties[key]; !ok {
						t.Errorf("result %d lacks the property %s", i, key)
					}
				}
				if got, want := result.Properties["diagnostic"], finding.Printable(f.Message); got != want {
					t.Errorf("result %d has the diagnostic %q, want %q", i, got, want)
				}
			}
		})
	}
}

// A run describes its rules, its bases, its errors and its notices.
func TestSARIFRun(t *testing.T) {
	for name, build := range sarifReports {
		t.Run(name, func(t *testing.T) {
			r := build()
			run := readRun(t, r)
			if d := run.Tool.Driver; d.Name != "rulecheck" || d.Version != r.ToolVersion || d.InformationURI == "" || len(d.Rules) != len(r.Rules) {
				t.Fatalf("driver %s %s with %d rules, want rulecheck %s with %d", d.Name, d.Version, len(d.Rules), r.ToolVersion, len(r.Rules))
			}
			for i, d := range run.Tool.Driver.Rules {
				want := r.Rules[i]
				severity := map[finding.Level]string{finding.Error: "error", finding.Warning: "warning", finding.Note: "recommendation"}[want.Level]
				if d.ID != want.ID || d.DefaultConfiguration.Level != string(want.Level) || d.Properties.Severity != severity || d.Properties.Precision == "" {
					t.Errorf("rule %d is %+v, want %s at level %s", i, d, want.ID, want.Level)
				}
				if d.HelpURI != want.URL || !cmp.Equal(d.Properties.Tags, want.Tags) || d.Help.Markdown != string(markdown.Body(want.Body)) || d.FullDescription.Text == "" {
					t.Errorf("rule %s is described by %+v, want its body, URL and tags", want.ID, d)
				}
			}
			if run.ColumnKind != "unicodeCodePoints" || run.OriginalURIBaseIDs["%SRCROOT%"] == nil {
				t.Errorf("columns %q and bases of URIs %v, want UTF-16 and %%SRCROOT%%", run.ColumnKind, run.OriginalURIBaseIDs)
			}
			if p := run.Properties; p.RulesFrom != r.RulesFrom || len(p.Baselines) != len(r.Baselines) || p.Summary.Findings != r.Summary.Findings || p.Summary.Sessions != len(r.Sessions) {
				t.Errorf("properties %+v, want those of the report", p)
			}
			var problems, notices int
			invocation := run.Invocations[0]
			for _, n := range invocation.ToolConfigurationNotifications {
				if n.Level != "error" || n.Descriptor.ID == report.NotEvaluated || len(n.Locations) != 1 {
					t.Errorf("configuration notification %+v, want an error with its location", n)
				}
				problems++
			}
			for _, n := range invocation.ToolExecutionNotifications {
				if n.Level == "note" {
					notices++
					continue
				}
				problems++
				if n.Descriptor.ID != report.NotEvaluated {
					t.Errorf("execution notification %+v, want what was not evaluated", n)
				}
			}
			if problems != len(r.Errors) || notices != len(r.Notices) {
				t.Errorf("%d errors and %d notices, want %d and %d", problems, notices, len(r.Errors), len(r.Notices))
			}
		})
	}
}

// linkOf matches a link of a message to a related location.
var linkOf = regexp.MustCompile(`\[((?:\\.|[^\]\\])*)\]\(\d+\)`)

// withoutLinks returns a message as a viewer shows it.
func withoutLinks(message string) string {
	message = linkOf.ReplaceAllString(message, "$1")
	return strings.NewReplacer(`\[`, "[", `\]`, "]", `\\`, `\`).Replace(message)
}

// furtherPlaces are the related places of a finding without the finding's own.
func furtherPlaces(f finding.Finding) []finding.Location {
	var places []finding.Location
	for _, l := range f.Related {
		if l.Path != f.Path || l.Line != f.Line {
			places = append(places, l)
		}
	}
	return places
}

// locates checks that a location is this line of this file, byte by byte.
func locates(t *testing.T, l sarifLocation, path string, line int) {
	t.Helper()
	u, err := url.Parse(l.PhysicalLocation.ArtifactLocation.URI)
	if err != nil || u.Path != path || l.PhysicalLocation.Region.StartLine != max(line, 1) {
		t.Errorf("location %+v, want %q:%d (%v)", l, path, line, err)
	}
}
