package audit

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/agents/price"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/money"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// prices returns the table of prices: of a file that is named, or of the program.
func (l Logs) prices(configured, root string) (*price.Table, error) {
	file := cmp.Or(l.Prices, configured)
	if file == "" {
		return price.Builtin()
	}
	full := file
	if !filepath.IsAbs(full) {
		full = filepath.Join(root, file)
	}
	data, err := regular.ReadAtMost(full, price.MaxTable)
	if err != nil {
		return nil, fmt.Errorf("prices %q: %w; want a table of prices", file, err)
	}
	table, err := price.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return table, nil
}

// priceOf returns what a call of a session's model cost, as the log states it or the table knows.
func (a *Auditor) priceOf(s *session.Session) func(*session.Tokens) money.Cost {
	return func(t *session.Tokens) money.Cost {
		if t.Included {
			return money.Cost{}
		}
		return a.prices.Cost(&price.Call{Model: t.Model, At: t.At, Tokens: t.TokenCount, Tier: t.Tier, Stated: t.Cost, Sum: s.TokenSums})
	}
}

// costOf returns the cost of a whole session.
func (a *Auditor) costOf(s *session.Session) *money.Cost {
	if !s.TokensKnown {
		return &money.Cost{Unknown: 1, Why: "the log does not record the use of tokens"}
	}
	sum := money.Cost{}
	of := a.priceOf(s)
	v, _ := s.Whole()
	for i := range v.Tokens {
		sum.Add(of(&v.Tokens[i]))
	}
	sum.Unknown = min(sum.Unknown, 1)
	return &sum
}
