package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// Managed returns an agent with the settings of the machine as its settings, for a root
// directory: empty, that of the file system. Its hooks have rules that no repository weakens.
func Managed(d profile.Profile, system, root string) (profile.Profile, Options, error) {
	file := d.Settings.Managed.On(system)
	if file == "" {
		return d, Options{}, fmt.Errorf("--managed: rulecheck knows no settings of the machine from which %s runs hooks on %s; install the hooks in the repository, without --managed", d.Title, system)
	}
	volume := ""
	if before, after, ok := strings.Cut(file, ":"); ok {
		volume, file = before+":", after
	}
	if root == "" {
		root = volume + string(filepath.Separator)
	}
	d.Settings.File = strings.TrimPrefix(file, "/")
	d.Settings.Next = ""
	return d, Options{Root: root, GitDir: filepath.Dir(filepath.Join(root, filepath.FromSlash(d.Settings.File))), Managed: true}, nil
}

// forget removes the directory next to settings of the machine in which an installation was
// remembered, if it is empty.
func (o Options) forget() {
	if o.Managed {
		dir := filepath.Dir(recordPath(o.GitDir, ""))
		_ = os.Remove(dir) // it stays while something is in it
		_ = os.Remove(filepath.Dir(dir))
	}
}
