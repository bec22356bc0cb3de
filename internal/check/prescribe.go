package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/report"
)

// prescription is what firing rules ask to run.
type prescription struct {
	jobs     []commands.Job     // in the order of the rules
	verdicts map[string]verdict // by rule
	files    []commands.File    // that the jobs name, each once, in byte order
}

// prescribe gathers the commands of firing rules with the files they are for: of
// a commit in the making those that it changes. Where the change is not trusted
// none runs, and that is told.
func (j *judge) prescribe(ctx context.Context) (prescription, error) {
	p := prescription{verdicts: map[string]verdict{}}
	asked := map[string]map[string]diff.Change{} // by rule, then by path
	for _, v := range j.verdicts {
		if !v.commands() {
			continue
		}
		p.verdicts[v.rule.ID] = v
		staged, err := j.stagedIn(v.changeset)
		if err != nil {
			return prescription{}, err
		}
		asked[v.rule.ID] = triggersAtHead(v, staged)
	}
	off := j.options.Commands.Off
	if j.options.RulesFrom != "" && !j.project.Config.Commands.TrustHead {
		off = "the change may not choose what is run; commands.trust_head is not set where the rules come from"
	}
	if len(asked) > 0 && off != "" {
		j.notices = append(j.notices, report.Count(len(asked), "command")+" did not run: "+off)
		return prescription{}, nil
	}
	given, err := j.filesAtHead(ctx, p.verdicts, asked)
	if err != nil {
		return prescription{}, err
	}
	for _, r := range j.selected.Rules {
		var names []string
		for name := range asked[r.ID] {
			if _, ok := given[name]; ok {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		slices.Sort(names)
		// Both were checked when they were read.
		timeout, _ := time.ParseDuration(cmp.Or(r.Action.Timeout, "0s"))
		p.jobs = append(p.jobs, commands.Job{
			Rule: r.ID, Action: r.Action, Timeout: cmp.Or(timeout, j.project.Config.Commands.Timeout), Files: names,
		})
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p.files = append(p.files, given[name])
	}
	return p, nil
}

// triggersAtHead are the files for which a rule fires that are there at head as
// files; of those staged where staged is not nil.
func triggersAtHead(v verdict, staged map[string]bool) map[string]diff.Change {
	named := map[string]bool{}
	for _, violation := range v.violations {
		for _, name := range violation.TriggerFiles {
			named[name] = staged == nil || staged[name]
		}
	}
	files := map[string]diff.Change{}
	for _, c := range v.changeset.Changes {
		if named[c.Path] && c.Status != diff.Deleted && c.Status != diff.Unmerged && c.Kind == diff.File {
			files[c.Path] = c
		}
	}
	return files
}

// filesAtHead reads the files that commands are to work on. Those that are no text
// are left out, and how many is told.
func (j *judge) filesAtHead(ctx context.Context, verdicts map[string]verdict, asked map[string]map[string]diff.Change) (map[string]commands.File, error) {
	all := map[string]diff.Change{}
	stored := map[string]bool{} // in Git LFS, as attributes say; of other heads the content tells
	for id, files := range asked {
		maps.Copy(all, files)
		if j.head.Kind != diff.Worktree {
			continue
		}
		c := verdicts[id].changeset
		details, err := j.git.Details(ctx, c.Base, c.Head, slices.Collect(maps.Values(files)), []diff.Part{diff.PartLFS})
		if err != nil {
			return nil, err
		}
		for name, d := range details {
			stored[name] = *d.LFS
		}
	}
	contents, err := j.git.Contents(ctx, j.head, slices.Sorted(maps.Keys(all)), -1)
	if err != nil {
		return nil, err
	}
	given := map[string]commands.File{}
	for name, c := range all {
		content, ok := contents[name]
		if !ok {
			return nil, fmt.Errorf("%q is gone since the change was looked at; run again", name)
		}
		if !stored[name] && !diff.IsBinary(content) && !diff.IsLFSPointer(content) {
			given[name] = commands.File{Path: name, Executable: c.Mode == "100755", Content: content}
		}
	}
	if out := len(all) - len(given); out > 0 {
		j.notices = append(j.notices, report.Count(out, "file")+" not given to commands: binary, or stored in Git LFS")
	}
	return given, nil
}
