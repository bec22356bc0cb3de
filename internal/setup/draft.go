package setup

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// Draft is rules that no file of the repository has yet. They are read instead of the rules
// of the repository, its workflows, the user and the packs; policies are those of the
// repository.
type Draft struct {
	Config *rule.Config // nil: that of the repository
	Rules  []rule.Directory
}

// ReadDraft reads the rules of a draft. They are checked even where the configuration
// disables those of the repository.
func (p *Project) ReadDraft(ctx context.Context, d Draft) {
	if d.Config != nil {
		p.Config = *d.Config
	}
	p.Config.Enabled = true
	p.whole, p.ruleDirs = p.completeTree(ctx), d.Rules
	p.load()
}
