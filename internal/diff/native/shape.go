package native

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// extensions lists those that do not affect how files are read, with their required value;
// empty: any.
var extensions = map[string]string{
	"noop": "", "preciousobjects": "", "worktreeconfig": "", "objectformat": "sha1", "refstorage": "files",
}

// checkShape refuses every shape of repository that is not on the allow-list. Shapes that
// matter for one kind of head are refused when that is asked for.
func (e *Engine) checkShape() error {
	if v, ok := e.config.Last("core.repositoryformatversion"); ok && v.Value != "0" && v.Value != "1" {
		return diff.NeedsGit("a repository of format " + strconv.Quote(v.Value))
	}
	for _, v := range e.config {
		name, extension := strings.CutPrefix(v.Key, "extensions.")
		want, allowed := extensions[name]
		remote, setting := cutLast(strings.TrimPrefix(v.Key, "remote."), ".")
		switch {
		case extension && (!allowed || want != "" && v.Value != want):
			return diff.NeedsGit("a repository with the extension " + name)
		case v.Key == "core.worktree":
			return diff.NeedsGit("a repository with core.worktree")
		case v.Key == "attr.tree" || v.Key == "core.bigfilethreshold":
			return diff.NeedsGit("a repository with " + v.Key)
		case strings.HasPrefix(v.Key, "remote.") && (setting == "promisor" || setting == "partialclonefilter"):
			return diff.NeedsGit("a partial clone (remote " + remote + ")")
		}
	}
	reftable, err := gitfile.NotEmpty(filepath.Join(e.place.CommonDir, "reftable"))
	if err == nil && reftable {
		err = diff.NeedsGit("a repository with reftable")
	}
	return err
}

func cutLast(s, sep string) (before, after string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return s, ""
}
