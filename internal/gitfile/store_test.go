package gitfile_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// program runs git as a user would, owing nothing to the machine.
func program(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// repository has a commit of two files that resemble each other and one that is
// empty, and a tag.
func repository(t *testing.T, name string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	program(t, dir, "", "init", "-q")
	var long strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&long, "%s, line %d\n", name, i)
	}
	for file, content := range map[string]string{"old": long.String(), "new": long.String() + "more\n", "empty": ""} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program(t, dir, "", "add", "-A")
	program(t, dir, "", "commit", "-q", "-m", name)
	program(t, dir, "", "tag", "-a", "-m", "tagged", "v1")
	return dir
}

func objectDir(dir string) string { return filepath.Join(dir, ".git", "objects") }

// idsOf are the ids of all objects of a repository, in order.
func idsOf(t *testing.T, dir string) []string {
	t.Helper()
	return strings.Fields(program(t, dir, "", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
}

func parse(t *testing.T, id string) (parsed [20]byte) {
	t.Helper()
	if n, err := hex.Decode(parsed[:], []byte(id)); err != nil || n != len(parsed) {
		t.Fatalf("%q is no id: %v", id, err)
	}
	return parsed
}

// agree holds that a store reads an object as git does in the repository at dir.
func agree(t *testing.T, s *gitfile.Store, dir, id string) {
	t.Helper()
	want := strings.TrimSpace(program(t, dir, "", "cat-file", "-t", id))
	content := program(t, dir, "", "cat-file", want, id)
	kind, got, err := s.Read(parse(t, id))
	if err != nil || kind != want || string(got) != content {
		t.Errorf("read %s: a %q of %d bytes, %v; want a %s of %d bytes", id, kind, len(got), err, want, len(content))
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	another := []string{"commit", "-q", "--allow-empty", "-m", "another"}
	pack := []string{"repack", "-q", "-d"}
	for name, steps := range map[string][][]string{
		"loose":                   {},
		"packed":                  {pack},
		"in two packs, and loose": {pack, another, pack, another},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t, "one")
			for _, args := range steps {
				program(t, dir, "", args...)
			}
			ids := idsOf(t, dir)
			bases := strings.Fields(program(t, dir, strings.Join(ids, "\n"), "cat-file", "--batch-check=%(deltabase)"))
			bases = slices.DeleteFunc(bases, func(base string) bool { return base == strings.Repeat("0", 40) })
			if (len(bases) > 0) != (len(steps) > 0) {
				t.Fatalf("there are %d deltas; want some where there is a pack", len(bases))
			}
			s := gitfile.OpenStore([]string{objectDir(dir)})
			for _, id := range ids {
				agree(t, s, dir, id)
			}
		})
	}
}

// TestSeveralDirectories finds an object in any of the directories, but not in their
// alternates.
func TestSeveralDirectories(t *testing.T) {
	t.Parallel()
	one, two, hidden := repository(t, "one"), repository(t, "two"), repository(t, "hidden")
	program(t, two, "", "gc", "-q")
	has := map[string][]string{one: idsOf(t, one), two: idsOf(t, two)}
	if err := os.WriteFile(filepath.Join(objectDir(one), "info", "alternates"), []byte(objectDir(hidden)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := gitfile.OpenStore([]string{objectDir(one), objectDir(two)})
	for dir, ids := range has {
		for _, id := range ids {
			agree(t, s, dir, id)
		}
	}
	for _, id := range []string{strings.TrimSpace(program(t, hidden, "", "rev-parse", "HEAD")), strings.Repeat("0", 40)} {
		if kind, content, err := s.Read(parse(t, id)); kind != "" || content != nil || err != nil {
			t.Errorf("read %s: %q, %q, %v; want nothing", id, kind, content, err)
		}
	}
}

// TestReaders: several read a store at once.
func TestReaders(t *testing.T) {
	t.Parallel()
	dir := repository(t, "one")
	program(t, dir, "", "gc", "-q")
	s := gitfile.OpenStore([]string{objectDir(dir)})
	var readers sync.WaitGroup
	for _, name := range idsOf(t, dir) {
		id := parse(t, name)
		readers.Go(func() {
			if kind, _, err := s.Read(id); kind == "" || err != nil {
				t.Errorf("read %s: %q, %v", name, kind, err)
			}
			if list, err := s.WithPrefix(id[:]); len(list) != 1 || err != nil {
				t.Errorf("with %s: %x, %v", name, list, err)
			}
		})
	}
	readers.Wait()
}

// TestBroken: an object that is there and cannot be read is not missing.
func TestBroken(t *testing.T) {
	t.Parallel()
	dir := repository(t, "one")
	id := strings.TrimSpace(program(t, dir, "", "rev-parse", "HEAD"))
	file := filepath.Join(objectDir(dir), id[:2], id[2:])
	if err := os.Remove(file); err != nil { // git makes it read-only
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("no object"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := gitfile.OpenStore([]string{objectDir(dir)})
	if kind, _, err := s.Read(parse(t, id)); err == nil || !strings.HasPrefix(err.Error(), "object "+id+": ") {
		t.Errorf("a broken object is a %q, %v; want an error that names it", kind, err)
	}
}

// TestWithPrefix: an object is listed once, in however many places it is.
func TestWithPrefix(t *testing.T) {
	t.Parallel()
	one, two := repository(t, "one"), repository(t, "two")
	program(t, two, "", "repack", "-q") // its objects are loose, too
	both := slices.Concat(idsOf(t, one), idsOf(t, two))
	slices.Sort(both)
	both = slices.Compact(both)
	s := gitfile.OpenStore([]string{objectDir(one), objectDir(two), objectDir(two)})
	for _, id := range append(both, strings.Repeat("0", 40)) {
		for _, digits := range []int{2, 4, 40} {
			want := slices.DeleteFunc(slices.Clone(both), func(other string) bool { return !strings.HasPrefix(other, id[:digits]) })
			prefix := parse(t, id)
			list, err := s.WithPrefix(prefix[:digits/2])
			var got []string
			for _, found := range list {
				got = append(got, hex.EncodeToString(found[:]))
			}
			slices.Sort(got)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("with %s: %v, %v; want %v", id[:digits], got, err, want)
			}
		}
	}
}
