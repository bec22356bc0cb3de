package native

import (
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff/resolve"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// repository looks up refs, commits and configuration for the search for a base.
type repository struct{ *Engine }

// Settings returns the settings that answers depend on.
func (r repository) Settings(context.Context) (*resolve.Settings, error) {
	s := &resolve.Settings{FileMode: true, RemoteOf: map[string]string{}, MergeOf: map[string]string{}, URLs: map[string][]string{}, Fetches: map[string][]string{}}
	for _, v := range r.config {
		section, rest, _ := strings.Cut(v.Key, ".")
		name, key := cutLast(rest, ".")
		switch {
		case v.Key == "core.filemode":
			s.FileMode = !v.Valued || !gitfile.Falsity(v.Value)
		case v.Key == "init.defaultbranch":
			s.InitialBranch = v.Value
		case section == "branch" && key == "remote":
			s.RemoteOf[name] = v.Value
		case section == "branch" && key == "merge":
			s.MergeOf[name] = v.Value
		case section == "remote" && (key == "url" || key == "fetch"):
			s.Remotes = append(s.Remotes, name)
			if key == "url" {
				s.URLs[name] = append(s.URLs[name], v.Value)
			} else {
				s.Fetches[name] = append(s.Fetches[name], v.Value)
			}
		}
	}
	slices.Sort(s.Remotes)
	s.Remotes = slices.Compact(s.Remotes)
	return s, nil
}

// Refs looks up full names as git for-each-ref would: two asterisks match any path elements, and
// a name that does not lead to a commit is left out.
func (r repository) Refs(_ context.Context, names []string) (map[string]resolve.Branch, error) {
	refs := gitfile.OpenRefs(r.place)
	found := map[string]resolve.Branch{}
	for _, pattern := range names {
		list, err := refs.Expand(pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range list {
			target, object, err := refs.Resolve(name)
			if err != nil {
				return nil, err
			}
			if object == (gitfile.ID{}) {
				continue
			}
			kind, _, err := r.objects.Read(object)
			if err != nil {
				return nil, err
			}
			if kind == gitfile.TypeCommit {
				found[name] = resolve.Branch{Ref: resolve.ShortRef(target), Commit: object.String()}
			}
		}
	}
	return found, nil
}

// MergeHeads lists the commits that are being merged into HEAD.
func (r repository) MergeHeads() ([]string, error) { return gitfile.MergeHeads(r.place.GitDir) }
