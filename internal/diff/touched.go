package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Touched are the names that each of the commits changed against its parent: of a
// rename both. Of a merge they are those that it left as none of its parents has
// them, as in git show; what it only brought together is its parents' doing. A
// commit whose parents a shallow clone lacks is left out: what it changed cannot
// be known.
func (p *Program) Touched(ctx context.Context, commits []string) (map[string][]string, error) {
	cut, err := p.cutOff()
	if err != nil {
		return nil, err
	}
	commits = slices.DeleteFunc(slices.Clone(commits), func(name string) bool { return cut[name] })
	if len(commits) == 0 {
		return nil, nil
	}
	// Without a search for renames each is a name that is gone and one that is new.
	args := slices.Concat([]string{"diff-tree", "--stdin", "--root", "-r", "-c", "--no-renames"}, pinned, rawForm)
	out, err := p.repo.Do(ctx, git.Call{Args: args, Stdin: strings.NewReader(strings.Join(commits, "\n") + "\n")})
	if err != nil {
		return nil, lacking(err)
	}
	return parseTouched(out.Stdout)
}

// parseTouched reads commits, each followed by what it changed: a head that
// begins with as many colons as the commit has parents, and a name.
func parseTouched(out []byte) (map[string][]string, error) {
	touched := map[string][]string{}
	commit := ""
	for rest := string(out); rest != ""; {
		head, after, ok := strings.Cut(rest, "\x00")
		switch {
		case ok && git.IsObjectID(head):
			commit = head
		case ok && commit != "" && strings.HasPrefix(head, ":"):
			var name string
			if name, after, ok = cutName(after); ok {
				touched[commit] = append(touched[commit], name)
				break
			}
			fallthrough
		default:
			return nil, fmt.Errorf("raw diff of commits: byte %d: %q is neither a commit nor an entry with a name", len(out)-len(rest), head)
		}
		rest = after
	}
	return touched, nil
}

// cutOff are the commits at which a shallow clone ends.
func (p *Program) cutOff() (map[string]bool, error) {
	if !p.repo.Shallow {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(p.repo.CommonDir, "shallow"))
	cut := map[string]bool{}
	for commit := range strings.FieldsSeq(string(text)) {
		cut[commit] = true
	}
	return cut, err
}
