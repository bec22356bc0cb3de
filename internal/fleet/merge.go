package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// Merger collects the rows of ledgers. It holds where each row is, and reads it when it is
// needed.
type Merger struct {
	rows   map[string]entry // by the unit's id
	rules  *rules
	list   string         // digest; empty: no ledger yet
	units  map[string]int // of each shard, by I/N
	count  string         // N
	ledger string         // the first
	named  []report.Rule  // with their final ids; nil: Report and Units were not called
	sorter sorter
}

// Opener opens a ledger. It is called for every row that is read.
type Opener func() (io.ReadSeekCloser, error)

// entry is a row of a ledger.
type entry struct {
	key      string
	status   int
	err      string // empty: there is a result
	rules    ruleSet
	sessions bool // the result has some

	ledger string // name
	open   Opener
	offset int64
	size   int // bytes
}

// NewMerger returns a Merger without rows. Close releases what it holds.
func NewMerger() *Merger {
	return &Merger{rows: map[string]entry{}, rules: newRules(), units: map[string]int{}}
}

// Close removes what the Merger wrote.
func (m *Merger) Close() error { return m.sorter.close() }

// Add reads a ledger; name is that of its file, for errors. Of several rows of a unit in one
// ledger the last one counts: its repository had changed between two runs.
func (m *Merger) Add(name string, open Opener) error {
	rows, h, err := m.index(name, open)
	if err == nil {
		err = m.addHeader(name, h)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for id, row := range rows {
		if other, ok := m.rows[id]; ok && other.key != row.key {
			return fmt.Errorf("%s: %s has another result of unit %q; want the ledgers of one run", name, other.ledger, id)
		}
		if other, ok := m.rows[id]; !ok || other.err != "" { // the same unit may have an error in a copy of the ledger
			m.rows[id] = row
		}
	}
	return nil
}

// index reads the header of a ledger and where its rows are.
func (m *Merger) index(name string, open Opener) (rows map[string]entry, h header, err error) {
	file, err := open()
	if err != nil {
		return nil, h, err
	}
	defer file.Close()
	rows, end := map[string]entry{}, int64(0)
	err = eachLine(file, func(line []byte) (err error) {
		begin := end
		end += int64(len(line)) + 1
		if begin == 0 {
			h, err = readHeader(line)
			return err
		}
		var row Row
		if err := json.Unmarshal(line, &row); err != nil || row.ID == "" {
			return errors.Join(errors.New("a row of another form; want a ledger as rulecheck fleet wrote it"), err)
		}
		e := entry{key: row.Key, status: row.Status, err: row.Error, ledger: name, open: open, offset: begin, size: len(line)}
		if row.Error == "" {
			result, err := report.ReadRowHead(row.Result)
			if err != nil {
				return wrongRow(row.ID, err)
			}
			e.rules, e.sessions = m.rules.add(result.Rules), result.Sessions > 0
		}
		rows[row.ID] = e
		return nil
	})
	if err == nil && end == 0 {
		err = errors.New("empty; want a file that rulecheck fleet wrote")
	}
	return rows, h, err
}

func wrongRow(id string, err error) error {
	return fmt.Errorf("unit %q: %w; want a ledger of this version of rulecheck", id, err)
}

func (m *Merger) addHeader(name string, h header) error {
	s, err := ParseShard(h.Shard)
	if err != nil {
		return err
	}
	if m.list == "" {
		m.list, m.ledger, m.count = h.List, name, strconv.Itoa(s.Count)
	}
	if m.list != h.List || m.count != strconv.Itoa(s.Count) {
		return fmt.Errorf("of another list, or divided differently, than %s; want the ledgers of one run", m.ledger)
	}
	m.units[h.Shard] = h.Units
	return nil
}

// missing lists what the ledgers do not have: a unit without a result is not clean.
func (m *Merger) missing() []finding.Problem {
	if m.list == "" {
		return nil
	}
	var problems []finding.Problem
	s, _ := ParseShard("1/" + m.count) // as addHeader read it
	want, lost := 0, 0
	for i := range s.Count {
		units, ok := m.units[Shard{i + 1, s.Count}.String()]
		if want += units; !ok {
			lost++
		}
	}
	if lost > 0 {
		problems = append(problems, notEvaluated(fmt.Sprintf("the ledgers of %s of %d are missing; want those of all shards", report.Count(lost, "shard"), s.Count)))
	}
	if n := want - len(m.rows); n > 0 {
		problems = append(problems, notEvaluated(report.Count(n, "unit")+" of the list without a result; run rulecheck fleet again with the same list and ledgers"))
	}
	return problems
}

func notEvaluated(message string) finding.Problem {
	return finding.Problem{Code: report.NotEvaluated, Message: message}
}
