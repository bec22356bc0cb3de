package diff

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// What git looks a short name up as, in this order.
var expansions = []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"}

// revisionForms are compiled when a revision is first asked for.
var revisionForms = sync.OnceValue(func() (f struct{ name, stepsBack, oneStep, described, digits *regexp.Regexp }) {
	// What is looked up here: nothing that git would read otherwise.
	f.name = regexp.MustCompile(`^[^\x00-\x20~^:?*\[\\\x7f]+$`)
	// The suffixes followed here: parents, ancestors, ^{} and ^{commit}.
	f.stepsBack = regexp.MustCompile(`^(.*?)((?:\^\{commit\}|\^\{\}|~[0-9]*|\^[0-9]*)*)$`)
	f.oneStep = regexp.MustCompile(`\^\{commit\}|\^\{\}|~[0-9]*|\^[0-9]*`)
	f.described = regexp.MustCompile(`-g[0-9a-f]{4,40}$`)
	f.digits = regexp.MustCompile(`^[0-9a-f]{4,40}$`)
	return f
})

// commit resolves a ref to a commit's id. Of all that git takes for a revision
// it knows names, ids, also abbreviated, and steps back from them.
func (e *embedded) commit(ctx context.Context, ref string) (string, error) {
	none := func() (string, error) { return "", unknown(ctx, e, ref, nil) }
	forms := revisionForms()
	parts := forms.stepsBack.FindStringSubmatch(ref)
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
		strings.Contains(name, "..") || forms.described.MatchString(name):
		return "", needsGit("the revision " + strconv.Quote(ref))
	case !forms.name.MatchString(name):
		return none()
	}
	object, ok, err := e.named(name)
	if err != nil {
		return "", err
	}
	if ok {
		object, ok, err = e.walkBack(object, forms.oneStep.FindAllString(parts[2], -1))
	}
	if err != nil {
		return "", err
	}
	if !ok {
		return none()
	}
	return object.String(), nil
}

// named is the commit of a name or id.
func (e *embedded) named(name string) (commit id, ok bool, err error) {
	lower := strings.ToLower(name)
	if isID(lower) {
		return e.peel(parseID(lower))
	}
	for _, prefix := range expansions {
		for _, suffix := range []string{"", "/HEAD"} {
			if suffix != "" && prefix != "refs/remotes/" {
				continue
			}
			_, object, err := refFilesOf(e.here).ref(prefix + name + suffix)
			if err != nil {
				return id{}, false, err
			}
			if object != (id{}) {
				return e.peel(object)
			}
		}
	}
	if !revisionForms().digits.MatchString(lower) {
		return id{}, false, nil
	}
	list, err := e.objects.abbreviated(lower)
	if err != nil {
		return id{}, false, err
	}
	// Among several objects git takes the only one that leads to a commit.
	found := map[id]id{}
	for _, object := range list {
		c, is, err := e.peel(object)
		if err != nil {
			return id{}, false, err
		}
		if is {
			found[object], commit = c, c
		}
	}
	return commit, len(found) == 1, nil
}

// walkBack takes steps such as ~2 and ^1.
func (e *embedded) walkBack(from id, steps []string) (commit id, ok bool, err error) {
	for _, step := range steps {
		n := 1
		if number := step[1:]; strings.HasPrefix(number, "{") {
			continue // it is a commit already
		} else if number != "" {
			if n, err = strconv.Atoi(number); err != nil {
				return id{}, false, nil //nolint:nilerr // no history is that long
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
				return id{}, false, err
			}
			if parent > len(c.parents) {
				return id{}, false, nil
			}
			from = c.parents[parent-1]
		}
	}
	return from, true, nil
}
