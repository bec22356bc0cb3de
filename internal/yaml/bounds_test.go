package yaml_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// TestReadHostileDocuments reads documents as large as they may be, whose parts look alike.
// Any step that takes the square of their length takes minutes.
func TestReadHostileDocuments(t *testing.T) {
	lawtest.Sequential(t)
	for repeated, want := range map[string]string{
		"[": "nested more than 32 deep", "[a,": "nested more than 32 deep", "{a:": "nested more than 32 deep", "- ": "nested more than 32 deep",
		"[]": "value is not allowed", "]": "could not find '['", "`": "reserved character", "&a ": "an anchor (&) is not allowed",
		"*a ": "an alias (*) is not allowed", "!a ": "is not allowed", "a: ": "", "x: [\n": "needs quotes", "a: b\n": `duplicate key "a"`, "\n": "want at most 5000",
		"<": "more than 1000 times \"<\" in a row", "<<<": "more than 1000 times", "<<": "more than 1000 times",
	} {
		source := strings.Repeat(repeated, (64<<10-16)/len(repeated))
		if n := strings.Count(repeated, "\n"); n > 0 && repeated != "\n" {
			source = strings.Repeat(repeated, 4990)
		}
		l := &yaml.Log{}
		yaml.Read(source, 1, l)
		if len(l.List) == 0 || len(l.List) > 201 || !strings.Contains(l.List[0].Message, want) || len(l.List[0].Message) > 500 {
			t.Errorf("%q: %d problems, %.300q; want %q, and no more than 201", repeated, len(l.List), l.List, want)
		}
	}
	for opens, closes := range map[string]string{"[": "]", "{": "}", "[[": "] ", "[{": "}]", "[a,": "]"} {
		for _, deep := range []int{1001, 12000} {
			l := &yaml.Log{}
			if yaml.Read("a:\n  "+strings.Repeat(opens, deep)+strings.Repeat(closes, deep), 7, l) != nil || len(l.List) != 1 {
				t.Errorf("%d %q: %d problems; want one", deep, opens, len(l.List))
			} else if p := l.List[0]; p.Line != 8 || p.Message != "bad YAML: nested more than 32 deep" {
				t.Errorf("%d %q: %v; want that it is nested too deep", deep, opens, p)
			}
		}
	}
	l := &yaml.Log{File: "x"}
	for range 1000 {
		l.Add(yaml.Top, "code", "bad")
	}
	if len(l.List) != 201 || l.List[200].Message != "too many problems; fix those above, and the others will be reported" {
		t.Errorf("%d problems, the last %v; want 200 and that there are more", len(l.List), l.List[len(l.List)-1])
	}
}
