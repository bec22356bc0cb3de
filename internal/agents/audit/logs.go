package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Logs selects the sessions to audit. The zero value takes the logs that the
// configuration names, or those in the default places of a repository.
type Logs struct {
	// Paths are logs and directories of logs that replace the configuration's: relative
	// to the root inside the repository, absolute outside.
	Paths []string
	// Stdin is a further log; may be nil.
	Stdin io.Reader
	// Journal is the directory in which rulecheck's hooks keep what agents of this working tree
	// did; empty: it is not read.
	Journal string
	// Agents are the logs and directories of logs that agents keep, some of many projects.
	// Only their sessions in this repository are audited.
	Agents []agentlog.Kept

	// Others are the further working trees of the repository. Their sessions are audited, too.
	Others []gitfile.WorkTree

	Of           []string  // audit only these agents' sessions; empty: all
	Now          time.Time // when the audit began
	After, Until time.Time // audit only sessions that ended after, and began before; zero: no bound

	Prices string // a file with a table of prices; empty: that of the configuration, or of the program

	Strict   bool // a visit that could not be checked is an error, not a notice
	Jobs     int  // files read at a time; 0: one per processor
	Timeline bool // report every event
	Activity bool // report what agents did, by command, file, tool and model
	Models   bool // report tokens by model, and those of subagents
	Facts    bool // report the result of each rule on each visit

	// Part is set if days and users have more logs than these, as in one unit of a fleet.
	Part bool

	// Coverage reports which calls the hooks checked.
	Coverage bool

	// Added limits the audit to what a change adds to logs in the repository; nil: all.
	Added Added
	base  *earlier // the logs of the base of Added
	// belongs selects, of the sessions whose logs no commit brings, those of a change.
	belongs *belonging

	// Progress is called with the number of logs read and of all logs; may be nil.
	Progress func(read, all int)
}

// stdinName names standard input in reports.
const stdinName = "<stdin>"

// defaultLogs are searched for logs if the configuration names none.
var defaultLogs = setup.DefaultLogs()

// Inputs finds the logs to read. Those in the repository are read at head. It fails if
// a named log does not exist.
func (l Logs) Inputs(ctx context.Context, git diff.Engine, head diff.Head, configured []string) ([]agentlog.Input, error) {
	paths, named := l.places(configured)
	within := l.Within(configured)
	tree, err := git.Tree(ctx, head, within...)
	if err != nil {
		return nil, err
	}
	var inputs []agentlog.Input
	for _, path := range paths {
		if filepath.IsAbs(path) {
			inputs = append(inputs, agentlog.Input{Path: path, Named: named})
			continue
		}
		_, err := fs.Stat(tree, path)
		if errors.Is(err, fs.ErrNotExist) && !named {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("logs %q: %w; want a log or a directory of logs in the %s", path, yaml.Reason(err), head.Kind)
		}
		inputs = append(inputs, agentlog.Input{FS: tree, Path: path, Named: named})
	}
	for _, kept := range l.Agents {
		inputs = append(inputs, agentlog.Input{Path: kept.Path})
	}
	if l.Journal != "" {
		if _, err := os.Stat(l.Journal); !errors.Is(err, fs.ErrNotExist) {
			inputs = append(inputs, agentlog.Input{Path: l.Journal})
		}
	}
	if l.Stdin != nil {
		inputs = append(inputs, agentlog.Input{Path: stdinName, Reader: l.Stdin, Named: true})
	}
	return inputs, nil
}

// places returns the paths of logs and directories of logs; named is false if they need not
// exist.
func (l Logs) places(configured []string) (paths []string, named bool) {
	paths = l.Paths
	if len(paths) == 0 {
		paths = configured
	}
	if len(paths) == 0 && l.Stdin == nil {
		return defaultLogs, false
	}
	return paths, true
}

// Within returns the logs and directories of logs in the repository, relative to its root.
func (l Logs) Within(configured []string) []string {
	paths, _ := l.places(configured)
	return slices.DeleteFunc(slices.Clone(paths), filepath.IsAbs)
}

// nothingAdded reports whether a change adds nothing to any of the logs.
func (l Logs) nothingAdded(inputs []agentlog.Input) bool {
	return l.Added != nil && len(l.Added) == 0 && !slices.ContainsFunc(inputs, func(in agentlog.Input) bool { return in.FS == nil })
}

// Reading returns how the logs are read; root is the repository's root.
func (l Logs) Reading(root string) agentlog.Options {
	return agentlog.Options{Now: l.Now, Jobs: l.Jobs, Progress: l.Progress, Joins: func(s *session.Session) bool { return l.isOfProject(s, root) }}
}

// Includes reports whether a session is selected; root is the repository's root.
func (l Logs) Includes(s *session.Session, root string) bool {
	switch {
	case len(l.Of) > 0 && !slices.Contains(l.Of, s.Agent):
		return false
	case !l.After.IsZero() && !s.End.IsZero() && s.End.Before(l.After):
		return false // a session without times may be of any time
	case !l.Until.IsZero() && !s.Start.IsZero() && !s.Start.Before(l.Until):
		return false
	default:
		return l.isOfProject(s, root)
	}
}

// isOfProject reports whether a session is not one of another project, whose logs an agent
// keeps in the same place.
func (l Logs) isOfProject(s *session.Session, root string) bool {
	kept, ok := l.keptBy(s)
	return !ok || l.rootOf(s.Cwd, root) != "" || s.Cwd == "" && kept.Own
}

// rootOf returns the working tree that a directory is in, the innermost of several; empty: it
// is in none.
func (l Logs) rootOf(dir, root string) (in string) {
	if isBelow(dir, root) {
		in = root
	}
	for _, other := range l.Others {
		if isBelow(dir, other.Root) && len(other.Root) > len(in) {
			in = other.Root
		}
	}
	return in
}

// isUnplaced reports whether nothing shows the project of a session that an agent keeps, and
// that holds something.
func (l Logs) isUnplaced(s *session.Session) bool {
	kept, ok := l.keptBy(s)
	return ok && s.Cwd == "" && !kept.Own && len(s.Calls)+len(s.Tokens)+len(s.Prompts) > 0
}

// keptBy returns where an agent keeps a session's log; ok is false if none does.
func (l Logs) keptBy(s *session.Session) (kept agentlog.Kept, ok bool) {
	if len(s.Sources) > 0 {
		for _, kept := range l.Agents {
			if isBelow(s.Sources[0].File, kept.Path) {
				return kept, true
			}
		}
	}
	return kept, false
}

// isBelow reports whether a path is dir or inside it.
func isBelow(path, dir string) bool {
	rest, ok := strings.CutPrefix(filepath.ToSlash(path), filepath.ToSlash(dir))
	return ok && (rest == "" || rest[0] == '/')
}

// isInside reports whether a log's name is a path in the repository.
func isInside(log string) bool { return !filepath.IsAbs(log) && log != stdinName && log != "" }
