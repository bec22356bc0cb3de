package snapshot_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

const object = "0123456789012345678901234567890123456789"

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// capture records a snapshot with one object of the content, taken at a time.
func capture(t *testing.T, gitDir, content string, at time.Time) *snapshot.Snapshot {
	t.Helper()
	s := &snapshot.Snapshot{Tree: object, Time: at}
	err := snapshot.Capture(t.Context(), gitDir, s, func(home string) error {
		return os.WriteFile(filepath.Join(home, "objects", "o"), []byte(content), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCapture(t *testing.T) {
	t.Parallel()
	gitDir := t.TempDir()
	if last, err := snapshot.Last(gitDir); last != nil || err != nil {
		t.Fatalf("Last is %v, %v; want none", last, err)
	}
	first := capture(t, gitDir, "same", noon)
	second := capture(t, gitDir, "same", noon.Add(time.Minute))
	if second.ID <= first.ID || !snapshot.IsID(second.ID) {
		t.Errorf("the second id is %q after %q; want a greater one", second.ID, first.ID)
	}
	last, err := snapshot.Last(gitDir)
	if err != nil || last.ID != second.ID || !last.Time.Equal(second.Time) {
		t.Errorf("Last is %+v, %v; want the second", last, err)
	}
	var infos []os.FileInfo
	for _, s := range []*snapshot.Snapshot{first, second} {
		info, err := os.Stat(filepath.Join(s.Objects(gitDir), "o"))
		if err != nil {
			t.Fatal(err)
		}
		infos = append(infos, info)
	}
	if !os.SameFile(infos[0], infos[1]) {
		t.Error("an object of two snapshots is stored twice")
	}
}

// TestCaptureInterrupted expects no snapshot from a capture that fails, and none from a
// directory without a manifest, which the next capture removes.
func TestCaptureInterrupted(t *testing.T) {
	t.Parallel()
	gitDir, full := t.TempDir(), errors.New("disk full")
	err := snapshot.Capture(t.Context(), gitDir, &snapshot.Snapshot{Tree: object}, func(string) error { return full })
	if !errors.Is(err, full) {
		t.Fatalf("the capture failed with %v; want %v", err, full)
	}
	killed := filepath.Join(gitDir, "rulecheck", "prompts", "00000009aaaaaaaa")
	if err := os.MkdirAll(killed, 0o700); err != nil {
		t.Fatal(err)
	}
	if list, err := snapshot.List(gitDir); len(list) > 0 || err != nil {
		t.Errorf("List is %v, %v; want none", list, err)
	}
	capture(t, gitDir, "", noon)
	if _, err := os.Stat(killed); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the directory of a killed capture was not removed")
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	gitDir := t.TempDir()
	capture(t, gitDir, "", noon.Add(-2*snapshot.KeptAge))
	for range snapshot.Kept + 1 {
		capture(t, gitDir, "", noon)
	}
	list, err := snapshot.List(gitDir)
	if err != nil || len(list) != snapshot.Kept {
		t.Fatalf("%d snapshots, %v; want %d", len(list), err, snapshot.Kept)
	}
	for i, s := range list {
		if !s.Time.Equal(noon) {
			t.Errorf("an old snapshot was kept: %v", s.Time)
		}
		if i > 0 && s.ID >= list[i-1].ID {
			t.Error("the list is not newest first")
		}
	}
}

func TestDrop(t *testing.T) {
	t.Parallel()
	gitDir := t.TempDir()
	s := capture(t, gitDir, "", noon)
	if err := snapshot.Drop(t.Context(), gitDir, "../../x"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a path was taken as an id: %v", err)
	}
	if err := snapshot.Drop(t.Context(), gitDir, s.ID); err != nil {
		t.Fatal(err)
	}
	if err := snapshot.Drop(t.Context(), gitDir, s.ID); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the second time: %v; want fs.ErrNotExist", err)
	}
	capture(t, gitDir, "", noon)
	capture(t, gitDir, "", noon)
	if err := snapshot.DropAll(t.Context(), gitDir); err != nil {
		t.Fatal(err)
	}
	if list, err := snapshot.List(gitDir); len(list) > 0 || err != nil {
		t.Errorf("List is %v, %v; want none", list, err)
	}
}

// TestReadDamaged expects no verdict from a manifest that cannot be used: an older
// snapshot would be the wrong base.
func TestReadDamaged(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string][2]string{
		"cut":             {`{`, ``},
		"another version": {`"version": 1`, `"version": 9`},
		"another id":      {`"id": "0`, `"id": "f`},
		"an option":       {object, "--output=/x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gitDir := t.TempDir()
			capture(t, gitDir, "", noon)
			s := capture(t, gitDir, "", noon)
			file := filepath.Join(gitDir, "rulecheck", "prompts", s.ID, "manifest.json")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			damaged := strings.Replace(string(text), replace[0], replace[1], 1)
			if damaged == string(text) {
				t.Fatalf("the manifest has no %q:\n%s", replace[0], text)
			}
			if err := os.WriteFile(file, []byte(damaged), 0o600); err != nil {
				t.Fatal(err)
			}
			noVerdict := (*diff.NoVerdictError)(nil)
			if _, err := snapshot.Last(gitDir); !errors.As(err, &noVerdict) || string(noVerdict.Fix) != "rulecheck snapshot drop "+s.ID {
				t.Errorf("Last: %v; want no verdict, and to drop %s", err, s.ID)
			}
			if list, err := snapshot.List(gitDir); len(list) != 1 || err == nil {
				t.Errorf("List has %d snapshots, %v; want the readable one and an error", len(list), err)
			}
		})
	}
}

func TestIDOf(t *testing.T) {
	t.Parallel()
	id := "00000001abcdef01"
	for _, test := range []struct {
		base diff.Base
		want string
	}{
		{diff.Base{ID: diff.Prompt, Ref: id}, id},
		{diff.Base{ID: diff.From, Ref: snapshot.FromPrefix + id}, id},
		{diff.Base{ID: diff.From, Ref: id}, ""},
		{diff.Base{ID: diff.Prompt, Ref: "HEAD"}, ""},
	} {
		if got := snapshot.IDOf(test.base); got != test.want {
			t.Errorf("IDOf(%+v) is %q; want %q", test.base, got, test.want)
		}
	}
}
