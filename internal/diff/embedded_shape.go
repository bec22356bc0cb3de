package diff

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// extensions are those that do not change what is read here, with the value they
// must have; empty: any.
var extensions = map[string]string{
	"noop": "", "preciousobjects": "", "worktreeconfig": "", "objectformat": "sha1", "refstorage": "files",
}

// known refuses every shape of repository that is not on the allow-list. What
// concerns one kind of head only is refused when that is asked for.
func (e *embedded) known() error {
	if v, ok := e.config.last("core.repositoryformatversion"); ok && v.value != "0" && v.value != "1" {
		return needsGit("a repository of format " + strconv.Quote(v.value))
	}
	for _, v := range e.config {
		name, extension := strings.CutPrefix(v.key, "extensions.")
		want, allowed := extensions[name]
		remote, setting := cutLast(strings.TrimPrefix(v.key, "remote."), ".")
		switch {
		case extension && (!allowed || want != "" && v.value != want):
			return needsGit("a repository with the extension " + name)
		case v.key == "core.worktree":
			return needsGit("a repository with core.worktree")
		case v.key == "attr.tree" || v.key == "core.bigfilethreshold":
			return needsGit("a repository with " + v.key)
		case strings.HasPrefix(v.key, "remote.") && (setting == "promisor" || setting == "partialclonefilter"):
			return needsGit("a partial clone (remote " + remote + ")")
		}
	}
	for _, file := range []struct{ name, shape string }{
		{"info/grafts", "a repository with grafts"},
		{"reftable", "a repository with reftable"},
	} {
		used, err := filled(filepath.Join(e.here.CommonDir, file.name))
		if err != nil {
			return err
		}
		if used {
			return needsGit(file.shape)
		}
	}
	switch replaces, err := hasRefs(e.here.CommonDir, "refs/replace"); {
	case err != nil:
		return err
	case replaces:
		return needsGit("a repository with replace refs")
	}
	return nil
}

// hasRefs reports whether there may be refs below a directory of them. Of those that
// are not kept as files nothing is known.
func hasRefs(commonDir, below string) (bool, error) {
	for _, dir := range []string{"reftable", below} {
		used, err := filled(filepath.Join(commonDir, dir))
		if err != nil || used {
			return used, err
		}
	}
	packed, err := os.ReadFile(filepath.Join(commonDir, "packed-refs"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	return bytes.Contains(packed, []byte(" "+below+"/")), nil
}

// filled reports whether a file or directory exists and is not empty.
func filled(name string) (bool, error) {
	info, err := os.Stat(name)
	if absentFile(err) {
		return false, nil
	}
	if err != nil || !info.IsDir() {
		return err == nil && info.Size() > 0, err
	}
	list, err := os.ReadDir(name)
	return len(list) > 0, err
}

func cutLast(s, sep string) (before, after string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return s, ""
}
