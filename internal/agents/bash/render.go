package bash

import (
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// command is a simple command before it is shown.
type command struct {
	argv       []string
	words      []string // argv as text shows it; nil: argv
	roles      []bool   // of argv: whether a word is an option; nil: unknown
	subcommand string
	parsed     *parsed // nil: a program whose options are not known
	config     map[string]string
	dir        string
}

// record adds a simple command to the line.
func (r *reader) record(st *state, c command) {
	if len(c.argv) == 0 {
		return
	}
	if c.words == nil {
		c.words = c.argv
	}
	name := base(c.argv[0])
	out := fact.ShellCommand{
		Name: show(name), Subcommand: show(c.subcommand), Argv: shows(c.argv), Options: []string{}, Operands: []string{},
		Dir: show(r.relative(cmpOr(c.dir, st.dir))), Env: map[string]string{}, Config: map[string]string{},
		Via: append([]string{}, st.via...),
	}
	for k, v := range st.exported() {
		out.Env[k] = show(v)
	}
	for k, v := range c.config {
		out.Config[k] = show(v)
	}
	written := words(append([]string{name}, c.words[1:]...), c.roles)
	texts := []string{written}
	out.Text, out.Normal = show(written), show(written)
	if c.parsed != nil {
		normal := normalForm(name, c)
		texts = append(texts, normal)
		out.Normal = show(normal)
		for _, o := range c.parsed.options {
			out.Options = append(out.Options, show(o.String()))
		}
		out.Operands = shows(c.parsed.operands)
	}
	out.Texts = texts
	if st.runner != "" {
		for _, t := range texts {
			out.Within = append(out.Within, st.runner+" "+t)
		}
	}
	key := "command\x00" + strings.Join(texts, "\x00") + "\x00" + out.Dir + "\x00" + strings.Join(out.Via, " ") + "\x00" + pairs(out.Env) + pairs(out.Config)
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	r.out.Commands = append(r.out.Commands, out)
}

func pairs(m map[string]string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b.WriteString(k + "=" + m[k] + "\x00")
	}
	return b.String()
}

func shows(list []string) []string {
	shown := make([]string, len(list))
	for i, s := range list {
		shown[i] = show(s)
	}
	return shown
}

// String returns the option as text: --name, --name=value or -x.
func (o option) String() string {
	if o.given {
		return o.dashes() + o.name + "=" + o.value
	}
	return o.dashes() + o.name
}

func (o option) dashes() string {
	if len(o.name) == 1 {
		return "-"
	}
	return "--"
}

// normalForm writes a command with its options by their long names: those without a
// value first, then letters without a long name, the others, "--" and the operands. A value cannot be taken for an
// option in it.
func normalForm(name string, c command) string {
	list := []string{name}
	if c.subcommand != "" {
		list = append(list, bare(c.subcommand))
	}
	var letters, values []string
	for _, o := range c.parsed.options {
		switch dashes := o.dashes(); {
		case o.given:
			values = append(values, dashes+o.name+"="+bare(o.value))
		case dashes == "-":
			letters = append(letters, o.String())
		default:
			list = append(list, o.String())
		}
	}
	if c.parsed.open {
		list = append(list, string(unknownWords))
	}
	list = slices.Concat(list, letters, values)
	for _, k := range slices.Sorted(maps.Keys(c.config)) {
		list = append(list, "--config="+bare(k+"="+c.config[k]))
	}
	list = append(list, "--")
	for _, o := range c.parsed.operands {
		list = append(list, value(o))
	}
	return strings.Join(list, " ")
}

// words joins words as text. Where the roles are known, a word that looks like an
// option but is none is quoted.
func words(list []string, roles []bool) string {
	texts := make([]string, len(list))
	for i, w := range list {
		switch {
		case i > 0 && roles != nil && !roles[i-1]:
			texts[i] = value(w)
		default:
			texts[i] = bare(w)
		}
	}
	return strings.Join(texts, " ")
}

// value writes a word that is no option.
func value(w string) string {
	if strings.HasPrefix(w, "-") && w != "-" || strings.HasPrefix(w, string(unknownWord)) {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return bare(w)
}

// bare writes a word without quotes, unless it holds blanks or signs.
func bare(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n'\"\\|&;()<>`") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
