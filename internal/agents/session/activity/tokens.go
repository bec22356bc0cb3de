package activity

import (
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// countsAPICalls reports whether each use of tokens in the log is one call of the model.
func countsAPICalls(s *session.Session) bool {
	if !s.TokensKnown || s.TokenSums {
		return false
	}
	for i := range s.Phases {
		if s.Phases[i].Totals != nil && len(s.Tokens) == 0 {
			return false
		}
	}
	return true
}

// addTokens adds uses of tokens; each is a call of the model if counted is true.
func addTokens(s *fact.Activity, tokens []session.Tokens, counted bool) {
	models := map[string]*fact.ModelUse{}
	if counted {
		s.APICalls = new(int)
	}
	for i := range tokens {
		t := &tokens[i]
		m := entry(models, t.Model, fact.ModelUse{Name: t.Model})
		if m.APICalls == nil && counted {
			m.APICalls = new(int)
		}
		m.Tokens.Add(t.TokenCount)
		if counted {
			*s.APICalls++
			*m.APICalls++
		}
		if t.Sidechain {
			addShare(subagents(s), t, counted)
		}
	}
	s.Models = sorted(models, func(m fact.ModelUse) (int, string) {
		if m.APICalls == nil {
			return 0, m.Name
		}
		return *m.APICalls, m.Name
	})
}

func addShare(s *fact.SubagentShare, t *session.Tokens, counted bool) {
	s.Tokens.Add(t.TokenCount)
	if !counted {
		return
	}
	if s.APICalls == nil {
		s.APICalls = new(int)
	}
	*s.APICalls++
}
