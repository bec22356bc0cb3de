package githook

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"runtime"
)

// Runner says whose a hook is.
type Runner string

// Every Runner.
const (
	Nothing   Runner = "nothing"   // git runs no such hook
	Ours      Runner = "ours"      // what Install wrote
	Itself    Runner = "itself"    // a script of somebody else's that runs rulecheck
	Framework Runner = "framework" // the pre-commit framework, told to run rulecheck
	Another   Runner = "another"   // does not run rulecheck
)

// State is one hook as it is.
type State struct {
	Hook string
	File string
	Runs Runner

	text       []byte
	executable bool
}

// States are the hooks as they are, in the order of Names.
func (d *Dir) States() ([]State, error) {
	var states []State
	for _, name := range Names() {
		s := State{Hook: name, File: d.file(name), Runs: Nothing}
		info, err := os.Stat(s.File)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if _, broken := os.Lstat(s.File); err != nil && broken == nil {
			s.Runs = Another // a symlink to nothing is somebody's, too
		}
		if err == nil {
			if s.text, err = os.ReadFile(s.File); err != nil {
				return nil, err
			}
			s.executable = d.sourced || runtime.GOOS == "windows" || info.Mode()&0o111 != 0
			s.Runs = runner(name, s.text, d.configuration)
		}
		states = append(states, s)
	}
	return states, nil
}

// Judges reports whether git runs rulecheck by this hook.
func (s State) Judges() bool {
	return s.executable && (s.Runs == Ours || s.Runs == Itself || s.Runs == Framework)
}

func runner(name string, text, configuration []byte) Runner {
	code := comment.ReplaceAll(text, []byte("$1"))
	switch {
	case ours(text):
		return Ours
	case framework.Match(code) && idOf[name].Match(comment.ReplaceAll(configuration, []byte("$1"))):
		return Framework
	case callsOf[name].Match(code):
		return Itself
	default:
		return Another
	}
}

var (
	comment   = regexp.MustCompile(`(?m)(^|[ \t])#.*$`)
	framework = regexp.MustCompile(`pre[-_]commit|prek`)

	// idOf is how a configuration of the framework names what runs in a hook.
	idOf = map[string]*regexp.Regexp{
		PreCommit: regexp.MustCompile(`(?m)\bid["']?[ \t]*:[ \t]*["']?rulecheck(-fix)?(-system)?["']?[ \t\r]*(,|\}|$)`),
		CommitMsg: regexp.MustCompile(`(?m)\bid["']?[ \t]*:[ \t]*["']?rulecheck-msg(-system)?["']?[ \t\r]*(,|\}|$)`),
	}
	// callsOf is how a script calls rulecheck.
	callsOf = map[string]*regexp.Regexp{
		PreCommit: regexp.MustCompile(`\brulecheck\b[^\n]*--staged\b`),
		CommitMsg: regexp.MustCompile(`\brulecheck\b[^\n]*--message\b`),
	}
)
