package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// happening is one event in the history of a repository in which an agent works.
type happening struct {
	kind      string // prompt, write, call or stop
	session   string
	file      string // that is written
	text      string // its content; empty: it is deleted
	promise   string // in the answer of a stop
	continued bool
}

// modelFinding is a finding of the model: a rule, and what makes it the same as another.
type modelFinding struct{ rule, identity string }

// modelSession counts the refusals of a session, and keeps the files at its prompt.
type modelSession struct {
	refusals, calls, callsThen int
	byRule                     map[string]int
	base                       modelBase
	checked                    bool // a stop was allowed since the base
}

// modelBase holds the files at a prompt, which has a number; 0: before all prompts.
type modelBase struct {
	prompt int
	files  map[string]string
}

// verdictOf returns what the documentation promises about the last event of a history, which is a
// stop. It replays all of it, and shares nothing with the program.
func verdictOf(history []happening) (refused []string, open int) {
	files := map[string]string{}
	var last modelBase                   // of any session
	entries := map[modelFinding]string{} // status
	sessions := map[string]*modelSession{}
	for _, h := range history {
		s := sessions[h.session]
		if s == nil {
			s = &modelSession{byRule: map[string]int{}}
			sessions[h.session] = s
		}
		switch h.kind {
		case "prompt":
			if s.base.prompt == 0 || s.checked {
				last = modelBase{last.prompt + 1, maps.Clone(files)}
				s.base, s.checked = last, false
			}
		case "write":
			files[h.file] = h.text
			if h.text == "" {
				delete(files, h.file)
			}
		case "call":
			s.calls++
		case "stop":
			base := s.base
			if base.prompt == 0 {
				base = last
			}
			refused, open = s.stop(h, entries, violations(files, base.files, base.prompt))
			s.checked = s.checked || len(refused) == 0
		}
	}
	return refused, open
}

// violations returns the findings of the two rules about changes.
func violations(files, before map[string]string, prompt int) []modelFinding {
	changed := func(name string) bool { return files[name] != before[name] }
	var list []modelFinding
	names := slices.Sorted(maps.Keys(files))
	for name := range before {
		if _, there := files[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var pages []string
	for _, name := range names {
		stem, isSource := strings.CutPrefix(strings.TrimSuffix(name, ".py"), "src/")
		switch {
		case !changed(name):
		case isSource && !changed("tests/"+stem+"_test.py"):
			list = append(list, modelFinding{"Tests", fmt.Sprint(prompt, name, files[name])})
		case strings.HasPrefix(name, "docs/"):
			pages = append(pages, name, files[name])
		}
	}
	if len(pages) > 0 {
		list = append(list, modelFinding{"Pages", fmt.Sprint(prompt, pages)})
	}
	return list
}

// stop decides about a stop: a finding refuses once, a rule three times in a session, all
// rules eight times, and an agent that did nothing since a refusal may stop.
func (s *modelSession) stop(h happening, entries map[modelFinding]string, found []modelFinding) (refused []string, open int) {
	idle := h.continued && s.refusals > 0 && s.calls <= s.callsThen
	var blocking []modelFinding
	for _, f := range found {
		switch {
		case entries[f] == "passed":
		case f.rule == h.promise:
			entries[f] = "passed"
		case entries[f] != "" || idle || s.byRule[f.rule] >= 3 || s.refusals >= 8:
			open++
		default:
			blocking = append(blocking, f)
		}
	}
	for f, status := range entries { // also those that no longer exist
		if f.rule == h.promise && status == "open" {
			entries[f] = "passed"
		}
	}
	for _, f := range blocking {
		entries[f] = "open"
		if !slices.Contains(refused, f.rule) {
			refused = append(refused, f.rule)
			s.byRule[f.rule]++
		}
	}
	if len(blocking) == 0 {
		return nil, open
	}
	s.refusals++
	s.callsThen = s.calls
	slices.Sort(refused)
	return refused, 0 // a refusal shows nothing else
}
