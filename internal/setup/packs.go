package setup

import (
	"context"
	"fmt"
	"path"
	"slices"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// codeWeakens marks a setting that would weaken the organization's pack.
const codeWeakens = "weakens_organization"

// The directories of packs in messages, and in the names of their policies: no file of a
// repository has such a name as one that is read.
const (
	organizationDir = "organization"
	packsDir        = "packs"
)

// openPacks opens the organization's pack and those that the configuration names. One that
// cannot be opened is a problem: its rules cannot be checked.
func (p *Project) openPacks(ctx context.Context) {
	settings := pack.From(ctx)
	if settings.Organized() {
		p.organized = true
		p.keepSettings()
	}
	switch r := settings.Organization; {
	case settings.Malformed != nil:
		p.Problems = append(p.Problems, finding.Problem{Code: rule.CodeBadValue, Message: settings.Malformed.Error()})
	case r != nil:
		p.openPack(ctx, settings, *r, rule.OrganizationTier, path.Join(organizationDir, r.Short()), "")
	}
	if len(p.Config.Packs) == 0 || !p.Config.Enabled {
		return
	}
	lock, err := pack.ReadLock(p.Tree)
	if err != nil {
		p.Problems = append(p.Problems, finding.Problem{File: pack.LockFile, Line: 1, Column: 1, Code: report.NotEvaluated, Message: err.Error()})
		return
	}
	for _, r := range p.Config.Packs {
		locked, ok := lock.Find(r)
		if !ok {
			p.packProblem(r, fmt.Errorf("%s does not have it; %s, and commit that file", pack.LockFile, pack.NextFetch))
			continue
		}
		p.openPack(ctx, settings, r, rule.PackTier, path.Join(packsDir, r.Short()), locked.Digest)
	}
}

func (p *Project) packProblem(r pack.Ref, err error) {
	p.Problems = append(p.Problems, finding.Problem{
		Code: report.NotEvaluated, Message: fmt.Sprintf("the pack %s could not be read: %v", r, err),
	})
}

func (p *Project) openPack(ctx context.Context, settings pack.Settings, r pack.Ref, tier rule.Tier, dir, digest string) {
	content, err := settings.Open(ctx, r, digest)
	if err != nil {
		p.packProblem(r, err)
		return
	}
	files := fstest.MapFS{}
	for name, file := range content.Files {
		files[path.Join(dir, name)] = file
	}
	opened, problems := rule.NewPack(tier, files, dir)
	p.packs = append(p.packs, opened)
	p.Problems = append(p.Problems, problems...)
}

// Manage adds the guard rules of the pack agents, which the repository cannot weaken: the hooks
// are those of the machine. It comes before the rules are read.
func (p *Project) Manage() {
	p.managed = true
	p.keepSettings()
}

// keepSettings refuses the settings of a repository that would weaken the organization's pack.
func (p *Project) keepSettings() {
	refuse := func(message string) {
		p.Problems = append(p.Problems, finding.Problem{File: ConfigFile, Line: 1, Column: 1, Code: codeWeakens, Message: message})
	}
	if !p.Config.Enabled {
		p.Config.Enabled = true
		refuse(`"rules.enabled" is false, which the organization's pack does not allow; remove the key`)
	}
	if p.Config.OnAgentError == rule.OnErrorAllow {
		p.Config.OnAgentError = ""
		refuse(`"agents.on_error" is "allow", which the organization's pack does not allow; remove the key`)
	}
	if p.Config.Opaque == "warn" || p.Config.Opaque == "allow" {
		refuse(fmt.Sprintf(`"agents.opaque" is %q, which the organization's pack does not allow; remove the key`, p.Config.Opaque))
		p.Config.Opaque = ""
	}
	if p.Config.DefaultBranch != "" {
		p.Config.DefaultBranch = ""
		p.Notices = append(p.Notices, `"default_branch" in `+ConfigFile+` has no effect with the organization's pack; to choose another base, use --since`)
	}
	if len(p.Config.Exclude) > 0 {
		p.Notices = append(p.Notices, `"exclude" in `+ConfigFile+` has no effect on the rules of the organization's pack`)
	}
	if len(p.Config.Sessions) > 0 {
		for _, dir := range DefaultLogs() {
			if !slices.Contains(p.Config.Sessions, dir) {
				p.Config.Sessions = append(p.Config.Sessions, dir)
			}
		}
	}
}

// DefaultLogs lists the places of agents' logs in a repository.
func DefaultLogs() []string { return []string{Dir + "/sessions", ".hegel"} }

// packDirectories returns the directories of the organization's rules, or those of other packs.
func (p *Project) packDirectories(tier rule.Tier) []rule.Directory {
	var dirs []rule.Directory
	for _, each := range p.packs {
		if each.Tier == tier {
			dirs = append(dirs, each.Directory())
		}
	}
	return dirs
}

// OfOrganization reports whether a rule is one of the organization's pack.
func (p *Project) OfOrganization(id string) bool {
	return p.organized && slices.ContainsFunc(p.Rules, func(r *rule.Rule) bool { return r.ID == id && r.Tier == rule.OrganizationTier })
}

// Unwaivable returns why findings of a rule cannot be waived; empty: they can.
func (p *Project) Unwaivable(id string) string {
	allowed := slices.ContainsFunc(p.packs, func(each rule.Pack) bool { return each.Tier == rule.OrganizationTier && each.Waivable(id) })
	if allowed || !p.OfOrganization(id) {
		return ""
	}
	return "the organization's pack allows no waivers of this rule"
}

// organizationKeeps refuses a selection that leaves out rules of the organization's pack.
func (p *Project) organizationKeeps(s Selected) error {
	for _, skipped := range s.Skipped {
		if skipped.Reason != reasonDisabled && p.OfOrganization(skipped.ID) {
			return &SelectionError{fmt.Sprintf("%s leaves out %q, a rule of the organization's pack, which must be checked; want a selection with all its rules",
				skipped.Reason, skipped.ID)}
		}
	}
	return nil
}

// KeepsOrganization refuses an option of a run without which rules of the organization's pack
// are not checked whole.
func (p *Project) KeepsOrganization(option string, concerns func(*rule.Rule) bool) error {
	for _, r := range p.Rules {
		if r.Tier == rule.OrganizationTier && r.Enabled && concerns(r) {
			return &SelectionError{fmt.Sprintf("%s leaves out %q, a rule of the organization's pack, which must be checked; remove the option", option, r.ID)}
		}
	}
	return nil
}
