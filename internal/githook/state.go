package githook

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"runtime"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Kind classifies a hook.
type Kind string

// Every Kind.
const (
	None      Kind = "none"      // git runs no such hook
	Installed Kind = "installed" // written by Install
	Script    Kind = "script"    // another script that runs rulecheck
	Framework Kind = "framework" // of a manager of hooks that is configured to run rulecheck
	Other     Kind = "other"     // does not run rulecheck
)

// State describes one hook.
type State struct {
	Hook string
	File string
	Kind Kind

	text       []byte
	executable bool
}

// States returns the state of the hooks, in the order of Names.
func (d *Dir) States() ([]State, error) {
	var states []State
	for _, name := range Names() {
		s := State{Hook: name, File: d.file(name), Kind: None}
		info, err := os.Stat(s.File)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if _, broken := os.Lstat(s.File); err != nil && broken == nil {
			s.Kind = Other // a broken symlink
		}
		if err == nil {
			if s.text, err = regular.ReadFile(s.File); err != nil {
				return nil, err
			}
			s.executable = d.sourced || runtime.GOOS == "windows" || info.Mode()&0o111 != 0
			s.Kind = d.kindOf(name, s.text)
		}
		states = append(states, s)
	}
	return states, nil
}

// Active reports whether git runs rulecheck through this hook.
func (s State) Active() bool {
	return s.executable && (s.Kind == Installed || s.Kind == Script || s.Kind == Framework)
}

func (d *Dir) kindOf(name string, text []byte) Kind {
	code := comment().ReplaceAll(text, []byte("$1"))
	switch {
	case installed(text):
		return Installed
	case d.isManaged(name, code):
		return Framework
	case callsOf[name]().Match(code):
		return Script
	default:
		return Other
	}
}

var (
	comment = lazyregexp.New(`(?m)(^|[ \t])#.*$`)

	// idOf matches the id of a hook in the configuration of the framework.
	idOf = map[string]func() *regexp.Regexp{
		PreCommit: lazyregexp.New(`(?m)\bid["']?[ \t]*[:=][ \t]*["']?rulecheck(-fix)?(-system)?["']?[ \t\r]*(,|\}|$)`),
		CommitMsg: lazyregexp.New(`(?m)\bid["']?[ \t]*[:=][ \t]*["']?rulecheck-msg(-system)?["']?[ \t\r]*(,|\}|$)`),
	}
	// callsOf matches the call of rulecheck in a script.
	callsOf = map[string]func() *regexp.Regexp{
		PreCommit: lazyregexp.New(`\brulecheck\b[^\n]*--staged\b`),
		CommitMsg: lazyregexp.New(`\brulecheck\b[^\n]*--message\b`),
	}
)
