package keys_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/content/part"
)

// samples has a document of each format with one key, and another value of it.
var samples = map[string]struct{ file, base, head, pointer string }{
	"JSON":   {"package.json", "{\n  \"version\": \"1.0.0\"\n}\n", "{\n  \"version\": \"1.1.0\"\n}\n", "/version"},
	"YAML":   {"a/b.yml", "a:\n  version: 1.0.0\n", "a:\n  version: 1.1.0\n", "/a/version"},
	"TOML":   {"Cargo.toml", "[package]\nversion = \"1.0.0\"\n", "[package]\nversion = \"1.1.0\"\n", "/package/version"},
	"go.mod": {"go.mod", "module m\n\nrequire a.org/x v1.0.0\n", "module m\n\nrequire a.org/x v1.1.0\n", "/require/a.org~1x"},
}

func TestFormats(t *testing.T) {
	for _, format := range keys.Formats() {
		sample, ok := samples[format.Name]
		if !ok {
			t.Errorf("no sample of %s; want one in samples", format.Name)
			continue
		}
		for _, name := range append(format.Files, format.Extensions...) {
			if got, ok := keys.FormatOf("dir/" + name); !ok || got.Name != format.Name {
				t.Errorf("FormatOf(%q) = %q, %v; want %q", name, got.Name, ok, format.Name)
			}
		}
		pointers := changed(t, sample.file, sample.base, sample.head)
		if last := pointers[len(pointers)-1]; last != sample.pointer {
			t.Errorf("%s: the last changed key is %q; want %q", format.Name, last, sample.pointer)
		}
		for _, layout := range []string{
			strings.ReplaceAll(sample.base, "\n", "\r\n"), "\ufeff" + sample.base, sample.base + "\n",
		} {
			if pointers := changed(t, sample.file, sample.base, layout); len(pointers) > 0 {
				t.Errorf("%s: %q changed in %q; want no change", format.Name, pointers, layout)
			}
		}
		latin1 := strings.Replace(sample.base, "1.0.0", "\xe9", 1)
		if _, err := keys.Parse(sample.file, latin1); err == nil || !strings.Contains(err.Error(), "not UTF-8") {
			t.Errorf("%s: %v for Latin-1; want an error about UTF-8", format.Name, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	tests := []struct{ file, base, head, pointer, at string }{
		{"a.json", "{}", "{\n\t\"é\": {\"x\": 1}, \"y\": 2}", "/y", "2:17"},
		{"a.json", "{}", "{\n  \"a\": [\n1,\n {}]}", "/a/1", "4:2"},
		{"a.json", "{\"a\": {\"b\": 1, \"c\": 2}}", "{\n \"a\": {\"b\": 1}}", "/a/c", "2:2"},
		{"a.json", "[1]", "", "", "1:1"},
		{"a.yml", "a: 1\n", "# c\na:\n- b\n-  c: 2\n", "/a/1/c", "4:4"},
		{"a.yml", "a: &x {b: 1}\nc: {b: 1}\n", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n", "/c/d", "4:3"},
		{"a.toml", "", "a = 1\n[[b]]\n[[b]]\n c.d = [1,\n2]\n", "/b/1/c/d/1", "5:1"},
		{"go.mod", "module a\n", "module a\nrequire (\n\tb.org/c v1.0.0\n)\n", "/require/b.org~1c", "3:2"},
	}
	for _, tt := range tests {
		base, err := keys.Parse(tt.file, tt.base)
		if err != nil {
			t.Fatal(err)
		}
		var head keys.Document
		if tt.head != "" {
			if head, err = keys.Parse(tt.file, tt.head); err != nil {
				t.Fatal(err)
			}
		}
		list, err := keys.Changed(base, head)
		if err != nil {
			t.Fatal(err)
		}
		got := "no change"
		for _, c := range list {
			if c.Name == tt.pointer {
				got = strings.TrimSuffix((&part.Error{Place: c.Place}).Error(), ": ")
			}
		}
		if got != tt.at {
			t.Errorf("%s of %q is at %s; want %s", tt.pointer, tt.head, got, tt.at)
		}
	}
}

// What the formats call equal, beyond the models of the law.
func TestChanged(t *testing.T) {
	tests := []struct {
		file, base, head string
		want             []string
	}{
		{"a.json", `"\ud800"`, `"\ud801"`, []string{""}},
		{"a.json", `1e99999999999999999999`, `1e99999999999999999998`, []string{""}},
		{"a.json", `{"a": 1}`, `{"a": "1"}`, []string{"", "/a"}},
		{"a.yml", "a: 1", "a: 1.0", []string{"", "/a"}},
		{"a.yml", "a: 1", "---\na: 1\n---\nb: 2\n", []string{"", "/b"}},
		{"a.yml", "x: &a {k: [1]}\ny: *a\n", "x: {k: [1]}\ny: {k: [1]}\n", nil},
		{"a.yml", "x: &a {k: 1, l: 2}\ny: {<<: *a, k: 3}\n", "x: {k: 1, l: 2}\ny: {l: 2, k: 3}\n", nil},
		{"a.yml", "x: &a {k: 1}\ny: {<<: [*a, {k: 2, m: 3}]}\n", "x: {k: 1}\ny: {k: 1, m: 3}\n", nil},
		{"a.yml", "", "a:", []string{"", "/a"}},
		{"a.yml", "a: |\n  b\n  c\n", "a: \"b\\nc\\n\"\n", nil},
		{"a.toml", "a = 1", "a = 1.0", []string{"", "/a"}},
		{"a.toml", "[a.b]\nc = 1", "a = {b = {c = 1}}", nil},
		{"a.toml", "a = [1, 2]", "a = [2, 1]", []string{"", "/a", "/a/0", "/a/1"}},
		{"go.mod", "module m\nrequire a.org/x v1.0.0 // indirect", "module m\nrequire (\n\ta.org/x v1.0.0\n)", nil},
		{"go.mod", "module m\nretract [v1.0.0, v1.1.0]", "module m\nretract [v1.0.0, v1.2.0] // why", []string{"", "/retract", "/retract/v1.0.0"}},
		{"go.mod", "module m\nexclude a.org/x v1.0.0\nexclude a.org/x v1.1.0", "module m\nexclude (\n\ta.org/x v1.1.0\n\ta.org/x v1.0.0\n)", nil},
		{"go.mod", "module m", "module m\ngo 1.26\ntoolchain go1.26.1\ntool a.org/x/cmd\nignore ./x\ngodebug a=1\n", []string{
			"", "/go", "/godebug", "/godebug/a", "/ignore", "/ignore/.~1x", "/tool", "/tool/a.org~1x~1cmd", "/toolchain",
		}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, changed(t, tt.file, tt.base, tt.head)); diff != "" {
			t.Errorf("%q to %q (-want +got):\n%s", tt.base, tt.head, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	var bomb strings.Builder
	bomb.WriteString("a: &a [x, x, x, x, x, x, x, x, x]\n")
	for _, name := range []string{"b", "c", "d", "e", "f", "g", "h", "i"} {
		before := string(name[0] - 1)
		bomb.WriteString(name + ": &" + name + " [" + strings.Repeat("*"+before+", ", 8) + "*" + before + "]\n")
	}
	tests := []struct{ file, text, want string }{
		{"a.json", "{\n  \"a\": }", "2:8: cannot be read as JSON: "},
		{"a.json", "", "1:1: cannot be read as JSON: "},
		{"a.json", "{\"a\": 1,\n\"a\": 2}", `2:1: the key "a" is there twice`},
		{"a.json", deep, "1:501: values are nested more than 500 deep"},
		{"a.json", "[" + strings.Repeat("0,", 1<<20) + "0]", "the file has more than 1048576 values"},
		{"a.yml", "a: b\n c: d: e\n", "2:1: cannot be read as YAML: mapping values are not allowed in this context"},
		{"a.yml", "a: 1\na: 2\n", `2:1: the key "a" is there twice`},
		{"a.yml", "? [a]\n: 1\n", "1:3: the key is a mapping or a list, which no pointer can name"},
		{"a.yml", "a: *b\n", "1:1: cannot be read as YAML: unknown anchor 'b' referenced"},
		{"a.yml", "a: &a [*a, *a]\n", ""},
		{"a.yml", "a: &a {<<: *a}\n", ""},
		{"a.yml", "a: {<<: 1}\n", `"<<" merges neither a mapping nor a list of mappings`},
		{"a.yml", bomb.String(), "the file has more than 1048576 values"},
		{"a.yml", deep, "cannot be read as YAML: "},
		{"a.toml", "a = 1\na = 2\n", "cannot be read as TOML: "},
		{"a.toml", "a = \n", "1:"},
		{"a.toml", "[a]\nb = 1\n[a.b]\n", "cannot be read as TOML: "},
		{"a.toml", "a = " + deep, ""},
		{"a.toml", strings.Repeat("a.", 100_000) + "a = 1", "values are nested more than 500 deep"},
		{"go.mod", "module m\nrequires a b\n", "2:1: cannot be read as go.mod: unknown directive: requires"},
		{"a.txt", "a", "1:1: no format has this name; want .json, "},
	}
	for _, tt := range tests {
		_, err := keys.Parse(tt.file, tt.text)
		if _, ok := err.(*part.Error); !ok || !strings.Contains(err.Error(), tt.want) { //nolint:errorlint // the type is part of the contract
			t.Errorf("Parse(%q, %.40q): %v; want an *Error with %q", tt.file, tt.text, err, tt.want)
		}
	}
}

// Values are as they are written, so that 3.10 is not 3.1.
func TestValues(t *testing.T) {
	for file, text := range map[string]string{
		"a.json":   `{"a": {"b/c": "1.10"}, "n": 1.10, "on": true, "list": [{"x": null}]}`,
		"a.yml":    "a:\n  b/c: '1.10'\nn: 1.10\non: true\nlist:\n  - x: null\n",
		"a.toml":   "n = 1.10\non = true\na = {'b/c' = \"1.10\"}\n[[list]]\nx = 'null'\n",
		"go.mod":   "module a.org/b\ngo 1.26\nrequire (\n\ta.org/c v1.0.0\n)\n",
		"b.yaml":   "a: &x {b/c: 1.10}\nn: 1.10\non: true\nlist:\n- x: null\n---\na: {b/c: two}\n",
		"pdm.lock": "",
	} {
		d, err := keys.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, v := range d.Values(func(pointer string) bool { return pointer != "/on" }) {
			got[v.Pointer] += v.Text + "@" + strconv.Itoa(v.Line) + " "
		}
		if diff := cmp.Diff(values[file], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

var values = map[string]map[string]string{
	"a.json":   {"/a/b~1c": "1.10@1 ", "/n": "1.10@1 ", "/list/0/x": "null@1 "},
	"a.yml":    {"/a/b~1c": "1.10@2 ", "/n": "1.10@3 ", "/list/0/x": "null@6 "},
	"a.toml":   {"/a/b~1c": "1.10@3 ", "/n": "1.10@1 ", "/list/0/x": "null@5 "},
	"go.mod":   {"/module": "a.org/b@1 ", "/go": "1.26@2 ", "/require/a.org~1c": "v1.0.0@4 "},
	"b.yaml":   {"/a/b~1c": "1.10@1 two@7 ", "/n": "1.10@2 ", "/list/0/x": "null@5 "},
	"pdm.lock": {},
}

// Names of keys at each of many places may be far longer than the file.
func TestChangedIsBounded(t *testing.T) {
	head, err := keys.Parse("a.json", `{"`+strings.Repeat("a", 1<<10)+`": [`+strings.Repeat("0,", 100_000)+"]}")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = keys.Changed(keys.Document{}, head); err == nil || !strings.Contains(err.Error(), "more than 33554432 bytes") {
		t.Errorf("Changed: %v; want an error about their length", err)
	}
}

// FuzzParse parses any text as any format: a document never differs from itself.
func FuzzParse(f *testing.F) {
	for _, sample := range samples {
		f.Add(sample.file, sample.base)
	}
	f.Add("a.yml", "a: &a [*a]\nb: !x {<<: *a}\n--- # c\n? |\n x\n: .nan")
	f.Add("a.toml", "a.b = {c = [1, 2.0, 1979-05-27]}\n[[d]]\n[d.e]")
	f.Fuzz(func(t *testing.T, file, text string) {
		if len(text) > 10_000 {
			return
		}
		d, err := keys.Parse(file, text)
		if err != nil {
			if _, ok := err.(*part.Error); !ok { //nolint:errorlint // the type is part of the contract
				t.Fatalf("%T is not an *Error", err)
			}
			return
		}
		if list, err := keys.Changed(d, d); err != nil || len(list) > 0 {
			t.Fatalf("%v, %v; want no changes", list, err)
		}
	})
}
