package keys_test

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// value is the model of a value: what a document means, without its text.
type value struct {
	kind  byte     // 's': scalar, 'm': mapping, 'l': list
	means string   // of a scalar
	forms []string // texts of the scalar that mean the same
	names []string // of the entries of a mapping
	kids  []*value
}

// whole returns the meaning of a value and of all inside it.
func (v *value) whole() string {
	switch v.kind {
	case 's':
		return v.means
	case 'l':
		var parts []string
		for _, k := range v.kids {
			parts = append(parts, k.whole())
		}
		return "[" + strings.Join(parts, ",") + "]"
	default:
		var parts []string
		for i, k := range v.kids {
			parts = append(parts, strconv.Quote(v.names[i])+":"+k.whole())
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
}

// flatten returns the meaning of each value by its pointer.
func (v *value) flatten(at string, into map[string]string) {
	into[at] = v.whole()
	for i, k := range v.kids {
		name := strconv.Itoa(i)
		if v.kind == 'm' {
			name = strings.ReplaceAll(strings.ReplaceAll(v.names[i], "~", "~0"), "/", "~1")
		}
		k.flatten(at+"/"+name, into)
	}
}

// differences returns the pointers whose values differ, by comparing their whole meanings.
func differences(before, after *value) []string {
	a, b := map[string]string{}, map[string]string{}
	before.flatten("", a)
	after.flatten("", b)
	var differing []string
	for at, means := range b {
		if old, ok := a[at]; !ok || old != means {
			differing = append(differing, at)
		}
	}
	for at := range a {
		if _, ok := b[at]; !ok {
			differing = append(differing, at)
		}
	}
	sort.Strings(differing)
	return differing
}

// language is how a format writes values.
type language struct {
	file    string
	scalars []scalarForms
	names   []string
	deep    int  // nesting of values
	rooted  bool // the root is a mapping
	write   func(t *rapid.T, v *value) string
}

type scalarForms struct {
	means string
	forms []string
}

func (l language) generate(t *rapid.T, depth int) *value {
	kind := rapid.SampledFrom([]byte("sssml")).Draw(t, "kind")
	if depth == 0 && l.rooted {
		kind = 'm'
	} else if depth >= l.deep {
		kind = 's'
	}
	v := &value{kind: kind}
	switch kind {
	case 's':
		s := rapid.SampledFrom(l.scalars).Draw(t, "scalar")
		v.means, v.forms = s.means, s.forms
	case 'm':
		v.names = rapid.SliceOfNDistinct(rapid.SampledFrom(l.names), 0, 4, rapid.ID[string]).Draw(t, "names")
		for range v.names {
			v.kids = append(v.kids, l.generate(t, depth+1))
		}
	default:
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			v.kids = append(v.kids, l.generate(t, depth+1))
		}
	}
	return v
}

// edit returns a copy of a value with other values, more or fewer in some places.
func (l language) edit(t *rapid.T, v *value, depth int) *value {
	if (depth > 0 || !l.rooted) && rapid.IntRange(0, 9).Draw(t, "replace") == 0 {
		return l.generate(t, depth)
	}
	edited := &value{kind: v.kind, means: v.means, forms: v.forms}
	for i, k := range v.kids {
		if rapid.IntRange(0, 9).Draw(t, "remove") == 0 {
			continue
		}
		if v.kind == 'm' {
			edited.names = append(edited.names, v.names[i])
		}
		edited.kids = append(edited.kids, l.edit(t, k, depth+1))
	}
	if v.kind != 's' && depth < l.deep && rapid.IntRange(0, 4).Draw(t, "add") == 0 {
		name := rapid.SampledFrom(l.names).Draw(t, "name")
		if v.kind == 'm' && slices.Contains(edited.names, name) {
			return edited
		}
		if v.kind == 'm' {
			edited.names = append(edited.names, name)
		}
		edited.kids = append(edited.kids, l.generate(t, depth+1))
	}
	return edited
}

func form(t *rapid.T, v *value) string { return rapid.SampledFrom(v.forms).Draw(t, "form") }

// order returns the indexes of the entries of a mapping in any order.
func order(t *rapid.T, v *value) []int {
	indexes := make([]int, len(v.kids))
	for i := range indexes {
		indexes[i] = i
	}
	if v.kind == 'm' && len(indexes) > 1 {
		return rapid.Permutation(indexes).Draw(t, "order")
	}
	return indexes
}

func pick(t *rapid.T, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, "layout") }

var languages = map[string]language{
	"JSON": {
		file: "a/package.json",
		scalars: []scalarForms{
			{"1", []string{"1", "1.0", "10e-1", "1E0", "0.1e+1"}},
			{"2^53", []string{"9007199254740992", "9007199254740992.0"}},
			{"2^53+1", []string{"9007199254740993"}},
			{"0", []string{"0", "-0", "0.0", "0e9"}},
			{"-1.5", []string{"-1.5", "-15e-1"}},
			{"1e400", []string{"1e400", "10e399"}},
			{"true", []string{"true"}},
			{"false", []string{"false"}},
			{"null", []string{"null"}},
			{"'1'", []string{`"1"`, `"\u0031"`}},
			{"''", []string{`""`}},
			{"'a/b'", []string{`"a/b"`, `"a\/b"`}},
			{"'// x'", []string{`"// x"`}},
			{"'é'", []string{`"é"`, `"\u00e9"`}},
			{"'null'", []string{`"null"`}},
		},
		names: []string{"a", "b", "name", "a/b", "x~y", "", ".", "0", "é", "//"},
		deep:  4,
		write: writeJSON,
	},
	"YAML": {
		file: ".github/config.yml",
		scalars: []scalarForms{
			{"1", []string{"1", "0x1", "+1", "0b1"}},
			{"1.0", []string{"1.0", "1.00", "1e0", "!!float 1"}},
			{"'1'", []string{"'1'", `"1"`, "!!str 1"}},
			{"2^53", []string{"9007199254740992"}},
			{"2^53+1", []string{"9007199254740993"}},
			{"2^64", []string{"18446744073709551616"}},
			{"2^64+1", []string{"18446744073709551617"}},
			{"true", []string{"true", "True", "TRUE"}},
			{"null", []string{"null", "~", "Null"}},
			{"'a b'", []string{"a b", "'a b'", `"a b"`, `"a\x20b"`}},
			{"'on'", []string{"on", "'on'"}},
			{"inf", []string{".inf", ".Inf"}},
			{"!x a", []string{"!x a", "!x 'a'"}},
			{"''", []string{"''", `""`}},
			{"time", []string{"2001-12-14T21:59:43Z", "2001-12-14t16:59:43-05:00"}},
		},
		names: []string{"a", "b", "name", "a/b", "x~y", ".", "on", "é", "a b"},
		deep:  4,
		write: writeYAML,
	},
	"TOML": {
		file: "Cargo.toml",
		scalars: []scalarForms{
			{"1", []string{"1", "+1", "0x1", "0b1", "0o1"}},
			{"1000", []string{"1000", "1_000"}},
			{"1.0", []string{"1.0", "1.00", "1e0", "+1.0"}},
			{"2^53", []string{"9007199254740992"}},
			{"2^53+1", []string{"9007199254740993"}},
			{"true", []string{"true"}},
			{"false", []string{"false"}},
			{"'a'", []string{`"a"`, "'a'", `"""a"""`, "'''\na'''", `"\u0061"`}},
			{"''", []string{`""`, "''"}},
			{"inf", []string{"inf", "+inf"}},
			{"nan", []string{"nan"}},
			{"date", []string{"1979-05-27"}},
			{"instant", []string{"1979-05-27T07:32:00Z", "1979-05-27T00:32:00-07:00", "1979-05-27 07:32:00z"}},
			{"local", []string{"1979-05-27T07:32:00.5", "1979-05-27 07:32:00.500"}},
		},
		names:  []string{"a", "b", "name", "a/b", "x~y", "", ".", "é", "a.b"},
		deep:   4,
		rooted: true,
		write:  writeTOML,
	},
}

func writeJSON(t *rapid.T, v *value) string {
	space := func() string { return pick(t, "", " ", "\n", "\t", "// c\n", "/* , ] */", "\r\n") }
	if v.kind == 's' {
		return space() + form(t, v) + space()
	}
	var parts []string
	for _, i := range order(t, v) {
		text := writeJSON(t, v.kids[i])
		if v.kind == 'm' {
			text = space() + strconv.Quote(v.names[i]) + space() + ":" + text
		}
		parts = append(parts, text)
	}
	brackets := map[byte]string{'m': "{}", 'l': "[]"}[v.kind]
	comma := ""
	if len(parts) > 0 {
		comma = pick(t, "", ",")
	}
	return space() + brackets[:1] + strings.Join(parts, ",") + comma + space() + brackets[1:] + space()
}

func writeYAML(t *rapid.T, v *value) string {
	return pick(t, "", "---\n", "# c\n", "\ufeff") + yamlBlock(t, v, 0) + pick(t, "", "\n", "# c\n")
}

// yamlBlock writes a value at the beginning of a line; inline values end in a line end too.
func yamlBlock(t *rapid.T, v *value, indent int) string {
	if v.kind == 's' || len(v.kids) == 0 || pick(t, "", "", "flow") != "" {
		return yamlFlow(t, v) + pick(t, "", " # c", "  ") + "\n"
	}
	var b strings.Builder
	for n, i := range order(t, v) {
		prefix := "-"
		if v.kind == 'm' {
			prefix = yamlName(t, v.names[i]) + ":"
		}
		if n > 0 || indent == 0 {
			b.WriteString(pick(t, "", "", "\n", strings.Repeat(" ", indent)+"# c\n") + strings.Repeat(" ", indent))
		}
		child := v.kids[i]
		if child.kind == 's' || len(child.kids) == 0 {
			b.WriteString(prefix + " " + yamlFlow(t, child) + "\n")
			continue
		}
		deeper := indent + rapid.IntRange(1, 3).Draw(t, "indent")
		b.WriteString(prefix + "\n" + strings.Repeat(" ", deeper) + yamlBlock(t, child, deeper))
	}
	return b.String()
}

func yamlName(t *rapid.T, name string) string {
	if name == "." {
		return `"."`
	}
	return pick(t, name, "'"+name+"'", strconv.Quote(name))
}

func yamlFlow(t *rapid.T, v *value) string {
	if v.kind == 's' {
		return form(t, v)
	}
	var parts []string
	for _, i := range order(t, v) {
		text := yamlFlow(t, v.kids[i])
		if v.kind == 'm' {
			text = yamlName(t, v.names[i]) + ": " + text
		}
		parts = append(parts, text)
	}
	brackets := map[byte]string{'m': "{}", 'l': "[]"}[v.kind]
	return brackets[:1] + strings.Join(parts, pick(t, ", ", " , ")) + brackets[1:]
}

func writeTOML(t *rapid.T, v *value) string {
	return pick(t, "", "# c\n", "\ufeff") + tomlTable(t, v, nil) + pick(t, "", "\n# c")
}

// tomlTable writes the keys of a table and then the tables in it.
func tomlTable(t *rapid.T, v *value, path []string) string {
	var first, then strings.Builder
	for _, i := range order(t, v) {
		name, k := tomlName(t, v.names[i]), v.kids[i]
		inside := append(slices.Clone(path), name)
		ofTables := k.kind == 'l' && len(k.kids) > 0 && !slices.ContainsFunc(k.kids, func(e *value) bool { return e.kind != 'm' })
		switch {
		case k.kind == 'm' && pick(t, "table", "inline") == "table":
			then.WriteString(pick(t, "", "\n", "# c\n") + "[" + strings.Join(inside, pick(t, ".", " . ")) + "]\n" + tomlTable(t, k, inside))
		case ofTables && pick(t, "table", "inline") == "table":
			for _, each := range k.kids {
				then.WriteString("[[" + strings.Join(inside, ".") + "]]\n" + tomlTable(t, each, inside))
			}
		case k.kind == 'm' && len(k.kids) > 0 && pick(t, "dotted", "inline") == "dotted":
			for _, j := range order(t, k) {
				first.WriteString(name + "." + tomlName(t, k.names[j]) + " = " + tomlInline(t, k.kids[j]) + "\n")
			}
		default:
			first.WriteString(name + pick(t, "=", " = ") + tomlInline(t, k) + pick(t, "\n", " # c\n", "\r\n"))
		}
	}
	return first.String() + then.String()
}

func tomlName(t *rapid.T, name string) string {
	quoted := strconv.Quote(name)
	if name == "a" || name == "b" || name == "name" {
		return pick(t, name, quoted, "'"+name+"'")
	}
	return pick(t, quoted, "'"+name+"'")
}

func tomlInline(t *rapid.T, v *value) string {
	if v.kind == 's' {
		return form(t, v)
	}
	var parts []string
	for _, i := range order(t, v) {
		text := tomlInline(t, v.kids[i])
		if v.kind == 'm' {
			text = tomlName(t, v.names[i]) + " = " + text
		}
		parts = append(parts, text)
	}
	if v.kind == 'm' {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + pick(t, "", "\n", " # c\n") + strings.Join(parts, pick(t, ",", ",\n", ", # c\n")) + pick(t, "", "\n") + "]"
}

// goMod is the model of a go.mod file: a mapping of mappings.
func goMod(t *rapid.T) *value {
	root := &value{kind: 'm'}
	add := func(to *value, name string, v *value) { to.names, to.kids = append(to.names, name), append(to.kids, v) }
	text := func(means string) *value { return &value{kind: 's', means: means} }
	version := rapid.SampledFrom([]string{"v1.0.0", "v1.0.1", "v0.0.0-20191109021931-daa7c04131f5"})
	add(root, "module", text(pick(t, "example.org/a", "example.org/b")))
	add(root, "go", text(pick(t, "1.21", "1.26.0")))
	paths := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a.org/x", "a.org/y", "b.org/z", "b.org/~w"}), 0, 4, rapid.ID[string])
	for _, directive := range []string{"require", "exclude", "replace"} {
		of := &value{kind: 'm'}
		for _, path := range paths.Draw(t, directive) {
			means := version.Draw(t, "version")
			if directive == "replace" {
				means = "../" + means
			}
			add(of, path, text(means))
		}
		if len(of.kids) > 0 {
			add(root, directive, of)
		}
	}
	return root
}

func writeGoMod(t *rapid.T, v *value) string {
	var b strings.Builder
	for _, i := range order(t, v) {
		directive, k := v.names[i], v.kids[i]
		if k.kind == 's' {
			fmt.Fprintf(&b, "%s %s%s\n", directive, k.means, pick(t, "", " // c", "\n"))
			continue
		}
		arrow := ""
		if directive == "replace" {
			arrow = "=> "
		}
		if pick(t, "block", "lines") == "block" {
			b.WriteString(directive + " (\n")
			for _, j := range order(t, k) {
				fmt.Fprintf(&b, "\t%s %s%s%s\n", k.names[j], arrow, k.kids[j].means, pick(t, "", " // indirect", "\n\t// c"))
			}
			b.WriteString(")\n")
			continue
		}
		for _, j := range order(t, k) {
			fmt.Fprintf(&b, "%s %s %s%s\n", directive, k.names[j], arrow, k.kids[j].means)
		}
	}
	return b.String()
}
