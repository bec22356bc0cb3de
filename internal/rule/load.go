package rule

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/policies"
)

// readme is the one markdown file in a directory of rules that is no rule.
const readme = "README.md"

// Load reads every rule file directly in dir, in byte order of their names, and
// returns the good ones with every problem of the others, in order of file and
// line. A directory that is not there holds no rules. Names must differ by more
// than case; of two that do not, the later is the problem.
func Load(fsys fs.FS, dir string, modes map[string]policies.Mode) ([]*Rule, []Problem) {
	entries, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		l := &log{file: dir}
		l.add(top, codeUnreadable, "want a directory of rules: %v", reason(err))
		return nil, l.list
	}
	var good []parsed
	var problems []Problem
	for _, e := range entries {
		if path.Ext(e.Name()) != extension || e.Name() == readme {
			continue
		}
		l := &log{file: path.Join(dir, e.Name())}
		p := load(fsys, e, modes, l)
		if len(l.list) == 0 {
			unique(p, good, l)
		}
		if len(l.list) == 0 {
			good = append(good, p)
		}
		problems = append(problems, l.list...)
	}
	sortProblems(problems)
	rules := make([]*Rule, 0, len(good))
	for _, p := range good {
		rules = append(rules, p.rule)
	}
	return rules, problems
}

func load(fsys fs.FS, e fs.DirEntry, modes map[string]policies.Mode, l *log) parsed {
	id := strings.TrimSuffix(e.Name(), extension)
	if id == "" || !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl) {
		l.add(top, codeBadID, "the file's name gives the rule the id %q; want a printable name before %s", id, extension)
		return parsed{}
	}
	source, err := fs.ReadFile(fsys, l.file)
	if err != nil {
		l.add(top, codeUnreadable, "want a file that can be read: %v", reason(err))
		return parsed{}
	}
	return parse(l.file, source, modes, l)
}

// reason is an error of the file system without the path, which the problem has.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// unique reports a name that an earlier rule has.
func unique(p parsed, earlier []parsed, l *log) {
	for _, e := range earlier {
		if strings.EqualFold(e.rule.Name, p.rule.Name) {
			l.add(p.name, codeDuplicateName, "the name %q is taken by %s; want another", p.rule.Name, e.rule.File)
			return
		}
	}
}
