package install_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// settings draws the text of settings in any style: white space, comments, trailing commas
// and line ends.
type settings struct {
	t   *rapid.T
	eol string
}

func (s settings) space() string {
	text := rapid.SampledFrom([]string{"", "", "", " ", "\n", "\n  ", "\n\t", " \n\n    ", "/* c */", " // c\n", "\n  // c, d\n  "}).Draw(s.t, "space")
	return strings.ReplaceAll(text, "\n", s.eol)
}

func (s settings) list(open, shut string, elements []string) string {
	var b strings.Builder
	b.WriteString(open)
	for i, e := range elements {
		b.WriteString(s.space() + e + s.space())
		if i < len(elements)-1 || rapid.IntRange(0, 5).Draw(s.t, "trailing") == 0 {
			b.WriteString(",")
		}
	}
	return b.String() + s.space() + shut
}

func (s settings) value(depth int) string {
	kind := rapid.IntRange(0, 5).Draw(s.t, "kind")
	if depth <= 0 {
		kind = min(kind, 2)
	}
	switch kind {
	case 0:
		return "1.50e3"
	case 1:
		return `"a \u00e9 } ] // \""`
	case 2:
		return "true"
	case 3:
		return s.list("[", "]", rapid.SliceOfN(rapid.Custom(func(*rapid.T) string { return s.value(depth - 1) }), 0, 3).Draw(s.t, "array"))
	}
	return s.object(depth, []string{"a", "b", "command"})
}

func (s settings) object(depth int, names []string) string {
	var members []string
	for _, name := range rapid.Permutation(names).Draw(s.t, "names") {
		if rapid.Bool().Draw(s.t, name) {
			members = append(members, fmt.Sprintf("%q%s:%s%s", name, s.space(), s.space(), s.value(depth-1)))
		}
	}
	return s.list("{", "}", members)
}

// root draws settings of an agent, which may have hooks already.
func (s settings) root(container string, events []string) string {
	members := []string{`"model": "x"`}
	if rapid.Bool().Draw(s.t, "hooks") {
		var lists []string
		for _, e := range events {
			if rapid.Bool().Draw(s.t, e) {
				lists = append(lists, fmt.Sprintf("%q:%s", e, s.list("[", "]", rapid.SliceOfN(rapid.Just(`{"command": "make lint"}`), 0, 2).Draw(s.t, "groups"))))
			}
		}
		members = append(members, fmt.Sprintf("%q:%s", container, s.list("{", "}", lists)))
	}
	if rapid.Bool().Draw(s.t, "more") {
		members = append(members, `"more":`+s.value(3))
	}
	return s.space() + s.list("{", "}", rapid.Permutation(members).Draw(s.t, "members")) + s.space()
}

// TestAnySettings installs into random settings. No byte that was there is lost or moved, the
// result parses and has each event, a second call changes nothing, and removal restores
// every byte.
func TestAnySettings(t *testing.T) {
	agents := install.Agents()
	lawtest.Check(t, func(rt *rapid.T) {
		d := rapid.SampledFrom(agents).Draw(rt, "agent")
		if d.Settings.Shim != "" {
			return
		}
		container := "hooks"
		if d.Name == "antigravity" {
			container = "rulecheck"
		}
		var events []string
		for _, e := range d.Events[:min(3, len(d.Events))] {
			events = append(events, e.Name)
		}
		s := settings{rt, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "eol")}
		text := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(rt, "mark") + s.root(container, events)

		root := t.TempDir()
		p := &place{rt, d, install.Options{Root: root, GitDir: root}}
		rt.Log(text)
		p.write(text)
		p.install()
		with := p.read()
		if _, err := hujson.Parse([]byte(strings.TrimPrefix(with, "\ufeff"))); err != nil || !within(text, with) {
			rt.Fatalf("%v\n%s\n---\n%s", err, text, with)
		}
		if got := registered(t, with); len(got) != len(d.Events) {
			rt.Fatalf("%d events; want %d:\n%s", len(got), len(d.Events), with)
		}
		if p.install(); p.read() != with {
			rt.Fatalf("changed again:\n%s\n---\n%s", with, p.read())
		}
		if p.uninstall(); p.read() != text {
			rt.Fatalf("not restored:\n%s\n---\n%s\n---\n%s", text, with, p.read())
		}
		p.install()
		p.forget()
		p.uninstall()
		if rest := p.read(); rest != "" {
			left := decode(t, rest)
			before := decode(t, text)
			if fmt.Sprint(dropEmpty(left)) != fmt.Sprint(dropEmpty(before)) || strings.Contains(rest, "rulecheck hook") {
				rt.Fatalf("removed elsewhere:\n%s\n---\n%s", text, rest)
			}
		}
		_ = os.RemoveAll(root)
	})
}
