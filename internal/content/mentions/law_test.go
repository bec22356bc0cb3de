package mentions_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/mentions"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// world is a random change, and files made of fragments whose meaning is known without reading
// the text.
type world struct {
	base, head map[string]bool
	to         map[string]string // by removed file, its new name; empty: it was deleted
	ignored    []string          // lines of the ignore file at the top
	texts      map[string][][]fragment
}

// fragment is a piece of a line: a text in one of the ways in which files write it.
type fragment struct {
	way  string // with %s for the text
	text string
	form string // plain, link, owner; empty: it names nothing
}

var (
	worldNames = []string{
		"a", "b.c", "d/a", "d/b.c", "d/e/f.g", "d/e/h", "d/e/i/j.k", "l/a", "l/b.c", "l/m/a", "docs/p.q", "docs/d/b.c", "docs/r", "s/t/d/a", "e/f.g",
		"d/e.x", "w/d/e/h", ".github/x/d/a",
	}
	textNames = []string{"n.txt", "docs/n.md", "CODEOWNERS", "docs/CODEOWNERS", ".github/n.yml", "s/t/n.sh", "d/n.toml"}
	plainWays = []string{"%s", "see %s.", "`%s`", "(%s)", "\"%s\",", "x=%s", "%s:12", "%s#l", "file:%s", "%s/", "%s/...", "[%s]", "日%s本", "<%s>", "[%s:12]", "[%s:x](https://h.io/x)"}
	noWays    = []string{"https://h.io/%s", "https://h.io/?x=%s&y=%s", "pre%s", "%s_x", "v1:%s", "%s/*", "$X/%s", "{x}/%s", "/%s", "~/%s", "é%s", "%sé", "[%s:12](https://h.io/x)"}
	linkWays  = []string{"[t](%s)", "[t](<%s> \"t\")", "![t](%s#x)", "<a href=\"%s\">", "<img src='%s'>", "[t]( %s )"}
)

func drawWorld(t *rapid.T) world {
	w := world{base: map[string]bool{}, head: map[string]bool{}, to: map[string]string{}, texts: map[string][][]fragment{}}
	names := rapid.SliceOfNDistinct(rapid.SampledFrom(worldNames), 1, 12, rapid.ID[string]).Draw(t, "names")
	taken := map[string]bool{}
	for _, name := range slices.Concat(worldNames, textNames) {
		taken[name] = true
	}
	for _, name := range names {
		w.base[name] = true
		switch rapid.IntRange(0, 3).Draw(t, "fate of "+name) {
		case 0:
			w.head[name] = true
		case 1:
			w.to[name] = ""
		default:
			prefix := rapid.SampledFrom([]string{"new/", "d/", "docs/", "z"}).Draw(t, "to")
			if to := prefix + name; !taken[to] {
				taken[to], w.head[to], w.to[name] = true, true, to
			} else {
				w.to[name] = ""
			}
		}
	}
	for _, name := range worldNames { // another file of the change
		if !w.base[name] && rapid.IntRange(0, 4).Draw(t, "new") == 0 {
			w.head[name] = true
		}
	}
	w.ignored = rapid.SliceOfN(rapid.SampledFrom([]string{"/d/a", "/d/e/", "b.c", "l/m", "/docs/r"}), 0, 2).Draw(t, "ignored")
	for _, file := range rapid.SliceOfNDistinct(rapid.SampledFrom(textNames), 1, 3, rapid.ID[string]).Draw(t, "files") {
		w.head[file] = true
		for range rapid.IntRange(1, 8).Draw(t, "lines") {
			w.texts[file] = append(w.texts[file], drawLine(t, file, slices.Concat(names, worldNames[:6])))
		}
	}
	return w
}

func drawLine(t *rapid.T, file string, named []string) []fragment {
	text := func() string {
		name := rapid.SampledFrom(named).Draw(t, "named")
		if dir := path.Dir(name); dir != "." && rapid.Bool().Draw(t, "directory") {
			name = dir
		}
		prefix := rapid.SampledFrom([]string{"", "", "", "./", "../", "../../"}).Draw(t, "prefix")
		if within, ok := strings.CutPrefix(name, path.Dir(file)+"/"); ok && rapid.Bool().Draw(t, "within") {
			name = within
		}
		return prefix + name
	}
	if path.Base(file) == "CODEOWNERS" {
		way := rapid.SampledFrom([]string{"%s @x", "/%s @x", "/%s/ @x", "# %s", "@x %s", "%s/* @x"}).Draw(t, "way")
		form := ""
		if strings.HasSuffix(way, "s @x") || way == "/%s/ @x" {
			form = "owner"
		}
		return []fragment{{way, strings.TrimLeft(text(), "./"), form}}
	}
	var line []fragment
	for range rapid.IntRange(1, 3).Draw(t, "fragments") {
		f := fragment{rapid.SampledFrom(plainWays).Draw(t, "plain"), text(), "plain"}
		switch kind := rapid.IntRange(0, 3).Draw(t, "form"); {
		case kind == 0:
			f.way, f.form = rapid.SampledFrom(noWays).Draw(t, "none"), ""
			f.text = strings.TrimLeft(f.text, "./")
		case kind == 1 && path.Ext(file) == ".md":
			f.way, f.form = rapid.SampledFrom(linkWays).Draw(t, "link"), "link"
			if rapid.Bool().Draw(t, "rooted") {
				f.text = "/" + strings.TrimLeft(f.text, "./")
			}
		}
		line = append(line, f)
	}
	return line
}

// content writes the lines of a file. Every second line of a markdown file is in a block of code,
// of a sample or of commands.
func (w world) content(file string) string {
	var b strings.Builder
	for i, line := range w.texts[file] {
		fence := w.fence(file, i)
		if fence != "" {
			b.WriteString("```" + fence + "\n")
		}
		for _, f := range line {
			b.WriteString(" " + strings.ReplaceAll(f.way, "%s", f.text) + " ")
		}
		b.WriteString("\n")
		if fence != "" {
			b.WriteString("```\n")
		}
	}
	return b.String()
}

func (w world) fence(file string, line int) string {
	if path.Ext(file) != ".md" || line%2 == 0 {
		return ""
	}
	return []string{"go", "sh"}[line/2%2]
}

func has(set map[string]bool, name string) bool {
	for file := range set {
		if file == name || strings.HasPrefix(file, name+"/") {
			return true
		}
	}
	return false
}

// gone returns what is known of a name that the change removed, or nil.
func (w world) gone(name string) *mentions.Mention {
	if has(w.head, name) {
		return nil
	}
	if to, removed := w.to[name]; removed {
		return &mentions.Mention{Name: name, RenamedTo: to, Removed: name}
	}
	var below, to []string
	for old, now := range w.to {
		if rest, ok := strings.CutPrefix(old, name+"/"); ok {
			below = append(below, old)
			dir, same := strings.CutSuffix(now, "/"+rest)
			if !same {
				dir = ""
			}
			to = append(to, dir)
		}
	}
	if len(below) == 0 {
		return nil
	}
	m := &mentions.Mention{Name: name + "/", Removed: slices.Min(below)}
	if slices.Sort(to); to[0] != "" && to[0] == to[len(to)-1] {
		m.RenamedTo = to[0] + "/"
	}
	return m
}

// named returns what a fragment of a file names.
func (w world) named(file string, f fragment) *mentions.Mention {
	text := strings.TrimRight(f.text, "./")
	var from []string // directories
	above := []string{""}
	for i, c := range path.Dir(file) + "/" {
		if c == '/' && path.Dir(file) != "." {
			above = append(above, path.Dir(file)[:i])
		}
	}
	name := strings.TrimPrefix(text, "/")
	current, inCurrent := strings.CutPrefix(text, "./")
	switch {
	case f.form == "plain" && !strings.Contains(current, "/") && (!inCurrent || !strings.Contains(current, ".")):
		return nil
	case f.form == "plain" && strings.HasPrefix(file, ".github/"), f.form == "owner", text != name:
		from = []string{""}
	case f.form == "link":
		from = []string{path.Dir(file)}
	case f.form == "plain":
		from = []string{path.Dir(file), ""}
	}
	if f.form == "plain" && file == "docs/n.md" && strings.HasPrefix(path.Clean(text)+"/", "docs/") { // a path of the reader
		from = from[:1]
	}
	resolves := false
	switch {
	case f.form == "owner" && strings.HasPrefix(f.way, "%s") && !strings.Contains(name, "/"):
		for file := range w.head {
			resolves = resolves || slices.Contains(strings.Split(file, "/"), name)
		}
	case f.form == "link" && !strings.Contains(name, "/"):
	default:
		for _, dir := range above {
			at := path.Join(dir, name)
			resolves = resolves || has(w.head, at)
			for file := range w.head {
				resolves = resolves || strings.HasPrefix(file, at+".")
			}
		}
	}
	for _, dir := range from {
		if m := w.gone(path.Join(dir, name)); m != nil && !resolves {
			return m
		}
	}
	return nil
}

// ignores reports whether the ignore file has a name or a directory above it.
func (w world) ignores(name string) bool {
	file, dir := strings.CutSuffix(name, "/")
	for ; file != "."; file, dir = path.Dir(file), true {
		for _, line := range w.ignored {
			text, dirOnly := strings.CutSuffix(line, "/")
			rooted := strings.Contains(text, "/")
			text = strings.TrimPrefix(text, "/")
			if (rooted && file == text || !rooted && path.Base(file) == text) && (dir || !dirOnly) {
				return true
			}
		}
	}
	return false
}

// want lists the mentions in a file.
func (w world) want(file string) []mentions.Mention {
	var list []mentions.Mention
	number := 0
	for i, line := range w.texts[file] {
		number++
		fence := w.fence(file, i)
		if fence != "" {
			number++
		}
		ordered := slices.Clone(line)
		if fence == "" { // links come before plain words
			slices.SortStableFunc(ordered, func(a, b fragment) int { return rank(a) - rank(b) })
		}
		seen := map[string]bool{}
		for _, f := range ordered {
			if fence == "go" || f.form == "" {
				continue
			}
			if fence == "sh" && f.form == "link" {
				f.form = "plain"
				if strings.HasPrefix(f.text, "/") {
					continue
				}
			}
			m := w.named(file, f)
			if m == nil || seen[m.Name] {
				continue
			}
			seen[m.Name] = true
			m.Path, m.Line, m.Ignored = file, number, w.ignores(m.Name)
			for dir := path.Dir(m.Removed); dir != "." && !has(w.head, dir); dir = path.Dir(dir) {
				m.Directory = dir + "/"
			}
			list = append(list, *m)
		}
		if fence != "" {
			number++
		}
	}
	return list
}

func rank(f fragment) int {
	if f.form == "link" {
		return 0
	}
	return 1
}

// TestMentionsAsTheModel compares what is read with what was written, over random changes.
func TestMentionsAsTheModel(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		r := &repository{files: map[string]string{".gitignore": strings.Join(w.ignored, "\n")}}
		for name := range w.head {
			r.files[name] = w.content(name)
		}
		var changes []diff.Change
		for _, old := range slices.Sorted(maps.Keys(w.to)) {
			if to := w.to[old]; to != "" {
				changes = append(changes, renamed(old, to))
			} else {
				changes = append(changes, deleted(old))
			}
		}
		got, err := mentions.NewReader(r, diff.Changeset{Changes: changes}).Of(t.Context(), everything)
		if err != nil {
			t.Fatal(err)
		}
		want := []mentions.Mention{}
		for _, file := range slices.Sorted(maps.Keys(w.texts)) {
			want = append(want, w.want(file)...)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("mentions (-want +got):\n%s\nchanges %v\n%s", d, changes, fmt.Sprint(r.files))
		}
	})
}
