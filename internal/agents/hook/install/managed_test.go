package install_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// TestManaged installs into the settings of a machine below another root, twice, and removes
// that again.
func TestManaged(t *testing.T) {
	t.Parallel()
	known := 0
	for _, d := range install.Agents() {
		for _, system := range []string{"linux", "darwin", "windows"} {
			if d.Settings.Managed.On(system) == "" {
				if _, _, err := install.Managed(d, system, t.TempDir()); err == nil || !strings.Contains(err.Error(), "knows no settings of the machine") {
					t.Errorf("%s on %s: %v; want it refused", d.Name, system, err)
				}
				continue
			}
			if known++; d.Settings.Managed.Source == "" {
				t.Errorf("%s: no page describes its settings of the machine", d.Name)
			}
			testManaged(t, d, system)
		}
	}
	if known < 10 {
		t.Errorf("%d files; want those of four agents", known)
	}
}

func testManaged(t *testing.T, d profile.Profile, system string) {
	t.Helper()
	root := t.TempDir()
	managed, o, err := install.Managed(d, system, root)
	must(t, err)
	file := filepath.Join(root, filepath.FromSlash(managed.Settings.File))
	if got := "/" + managed.Settings.File; !strings.HasSuffix(d.Settings.Managed.On(system), got) {
		t.Errorf("%s on %s: %s; want the end of %s", d.Name, system, got, d.Settings.Managed.On(system))
	}
	install1 := func() string {
		_, err := install.Install(managed, o)
		must(t, err)
		text, err := os.ReadFile(file)
		must(t, err)
		return string(text)
	}
	first := install1()
	if !strings.Contains(first, "rulecheck hook "+d.Name+" --managed") {
		t.Errorf("%s on %s: %s; want the flag --managed", d.Name, system, first)
	}
	if second := install1(); second != first {
		t.Errorf("%s on %s: a second installation changed\n%s\nto\n%s", d.Name, system, first, second)
	}
	_, err = install.Uninstall(managed, o)
	must(t, err)
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("%s on %s: %v, %v stay", d.Name, system, left, err)
	}
}

// TestManagedNeedsRights reports a directory that only the administrator may write.
func TestManagedNeedsRights(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("every directory can be written")
	}
	root := t.TempDir()
	must(t, os.Chmod(root, 0o555))
	d, _ := profile.Named("claude")
	d, o, err := install.Managed(d, "linux", root)
	must(t, err)
	if _, err := install.Install(d, o); !os.IsPermission(err) {
		t.Errorf("%v; want an error of permissions", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
