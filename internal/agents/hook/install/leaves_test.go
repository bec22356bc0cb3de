package install_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// treeOf lists everything below a directory: directories with their modes, files with their
// content.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text := []byte{}
		if e.Type().IsRegular() {
			if text, err = os.ReadFile(name); err != nil {
				return err
			}
		}
		all[name] = info.Mode().String() + " " + string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestUninstallLeavesNothing installs each agent where there is nothing, in settings of its user,
// and expects everything to be as before after it is uninstalled.
func TestUninstallLeavesNothing(t *testing.T) {
	for _, d := range install.Agents() {
		for name, before := range map[string]func(t *testing.T, file string){
			"nothing": func(*testing.T, string) {},
			"its directory": func(t *testing.T, file string) {
				t.Helper()
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
			},
			"settings": func(t *testing.T, file string) {
				t.Helper()
				if d.Settings.Shim != "" { // the whole file is rulecheck's
					return
				}
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte("{\r\n\t\"model\" : \"x\", \"hooks\":{ }}"), 0o644); err != nil {
					t.Fatal(err)
				}
			},
		} {
			for _, observe := range []bool{false, true} {
				t.Run(d.Name+", "+name, func(t *testing.T) {
					root := t.TempDir()
					gitDir := filepath.Join(root, ".git")
					if err := os.Mkdir(gitDir, 0o755); err != nil {
						t.Fatal(err)
					}
					before(t, filepath.Join(root, filepath.FromSlash(d.Settings.File)))
					want := treeOf(t, root)
					o := install.Options{Root: root, GitDir: gitDir, Observe: observe}
					for _, do := range []func(profile.Profile, install.Options) (install.Result, error){install.Install, install.Install, install.Uninstall} {
						for _, file := range d.Settings.Files() {
							of := d
							of.Settings.File = file
							if _, err := do(of, o); err != nil {
								t.Fatal(err)
							}
						}
					}
					if diff := cmp.Diff(want, treeOf(t, root)); diff != "" {
						t.Errorf("(-before +after):\n%s", diff)
					}
				})
			}
		}
	}
}

// TestPurge removes what is recorded, and keeps what an agent that is still installed needs.
func TestPurge(t *testing.T) {
	root := t.TempDir()
	gitDir := filepath.Join(root, ".git")
	claude, _ := profile.Named("claude")
	gemini, _ := profile.Named("gemini")
	o := install.Options{Root: root, GitDir: gitDir}
	if err := os.MkdirAll(filepath.Join(gitDir, "rulecheck", "journal"), 0o700); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(root, "outside")
	for _, name := range []string{outside, filepath.Join(gitDir, "rulecheck", "journal", "x.ndjson")} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(root, filepath.Join(gitDir, "rulecheck", "link")); err != nil {
		t.Fatal(err)
	}
	for _, d := range []profile.Profile{claude, gemini} {
		if _, err := install.Install(d, o); err != nil {
			t.Fatal(err)
		}
	}
	if _, names, err := install.Kept(gitDir); err != nil || !cmp.Equal(names, []string{"journal", "link"}) {
		t.Errorf("kept %q, %v", names, err)
	}
	if _, err := install.Uninstall(claude, o); err != nil {
		t.Fatal(err)
	}
	if err := install.Purge(gitDir); err != nil {
		t.Fatal(err)
	}
	if _, err := install.Uninstall(gemini, o); err != nil {
		t.Fatal(err)
	}
	left := treeOf(t, root)
	if len(left) != 3 || left[outside] == "" { // the root, the git directory, and the file
		t.Errorf("left: %v", left)
	}
	if err := install.Purge(gitDir); err != nil {
		t.Error(err)
	}
}
