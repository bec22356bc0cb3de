package setup

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/policies"
)

// NoDirectory is the problem of a file that has the name of a directory with rules.
const NoDirectory = "is not read: it is a symbolic link or a file; want a directory"

// nestedDirectories returns the rule directories outside the root, which
// are found among the tracked files.
func (p *Project) nestedDirectories(ctx context.Context) ([]rule.Directory, error) {
	if !p.Config.Enabled {
		return nil, nil
	}
	list := p.NestedFiles
	if list == nil {
		list = func() ([]string, error) { return p.engine.FilesIn(ctx, p.Head, Dir) }
	}
	files, err := list()
	if err != nil {
		return nil, err
	}
	found := p.sortNested(files)
	p.nested = found.dirs
	p.reportUnread(found)
	if len(found.places) == 0 {
		return nil, nil
	}
	tree, err := p.engine.Tree(ctx, p.Head, found.places...)
	if err != nil {
		return nil, err
	}
	for _, file := range found.loose {
		if hasFrontmatter(tree, file) {
			p.lookAlike(file, "is not read; want rules in "+path.Join(path.Dir(file), path.Base(defaultRulesDir)))
		}
	}
	return rule.NestedDirectories(p.Config, tree, defaultRulesDir, p.nested), nil
}

// nestedFiles are the tracked files in the directories named [Dir] below the root.
type nestedFiles struct {
	dirs   []string // the directories with rules
	places []string // what is read
	links  []string // files that have the name of a directory, such as symbolic links
	unread []string // what only the root has
	near   []string // directories whose name is nearly that of rules
	cased  []string // directories with the name of [Dir] in other letters
	loose  []string // markdown files next to the directory of rules
}

// sortNested sorts files by what they are; those that the configuration excludes are left out.
func (p *Project) sortNested(files []string) nestedFiles {
	var found nestedFiles
	seen := map[string]bool{}
	add := func(list *[]string, name string) bool {
		first := !seen[name]
		if seen[name] = true; first {
			*list = append(*list, name)
		}
		return first
	}
	rules := path.Base(defaultRulesDir)
	for _, file := range files {
		if p.excludes(file) || file == p.Config.RulesDir || strings.HasPrefix(file, p.Config.RulesDir+"/") {
			continue
		}
		if odd := p.OtherCase(file); odd != "" {
			add(&found.cased, odd)
			continue
		}
		dir, ok := p.NestedIn(file)
		at := path.Join(dir, defaultRulesDir)
		name, below := rules, ""
		if !ok {
			var rest string
			dir, rest, _ = strings.Cut(file+"/", "/"+Dir+"/")
			name, below, _ = strings.Cut(strings.TrimSuffix(rest, "/"), "/")
			at = path.Join(dir, Dir, name)
		}
		switch {
		case ok || name == rules && below != "": // the reader of rules reports subdirectories
			if add(&found.places, at) {
				found.dirs = append(found.dirs, dir)
			}
		case p.HidesRules(file):
			add(&found.links, file)
		case below != "" && suggest.Nearest(name, ownDirectories()) == rules:
			add(&found.near, at)
		case isUnread(name, below != ""):
			add(&found.unread, at)
		case below == "" && rule.IsRuleFile(name):
			found.loose = append(found.loose, file)
			add(&found.places, file)
		}
	}
	return found
}

// ownDirectories lists the names of directories in [Dir].
func ownDirectories() []string {
	return []string{path.Base(defaultRulesDir), path.Base(policies.ProjectDir), path.Base(rule.WorkflowsDir), path.Base(rule.GuidesDir), "sessions", "schema"}
}

// isUnread reports whether an entry of a directory named [Dir] has, or nearly has, the name of
// something that is read at the root alone.
func isUnread(name string, directory bool) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	if !directory {
		return stem == "config" || stem == "rulecheck" || name == path.Base(baseline.File)
	}
	return slices.Contains([]string{policies.ProjectDir, rule.WorkflowsDir, rule.GuidesDir}, path.Join(Dir, suggest.Nearest(name, ownDirectories())))
}

// reportUnread adds the problems of rules that are not read, and one notice of what else is not.
func (p *Project) reportUnread(found nestedFiles) {
	for _, file := range found.links {
		p.lookAlike(file, NoDirectory)
	}
	for _, dir := range found.near {
		p.lookAlike(dir, "is not read; want the name "+path.Join(path.Dir(dir), path.Base(defaultRulesDir)))
	}
	for _, dir := range found.cased {
		p.lookAlike(dir, OtherCaseMessage(dir))
	}
	const few = 3
	shown, more, verb := found.unread, "", "are"
	switch {
	case len(shown) == 0:
		return
	case len(shown) == 1:
		verb = "is"
	case len(shown) > few:
		shown, more = shown[:few], fmt.Sprintf(" and %d more", len(shown)-few)
	}
	p.Notices = append(p.Notices, fmt.Sprintf("%s%s %s not read: below the root, only rules are; want the place %s", strings.Join(shown, ", "), more, verb, Dir))
}

// hasFrontmatter reports whether a file begins as a rule does.
func hasFrontmatter(tree fs.FS, file string) bool {
	text, err := regular.ReadFS(tree, file, regular.Text)
	return err == nil && bytes.HasPrefix(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("---"))
}

// NestedIn returns the directory, other than the root, that a file is a rule for by its
// place. Files that the configuration excludes are no rules.
func (p *Project) NestedIn(file string) (dir string, ok bool) {
	place := path.Dir(file)
	dir, ok = strings.CutSuffix(place, "/"+defaultRulesDir)
	return dir, ok && !p.excludes(file) && place != p.Config.RulesDir
}

// OtherCase returns the directory in the path of a file that has the name of [Dir] in other
// letters, or an empty string. On some file systems it is the same directory.
func (p *Project) OtherCase(file string) string {
	if !diff.NamedIn[string](Dir)(file) || p.excludes(file) {
		return ""
	}
	start := 0
	for at := 0; at <= len(file); at++ {
		if at < len(file) && file[at] != '/' {
			continue
		}
		if part := file[start:at]; part != Dir && strings.EqualFold(part, Dir) {
			return file[:at]
		}
		start = at + 1
	}
	return ""
}

// OtherCaseMessage is the message of the problem of a directory that [Project.OtherCase] returns.
func OtherCaseMessage(dir string) string {
	return "is not read; want the name " + path.Join(path.Dir(dir), Dir)
}

// HidesRules reports whether a file, which is no directory, has the name of one with rules.
func (p *Project) HidesRules(file string) bool {
	return (strings.HasSuffix(file, "/"+Dir) || strings.HasSuffix(file, "/"+defaultRulesDir)) && file != p.Config.RulesDir && !p.excludes(file)
}

// excludes reports whether the configuration excludes a file.
func (p *Project) excludes(file string) bool {
	return slices.ContainsFunc(p.Config.Exclude, func(e *pattern.Pattern) bool {
		_, matches := e.Match(file)
		return matches
	})
}

// ReadsNested reports whether the rules of a directory were read.
func (p *Project) ReadsNested(dir string) bool { return slices.Contains(p.nested, dir) }
