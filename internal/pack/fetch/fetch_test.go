package fetch_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/pack/fetch"
)

// upstream creates a repository with a pack, and returns a function that runs git in it.
func upstream(t *testing.T) (r pack.Ref, git func(args ...string) string) {
	t.Helper()
	dir := t.TempDir()
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	file := filepath.Join(dir, ".rulecheck", "rules", "a.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("---\ntrigger: a\n---\nLook.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	git("add", "-A")
	git("commit", "-qm", "one")
	git("tag", "-am", "v1", "v1")
	return pack.Ref{Git: "file://" + dir, Rev: git("rev-parse", "HEAD")}, git
}

func fetcher(t *testing.T) fetch.Fetcher {
	t.Helper()
	return fetch.Fetcher{Settings: pack.Settings{Store: pack.Store{Dir: filepath.Join(t.TempDir(), "packs")}}, Env: os.Environ()}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	r, git := upstream(t)
	f := fetcher(t)
	first, fetched, err := f.Fetch(t.Context(), r)
	if err != nil || !fetched {
		t.Fatalf("%t, %v; want it fetched", fetched, err)
	}
	info, err := os.Stat(f.Store.Dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the cache: %v, %v; want it for its owner alone", info, err)
	}
	git("commit", "-q", "--allow-empty", "-m", "two")
	git("tag", "-fam", "moved", "v1")
	rev, tag, err := f.Resolve(t.Context(), r.Git, "v1")
	if err != nil || !tag || rev != git("rev-parse", "HEAD") {
		t.Errorf("the tag: %s %t %v; want the commit that it names", rev, tag, err)
	}
	if branch, tag, err := f.Resolve(t.Context(), r.Git, ""); err != nil || tag || branch != rev {
		t.Errorf("the default branch: %s %t %v", branch, tag, err)
	}
	if _, _, err := f.Resolve(t.Context(), r.Git, "mai*"); err == nil {
		t.Error("a pattern named a branch")
	}
	if err := os.RemoveAll(strings.TrimPrefix(r.Git, "file://")); err != nil {
		t.Fatal(err)
	}
	again, fetched, err := f.Fetch(t.Context(), r)
	if err != nil || fetched || again.Digest() != first.Digest() {
		t.Errorf("offline: %t, %v; want what was fetched", fetched, err)
	}
}

func TestFetchRefuses(t *testing.T) {
	t.Parallel()
	r, git := upstream(t)
	f := fetcher(t)
	tag, none, elsewhere, hostile := r, r, r, r
	tag.Rev, none.Rev, elsewhere.Path, hostile.Git = git("rev-parse", "v1"), strings.Repeat("1", 40), "packs", "ext::touch "+filepath.Join(f.Store.Dir, "x")
	for want, bad := range map[string]pack.Ref{"of a tag": tag, "check the URL": none, `no directory "packs"`: elsewhere, "control characters": hostile} {
		if _, _, err := f.Fetch(t.Context(), bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", bad, err, want)
		}
	}
	left, err := filepath.Glob(filepath.Join(f.Store.Dir, "*.pack"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v, %v; want nothing stored", left, err)
	}
}

func TestTwoFetchesAtOnce(t *testing.T) {
	t.Parallel()
	r, _ := upstream(t)
	f := fetcher(t)
	var all sync.WaitGroup
	fetched := make([]bool, 4)
	for i := range fetched {
		all.Go(func() {
			var err error
			if _, fetched[i], err = f.Fetch(t.Context(), r); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	n := 0
	for _, one := range fetched {
		if one {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d fetches; want one, and the others to find it", n)
	}
}

// TestKilledFetch kills a process that fetches at several times: a pack is there whole or not
// at all, and the next fetch succeeds and leaves nothing of the killed one.
func TestKilledFetch(t *testing.T) {
	if dir := os.Getenv("FETCH_DIR"); dir != "" {
		f := fetch.Fetcher{Settings: pack.Settings{Store: pack.Store{Dir: dir}}, Env: os.Environ()}
		if _, _, err := f.Fetch(context.Background(), pack.Ref{Git: os.Getenv("FETCH_GIT"), Rev: os.Getenv("FETCH_REV")}); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Parallel()
	r, _ := upstream(t)
	for _, after := range []time.Duration{5 * time.Millisecond, 20 * time.Millisecond, 40 * time.Millisecond, 60 * time.Millisecond} {
		f := fetcher(t)
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledFetch$")
		cmd.Env = append(os.Environ(), "FETCH_DIR="+f.Store.Dir, "FETCH_GIT="+r.Git, "FETCH_REV="+r.Rev)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if _, err := f.Store.Open(r, ""); err != nil && !strings.Contains(err.Error(), "not in the cache") {
			t.Errorf("after %s: %v; want all or nothing", after, err)
		}
		if _, _, err := f.Fetch(t.Context(), r); err != nil {
			t.Errorf("after %s: %v", after, err)
		}
		for ; ; time.Sleep(10 * time.Millisecond) { // the git of the killed fetch may still be running
			left, _ := filepath.Glob(filepath.Join(f.Store.Dir, ".fetch-*"))
			if len(left) == 0 {
				break
			}
			if _, _, err := f.Fetch(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
	}
}
