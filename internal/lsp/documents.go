package lsp

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// document is an open document of the repository.
type document struct {
	text    string
	edits   int // how often it was edited
	saved   int // edits when it was saved
	checked int // edits that the last check saw; what that found holds for it
}

// didOpen notes a document, and asks for a check, since files may have changed outside of the editor.
func (s *server) didOpen(params json.RawMessage) *fault {
	p, f := parse[opened](params)
	if f != nil {
		return f
	}
	if f := s.note(p); f != nil {
		return f
	}
	s.ask()
	return nil
}

// note notes an open document.
func (s *server) note(p opened) *fault {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name, f := s.pathOf(p.Document.URI)
	if f != nil {
		return f
	}
	s.open[name] = &document{text: p.Document.Text, checked: -1}
	if _, ok := s.sent[name]; ok {
		s.sent[name] = "" // a client that opens a file again may have dropped its diagnostics
	}
	s.refresh(name)
	return nil
}

// document returns an open document. The caller holds the mutex.
func (s *server) document(uri string) (string, *document, *fault) {
	name, f := s.pathOf(uri)
	if f != nil {
		return "", nil, f
	}
	d := s.open[name]
	if d == nil {
		return "", nil, invalid("%.200q is not open", name)
	}
	return name, d, nil
}

// didChange applies edits to a document.
func (s *server) didChange(params json.RawMessage) *fault {
	p, f := parse[edited](params)
	if f != nil {
		return f
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name, d, f := s.document(p.Document.URI)
	if f != nil {
		return f
	}
	d.edits++
	s.typing.Reset(typingPause)
	for _, c := range p.Changes {
		if c.Range == nil {
			d.text = c.Text
			continue
		}
		from, to := at(d.text, c.Range.Start), at(d.text, c.Range.End)
		if from > to {
			return invalid("the range of a change ends before it begins")
		}
		if len(d.text)-(to-from)+len(c.Text) > maxMessage {
			return invalid("%s would have more than %d bytes", name, maxMessage)
		}
		d.text = d.text[:from] + c.Text + d.text[to:]
	}
	s.refresh(name)
	return nil
}

// didSave asks for a check.
func (s *server) didSave(params json.RawMessage) *fault {
	p, f := parse[about](params)
	if f != nil {
		return f
	}
	s.mutex.Lock()
	name, d, f := s.document(p.Document.URI)
	if f == nil && d.saved != d.edits {
		d.saved = d.edits
		delete(s.pasts, name)
	}
	s.mutex.Unlock()
	s.ask() // a file that is not open may matter too
	return f
}

// didClose forgets a document, with what was not saved.
func (s *server) didClose(params json.RawMessage) *fault {
	p, f := parse[about](params)
	if f != nil {
		return f
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name, d, f := s.document(p.Document.URI)
	if f != nil {
		return f
	}
	if delete(s.open, name); d.saved != d.edits {
		s.typing.Reset(typingPause) // what was checked was not saved
	}
	s.refresh(name)
	return nil
}

// written reports whether the server helps to write a file. The caller holds the mutex.
func (s *server) written(name string) bool { return name == setup.ConfigFile || s.isRule(name) }

// isRule reports whether a file is a rule. The caller holds the mutex.
func (s *server) isRule(name string) bool {
	_, ok := s.ruleBelow(name)
	return ok
}

// ruleBelow returns the directory that a rule is about, with "/" at its end; empty: the whole
// repository. It is not ok if the file is no rule. The caller holds the mutex.
func (s *server) ruleBelow(name string) (below string, ok bool) {
	nested := rule.DefaultConfig().RulesDir
	own := nested
	if p := s.found.project; p != nil {
		own = p.Config.RulesDir
	}
	dir := path.Dir(name)
	switch {
	case !rule.IsRuleFile(path.Base(name)):
		return "", false
	case dir == own:
		return "", true
	}
	below, ok = strings.CutSuffix(dir, nested)
	return below, ok && strings.HasSuffix(below, "/")
}

// tooLong reports whether a text is longer than a file of its kind may be.
func (d *document) tooLong() bool { return len(d.text) > regular.Text }
