package program

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff/read"
)

// Hook returns the text of the hook that git runs under a name, or nil.
func (p *Engine) Hook(ctx context.Context, name string) ([]byte, error) {
	out, err := p.repo.Run(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks/"+name)
	if err == nil && len(out) == 0 {
		err = noAnswer("rev-parse")
	}
	if err != nil {
		return nil, err
	}
	return read.Hook(strings.TrimSuffix(string(out), "\n"))
}

// CommentMark returns the configured prefix of comments in commit messages that are being
// edited: "#" by default, "auto" if git chooses one each time.
func (p *Engine) CommentMark(ctx context.Context) (string, error) {
	out, err := p.repo.Run(ctx, "config", "-z", "--get-regexp", `^core\.comment(char|string)$`)
	if err == nil && len(out) == 0 {
		err = noAnswer("config --get-regexp")
	}
	if err != nil && !exited(err, 1) { // 1: nothing is configured
		return "", err
	}
	mark := ""
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if _, value, valued := strings.Cut(string(entry), "\n"); valued {
			mark = value
		}
	}
	return cmp.Or(mark, "#"), nil
}
