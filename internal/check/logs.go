package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/internal/session/agentlog"
)

// Logs say which sessions are judged and how. The zero value takes what the
// configuration names, or what a repository has where it names nothing.
type Logs struct {
	Off bool // judge no sessions

	// Paths are logs and directories of logs, instead of the configuration's: those
	// below the repository's root as paths from there, any other absolute.
	Paths []string
	// Stdin is a further log; nil: there is none.
	Stdin io.Reader
	// Agents are directories in which agents keep logs of many projects. Of those,
	// the sessions count that were held in this repository.
	Agents []string

	Of           []string  // judge only these agents' sessions; empty: all
	After, Until time.Time // judge only sessions that were under way after, and began before; zero: no bound

	Workflow string // judge by the rules of this workflow file, too
	Strict   bool   // what cannot be judged is an error, not a notice
	Jobs     int    // files read at a time; 0: one for each processor
	Timeline bool   // report every event

	// Progress is told how many of all logs are read; nil: nobody asks.
	Progress func(read, all int)
}

// stdinName is what reports call a log that has no file.
const stdinName = "<stdin>"

// defaultLogs are where a repository has logs if its configuration names no place.
var defaultLogs = []string{home + "/sessions", ".hegel"}

// inputs finds the logs. Those of the repository are read at head.
func (l Logs) inputs(ctx context.Context, git diff.Engine, head diff.Head, configured []string) ([]agentlog.Input, error) {
	paths, named := l.Paths, true
	if len(paths) == 0 {
		paths = configured
	}
	if len(paths) == 0 && l.Stdin == nil {
		paths, named = defaultLogs, false
	}
	within := slices.DeleteFunc(slices.Clone(paths), filepath.IsAbs)
	tree, err := git.Tree(ctx, head, within...)
	if err != nil {
		return nil, err
	}
	var inputs []agentlog.Input
	for _, path := range paths {
		if filepath.IsAbs(path) {
			inputs = append(inputs, agentlog.Input{Path: path})
			continue
		}
		_, err := fs.Stat(tree, path)
		if errors.Is(err, fs.ErrNotExist) && !named {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("logs %q: %w; want a log or a directory of logs in the %s", path, err, head.Kind)
		}
		inputs = append(inputs, agentlog.Input{FS: tree, Path: path})
	}
	for _, dir := range l.Agents {
		inputs = append(inputs, agentlog.Input{Path: dir})
	}
	if l.Stdin != nil {
		inputs = append(inputs, agentlog.Input{Path: stdinName, Reader: l.Stdin})
	}
	return inputs, nil
}

// wants reports whether a session is one of those to judge. root is the
// repository's.
func (l Logs) wants(s *session.Session, root string) bool {
	switch {
	case len(l.Of) > 0 && !slices.Contains(l.Of, s.Agent):
		return false
	case !l.After.IsZero() && !s.End.IsZero() && s.End.Before(l.After):
		return false // one without a time may be of any
	case !l.Until.IsZero() && !s.Start.IsZero() && !s.Start.Before(l.Until):
		return false
	default:
		return !l.ofAgents(s) || isBelow(s.Cwd, root)
	}
}

// ofAgents reports whether a session's log is one that an agent keeps for itself.
func (l Logs) ofAgents(s *session.Session) bool {
	return len(s.Sources) > 0 && slices.ContainsFunc(l.Agents, func(dir string) bool { return isBelow(s.Sources[0].File, dir) })
}

// isBelow reports whether a path is a directory or lies in it.
func isBelow(path, dir string) bool {
	rest, ok := strings.CutPrefix(filepath.ToSlash(path), filepath.ToSlash(dir))
	return ok && (rest == "" || rest[0] == '/')
}

// isInside reports whether a log's name is a path in the repository.
func isInside(log string) bool { return !filepath.IsAbs(log) && log != stdinName && log != "" }
