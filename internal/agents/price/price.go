// Package price knows what calls of models cost: a dated table of prices, made by scripts/prices.sh
// from the npm package @pydantic/genai-prices.
package price

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed" // for the table
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/inflate"
	"github.com/rulecheck/rulecheck/internal/money"
)

//go:embed prices.json.gz
var packed []byte

// Table is a table of prices.
type Table struct {
	Source    string     `json:"source"`
	Version   string     `json:"version"`
	Date      string     `json:"date"`   // of its release: 2026-09-23
	Digest    string     `json:"digest"` // of what it was made from
	License   string     `json:"license"`
	Providers []provider `json:"providers"`

	mu    sync.Mutex
	found map[string]*model // by the names of models; nil: none
	end   time.Time         // of Date

	// Sum identifies the table.
	Sum [sha256.Size]byte `json:"-"`
}

type provider struct {
	ID     string  `json:"id"`
	Match  match   `json:"match"`
	Models []model `json:"models"`
}

type model struct {
	ID     string  `json:"id"`
	Match  match   `json:"match"`
	Prices []price `json:"prices"` // the last that fits the time counts; the first if none fits
}

// price has the prices of tokens by the number of input tokens of a call.
type price struct {
	From  string   `json:"from,omitempty"`  // a day
	Hours []string `json:"hours,omitempty"` // from and to, in UTC

	Input       steps `json:"input"`
	Output      steps `json:"output"`
	CacheRead   steps `json:"cache_read"`
	CacheWrite  steps `json:"cache_write"`
	LongerWrite steps `json:"cache_write_1h"`
}

// steps are pairs of a number of input tokens and the price of a token in calls with more.
type steps [][2]int64

// match selects names of models. Exactly one field is set.
type match struct {
	Or       []match `json:"or,omitempty"`
	And      []match `json:"and,omitempty"`
	Equals   string  `json:"equals,omitempty"`
	Starts   string  `json:"starts_with,omitempty"`
	Ends     string  `json:"ends_with,omitempty"`
	Contains string  `json:"contains,omitempty"`
	Regex    string  `json:"regex,omitempty"`
	Not      *match  `json:"not,omitempty"`
}

// Builtin returns the table of this program.
var Builtin = sync.OnceValues(func() (*Table, error) { return Read(packed) })

// MaxTable is the largest table that is read.
const MaxTable = 16 << 20

// Read reads a table, as JSON or compressed.
func Read(data []byte) (*Table, error) {
	sum := sha256.Sum256(data)
	text, closes, err := inflate.Open(bufio.NewReader(bytes.NewReader(data)), MaxTable)
	if err != nil {
		return nil, fmt.Errorf("prices: %w", err)
	}
	defer closes()
	t := &Table{found: map[string]*model{}, Sum: sum}
	decoder := json.NewDecoder(io.LimitReader(text, MaxTable))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(t); err != nil {
		return nil, fmt.Errorf("prices: %w; want JSON as scripts/prices.mjs writes it", err)
	}
	day, err := time.Parse(time.DateOnly, t.Date)
	if err != nil {
		return nil, fmt.Errorf("prices: bad date %q; want the day of the table, such as 2026-09-23", t.Date)
	}
	t.end = day.AddDate(0, 0, 1)
	for _, p := range t.Providers {
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("prices: %s: %w", p.ID, err)
		}
	}
	return t, nil
}

func (p provider) check() error {
	errs := []error{p.Match.check()}
	for _, m := range p.Models {
		if len(m.Prices) == 0 {
			errs = append(errs, fmt.Errorf("%s: no prices", m.ID))
		}
		errs = append(errs, m.Match.check())
		for _, q := range m.Prices {
			if q.From != "" {
				_, err := time.Parse(time.DateOnly, q.From)
				errs = append(errs, err)
			}
			if len(q.Hours) != 0 && len(q.Hours) != 2 {
				errs = append(errs, fmt.Errorf("%s: bad hours %q; want two times", m.ID, q.Hours))
			}
			for _, s := range []steps{q.Input, q.Output, q.CacheRead, q.CacheWrite, q.LongerWrite} {
				for i, step := range s {
					if step[1] < 0 || step[0] < 0 || i == 0 && step[0] != 0 || i > 0 && step[0] <= s[i-1][0] {
						errs = append(errs, fmt.Errorf("%s: bad prices %v; want rising numbers of tokens from 0, each with a price", m.ID, s))
					}
				}
			}
		}
	}
	return errors.Join(errs...)
}

func (m match) check() error {
	for _, inner := range slices.Concat(m.Or, m.And) {
		if err := inner.check(); err != nil {
			return err
		}
	}
	if m.Not != nil {
		return m.Not.check()
	}
	_, err := regexp.Compile(m.Regex)
	return err
}

func (m match) fits(name string) bool {
	fold := strings.ToLower
	switch {
	case len(m.Or) > 0:
		for _, inner := range m.Or {
			if inner.fits(name) {
				return true
			}
		}
		return false
	case len(m.And) > 0:
		for _, inner := range m.And {
			if !inner.fits(name) {
				return false
			}
		}
		return true
	case m.Equals != "":
		return strings.EqualFold(name, m.Equals)
	case m.Starts != "":
		return strings.HasPrefix(fold(name), fold(m.Starts))
	case m.Ends != "":
		return strings.HasSuffix(fold(name), fold(m.Ends))
	case m.Contains != "":
		return strings.Contains(fold(name), fold(m.Contains))
	case m.Not != nil:
		return !m.Not.fits(name)
	case m.Regex != "":
		return regexp.MustCompile(m.Regex).MatchString(name) // checked when it was read
	}
	return false
}

// Call is one call of a model, or a sum of several.
type Call struct {
	Model  string
	At     time.Time
	Tokens fact.TokenCount
	Tier   string     // how it was served, if not in the standard way
	Stated *money.USD // the price that the log states; nil: none
	Sum    bool       // of several calls
}

// Cost returns what a call costs.
func (t *Table) Cost(c *Call) money.Cost {
	if c.Stated != nil {
		return money.Cost{USD: *c.Stated}
	}
	usd, why := t.priced(c)
	if why != "" {
		return money.Cost{Unknown: 1, Unpriced: 1, Why: why}
	}
	return money.Cost{USD: usd, Late: !c.At.Before(t.end)}
}

// priced returns the price of a call, or why it is not known.
func (t *Table) priced(c *Call) (sum money.USD, why string) {
	k := &c.Tokens
	if k.Input == nil || k.Output == nil || k.CacheRead == nil || k.CacheWrite == nil {
		return 0, "the log does not record all tokens of a call"
	}
	if *k.Input|*k.Output|*k.CacheRead|*k.CacheWrite == 0 {
		return 0, ""
	}
	m := t.model(c.Model)
	switch {
	case c.Model == "":
		return 0, "the log does not name the model"
	case c.Tier != "":
		return 0, fmt.Sprintf("the table has no prices of the service tier %.80q", c.Tier)
	case m == nil:
		return 0, fmt.Sprintf("no price is known for the model %.80q", c.Model)
	case c.At.IsZero() && len(m.Prices) > 1:
		return 0, fmt.Sprintf("the price of the model %.80q depends on the time of the call, which is not known", c.Model)
	}
	p := m.at(c.At)
	all := fact.SaturatedSum(*k.Input, fact.SaturatedSum(*k.CacheRead, *k.CacheWrite))
	long := int64(0)
	if k.LongWrite != nil {
		long = min(*k.LongWrite, *k.CacheWrite)
	}
	total := uint64(0)
	for _, part := range []struct {
		name string
		n    int64
		of   steps
	}{
		{"input tokens", *k.Input, p.Input},
		{"output tokens", *k.Output, p.Output},
		{"tokens read from the cache", *k.CacheRead, p.CacheRead.or(p.Input)},
		{"tokens written to the cache", *k.CacheWrite - long, p.CacheWrite.or(p.Input)},
		{"tokens written to the cache for an hour", long, p.LongerWrite},
	} {
		switch {
		case part.n == 0:
			continue
		case part.of == nil:
			return 0, fmt.Sprintf("the table has no price of %s of the model %.80q", part.name, c.Model)
		case c.Sum && len(part.of) > 1 && all > part.of[1][0]:
			return 0, fmt.Sprintf("the price of the model %.80q depends on the length of each call, and the log has a sum", c.Model)
		}
		high, low := bits.Mul64(uint64(part.n), uint64(part.of.of(all))) //nolint:gosec // neither is negative
		next, carry := bits.Add64(total, low, 0)
		if high|carry != 0 || next >= math.MaxInt64 {
			return 0, "a call costs more than can be counted"
		}
		total = next
	}
	return money.USD(total), ""
}

// or returns other if there are no steps.
func (s steps) or(other steps) steps {
	if s == nil {
		return other
	}
	return s
}

// of returns the price of a token in a call with this many input tokens.
func (s steps) of(input int64) (n int64) {
	for i, step := range s {
		if i == 0 || input > step[0] {
			n = step[1]
		}
	}
	return n
}

// at returns the prices of a time.
func (m *model) at(at time.Time) *price {
	if len(m.Prices) == 1 {
		return &m.Prices[0]
	}
	at = at.UTC()
	day, hour := at.Format(time.DateOnly), at.Format(time.TimeOnly)
	for i := len(m.Prices) - 1; i >= 0; i-- {
		p := &m.Prices[i]
		from, to := "", ""
		if len(p.Hours) == 2 {
			from, to = p.Hours[0], p.Hours[1]
		}
		inHours := from <= hour && hour < to
		if to < from {
			inHours = hour >= from || hour < to
		}
		if p.From <= day && (p.Hours == nil || inHours) {
			return p
		}
	}
	return &m.Prices[0]
}

// model finds the model with a name, which may begin with the name of its provider and a slash.
func (t *Table) model(name string) *model {
	t.mu.Lock()
	defer t.mu.Unlock()
	m, ok := t.found[name]
	if !ok {
		m = t.find(name)
		t.found[name] = m
	}
	return m
}

func (t *Table) find(name string) *model {
	vendor, rest, some := strings.Cut(name, "/")
	for i := range t.Providers {
		p := &t.Providers[i]
		switch {
		case some && p.ID == vendor:
			return p.find(rest)
		case p.Match.fits(name):
			return p.find(name)
		}
	}
	return nil
}

func (p *provider) find(name string) *model {
	for i := range p.Models {
		if p.Models[i].Match.fits(name) {
			return &p.Models[i]
		}
	}
	return nil
}
