package ruletest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/propose"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Start is the outcome of [Init].
type Start struct {
	Written []string          // paths, the configuration last
	Packs   []string          // that fit the files of the repository
	Found   *propose.Proposal // rules that past commits followed; nil: the past could not be read
	Unread  string            // why not
}

// firstRules is the number of rules that init writes at most.
const firstRules = 10

// Init writes a configuration that names the packs that fit, the rules that past commits
// followed, and the schemas that editors use. If one of the files exists, it fails and
// writes nothing, except that it completes what an interrupted run began: that has no
// configuration yet, and its files have the same content. repo is nil where there is no git
// program.
func Init(ctx context.Context, engine diff.Engine, repo *git.Repo) (*Start, error) {
	head, err := engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return nil, err
	}
	files, err := engine.Files(ctx, head)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(engine.Root())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	schemas, err := Schemas(ctx, engine)
	if err != nil {
		return nil, err
	}
	s := &Start{Packs: packsFor(files)}
	if err := s.mine(ctx, repo); err != nil {
		return nil, err
	}
	all := slices.Concat(s.rules(), schemas.files(), []file{{setup.ConfigFile, config(s.Packs)}})
	missing, err := lacking(root, all)
	if err != nil {
		return nil, err
	}
	s.Written, err = createAll(root, missing)
	return s, err
}

// mine finds the rules that past commits followed.
func (s *Start) mine(ctx context.Context, repo *git.Repo) (err error) {
	if repo == nil {
		s.Unread = "the past is read with the git program, which was not found"
		return nil
	}
	s.Found, err = propose.Find(ctx, repo, propose.Options{Commits: propose.Commits, Strict: true, Limit: firstRules})
	if errors.Is(err, propose.ErrShallow) {
		s.Unread, err = err.Error(), nil
	}
	return err
}

// rules returns the files of the rules.
func (s *Start) rules() []file {
	var files []file
	if s.Found != nil {
		for _, r := range s.Found.Rules {
			text := strings.Replace(r.Text, "---\n", "---\n# yaml-language-server: $schema=../schema/rule.json\n", 1)
			files = append(files, file{path.Join(setup.Dir, "rules", r.ID+".md"), text})
		}
	}
	return files
}

type file struct{ path, content string }

// lacking returns the files that a root lacks. The last one must be among them, and the
// others must not exist with another content.
func lacking(root *os.Root, files []file) (lacking []file, err error) {
	for i, f := range slices.Backward(files) {
		if _, err := root.Lstat(f.path); errors.Is(err, fs.ErrNotExist) {
			lacking = append(lacking, f)
			continue
		} else if err != nil {
			return nil, err
		}
		text, err := regular.ReadFS(regular.RootFS(root), f.path, regular.Text)
		if i == len(files)-1 || err != nil || string(text) != f.content {
			return nil, fmt.Errorf("%s exists; init writes only where there are no rules yet; for more rules, run: rulecheck suggest", f.path)
		}
	}
	slices.Reverse(lacking)
	return lacking, nil
}

// createAll writes files, and returns the paths of those it wrote.
func createAll(root *os.Root, files []file) (written []string, err error) {
	for _, f := range files {
		if err := root.MkdirAll(path.Dir(f.path), 0o755); err != nil {
			return written, err
		}
		if err := create(root, f); err != nil {
			return written, err
		}
		written = append(written, f.path)
	}
	return written, nil
}

// create writes a file whole or not at all.
func create(root *os.Root, f file) error {
	unfinished := propose.Unfinished(f.path)
	if err := root.WriteFile(unfinished, []byte(f.content), 0o644); err != nil {
		return err
	}
	return root.Rename(unfinished, f.path)
}

// config returns the configuration, with the packs that fit.
func config(packs []string) string {
	example := "bundled/docs"
	if len(packs) > 0 {
		example = strings.Join(packs, ", ")
	}
	return strings.Replace(exampleConfig, "«packs»", example, 1)
}

const exampleConfig = `# yaml-language-server: $schema=schema/config.json
# The configuration of rulecheck for this repository. Every key is optional.

# Rules that come with rulecheck: see rulecheck rules list.
# extends: [«packs»]

# The branch that changes are compared to. Found from the remote unless given.
# default_branch: main

# Files that no rule should look at.
# exclude: ["vendor/**", "**/*.generated.*"]

# The lowest level that fails a run: error, warning or note.
fail_on: error
`
