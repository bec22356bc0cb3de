package rule

import (
	"io/fs"
	"path"
	"strings"

	"github.com/rulecheck/rulecheck/internal/yaml"
)

// CodeLookAlike marks a file that looks like a rule or the configuration and is not read.
const CodeLookAlike = "look_alike"

// lookAlike reports an entry of a directory of rules that is no rule file, unless it is
// plainly something else: a README, a hidden file, or the backup that an editor keeps next
// to a rule. A rule that is not read is a rule that never fires.
func lookAlike(e fs.DirEntry, entries []fs.DirEntry, l *yaml.Log) {
	name := e.Name()
	stem, _, _ := strings.Cut(name, ".")
	switch {
	case strings.HasPrefix(name, ".") && path.Ext(name) != extension || strings.EqualFold(stem, strings.TrimSuffix(readme, extension)):
	case strings.HasSuffix(name, "~") && contains(entries, strings.TrimSuffix(name, "~")):
	case e.IsDir():
		l.Add(yaml.Top, CodeLookAlike, "rules in subdirectories are not read; want the files of %q in the directory above it", name)
	default:
		want := ruleName(name)
		if contains(entries, want) {
			l.Add(yaml.Top, CodeLookAlike, "%q is not read, only %q; want it removed", name, want)
			return
		}
		l.Add(yaml.Top, CodeLookAlike, "%q is not read: rules are markdown files; want the name %q", name, want)
	}
}

// ruleName returns the name that a file should have to be a rule.
func ruleName(name string) string {
	if before, _, ok := strings.Cut(strings.ToLower(name), extension); ok && before != "" {
		return name[:len(before)] + extension
	}
	if stem := strings.TrimSuffix(name, path.Ext(name)); stem != "" {
		return stem + extension
	}
	return name + extension
}

func contains(entries []fs.DirEntry, name string) bool {
	for _, e := range entries {
		if e.Name() == name {
			return true
		}
	}
	return false
}
