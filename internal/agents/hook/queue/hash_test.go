package queue_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestHashRelations checks which subjects have the same hash, by the acceptance cases. The
// digits differ: those of the cases are of a Python program's text form.
func TestHashRelations(t *testing.T) {
	text, err := os.ReadFile("testdata/hashes.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases struct {
		Vectors []struct {
			ID, Rule, Baseline string
			TriggerFiles       []string `json:"trigger_files"`
		}
		Relations [][]string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	hashes := map[string]string{}
	for _, v := range cases.Vectors {
		s := queue.Subject{Rule: v.Rule, Base: v.Baseline}
		for _, name := range v.TriggerFiles {
			s.Triggers = append(s.Triggers, queue.File{Path: name, Digest: "same"})
		}
		hashes[v.ID] = s.Hash()
		if !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(s.Hash()) {
			t.Errorf("%s: %q; want 12 hexadecimal digits", v.ID, s.Hash())
		}
	}
	if len(cases.Vectors) != 9 || len(cases.Relations) != 4 {
		t.Errorf("read %d vectors and %d relations; want 9 and 4", len(cases.Vectors), len(cases.Relations))
	}
	for _, r := range cases.Relations {
		if same := hashes[r[0]] == hashes[r[1]]; same != (r[2] == "equal") {
			t.Errorf("%s and %s: equal is %v; want them to be %s: %s", r[0], r[1], same, r[2], r[3])
		}
	}
}

// TestHashIsOfEverything changes one part of a subject at a time, and moves text from one
// part to the next.
func TestHashIsOfEverything(t *testing.T) {
	subject := rapid.Custom(func(t *rapid.T) queue.Subject {
		word := rapid.StringMatching(`[ab:'é]{0,2}`)
		return queue.Subject{
			Rule: word.Draw(t, "rule"), Text: word.Draw(t, "text"), Base: word.Draw(t, "base"),
			Expected: rapid.SliceOfN(word, 0, 2).Draw(t, "expected"),
			Triggers: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) queue.File {
				return queue.File{Path: word.Draw(t, "path"), Digest: word.Draw(t, "digest")}
			}), 0, 2).Draw(t, "triggers"),
		}
	})
	lawtest.Check(t, func(t *rapid.T) {
		a, b := subject.Draw(t, "a"), subject.Draw(t, "b")
		if (a.Hash() == b.Hash()) != (canonical(t, a) == canonical(t, b)) {
			t.Fatalf("%+v and %+v: %s and %s", a, b, a.Hash(), b.Hash())
		}
	})
}

// canonical returns an unambiguous text of a subject, with its lists sorted.
func canonical(t *rapid.T, s queue.Subject) string {
	t.Helper()
	less := func(list []string) []string {
		for i := range list {
			for j := i; j > 0 && list[j] < list[j-1]; j-- {
				list[j], list[j-1] = list[j-1], list[j]
			}
		}
		return list
	}
	files := []string{}
	for _, f := range s.Triggers {
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, string(text))
	}
	text, err := json.Marshal([]any{s.Rule, s.Text, s.Base, less(files), less(append([]string{}, s.Expected...))})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWorktreeDigests(t *testing.T) {
	root := t.TempDir()
	digest := func(name string) string {
		t.Helper()
		f, err := queue.Worktree(root)(name)
		if err != nil {
			t.Fatal(err)
		}
		return f.Digest
	}
	file := filepath.Join(root, "a")
	if digest("a") != "" || digest("no/such") != "" {
		t.Error("a file that does not exist has a digest")
	}
	seen := map[string]string{}
	for _, content := range []string{"", "one", "two"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if other, known := seen[digest("a")]; known || digest("a") == "" {
			t.Errorf("%q has the digest of %q", content, other)
		}
		seen[digest("a")] = content
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil || digest("a") == "" {
		t.Errorf("a directory: %v, %q", err, digest("a"))
	}
	if err := os.Symlink("two", filepath.Join(root, "link")); err == nil && seen[digest("link")] != "" {
		t.Error("a link has the digest of a file")
	}
}
