package finding_test

import (
	"regexp"
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
)

func pairing() finding.Finding {
	return finding.Finding{
		Rule: "source-test", Name: "Source/Test Pairing", Mode: "set", Level: finding.Error,
		Path: "src/a.py", Line: 3, Message: "src/a.py changed without its test",
		TriggerFiles: []string{"src/a.py", "src/b.py"}, Expected: []string{"docs/a.md", "tests/a_test.py"},
	}
}

// The value is part of what other tools store: it may not change between versions.
func TestFingerprintIsFixed(t *testing.T) {
	if got, want := finding.Fingerprint(pairing()), "bb06a84bea7b5c18b8a4c93f227accbe"; got != want {
		t.Errorf("Fingerprint = %s, want %s", got, want)
	}
	if got := finding.Fingerprint(finding.Finding{}); !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(got) {
		t.Errorf("Fingerprint of the zero finding = %q, want 32 hexadecimal digits", got)
	}
}

func TestFingerprintSurvives(t *testing.T) {
	tests := []struct {
		name   string
		change func(f *finding.Finding)
	}{
		{"a move of the line", func(f *finding.Finding) { f.Line = 300 }},
		{"other words", func(f *finding.Finding) {
			f.Name, f.Message, f.Body = "Pairing", "tests/a_test.py is stale", "Test it."
		}},
		{"another level", func(f *finding.Finding) { f.Level = finding.Note }},
		{"a waiver", func(f *finding.Finding) { f.Waiver = &finding.Waiver{Reason: "generated"} }},
		{"another order", func(f *finding.Finding) {
			f.TriggerFiles = []string{"src/b.py", "src/a.py"}
			f.Expected = []string{"tests/a_test.py", "docs/a.md"}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := pairing()
			tt.change(&f)
			if got, want := finding.Fingerprint(f), finding.Fingerprint(pairing()); got != want {
				t.Errorf("Fingerprint = %s, want %s as before", got, want)
			}
		})
	}
}

func TestFingerprintTellsApart(t *testing.T) {
	tests := []struct {
		name   string
		change func(f *finding.Finding)
	}{
		{"as it was", func(*finding.Finding) {}},
		{"rule", func(f *finding.Finding) { f.Rule = "source-tests" }},
		{"path", func(f *finding.Finding) { f.Path = "src/b.py" }},
		{"trigger files", func(f *finding.Finding) { f.TriggerFiles = []string{"src/a.py"} }},
		{"expected files", func(f *finding.Finding) { f.Expected = []string{"tests/a_test.py"} }},
		{"a name of both names", func(f *finding.Finding) { f.TriggerFiles = []string{"src/a.pysrc/b.py"} }},
		{"a file that moved from one list to the other", func(f *finding.Finding) {
			f.TriggerFiles = []string{"docs/a.md", "src/a.py", "src/b.py"}
			f.Expected = []string{"tests/a_test.py"}
		}},
		{"rule and path with the border moved", func(f *finding.Finding) { f.Rule, f.Path = "source-tests", "rc/a.py" }},
	}
	seen := map[string]string{}
	for _, tt := range tests {
		f := pairing()
		tt.change(&f)
		key := finding.Fingerprint(f)
		if other, ok := seen[key]; ok {
			t.Errorf("%q and %q share the fingerprint %s", tt.name, other, key)
		}
		seen[key] = tt.name
	}
}

func TestFingerprintLeavesTheFindingAlone(t *testing.T) {
	f := pairing()
	f.TriggerFiles = []string{"z", "a"}
	finding.Fingerprint(f)
	if f.TriggerFiles[0] != "z" {
		t.Errorf("TriggerFiles = %q, want them in the order they had", f.TriggerFiles)
	}
}

// Findings that differ only in line and message have different fingerprints, in their order, and
// the first keeps what it would have alone.
func TestIdentify(t *testing.T) {
	alone := pairing()
	second, other := alone, alone
	second.Line, second.Message = alone.Line+1, "another"
	other.Rule = "z"
	findings := []finding.Finding{alone, second, second, other}
	finding.Identify(findings)
	seen := map[string]bool{}
	for _, f := range findings {
		if seen[f.Fingerprint] {
			t.Errorf("%s:%d has the fingerprint of another", f.Rule, f.Line)
		}
		seen[f.Fingerprint] = true
	}
	if findings[0].Fingerprint != finding.Fingerprint(alone) || findings[3].Fingerprint != finding.Fingerprint(other) {
		t.Error("the first of its kind has another fingerprint than alone")
	}
}
