package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
)

// mounted returns a place whose settings are on a separate disk, with the text in them.
func mounted(t *testing.T, text string) (p *place, remount func(flags uintptr, options string)) {
	t.Helper()
	p = newPlace(t, "claude")
	dir := filepath.Dir(p.file())
	p.must(os.MkdirAll(dir, 0o755))
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("mount %s: %v; this needs root", dir, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	p.write(text)
	return p, func(flags uintptr, options string) {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, options); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadOnlyDisk changes nothing, and says which file cannot be written.
func TestReadOnlyDisk(t *testing.T) {
	p, remount := mounted(t, "{}")
	remount(syscall.MS_RDONLY, "")
	_, err := install.Install(p.Profile, p.Options)
	if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), ".claude") {
		t.Errorf("%v; want a read-only file system", err)
	}
	equal(t, "settings", p.read(), "{}")
	equal(t, "nothing is remembered", p.uninstall().Text, "not installed")
}

// TestFullDisk changes nothing.
func TestFullDisk(t *testing.T) {
	p, _ := mounted(t, "{}\n")
	filler, err := os.Create(filepath.Join(filepath.Dir(p.file()), "filler"))
	for err == nil {
		_, err = filler.Write(make([]byte, 512))
	}
	p.must(filler.Close())
	if _, err := install.Install(p.Profile, p.Options); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v; want no space left", err)
	}
	equal(t, "settings", p.read(), "{}\n")
	p.must(os.Remove(filler.Name()))
	p.install()
	p.uninstall()
	equal(t, "settings", p.read(), "{}\n")
}
