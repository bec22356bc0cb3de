package diff_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/content/mentions"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// unsought is an engine that reads all files, whatever texts they are read for. It counts the
// files that the engine itself reads.
type unsought struct{ *program.Engine }

func (u unsought) EachContent(ctx context.Context, head diff.Head, sought []diff.Sought, limit int64, visit func(string, []byte)) error {
	return u.Engine.EachContent(ctx, head, []diff.Sought{{Paths: diff.PathsOf(sought)}}, limit, visit)
}

// everyFile is the scope of a rule about all files.
var everyFile = mentions.Scope{Covers: func(string) bool { return true }, Named: func(string) bool { return true }}

var (
	// soughtNames are of files that a change removes or that name them.
	soughtNames = []string{
		"a.md", "b c.md", "-x.txt", "d/a.md", "d/e/f.go", "d/e/g*.go", "d/é.md", "d/\xff.txt", "d/new\nline.md", "d/q?[1].yml", ":(top)y", "k/l", "k/m/l", "D/A.md", "HEAD:z/v.w",
	}
	// soughtFiles name them.
	soughtFiles = []string{"n.md", "N.MD", "d/n.txt", "CODEOWNERS", ".github/n.yml", "d/Makefile", "o/p.bin", "o/p.none", "o/\xfe\n.toml", "-n", ":!n.cfg", "k/n.md"}
	// soughtWays are texts about a name; some are mentions.
	soughtWays = []string{
		"see %s.", "[t](%s)", "[t](/%s)", "[t](%%E)", "/%s @x", "./%s", "../%s", "\xff%s\xfe", "é %s", "\r%s\r", "x%s", "%s/", "\x00%s", "[t](<%s>)", "run: ./%s", "https://h/%s", "100%% of %s",
	}
)

// soughtText is a line about a name, whose percent-encoded forms are with and without need.
func soughtText(t *rapid.T) string {
	name := rapid.SampledFrom(soughtNames).Draw(t, "named")
	switch rapid.IntRange(0, 3).Draw(t, "as") {
	case 0:
		name = path.Base(name)
	case 1:
		if dir := path.Dir(name); dir != "." {
			name = dir
		}
	}
	way := rapid.SampledFrom(soughtWays).Draw(t, "way")
	if encoded := rapid.IntRange(0, 4).Draw(t, "encoded"); encoded == 0 {
		var b strings.Builder
		for i := range len(name) {
			if name[i] == '/' || i%2 == 1 {
				b.WriteByte(name[i])
			} else {
				fmt.Fprintf(&b, "%%%02x", name[i])
			}
		}
		name = b.String()
	}
	return strings.NewReplacer("%s", name, "%%E", "%61.md", "%%", "%").Replace(way)
}

// soughtWorld makes a repository with every way in which the content of a file at a head is not
// that which git finds on disk. It returns the commit before its change, and the contents of files
// that the working tree leaves out.
func soughtWorld(t *rapid.T, s *sandbox) (base string, leftOut map[string]string) {
	body := func() string {
		lines := strings.Join(rapid.SliceOfN(rapid.Custom(soughtText), 0, 3).Draw(t, "lines"), "\n")
		if !utf8.ValidString(lines) || strings.Contains(lines, "\x00") {
			return lines
		}
		return string(inUTF16(rapid.SampledFrom([]string{"", "", "", "le", "be", "le mark", "be mark"}).Draw(t, "encoding"), lines))
	}
	s.write(".gitattributes", "*.bin binary\n*.none -diff -text\n*.txt diff=x textconv\nn.md working-tree-encoding=UTF-8 eol=crlf\n")
	s.git("config", "core.autocrlf", "false")
	s.git("config", "diff.x.textconv", "true")
	for _, name := range soughtNames {
		s.write(name, body())
	}
	for _, name := range soughtFiles {
		if rapid.IntRange(0, 4).Draw(t, "linked") == 0 {
			s.link(name, strings.NewReplacer("\x00", "", "\n", "").Replace("x/"+soughtText(t)))
		} else {
			s.write(name, body())
		}
	}
	s.write("sub/n.md", body())
	sub := s.at("sub")
	sub.git("init", "-q")
	sub.commit("sub")
	s.git("-c", "advice.addEmbeddedRepo=false", "add", "-A")
	base = s.commit("base")
	leftOut = map[string]string{}
	removed := rapid.SliceOfNDistinct(rapid.SampledFrom(soughtNames), 1, 5, rapid.ID[string]).Draw(t, "removed")
	for _, name := range removed {
		s.git("--literal-pathspecs", "rm", "-q", "-f", "--ignore-unmatch", "--", name)
	}
	s.git("commit", "-q", "-m", "removed")
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(soughtFiles), 0, len(soughtFiles), rapid.ID[string]).Draw(t, "changed") {
		mark := func(how string) { s.git("update-index", how, "--", name) }
		info, err := os.Lstat(s.path(name))
		isLink := err == nil && info.Mode()&os.ModeSymlink != 0
		switch rapid.IntRange(0, 8).Draw(t, "how") {
		case 0: // edited, and perhaps staged
			s.remove(name)
			s.write(name, body())
		case 1:
			s.remove(name)
			s.write(name, body())
			s.git("--literal-pathspecs", "add", "-f", "--", name)
		case 2: // git takes it from the index
			mark("--assume-unchanged")
			s.remove(name)
			s.write(name, body())
		case 3: // left out of the working tree
			mark("--skip-worktree")
			s.remove(name)
			content, err := s.try("cat-file", "blob", ":0:"+name)
			if err != nil {
				t.Fatal(err)
			}
			leftOut[name] = content
		case 4: // not tracked
			s.git("--literal-pathspecs", "rm", "-q", "--cached", "--", name)
		case 5: // a link in its place
			s.remove(name)
			s.link(name, strings.NewReplacer("\x00", "", "\n", "").Replace("y/"+soughtText(t)))
		case 6: // tracked and ignored
			s.write(".gitignore", path.Base(strings.NewReplacer("\n", "?", "\xfe", "?").Replace(name))+"\n")
		case 7: // a directory in its place
			if !isLink {
				s.remove(name)
				s.write(name+"/n.md", body())
			}
		case 8: // intended
			s.write(name+".new.md", body())
			s.git("--literal-pathspecs", "add", "-N", "-f", "--", name+".new.md")
		}
	}
	return base, leftOut
}

// inUTF16 returns a text in UTF-16 with or without a byte order mark, or as it is.
func inUTF16(encoding, text string) (encoded []byte) {
	var order binary.AppendByteOrder = binary.LittleEndian
	switch encoding {
	case "":
		return []byte(text)
	case "be", "be mark":
		order = binary.BigEndian
	}
	if strings.HasSuffix(encoding, "mark") {
		text = "\ufeff" + text
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = order.AppendUint16(encoded, unit)
	}
	return encoded
}

// TestSoughtLaw compares the mentions in files that were searched first with those in files that
// were all read, and the files that are left out with their contents, over random repositories.
func TestSoughtLaw(t *testing.T) {
	left, found := 0, 0
	var mutex sync.Mutex
	lawtest.CheckN(t, 15, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "sought") //nolint:usetesting // one for each case
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s := bareSandbox(t, dir)
		s.git("init", "-q", "-b", "main")
		base, leftOut := soughtWorld(t, s)
		repo, err := git.Open(t.Context(), git.Options{Dir: s.path(rapid.SampledFrom([]string{".", "d", "k"}).Draw(t, "from")), Env: s.env})
		if err != nil {
			t.Fatal(err)
		}
		e := program.New(repo)
		e.SearchedFrom = 0
		for _, kind := range heads {
			set := s.changesetOf(e, kind, base)
			got, err := mentions.NewReader(e, set).Of(t.Context(), everyFile)
			if err != nil {
				t.Fatal(err)
			}
			want, err := mentions.NewReader(unsought{e}, set).Of(t.Context(), everyFile)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s: mentions when all are read (-) and when they are searched (+):\n%s", kind, d)
			}
			files, err := e.Files(t.Context(), set.Head)
			if err != nil {
				t.Fatal(err)
			}
			texts := rapid.SliceOfN(rapid.SampledFrom([]string{"/a.md", "a.md", "%", "b c", "-x", "\xff", "g*.go", "é", "l", "[1]", "Ċa\u0a0a"}), 1, 3).Draw(t, "texts")
			visited, all := visitedOf(t, e, set.Head, diff.Sought{Paths: files, Texts: texts}), visitedOf(t, e, set.Head, diff.Sought{Paths: files})
			for name, want := range leftOut {
				if got, ok := all[name]; kind == diff.Worktree && (!ok || got != want) {
					t.Fatalf("%q, which is left out: visited %t, %q; want %q", name, ok, got, want)
				}
			}
			for name, content := range all {
				decoded, _ := charset.Text([]byte(content))
				has := slices.ContainsFunc(texts, func(text string) bool {
					return strings.Contains(content, text) || strings.Contains(string(decoded), text)
				})
				if got, ok := visited[name]; ok && got != content || !ok && has {
					t.Fatalf("%s: %q with %q: visited %t, %q; want %q", kind, name, texts, ok, got, content)
				}
			}
			mutex.Lock()
			found += len(got)
			left += len(all) - len(visited)
			mutex.Unlock()
		}
	})
	if left == 0 || found == 0 {
		t.Errorf("%d files left out, %d mentions; want some", left, found)
	}
}

// changesetOf returns the change from a commit, as an engine has it.
func (s *sandbox) changesetOf(e engine, kind diff.HeadKind, from string) diff.Changeset {
	s.t.Helper()
	head := s.head(e, kind)
	base, err := e.Resolve(s.t.Context(), diff.BaseRequest{ID: diff.From, Ref: from, Head: head})
	if err != nil {
		s.t.Fatalf("resolve %s: %v", from, err)
	}
	set, err := e.Changes(s.t.Context(), base, head)
	if err != nil {
		s.t.Fatalf("changes: %v", err)
	}
	return set
}

// visitedOf returns what EachContent visits.
func visitedOf(t failer, e engine, head diff.Head, sought diff.Sought) map[string]string {
	t.Helper()
	var mutex sync.Mutex
	got := map[string]string{}
	if err := e.EachContent(t.Context(), head, []diff.Sought{sought}, -1, func(name string, content []byte) {
		mutex.Lock()
		defer mutex.Unlock()
		got[name] = string(content)
	}); err != nil {
		t.Fatalf("%v", err)
	}
	return maps.Clone(got)
}
