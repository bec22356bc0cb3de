package format_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// sarifFile is the part of a SARIF file that these tests read.
type sarifFile struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Version string
				Rules   []struct {
					ID, Name         string
					FullDescription  struct{ Text string }
					Help             struct{ Text, Markdown string }
					HelpURI          string
					Properties       struct{ Tags []string }
					ShortDescription struct{ Text string }
				}
			}
		}
		AutomationDetails struct{ ID string }
		Invocations       []struct {
			ExecutionSuccessful            bool
			ToolExecutionNotifications     []sarifNotification
			ToolConfigurationNotifications []sarifNotification
		}
		Results []struct {
			RuleID           string
			RuleIndex        int
			Level            string
			Message          struct{ Text string }
			Locations        []sarifLocation
			RelatedLocations []sarifLocation
			Suppressions     *[]struct{ Justification string }
		}
	}
}

type sarifNotification struct {
	Level      string
	Descriptor struct{ ID string }
	Message    struct{ Text string }
}

type sarifLocation struct {
	ID               int
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           struct{ StartLine int }
	}
}

func readSARIF(t *testing.T, r *report.Report) sarifFile {
	t.Helper()
	text := write(t, "sarif", r, format.Options{})
	validate(t, text)
	var file sarifFile
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	return file
}

// validate checks a SARIF file against the standard's schema.
func validate(t *testing.T, text string) {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile("testdata/sarif-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("the SARIF file is not valid: %v", err)
	}
}

func TestSARIFIsValid(t *testing.T) {
	for _, r := range []*report.Report{reporttest.Rich(), reporttest.Clean(), {}, reporttest.Broken(20), reporttest.Audited(), reporttest.Both()} {
		validate(t, write(t, "sarif", r, format.Options{}))
	}
}

// The schema rejects unknown properties.
func TestSARIFSchemaRefuses(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(write(t, "sarif", reporttest.Rich(), format.Options{}), `"ruleIndex"`, `"ruleIndices"`, 1)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(value) == nil {
		t.Error("a result with an unknown property is valid, want it rejected")
	}
}

func TestSARIFLinksRelatedFiles(t *testing.T) {
	at := func(paths ...string) []finding.Location {
		var related []finding.Location
		for _, path := range paths {
			related = append(related, finding.Location{Path: path, Line: 1})
		}
		return related
	}
	var many []string
	var links []string
	for i := range 23 {
		many = append(many, fmt.Sprintf("f%d", i))
		if i < 20 {
			links = append(links, fmt.Sprintf("[f%d](%d)", i, i+1))
		}
	}
	tests := []struct {
		name, message string
		related       []finding.Location
		want          string
	}{
		{"none", "a changed", nil, "a changed."},
		{"mentioned", "a changed without b/c.go", at("b/c.go"), "a changed without [b/c.go](1)."},
		{"at the end of a sentence", "a needs b.go. Now!", at("b.go"), "a needs [b.go](1). Now!"},
		{"part of another name", "x/b.go and b.golden and b.go-old changed", at("b.go"), "x/b.go and b.golden and b.go-old changed. See [b.go](1)."},
		{"one inside the other", "a/b and b", at("b", "a/b"), "[a/b](2) and [b](1)."},
		{"twice", "b", []finding.Location{{Path: "b", Line: 1}, {Path: "b", Line: 2}}, "[b](1). See [b](2)."},
		{"out of order", "x and y", at("y", "x"), "[x](2) and [y](1)."},
		{"itself", "a changed", at("src/a.py", "c"), "a changed. See [c](1)."},
		{"brackets", "[ok](1) but [x](y).go", at("[x](y).go"), `\[ok\](1) but [\[x\](y).go](1).`},
		{"escapes", "a\nb and \xff", at("\xff"), `a\nb and [\\xff](1).`},
		{"many", "all", at(many...), "all. See " + strings.Join(links, ", ") + " and 3 more."},
		{"nothing said", "", nil, "Name."},
		{"no path", "all", at(""), "all. See [](1)."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := reporttest.Clean()
			r.Findings = []finding.Finding{{
				Rule: "r", Name: "Name", Level: finding.Error, Path: "src/a.py", Line: 1, Message: tt.message, Related: tt.related,
			}}
			result := readSARIF(t, r).Runs[0].Results[0]
			if result.Message.Text != tt.want {
				t.Errorf("message = %s\nwant      %s", result.Message.Text, tt.want)
			}
			for i, l := range result.RelatedLocations {
				if linked := i < 20; linked && l.ID != i+1 || !linked && l.ID != 0 {
					t.Errorf("related location %d has the id %d, want one only for links of the message", i+1, l.ID)
				}
			}
		})
	}
}

// A path comes back from its URI byte by byte, and never reads as anything but
// a relative reference.
func FuzzSARIFURI(f *testing.F) {
	for _, name := range reporttest.OddNames {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if path == "" || path[0] == '/' {
			t.Skip("git has no such path")
		}
		r := reporttest.Clean()
		r.Findings = []finding.Finding{{Rule: "r", Name: "R", Level: finding.Error, Path: path, Line: 1}}
		var file sarifFile
		if err := json.Unmarshal([]byte(write(t, "sarif", r, format.Options{})), &file); err != nil {
			t.Fatal(err)
		}
		reference := file.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI
		u, err := url.Parse(reference)
		if err != nil {
			t.Fatalf("%q gives the URI %q: %v", path, reference, err)
		}
		if u.Path != path || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("%q gives the URI %q, which reads as %#v", path, reference, u)
		}
	})
}

func TestSARIFSuppressions(t *testing.T) {
	for _, result := range readSARIF(t, reporttest.Broken(2)).Runs[0].Results {
		if result.Suppressions != nil {
			t.Errorf("a result of a run without waivers has suppressions %v, want none", *result.Suppressions)
		}
	}
	r := reporttest.Broken(1)
	r.Findings[0].Waiver = &finding.Waiver{Source: "trailer", Reason: "generated"}
	for i, result := range readSARIF(t, r).Runs[0].Results {
		want := []struct{ Justification string }{}
		if i == 0 {
			want = append(want, struct{ Justification string }{"generated"})
		}
		if result.Suppressions == nil || !cmp.Equal(*result.Suppressions, want) {
			t.Errorf("result %d has suppressions %v, want %v", i, result.Suppressions, want)
		}
	}
}

// GitHub accepts 25,000 results per run: the most severe are kept, and a notification counts the rest.
func TestSARIFLeavesOutTheLeastGrave(t *testing.T) {
	lawtest.Sequential(t)
	r := reporttest.Broken(8_400)
	for i := range 100 {
		r.Findings[i].Waiver = &finding.Waiver{Source: "trailer", Reason: "generated"}
	}
	var file sarifFile
	if err := json.Unmarshal([]byte(write(t, "sarif", r, format.Options{})), &file); err != nil {
		t.Fatal(err)
	}
	run := file.Runs[0]
	kept := map[string]int{}
	for _, result := range run.Results {
		if len(*result.Suppressions) > 0 {
			t.Fatalf("a waived finding of %s was kept before others", result.RuleID)
		}
		if run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID {
			t.Fatalf("result of %s has the index %d", result.RuleID, result.RuleIndex)
		}
		kept[result.Level]++
	}
	if want := map[string]int{"error": 8_300, "warning": 8_400, "note": 8_300}; !cmp.Equal(kept, want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
	notices := run.Invocations[0].ToolExecutionNotifications
	if len(notices) != 1 || notices[0].Message.Text != "200 findings omitted: code scanning accepts 25000 per run." {
		t.Errorf("notifications = %v, want one about 200 omitted findings", notices)
	}
	if !run.Invocations[0].ExecutionSuccessful {
		t.Error("executionSuccessful = false without an error")
	}
}

func TestSARIFErrorsAreNotifications(t *testing.T) {
	r := reporttest.Clean()
	r.Errors = []finding.Problem{
		{File: "r.md", Code: "bad_value", Message: "bad"},
		{Code: report.NotEvaluated, Message: "no base"},
	}
	run := readSARIF(t, r).Runs[0].Invocations[0]
	if run.ExecutionSuccessful {
		t.Error("executionSuccessful = true with errors")
	}
	if c := run.ToolConfigurationNotifications; len(c) != 1 || c[0].Descriptor.ID != "bad_value" || c[0].Level != "error" {
		t.Errorf("configuration notifications = %v, want the malformed rule", c)
	}
	if e := run.ToolExecutionNotifications; len(e) != 1 || e[0].Descriptor.ID != report.NotEvaluated || e[0].Level != "error" {
		t.Errorf("execution notifications = %v, want what was not evaluated", e)
	}
}

func TestSARIFRules(t *testing.T) {
	long := strings.Repeat("é", 2000)
	r := reporttest.Clean()
	r.Rules = []report.Rule{
		{Info: rule.Info{ID: "a", Name: long, Level: finding.Error, Body: long, Tags: strings.Fields("1 2 3 4 5 6 7 8 9 10 11"), URL: "https://example.com/a"}},
		{Info: rule.Info{ID: "A/b", Name: "a/B", Level: finding.Note, URL: "docs/b.md"}, Title: "A mode"},
		{Info: rule.Info{ID: "same", Name: "Same", Level: finding.Note, Body: "\r\nFirst line,\r\nsecond.\r\n\r\nMore.\r\n", URL: ":"}},
	}
	r.Findings = []finding.Finding{{Rule: "local", Name: "Local", Level: finding.Error, Path: "a", Line: 1, Body: "Of a workflow."}}
	rules := readSARIF(t, r).Runs[0].Tool.Driver.Rules
	if len(rules) != 4 {
		t.Fatalf("%d rules, want the three that were checked and the one a finding names", len(rules))
	}
	if n := len([]rune(rules[0].Name)); n != 255 {
		t.Errorf("name has %d characters, want GitHub's 255", n)
	}
	if text := rules[0].FullDescription.Text; len([]rune(text)) != 1024 || !strings.HasSuffix(text, "é…") {
		t.Errorf("fullDescription has %d characters and ends in %q, want 1024 and an ellipsis", len([]rune(text)), text[len(text)-5:])
	}
	if n := len(rules[0].Properties.Tags); n != 10 {
		t.Errorf("%d tags, want GitHub's 10", n)
	}
	if rules[0].HelpURI != "https://example.com/a" || rules[1].HelpURI != "" || rules[2].HelpURI != "" {
		t.Errorf("helpUri = %q, %q, %q; want the absolute one alone", rules[0].HelpURI, rules[1].HelpURI, rules[2].HelpURI)
	}
	if rules[1].ID != "A%2Fb" || rules[1].Name != "a/B" || rules[1].FullDescription.Text != "A mode" || rules[1].Help.Text != "a/B" {
		t.Errorf("rule without a body = %+v, want the mode's title and its name instead", rules[1])
	}
	if rules[2].Name != "" || rules[2].ShortDescription.Text != "Same" || rules[2].FullDescription.Text != "First line, second." {
		t.Errorf("rule named as its id = %+v, want no name, and the first paragraph as description", rules[2])
	}
	if rules[3].ID != "local" || rules[3].Help.Markdown != "Of a workflow." {
		t.Errorf("last rule = %+v, want the one the finding names", rules[3])
	}
}

// TestSARIFHelp shows the examples of a rule's mode as they are.
func TestSARIFHelp(t *testing.T) {
	example := "---\ntrigger: a\n---\nLook.\n\n```rulecheck\nM a\n--\nfires\n```"
	r := reporttest.Clean()
	r.Rules = []report.Rule{{
		Info:        rule.Info{ID: "a", Name: "A", Mode: "trigger", Level: finding.Error, Body: "Look."},
		Description: "Looks.", Examples: []string{example + "\n", "---\ntrigger: b\n---\n"},
	}}
	help := readSARIF(t, r).Runs[0].Tool.Driver.Rules[0].Help
	want := "Mode `trigger`: Looks.\n\nExample:\n\n````\n" + example + "\n````\n\nExample:\n\n```\n---\ntrigger: b\n---\n```"
	if _, shown, _ := strings.Cut(help.Markdown, "\n\n"); shown != want {
		t.Errorf("markdown:\n%s\nwant:\n%s", shown, want)
	}
	if !strings.Contains(help.Text, example) {
		t.Errorf("text:\n%s\nwant the example in it", help.Text)
	}
}

func TestSARIFVersionAndCategory(t *testing.T) {
	for version, want := range map[string]string{"v1.2.3": "1.2.3", "1.2.3": "1.2.3", "": "0.0.0-unknown", "(devel)": "0.0.0-(devel)"} {
		r := reporttest.Clean()
		r.ToolVersion = version
		if got := readSARIF(t, r).Runs[0].Tool.Driver.Version; got != want {
			t.Errorf("version of %q = %q, want %q", version, got, want)
		}
	}
	r := reporttest.Clean()
	if got := readSARIF(t, r).Runs[0].AutomationDetails.ID; got != "rulecheck/base/" {
		t.Errorf("automationDetails.id = %q, want rulecheck/base/", got)
	}
	r.Baselines = nil
	if got := readSARIF(t, r).Runs[0].AutomationDetails.ID; got != "rulecheck/" {
		t.Errorf("automationDetails.id without a baseline = %q, want rulecheck/", got)
	}
}
