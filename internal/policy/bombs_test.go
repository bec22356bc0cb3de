package policy_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// doubled returns Rego that defines x as first, doubled n times.
func doubled(first, double string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "x0 := %s\n", first)
	for i := range n {
		fmt.Fprintf(&b, "x%d := %s\n", i+1, strings.ReplaceAll(double, "$", fmt.Sprintf("x%d", i)))
	}
	return b.String() + fmt.Sprintf("x := x%d\n", n)
}

// TestBuiltinsAreBounded holds that no builtin makes much from little: the next allocation
// of such a policy would end the process.
func TestBuiltinsAreBounded(t *testing.T) {
	lawtest.Sequential(t)
	text := doubled(`"aaaaaaaa"`, `concat("", [$, $])`, 20)
	const nine = `"aaaaaaaaa"` // doubled below the bound, it is little more than half of it
	many := `split("` + strings.Repeat("x", 3000) + `", "")`
	const ratio = `yaml.unmarshal("a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n") == 1`
	for _, tc := range []struct{ body, want string }{
		{doubled(nine, `concat("", [$, $])`, 40) + `x != ""`, "concat: a result of more than 16 MiB"},
		{text + `concat(x, ` + many + `) != ""`, "concat: a result"},
		{text + `replace(x, "a", x) != ""`, "replace: a result"},
		{text + `strings.replace_n({"a": x}, x) != ""`, "strings.replace_n: a result"},
		{text + `regex.replace(x, "", x) != ""`, "regex.replace: a result"},
		{text + `regex.replace(x, "(a*)", concat("", ["$1$1$1" | some _ in [1, 2]])) != ""`, "regex.replace: a result"},
		{`sprintf(concat("", ["%1000000d" | some _ in ` + many + `]), [1]) != ""`, "sprintf: a result"},
		{`sprintf(concat("", ["%[1]*[1]d" | some _ in ` + many + `]), [1000000]) != ""`, "sprintf: a result"},
		{`sprintf(concat("", ["%.1000000f" | some _ in ` + many + `]), [1.5]) != ""`, "sprintf: a result"},
		{text + `sprintf(concat("", ["%[1]s" | some _ in ` + many + `]), [x]) != ""`, "sprintf: a result"},
		{text + `sprintf("%v", [[x, x, x]]) != ""`, "sprintf: a result"},
		{text + `$"{x}{x}{x}" != ""`, "internal.template_string: more than 16 MiB"},
		{text + `json.marshal([x, x, x]) != ""`, "json.marshal: more than 16 MiB"},
		{text + `json.marshal_with_options([x, x, x], {"pretty": true}) != ""`, "json.marshal_with_options: a result"},
		{text + `json.marshal_with_options([1], {"indent": x, "pretty": true}) != ""`, "json.marshal_with_options: a result"},
		{text + `yaml.marshal([x, x, x]) != ""`, "yaml.marshal: more than 16 MiB"},
		{doubled(nine, `base64.encode($)`, 80) + `x != ""`, "base64.encode: more than 16 MiB"},
		{doubled(nine, `hex.encode($)`, 40) + `x != ""`, "hex.encode: more than 16 MiB"},
		{doubled(`"\"\"\"\""`, `json.marshal($)`, 40) + `x != ""`, "json.marshal: more than 16 MiB"},
		{doubled(`split("`+strings.Repeat("x", 1025)+`", "")`, `array.concat($, $)`, 40) + `count(x) == 1`, "array.concat: more than 4,194,304 elements"},
		{doubled(`["a"]`, `array.concat($, $)`, 13) + `count(array.flatten([x | some _ in x])) == 1`, "array.flatten: more than 4,194,304 elements"},
		{text + `regex.match(x, "a")`, "regex.match: a pattern of more than 64 KiB"},
		{text + `glob.match(x, [], "x")`, "glob.match: a pattern of more than 64 KiB"},
		{text + `graphql.is_valid(x, "type Query { a: String }")`, "graphql.is_valid: more than 64 KiB"},
		{text + `json.unmarshal(replace(x, "a", "[")) == 1`, "json.unmarshal: invalid character '[' exceeded max depth"},
		{text + `yaml.unmarshal(replace(x, "a", "[")) == 1`, "yaml.unmarshal: yaml: exceeded max depth"},
		{ratio, "yaml.unmarshal: yaml: document contains excessive aliasing"},
		{`format_int(to_number("1e300000000"), 2) != ""`, "to_number: strconv.ParseFloat"},
		{`units.parse("1e300000000") == 9`, "units.parse: exponent too large"},
	} {
		t.Run(tc.want, func(t *testing.T) {
			engine := withMode(t, "violations contains {\"message\": \"x\"} if {\n"+tc.body+"\n}")
			engine.SetTimeout(time.Hour) // the bound must end it, also on a slow machine
			_, err := engine.Decide(t.Context(), odd())
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "rule r: mode odd: ") {
				t.Errorf("Decide: %v; want %q", err, tc.want)
			}
		})
	}
}

// TestBuiltinsKeepTheirResults holds that what is of an ordinary size is as OPA makes it.
func TestBuiltinsKeepTheirResults(t *testing.T) {
	for _, body := range []string{
		`sprintf("%s-%05d-%.2f-%v-%[1]s", ["a", 7, 1.5, [1, "b"]]) == "a-00007-1.50-[1, \"b\"]-a"`,
		`concat(", ", ["a", "b"]) == "a, b"`,
		`replace("aXbX", "X", "yy") == "ayybyy"`,
		`strings.replace_n({"a": "1", "b": "2"}, "ab") == "12"`,
		`regex.replace("foo bar", "(\\w+)", "<$1>") == "<foo> <bar>"`,
		`json.marshal({"a": [1, "x"]}) == "{\"a\":[1,\"x\"]}"`,
		`json.marshal_with_options([1], {"indent": "  ", "pretty": true}) == "[\n  1\n]"`,
		`array.concat([1], [2]) == [1, 2]`,
		`union({{1}, {2}}) == {1, 2}`,
		`object.union_n([{"a": 1}, {"b": 2}]) == {"a": 1, "b": 2}`,
		`glob.match("*.go", [], "a.go")`,
		`base64.encode("a") == "YQ=="`,
		`$"{1}-{"a"}" == "1-a"`,
	} {
		got, err := withMode(t, "violations contains {\"message\": \"x\"} if "+body).Decide(t.Context(), odd())
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %v, %v; want it to hold", body, got, err)
		}
	}
}

// TestRunTestsNamesTheOneThatDoesNotEnd holds that one test out of bounds fails alone.
func TestRunTestsNamesTheOneThatDoesNotEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the deadline of a policy")
	}
	const slow = "package rulecheck.modes.odd_test\n\n" +
		"test_good if { true }\n\ntest_bad if { false }\n\n" +
		"test_slow if { t := concat(\"\", [\"%[1]s\" | some _ in split(\"%[1]s\", \"\")]); regex.match(\"(a?){500}(a?){500}(a|b|ab)*c\", t) }\n"
	fsys := fstest.MapFS{policies.ProjectDir + "/odd_test.rego": {Data: fmt.Appendf(nil, slow, strings.Repeat("a", 3000))}}
	modules, problems := policies.Tests(fsys, policies.ProjectDir)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	tests, problems, err := policy.RunTests(t.Context(), load(t), modules)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	var got []string
	for _, test := range tests {
		got = append(got, test.Name+": "+test.Failure)
	}
	want := "[rulecheck.modes.odd_test.test_good:  rulecheck.modes.odd_test.test_bad: the test fails rulecheck.modes.odd_test.test_slow: no answer within 10s]"
	if fmt.Sprint(got) != want {
		t.Errorf("RunTests: %v\nwant %s", got, want)
	}
}
