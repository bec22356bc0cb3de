package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/setup"
)

func newPacksUpdate(p *process) *cobra.Command {
	var url, name string
	var moved bool
	cmd := &cobra.Command{
		Use:   "update",
		Short: "Pin the newest commits of packs, and fetch them",
		Long: `Ask the servers of the packs in "extends" for the newest commit of the default
branch, or of --to, write its id to the configuration, and fetch it. A tag that has
moved since an earlier update is refused.`,
		Example: `  rulecheck packs update
  rulecheck packs update --git https://example.org/rules.git --to v2.1.0`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := p.openPacks(cmd)
			if err != nil {
				return err
			}
			return p.updatePacks(cmd.Context(), o, url, name, moved)
		},
	}
	cmd.Flags().StringVar(&url, "git", "", "update the packs of this `URL` only")
	cmd.Flags().StringVar(&name, "to", "", "pin the commit of the branch or tag `NAME` (default: the default branch)")
	cmd.Flags().BoolVar(&moved, "moved", false, "accept a tag that was moved")
	return cmd
}

// updatePacks pins new commits in the configuration and fetches them.
func (p *process) updatePacks(ctx context.Context, o *openedPacks, url, name string, moved bool) error {
	if len(o.refs) == 0 {
		return errors.New(`"extends" names no pack of a git repository; to add one, run: rulecheck packs add URL`)
	}
	config, err := regular.ReadFS(regular.DirFS(o.root), setup.ConfigFile, regular.Text)
	if err != nil {
		return evaluationError{err}
	}
	before, found := config, false
	for i, r := range o.refs {
		if url != "" && r.Git != url {
			continue
		}
		found = true
		rev, tag, err := o.Resolve(ctx, r.Git, name)
		if err != nil {
			return evaluationError{err}
		}
		locked, _ := o.lock.Find(r)
		if tag && locked.Name == name && rev != r.Rev && !moved {
			return evaluationError{fmt.Errorf("%s: the tag %q was moved from %s to %s; if that is right, add --moved", r.Git, name, r.Rev, rev)}
		}
		next := pack.Ref{Git: r.Git, Rev: rev, Path: r.Path}
		entry := pack.Locked{Ref: next, Name: name}
		if rev == r.Rev {
			entry.Digest = locked.Digest
		}
		o.lock.Packs = append(slices.DeleteFunc(slices.Clone(o.lock.Packs), func(e pack.Locked) bool { return e.Ref == r }), entry)
		o.refs[i] = next
		if rev == r.Rev {
			p.print("%s: has the newest commit\n", plain.Line(r.String()))
			continue
		}
		config = bytes.ReplaceAll(config, []byte(r.Rev), []byte(rev))
		p.print("%s: now %s\n", plain.Line(r.String()), plain.Line(rev))
	}
	if !found {
		return errors.New(`no such pack in "extends"; to list them, run: rulecheck packs list`)
	}
	if err := p.fetchPacks(ctx, o); err != nil || bytes.Equal(before, config) {
		return err
	}
	return p.replaceFile(o.root, setup.ConfigFile, config)
}
