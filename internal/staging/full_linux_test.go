package staging_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/staging"
)

const diskSize = 3 << 20 // bytes

// smallDisk mounts a disk of a few megabytes.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	mount(t, "tmpfs", dir, "tmpfs", 0, "size="+strconv.Itoa(diskSize))
	return dir
}

func mount(t *testing.T, source, dir, kind string, options uintptr, data string) {
	t.Helper()
	if err := syscall.Mount(source, dir, kind, options, data); err != nil {
		t.Skipf("mount %s: %v; this needs root", dir, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}

// fill leaves no more room on the disk of dir than is asked for.
func fill(t *testing.T, dir string, room int64) (empty func()) {
	t.Helper()
	name := filepath.Join(dir, "filler")
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, make([]byte, max(0, int64(stat.Bavail)*stat.Bsize-room)), 0o600); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFullDisk has runs find less room than they need: all of them fail before
// anything changes, until there is enough and one succeeds.
func TestFullDisk(t *testing.T) {
	for _, c := range []struct {
		name     string
		head     diff.HeadKind
		separate bool // the git directory is on another disk, with room
	}{
		{"index", diff.Index, false},
		{"worktree", diff.Worktree, false},
		{"index, only the working tree is full", diff.Index, true},
		{"worktree, only the working tree is full", diff.Worktree, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			disk := smallDisk(t)
			var init []string
			if c.separate {
				init = []string{"--separate-git-dir", filepath.Join(t.TempDir(), "git")}
			}
			w := fullRepository(t, disk, init...)
			edits := w.staged(fullEdits...)
			if c.head == diff.Worktree {
				edits = w.fullPresent()
			}
			before := w.state()
			step := int64(3 * 4096)
			if testing.Short() {
				step *= 8
			}
			for room := int64(0); room < diskSize; room += step {
				empty := fill(t, disk, room)
				repo := w.repo()
				stop := w.watch(fullMine)
				_, err := staging.Apply(t.Context(), repo, c.head, edits)
				stop()
				empty()
				w.tidied()
				after := w.state()
				if err == nil {
					if room == 0 {
						t.Error("the disk was not full")
					}
					if strings.Contains(after["file:staged"], "BAD") {
						t.Errorf("nothing was written with %d bytes", room)
					}
					return
				}
				if !maps.Equal(after, before) {
					equal(t, after, before)
				}
			}
		})
	}
}

// TestWritesFail limits how long files may be, which git and this program find
// out while they write: a disk that refuses, without the privilege to make one.
func TestWritesFail(t *testing.T) {
	factor := 3 // of two
	if testing.Short() {
		factor = 20
	}
	template := fullRepository(t, t.TempDir())
	for _, c := range []struct {
		head  diff.HeadKind
		edits []staging.Edit
	}{
		{diff.Index, template.staged(fullEdits...)},
		{diff.Worktree, template.fullPresent()},
	} {
		o := template.uninterrupted(t.TempDir(), c.head, c.edits)
		for limit := 0; limit < diskSize; limit = limit*factor/2 + 16 {
			w := template.copied(t.TempDir())
			stop := w.watch(fullMine)
			out, err := w.child(t.Context(), c.head, c.edits, limitKey+"="+strconv.Itoa(limit)).CombinedOutput()
			stop()
			now := w.state()
			if err == nil {
				if limit == 0 || !maps.Equal(now, o.after) {
					t.Errorf("%s: succeeds with files of %d bytes:\n%s", c.head, limit, out)
				}
				break
			}
			if !maps.Equal(now, o.before) {
				equal(t, now, o.before)
			}
			o.recovered(w)
		}
	}
}

// TestReadOnlyDirectory has a directory that no process can write to.
func TestReadOnlyDirectory(t *testing.T) {
	w := testRepository(t)
	w.write("a", "BAD\n")
	w.write("dir/b", "BAD\n")
	w.git("add", "-A")
	dir := w.path("dir")
	mount(t, dir, dir, "", syscall.MS_BIND, "")
	if err := syscall.Mount(dir, dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	got := w.apply(diff.Index, w.staged("a", "dir/b"))
	if got[0] != "a|replaced|replaced" || !strings.HasPrefix(got[1], "dir/b|replaced|left|the file in the working tree is unchanged: ") {
		t.Errorf("apply: %q", got)
	}
	got = w.apply(diff.Worktree, w.present("dir/b"))
	if len(got) != 1 || !strings.HasPrefix(got[0], "dir/b||left|") {
		t.Errorf("apply: %q", got)
	}
	equal(t, w.read("dir/b"), "BAD\n")
	equal(t, w.git("cat-file", "blob", ":dir/b"), "good\n")
	w.tidied()
}

// TestMountedDirectory has a directory on a separate mount, which cannot be
// seen from its device: what is written is still replaced in one step.
func TestMountedDirectory(t *testing.T) {
	w := testRepository(t)
	w.write("dir/b", "BAD\n")
	w.git("add", "-A")
	dir := w.path("dir")
	mount(t, dir, dir, "", syscall.MS_BIND, "")
	equal(t, w.apply(diff.Index, w.staged("dir/b")), []string{"dir/b|replaced|replaced"})
	equal(t, w.read("dir/b"), "good\n")
	w.tidied()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestIndexElsewhere has the index on another disk than the git directory.
func TestIndexElsewhere(t *testing.T) {
	disk := smallDisk(t)
	w := testRepository(t)
	w.env = append(w.env, "GIT_INDEX_FILE="+filepath.Join(disk, "other"))
	w.write("a", "BAD\n")
	w.git("add", "-A")
	equal(t, w.apply(diff.Index, w.staged("a")), []string{"a|replaced|replaced"})
	equal(t, w.git("cat-file", "blob", ":a"), "good\n")
	left, err := filepath.Glob(filepath.Join(disk, "*"))
	equal(t, left, []string{filepath.Join(disk, "other")})
	w.must(err)
	w.write("a", "BAD\n")
	w.git("add", "-A")
	edits := w.staged("a")
	before := w.state()
	for room := int64(0); room < diskSize; room += 4096 {
		empty := fill(t, disk, room)
		_, err := staging.Apply(t.Context(), w.repo(), diff.Index, edits)
		empty()
		if err == nil {
			break
		}
		equal(t, w.state(), before)
	}
	equal(t, w.read("a"), "good\n")
	w.tidied()
}

// TestOwnersAreKept gives a file to another user first.
func TestOwnersAreKept(t *testing.T) {
	w := testRepository(t)
	w.write("a", "BAD\n")
	w.git("add", "-A")
	if err := os.Chown(w.path("a"), 65534, 65534); err != nil {
		t.Skipf("%v; this needs root", err)
	}
	w.must(os.Chmod(w.path("a"), 0o640))
	w.apply(diff.Index, w.staged("a"))
	out, err := exec.CommandContext(t.Context(), "stat", "-c", "%u %g %a", w.path("a")).Output()
	w.must(err)
	equal(t, string(out), "65534 65534 640\n")
}
