package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/git"
)

// TestObjectDirectories writes an object outside of a repository and reads it
// together with its own, which its environment may place anywhere.
func TestObjectDirectories(t *testing.T) {
	other := repository(t)
	blob := filepath.Join(other, "blob")
	if err := os.WriteFile(blob, []byte("elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := program(t, other, "hash-object", "-w", blob)
	for name, more := range map[string]func(dir string) []string{
		"its own": func(string) []string { return nil },
		"elsewhere": func(dir string) []string {
			return []string{"GIT_OBJECT_DIRECTORY=" + filepath.Join(dir, ".git", "objects")}
		},
		"alternates": func(string) []string {
			return []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + filepath.Join(other, ".git", "objects")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			private := filepath.Join(t.TempDir(), `od"d:pl\a`+"\tce")
			if err := os.Mkdir(private, 0o700); err != nil {
				t.Fatal(err)
			}
			r := open(t, git.Options{Dir: dir, Env: environ(dir, more(dir)...)})
			run := func(env []string, stdin string, args ...string) (string, error) {
				res, err := r.Do(t.Context(), git.Call{Args: args, Env: env, Stdin: strings.NewReader(stdin)})
				return strings.TrimSpace(string(res.Stdout)), err
			}
			object, err := run(r.OnlyInto(private), "private\n", "hash-object", "-w", "--stdin")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := run(nil, "", "cat-file", "-e", object); err == nil {
				t.Error("the repository has the object")
			}
			for _, env := range [][]string{r.OnlyInto(private), r.AlsoObjects(private)} {
				for _, id := range []string{object, r.Head} {
					if _, err := run(env, "", "cat-file", "-e", id); err != nil {
						t.Errorf("with %q: %s: %v", env, id, err)
					}
				}
				if _, err := run(env, "", "cat-file", "-e", elsewhere); (err == nil) != (name == "alternates") {
					t.Errorf("with %q: the alternate's object: %v", env, err)
				}
			}
		})
	}
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"":            `""`,
		"plain":       `"plain"`,
		`a"b\c`:       `"a\"b\\c"`,
		"new\nline\t": `"new\012line\011"`,
		"ü\xff":       "\"ü\xff\"",
	} {
		if got := git.Quote(name); got != want {
			t.Errorf("Quote(%q) = %s, want %s", name, got, want)
		}
	}
}

func TestIsObjectID(t *testing.T) {
	sha1 := strings.Repeat("0a", 20)
	sha256 := strings.Repeat("f9", 32)
	for s, want := range map[string]bool{
		sha1: true, sha256: true, "": false, sha1[1:]: false, sha1 + "0": false, sha256 + "0": false,
		strings.ToUpper(sha1): false, "g" + sha1[1:]: false, "main": false,
	} {
		if got := git.IsObjectID(s); got != want {
			t.Errorf("IsObjectID(%q) = %v", s, got)
		}
	}
}
