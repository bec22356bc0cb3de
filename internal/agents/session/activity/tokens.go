package activity

import "github.com/rulecheck/rulecheck/internal/agents/session"

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
func (s *Summary) addTokens(tokens []session.Tokens, counted bool) {
	models := map[string]*Model{}
	if counted {
		s.APICalls = new(int)
	}
	for i := range tokens {
		t := &tokens[i]
		m := entry(models, t.Model, Model{Name: t.Model})
		if m.APICalls == nil && counted {
			m.APICalls = new(int)
		}
		m.Tokens.Add(t.TokenCount)
		if counted {
			*s.APICalls++
			*m.APICalls++
		}
		if t.Sidechain {
			s.subagents().addTokens(t, counted)
		}
	}
	s.Models = sorted(models, func(m Model) (int, string) {
		if m.APICalls == nil {
			return 0, m.Name
		}
		return *m.APICalls, m.Name
	})
}

func (s *Share) addTokens(t *session.Tokens, counted bool) {
	s.Tokens.Add(t.TokenCount)
	if !counted {
		return
	}
	if s.APICalls == nil {
		s.APICalls = new(int)
	}
	*s.APICalls++
}
