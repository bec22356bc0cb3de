package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/trust"
)

// commandPlan lists the commands to run for the rules that fire.
type commandPlan struct {
	jobs     []commands.Job     // in the order of the rules
	verdicts map[string]Verdict // by rule
	files    []commands.File    // that the jobs name, each once, in byte order
	notices  []string
	failures map[string]error // why the command of a rule does not run on a file, by rule
}

// firesCommand reports whether the rule fires and has a command.
func (v Verdict) firesCommand() bool { return v.Rule.Action != nil && len(v.Violations) > 0 }

func haveCommands(changes []*change) bool {
	return slices.ContainsFunc(changes, func(c *change) bool { return slices.ContainsFunc(c.verdicts, Verdict.firesCommand) })
}

// commandsOff returns why no command runs; empty if they do.
func (r *run) commandsOff() string {
	if r.distrustsChange() && !r.project.Config.Commands.TrustHead {
		return "the change may not choose what is run; commands.trust_head is not set where the rules come from"
	}
	return r.Commands.Off
}

// rulesWithCommands returns the ids of the rules that fire and have a command.
func rulesWithCommands(changes []*change) []string {
	rules := map[string]bool{}
	for _, c := range changes {
		for _, v := range c.verdicts {
			if v.firesCommand() {
				rules[v.Rule.ID] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(rules))
}

// notRun returns the notice that the commands of rules did not run.
func notRun(rules []string, why string) string {
	return fmt.Sprintf("%s did not run: %s (%s)", report.Count(len(rules), "command"), why, finding.ShortPathList(rules))
}

// apply sets what the settings allow each job.
func (p *commandPlan) apply(s trust.Settings) {
	for i := range p.jobs {
		j := &p.jobs[i]
		j.Action = s.Actions[j.Rule]
		timeout, _ := time.ParseDuration(cmp.Or(j.Action.Timeout, "0s")) // a rule with a malformed one does not load
		j.Timeout = cmp.Or(timeout, s.Timeout)
	}
}

// planCommands gathers the commands of rules that fire with the files they work on: of a
// commit being made, those that it changes.
func (r *run) planCommands(ctx context.Context, changes []*change) (commandPlan, error) {
	p := commandPlan{verdicts: map[string]Verdict{}, failures: map[string]error{}}
	triggers := map[string]map[string]diff.Change{} // by rule, then by path
	for _, c := range changes {
		for _, v := range c.verdicts {
			if v.firesCommand() {
				files := v.triggersAtHead(c.staged)
				maps.DeleteFunc(files, func(name string, _ diff.Change) bool { return !r.within(name) })
				p.verdicts[v.Rule.ID], triggers[v.Rule.ID] = v, files
			}
		}
	}
	files, err := r.readTriggers(ctx, p.verdicts, triggers)
	if err != nil {
		return commandPlan{}, err
	}
	all := map[string]diff.Change{}
	for _, changed := range triggers {
		maps.Copy(all, changed)
	}
	if leftOut := len(all) - len(files); leftOut > 0 {
		p.notices = append(p.notices, report.Count(leftOut, "file")+" not given to commands: binary, or stored in Git LFS")
		if err := r.refuseLeftOut(ctx, &p, triggers, files); err != nil {
			return commandPlan{}, err
		}
	}
	for _, of := range r.selected.Rules {
		var names []string
		for name := range triggers[of.ID] {
			if _, ok := files[name]; ok {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		slices.Sort(names)
		p.jobs = append(p.jobs, commands.Job{Rule: of.ID, Action: of.Action, Files: names})
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		p.files = append(p.files, files[name])
	}
	return p, nil
}

// refuseLeftOut adds the failures of rules whose command does not run on files that it should:
// those that were text at the base or are new, and are in no binary format.
func (r *run) refuseLeftOut(ctx context.Context, p *commandPlan, triggers map[string]map[string]diff.Change, files map[string]commands.File) error {
	if r.project.Config.Commands.SkipBinary {
		return nil
	}
	for id, changed := range triggers {
		var left []diff.Change
		for name, c := range changed {
			if _, ok := files[name]; !ok {
				left = append(left, c)
			}
		}
		if len(left) == 0 {
			continue
		}
		v := p.verdicts[id]
		details, err := r.engine.Details(ctx, v.Changeset.Base, v.Changeset.Head, left, []diff.Part{diff.PartBinary, diff.PartContent})
		if err != nil {
			return err
		}
		var names []string
		for _, c := range left {
			d := details[c.Path]
			if d.Unread == diff.UnreadFormat || d.BinaryBefore || !*d.Binary && charset.Named(c.Path) {
				continue // a pointer of Git LFS is text, and its name is that of an image, say
			}
			names = append(names, c.Path)
		}
		if len(names) > 0 {
			slices.Sort(names)
			p.failures[id] = ofRule(v.Rule, fmt.Errorf("its command does not run on %s: binary, or stored in Git LFS, and not so at the base; exclude it, or set commands: {binary: skip}", finding.ShortPathList(names)))
		}
	}
	return nil
}

// RunsOn reports whether the rule fires and its command runs on the file at path.
func (v Verdict) RunsOn(path string) bool {
	return v.firesCommand() && v.triggersAtHead(nil)[path].Path != ""
}

// triggersAtHead returns the files that trigger a rule and are files at head; limited to
// staged unless that is nil.
func (v Verdict) triggersAtHead(staged map[string]bool) map[string]diff.Change {
	named := map[string]bool{}
	for _, violation := range v.Violations {
		for _, name := range violation.TriggerFiles {
			named[name] = staged == nil || staged[name]
		}
	}
	files := map[string]diff.Change{}
	for _, c := range v.Changeset.Changes {
		if named[c.Path] && c.Status != diff.Deleted && c.Status != diff.Unmerged && c.Kind == diff.File {
			files[c.Path] = c
		}
	}
	return files
}

// readTriggers reads the files that commands work on, by path. Binary files and files in
// Git LFS are left out.
func (r *run) readTriggers(ctx context.Context, verdicts map[string]Verdict, triggers map[string]map[string]diff.Change) (map[string]commands.File, error) {
	all := map[string]diff.Change{}
	inLFS := map[string]bool{} // by attributes; at other heads the content shows it
	for id, changed := range triggers {
		maps.Copy(all, changed)
		if r.head.Kind != diff.Worktree {
			continue
		}
		c := verdicts[id].Changeset
		details, err := r.engine.Details(ctx, c.Base, c.Head, slices.Collect(maps.Values(changed)), []diff.Part{diff.PartLFS})
		if err != nil {
			return nil, err
		}
		for name, d := range details {
			inLFS[name] = *d.LFS
		}
	}
	contents, err := r.engine.Contents(ctx, r.head, slices.Sorted(maps.Keys(all)), -1)
	if err != nil {
		return nil, err
	}
	files := map[string]commands.File{}
	for name, c := range all {
		content, ok := contents[name]
		if !ok {
			return nil, fmt.Errorf("%q was removed during the check; run again", name)
		}
		if !inLFS[name] && !diff.IsBinary(content) && !diff.IsLFSPointer(content) {
			files[name] = commands.File{Path: name, Executable: c.Mode == "100755", Content: content}
		}
	}
	return files, nil
}
