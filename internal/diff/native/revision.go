package native

import (
	"context"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/resolve"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// expansions are the prefixes under which git looks up a short name, in this order.
var expansions = []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"}

var (
	// plainName has no characters that git would interpret.
	plainName = lazyregexp.New(`^[^\x00-\x20~^:?*[\\\x7f]+$`)
	// stepsBack splits off the supported suffixes: parents, ancestors, ^{} and ^{commit}.
	stepsBack = lazyregexp.New(`^(.*?)((?:\^\{commit\}|\^\{\}|~[0-9]*|\^[0-9]*)*)$`)
	oneStep   = lazyregexp.New(`\^\{commit\}|\^\{\}|~[0-9]*|\^[0-9]*`)
	described = lazyregexp.New(`-g[0-9a-f]{4,40}$`)
	shortID   = lazyregexp.New(`^[0-9a-f]{4,40}$`)
)

// Commit resolves a revision to a commit id. It supports names, ids, abbreviated ids, and steps
// back from them.
func (r repository) Commit(ctx context.Context, ref string) (string, error) {
	none := func() (string, error) { return "", resolve.UnknownRevision(ctx, r, ref, nil) }
	parts := stepsBack().FindStringSubmatch(ref)
	if parts == nil || parts[1] == "" || strings.HasPrefix(ref, "^") {
		return none()
	}
	name := parts[1]
	switch {
	case name == "@":
		name = "HEAD"
	case strings.HasSuffix(name, "^{tree}") || strings.HasSuffix(name, "^{blob}"):
		return none()
	case strings.Contains(name, "@{") || strings.Contains(name, "^{") || strings.Contains(name, ":") ||
		strings.Contains(name, "..") || described().MatchString(name):
		return "", diff.NeedsGit("the revision " + strconv.Quote(ref))
	case !plainName().MatchString(name):
		return none()
	}
	object, ok, err := r.named(name)
	if err != nil {
		return "", err
	}
	if ok {
		object, ok, err = r.walkBack(object, oneStep().FindAllString(parts[2], -1))
	}
	if err != nil {
		return "", err
	}
	if !ok {
		return none()
	}
	return object.String(), nil
}

// named returns the commit of a name or id.
func (e *Engine) named(name string) (commit gitfile.ID, ok bool, err error) {
	lower := strings.ToLower(name)
	if gitfile.IsID(lower) {
		return e.objects.Peel(gitfile.ParseID(lower))
	}
	for _, prefix := range expansions {
		for _, suffix := range []string{"", "/HEAD"} {
			if suffix != "" && prefix != "refs/remotes/" {
				continue
			}
			_, object, err := gitfile.OpenRefs(e.place).Resolve(prefix + name + suffix)
			if err != nil {
				return gitfile.ID{}, false, err
			}
			if object != (gitfile.ID{}) {
				return e.objects.Peel(object)
			}
		}
	}
	if !shortID().MatchString(lower) {
		return gitfile.ID{}, false, nil
	}
	list, err := e.objects.Abbreviated(lower)
	if err != nil {
		return gitfile.ID{}, false, err
	}
	// Among several objects, git chooses the only one that leads to a commit.
	found := map[gitfile.ID]gitfile.ID{}
	for _, object := range list {
		c, is, err := e.objects.Peel(object)
		if err != nil {
			return gitfile.ID{}, false, err
		}
		if is {
			found[object], commit = c, c
		}
	}
	return commit, len(found) == 1, nil
}

// walkBack follows steps such as ~2 and ^1.
func (e *Engine) walkBack(from gitfile.ID, steps []string) (commit gitfile.ID, ok bool, err error) {
	for _, step := range steps {
		n := 1
		if number := step[1:]; strings.HasPrefix(number, "{") {
			continue // the object is a commit already
		} else if number != "" {
			if n, err = strconv.Atoi(number); err != nil {
				return gitfile.ID{}, false, nil //nolint:nilerr // no history is that long
			}
		}
		generations, parent := 1, n
		if step[0] == '~' {
			generations, parent = n, 1
		}
		if parent == 0 {
			continue
		}
		for range generations {
			c, err := e.readCommit(from)
			if err != nil {
				return gitfile.ID{}, false, err
			}
			if parent > len(c.Parents) {
				return gitfile.ID{}, false, nil
			}
			from = c.Parents[parent-1]
		}
	}
	return from, true, nil
}
