package diff

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// settings is what an answer takes from git's configuration.
type settings struct {
	fileMode bool              // whether the executable bit of a file counts
	remotes  []string          // names, sorted
	remoteOf map[string]string // branch → its own remote
}

// settings reads the configuration once, in one process.
func (p *Program) settings(ctx context.Context) (*settings, error) {
	p.settling.Lock()
	defer p.settling.Unlock()
	if p.settled != nil {
		return p.settled, nil
	}
	ask := p.setting
	if ask == nil {
		ask = func() (*settings, error) { return settingsOf(p.repo.Do(ctx, settingsCall)) }
	}
	s, err := ask()
	if err == nil {
		p.settled = s
	}
	return s, err
}

var settingsCall = git.Call{Args: []string{
	"config", "-z", "--get-regexp", `^(core\.filemode|branch\..*\.remote|remote\..*\.(url|fetch))$`,
}}

func settingsOf(res git.Result, err error) (*settings, error) {
	if err != nil && !exited(err, 1) { // 1: nothing is configured
		return nil, err
	}
	return parseSettings(res.Stdout), nil
}

// parseSettings reads key, line feed, value, NUL. A key without a value, which
// means true, has no line feed.
func parseSettings(out []byte) *settings {
	s := &settings{fileMode: true, remoteOf: map[string]string{}}
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		key, value, valued := strings.Cut(string(entry), "\n")
		section, rest, _ := strings.Cut(key, ".")
		dot := strings.LastIndexByte(rest, '.')
		switch {
		case key == "core.filemode":
			s.fileMode = !valued || !slices.Contains([]string{"false", "no", "off", "0", ""}, strings.ToLower(value))
		case section == "branch" && dot > 0:
			s.remoteOf[rest[:dot]] = value
		case section == "remote" && dot > 0:
			s.remotes = append(s.remotes, rest[:dot])
		}
	}
	slices.Sort(s.remotes)
	s.remotes = slices.Compact(s.remotes)
	return s
}

// remote is the one whose default branch counts: the branch's own, else origin,
// else the only one, else none.
func (s *settings) remote(branch string) string {
	for _, name := range []string{s.remoteOf[branch], "origin"} {
		if slices.Contains(s.remotes, name) {
			return name
		}
	}
	if len(s.remotes) == 1 {
		return s.remotes[0]
	}
	return ""
}
