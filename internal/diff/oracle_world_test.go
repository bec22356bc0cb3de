package diff_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The small worlds random repositories are made of: names that get into each
// other's way, contents that resemble each other, patterns that meet the names.
var (
	oracleNames = []string{
		"a", "b.txt", "dir/c", "dir/d", "dir/sub/e", "b.txt/f", "sp ace", "q\"u o\\te", "new\nline", "-dash", "\xff", "ü", "*", "lib",
	}
	// places are where files are scattered to: below other directories, with names of files in them.
	oraclePlaces = []string{"m/a", "n/a", "m/c", "n/c", "n/b.txt", "dir/x", "n/x", "x"}
	oracleTexts  = []string{
		text("one", 12), text("two", 12), text("one", 40), text("three", 30), text("short", 2), text("four", 12) + "\x00",
		"", "x\n", "\x00\x01", "no end", text("one", 11) + "\x00", "\x00" + text("three", 30),
		windows(text("one", 12)), windows(text("three", 30)), text("one", 3) + windows(text("two", 9)), "$Id$\n" + text("two", 12), "\xe9\n" + text("two", 9),
	}
	oracleAttributes = []string{
		"* text=auto\n", "*.txt text eol=crlf\n", "a -text\nb.txt eol=lf\n", "* -diff\n", "a binary\n", "* diff=driver\n", "* text\n* ident\n",
		"[attr]dos text eol=crlf\n* dos\n", "c filter=upper\n", "* working-tree-encoding=ISO-8859-1\n", "dir/* !text eol=crlf\n",
	}
	oracleSettings = [][2]string{
		{"core.autocrlf", "true"},
		{"core.autocrlf", "input"},
		{"core.eol", "crlf"},
		{"core.safecrlf", "false"},
		{"core.bigFileThreshold", "60"},
		{"diff.driver.binary", "true"},
		{"diff.driver.algorithm", "patience"},
		{"diff.algorithm", "histogram"},
		{"diff.indentHeuristic", "false"},
		{"diff.context", "7"},
		{"diff.interHunkContext", "5"},
		{"diff.noPrefix", "true"},
		{"diff.mnemonicPrefix", "true"},
		{"diff.submodule", "log"},
		{"filter.upper.clean", "tr a-z A-Z"},
		{"diff.suppressBlankEmpty", "true"},
		{"diff.renames", "false"},
		{"color.ui", "always"},
		{"index.version", "4"},
		{"core.splitIndex", "true"},
		{"core.untrackedCache", "true"},
	}
	oracleIgnores = []string{
		"*.txt\n!b.txt\n", "dir/\n", "/a\n", "dir/*\n!dir/sub\n", "*\n!*/\n!.gitignore\n", "sub/e\n", "lib\n", "c\n!dir/c\n", "\\*\nq*\n",
	}
)

// windows gives lines the ends of Windows.
func windows(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// settings draws what converts files or changes how git shows them: configuration, attributes,
// and the directory of a sparse checkout, which it returns.
func settings(t *rapid.T, s *sandbox) (sparse string) {
	for range rapid.SampledFrom([]int{0, 0, 1, 2, 3}).Draw(t, "settings") {
		setting := rapid.SampledFrom(oracleSettings).Draw(t, "setting")
		s.git("config", setting[0], setting[1])
	}
	if rapid.IntRange(0, 4).Draw(t, "attributes of the repository if 0") == 0 {
		s.write(".git/info/attributes", rapid.SampledFrom(oracleAttributes).Draw(t, "attributes"))
	}
	sparse = rapid.SampledFrom([]string{"", "", "", "", "", "dir", "dir/sub", "lib"}).Draw(t, "sparse")
	if sparse != "" {
		// Git 2.39 writes a broken index that is both sparse and split: "position for
		// replacement 2 exceeds base index size 2".
		_, _ = s.try("config", "--unset-all", "core.splitIndex")
	}
	return sparse
}

// land is where files are put: a commit yet to be made, or the working tree.
type land interface {
	regular(name string) bool // whether a regular file has that name
	read(name string) string  // a regular file's content
	write(name, text string)
	link(name, target string)
	module(name string, m module) // a nested repository
	move(from, to string)
	chmod(name string, executable bool)
	clear(name string) // makes room: no directory in its place, no file in its way
}

// disturb does one random thing to a land.
func (w *world) disturb(t *rapid.T, l land) {
	do := rapid.SampledFrom([]string{
		"write", "write", "write", "edit", "line", "move", "move", "move", "remove", "chmod", "link", "module", "ignore", "attributes",
	}).Draw(t, "do")
	name := rapid.SampledFrom(oracleNames).Draw(t, "name")
	switch do {
	case "edit", "line", "move", "chmod": // of a file that is there, if any is
		there := slices.DeleteFunc(slices.Clone(oracleNames), func(name string) bool { return !l.regular(name) })
		if len(there) == 0 {
			return
		}
		name = rapid.SampledFrom(there).Draw(t, "file")
	case "write", "remove", "link":
		l.clear(name)
	}
	switch do {
	case "write":
		l.write(name, oracleTexts[rapid.IntRange(0, len(oracleTexts)-1).Draw(t, "text")])
	case "edit":
		edit(t, l, name)
	case "line":
		line := rapid.SampledFrom([]string{"edited\n", "edited\r\n", "--- a/x\n", "+++ b/x\n", "@@ -1 +1 @@\n"}).Draw(t, "line")
		rows := strings.SplitAfter(l.read(name), "\n")
		at := rapid.IntRange(0, len(rows)-1).Draw(t, "at")
		until := min(len(rows), at+rapid.IntRange(0, 2).Draw(t, "removed"))
		l.write(name, strings.Join(slices.Concat(rows[:at], []string{line}, rows[until:]), ""))
	case "move":
		to := rapid.SampledFrom(oracleNames).Draw(t, "to")
		if to != name && !strings.HasPrefix(to, name+"/") && !strings.HasPrefix(name, to+"/") {
			l.clear(to)
			l.move(name, to)
			edit(t, l, to)
		}
	case "chmod":
		l.chmod(name, rapid.Bool().Draw(t, "executable"))
	case "link":
		l.link(name, rapid.SampledFrom([]string{"a", "x\n", "dir", text("short", 2)}).Draw(t, "target"))
	case "module":
		name := rapid.SampledFrom([]string{"lib", "dir/sub", name}).Draw(t, "module")
		l.clear(name)
		l.module(name, rapid.SampledFrom(w.modules[:]).Draw(t, "commit"))
	case "attributes":
		name := rapid.SampledFrom([]string{".gitattributes", "dir/.gitattributes"}).Draw(t, "where")
		l.clear(name)
		l.write(name, rapid.SampledFrom(oracleAttributes).Draw(t, "patterns"))
	case "ignore":
		name := rapid.SampledFrom([]string{".gitignore", "dir/.gitignore"}).Draw(t, "where")
		l.clear(name)
		l.write(name, rapid.SampledFrom(oracleIgnores).Draw(t, "patterns"))
	}
}

// edit replaces a part of the lines: none, all, and what is around the half that
// makes a rename.
func edit(t *rapid.T, l land, name string) {
	percent := rapid.SampledFrom([]int{0, 20, 40, 45, 50, 55, 60, 80, 5, 95, 100}).Draw(t, "percent")
	if percent == 0 {
		return
	}
	salt := rapid.SampledFrom([]string{"red", "green"}).Draw(t, "salt")
	rows := strings.SplitAfter(l.read(name), "\n")
	for i := range rows {
		if (i+1)*percent/100 > i*percent/100 {
			rows[i] = fmt.Sprintf("%s line %d of some length\n", salt, i)
		}
	}
	l.write(name, strings.Join(rows, ""))
}

// scatter copies files to other places and edits the copies, so that deleted and new files are
// alike in several ways.
func scatter(t *rapid.T, s *sandbox) {
	for _, name := range oracleNames {
		if !s.regular(name) {
			continue
		}
		content := s.read(name)
		for range rapid.IntRange(0, 2).Draw(t, "copies") {
			to := rapid.SampledFrom(oraclePlaces).Draw(t, "place")
			s.clear(to)
			s.write(to, content)
			edit(t, s, to)
		}
		if rapid.IntRange(0, 2).Draw(t, "stays if 0") > 0 {
			s.remove(name)
		}
	}
}

// work does one random thing to the working tree or the index.
func (w *world) work(t *rapid.T, s *sandbox) {
	do := rapid.SampledFrom([]string{"files", "files", "files", "scatter", "stage", "stage all", "unstage", "intend", "dirty", "exclude", "mark"}).Draw(t, "what")
	switch do {
	case "files":
		w.disturb(t, s)
		return
	case "scatter":
		scatter(t, s)
		return
	}
	name := rapid.SampledFrom(slices.Concat(oracleNames, oraclePlaces)).Draw(t, "path")
	switch do {
	case "stage":
		_, _ = s.try("--literal-pathspecs", "add", "-A", "--", name) // nothing there, or ignored: nothing staged
	case "stage all":
		_, _ = s.try("add", "-A")
	case "unstage":
		_, _ = s.try("--literal-pathspecs", "rm", "-qrf", "--cached", "--", name)
	case "intend":
		if _, err := os.Stat(s.path(".git/info/sparse-checkout")); err == nil {
			return // git 2.39 then damages the index, or crashes
		}
		_, _ = s.try("--literal-pathspecs", "add", "-N", "--", name)
	case "mark":
		option := rapid.SampledFrom([]string{"--assume-unchanged", "--skip-worktree", "--no-assume-unchanged", "--no-skip-worktree"}).Draw(t, "mark")
		_, _ = s.try("update-index", option, "--", name)
		if rapid.Bool().Draw(t, "and remove") {
			_ = os.RemoveAll(s.path(name)) // fails below what is now a file
		}
	case "dirty":
		if _, err := os.Lstat(s.path("lib/.git")); err == nil {
			s.write("lib/"+rapid.SampledFrom([]string{"f", "untracked"}).Draw(t, "in the module"), "dirt\n")
		}
	case "exclude":
		s.write(".git/info/exclude", rapid.SampledFrom(oracleIgnores).Draw(t, "patterns"))
	}
}

func (s *sandbox) regular(name string) bool {
	info, err := os.Lstat(s.path(name))
	return err == nil && info.Mode().IsRegular()
}

func (s *sandbox) read(name string) string {
	s.t.Helper()
	content, err := os.ReadFile(s.path(name))
	if err != nil {
		s.t.Fatalf("%v", err)
	}
	return string(content)
}

func (s *sandbox) chmod(name string, executable bool) {
	s.t.Helper()
	mode := map[bool]os.FileMode{false: 0o644, true: 0o755}[executable]
	if err := os.Chmod(s.path(name), mode); err != nil {
		s.t.Fatalf("%v", err)
	}
}

func (s *sandbox) clear(name string) {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(s.path(dir)); err == nil && !info.IsDir() {
			s.remove(dir)
		}
	}
	s.remove(name)
}

func (s *sandbox) module(name string, m module) {
	s.t.Helper()
	if err := os.CopyFS(s.path(name), os.DirFS(m.dir)); err != nil {
		s.t.Fatalf("%v", err)
	}
}

// world is a template that random repositories are copied from, which is faster than to ask
// git for each.
type world struct {
	template *sandbox  // an empty repository
	modules  [2]module // one repository at each of its two commits
}

type module struct{ dir, commit string }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{template: newSandbox(t)}
	w.template.remove(".git/hooks")
	m := newSandbox(t)
	m.remove(".git/hooks")
	for i := range w.modules {
		m.write("f", strconv.Itoa(i)+"\n")
		w.modules[i] = module{dir: filepath.Join(t.TempDir(), "module"), commit: m.commit("module")}
		if err := os.CopyFS(w.modules[i].dir, os.DirFS(m.dir)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// newCommit is the content of a commit yet to be made.
type newCommit map[string]node

type node struct{ mode, content string }

func (s newCommit) regular(name string) bool     { return strings.HasPrefix(s[name].mode, "100") }
func (s newCommit) read(name string) string      { return s[name].content }
func (s newCommit) link(name, target string)     { s[name] = node{"120000", target} }
func (s newCommit) module(name string, m module) { s[name] = node{"160000", m.commit} }

func (s newCommit) write(name, text string) {
	mode := "100644"
	if s.regular(name) {
		mode = s[name].mode
	}
	s[name] = node{mode, text}
}

func (s newCommit) move(from, to string) {
	s[to] = s[from]
	delete(s, from)
}

func (s newCommit) chmod(name string, executable bool) {
	s[name] = node{map[bool]string{false: "100644", true: "100755"}[executable], s[name].content}
}

func (s newCommit) clear(name string) {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		delete(s, dir)
	}
	maps.DeleteFunc(s, func(other string, _ node) bool { return other == name || strings.HasPrefix(other, name+"/") })
}

// history is a random graph of commits, as input of git fast-import. HEAD is the
// last one, main any of them.
func (w *world) history(t *rapid.T) string {
	var stream strings.Builder
	// Parents of each commit, by their place. Criss-cross: two merge bases.
	graph := rapid.SampledFrom([][][]int{
		{{}},
		{{}, {0}},
		{{}, {0}, {1}},
		{{}, {0}, {0}},
		{{}, {0}, {0}, {2, 1}},
		{{}, {0}, {0}, {1, 2}, {2, 1}},
		{{}, {0}, {0}, {1, 2}, {2, 1}, {4}},
		{{}, {}, {0, 1}},
	}).Draw(t, "graph")
	commits := make([]newCommit, len(graph))
	for i, parents := range graph {
		files := newCommit{}
		for p, parent := range parents {
			for _, name := range slices.Sorted(maps.Keys(commits[parent])) {
				if p == 0 || files[name] == (node{}) && rapid.Bool().Draw(t, "theirs") {
					if p > 0 {
						files.clear(name)
					}
					files[name] = commits[parent][name]
				}
			}
		}
		most := 4
		if len(parents) == 0 {
			most = 14
		}
		for range rapid.IntRange(0, most).Draw(t, "changes") {
			w.disturb(t, files)
		}
		commits[i] = files
		files.export(&stream, i, parents)
	}
	fmt.Fprintf(&stream, "reset refs/heads/main\nfrom :%d\n\n", 1+rapid.IntRange(0, len(graph)-1).Draw(t, "main"))
	return stream.String()
}

// export writes a commit for git fast-import.
func (s newCommit) export(w *strings.Builder, at int, parents []int) {
	if len(parents) == 0 {
		w.WriteString("reset refs/heads/topic\n")
	}
	fmt.Fprintf(w, "commit refs/heads/topic\nmark :%d\ncommitter C <c@example.com> %d +0000\ndata 0\n", at+1, at)
	for p, parent := range parents {
		fmt.Fprintf(w, "%s :%d\n", []string{"from", "merge"}[p], parent+1)
	}
	w.WriteString("deleteall\n")
	for _, name := range slices.Sorted(maps.Keys(s)) {
		file := s[name]
		if file.mode == "160000" {
			fmt.Fprintf(w, "M 160000 %s %s\n", file.content, quoted(name))
			continue
		}
		fmt.Fprintf(w, "M %s inline %s\ndata %d\n%s\n", file.mode, quoted(name), len(file.content), file.content)
	}
	w.WriteString("\n")
}

// quoted is a name in the way of C.
func quoted(name string) string {
	var b strings.Builder
	for i := range len(name) {
		fmt.Fprintf(&b, "\\%03o", name[i])
	}
	return `"` + b.String() + `"`
}
