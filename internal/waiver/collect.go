package waiver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Collector finds the waivers of the findings of one check and applies them.
type Collector struct {
	Options

	Project *setup.Project
	Engine  diff.Engine
	Head    diff.Head
	Staged  bool          // the index is checked
	FailOn  finding.Level // the lowest level that fails the run

	shown []string // notices on malformed waivers so far
	// trailers report, for each changeset, whether a trailer of the commit being made
	// would waive a finding.
	trailers []func(finding.Finding) bool
}

// Collect reads the waivers of a changeset from all sources. It asks git only if there
// are findings to waive, and for the files of commits only if one has a trailer.
func (c *Collector) Collect(ctx context.Context, changes diff.Changeset, staged map[string]bool, findings []finding.Finding) (Set, error) {
	if len(findings) == 0 {
		return Set{}, nil
	}
	s := search{Collector: c}
	if err := s.readMessage(ctx, staged); err != nil {
		return Set{}, err
	}
	if err := s.readCommits(ctx, changes); err != nil {
		return Set{}, err
	}
	s.addPromises("the pull request", finding.Waiver{Source: finding.PullRequest}, c.PullRequest)
	s.readEnvironment()
	return s.found, nil
}

// search is one search for waivers and what it has found so far.
type search struct {
	*Collector

	found Set
}

// readMessage reads the commit message being written: it waives findings on staged files.
func (s *search) readMessage(ctx context.Context, staged map[string]bool) error {
	if s.MessageFile == "" {
		return nil
	}
	mark, err := s.Engine.CommentMark(ctx)
	if err != nil {
		return err
	}
	text := Cleaned(s.Message, mark)
	source := finding.Waiver{Source: finding.Message}
	s.addTrailers("the message", source, text, staged)
	s.addPromises("the message", source, text)
	return nil
}

// readCommits reads the messages of the commits between base and head.
func (s *search) readCommits(ctx context.Context, changes diff.Changeset) error {
	messages, err := s.Engine.Messages(ctx, changes.Base, changes.Head)
	if err != nil {
		return err
	}
	var carriers []string
	for _, m := range messages {
		if values, _ := trailersIn(m.Text, trailerKey); len(values) > 0 || noIfChangeIn(m.Text) != "" {
			carriers = append(carriers, m.Commit)
		}
	}
	touched := map[string][]string{}
	if len(carriers) > 0 {
		if touched, err = s.Engine.Touched(ctx, carriers); err != nil {
			return err
		}
	}
	for _, m := range messages {
		in := "commit " + m.Commit[:min(7, len(m.Commit))]
		s.addTrailers(in, finding.Waiver{Source: finding.Trailer, Commit: m.Commit}, m.Text, setOf(touched[m.Commit]))
		s.addPromises(in, finding.Waiver{Source: finding.Promise, Commit: m.Commit}, m.Text)
	}
	return nil
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// addTrailers adds the trailers of a message. They cover the files that its commit
// changed.
func (s *search) addTrailers(in string, source finding.Waiver, text string, covers map[string]bool) {
	values, strays := trailersIn(text, trailerKey)
	for _, value := range values {
		id, reason, ok := s.parse(in, trailerKey+":", value)
		if ok {
			source.Reason = reason
			s.add(waiver{rule: id, covers: covers, Waiver: s.ofChange(source)})
		}
	}
	s.addNoIfChange(source, text, covers)
	for _, value := range strays {
		s.notice("%s: %q is ignored: trailers must be the last paragraph", in, trailerKey+": "+oneLine(value))
	}
}

// addPromises adds the promises of a text. They cover all findings of their rule.
func (s *search) addPromises(in string, source finding.Waiver, text string) {
	for _, p := range promisesIn(text) {
		id, ok := s.promisedRule(p.name)
		if !ok {
			s.notice("%s: the promise %q is ignored%s", in, oneLine(p.name), s.unknownRule(p.name, true))
			continue
		}
		source.Reason = p.reason
		s.add(waiver{rule: id, Waiver: s.ofChange(source)})
	}
}

// readEnvironment reads the waivers that the committer gives for this run alone.
func (s *search) readEnvironment() {
	const name = "RULECHECK_WAIVE"
	for line := range strings.Lines(s.Environment) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		id, reason, ok := s.parse(name, "", line)
		if !ok {
			continue
		}
		v := finding.Waiver{Source: finding.Environment, Reason: reason}
		switch {
		case s.Off:
			v.NotHonoured = noWaivers
		case !s.Staged:
			v.NotHonoured = name + " waives at a commit only, with --staged"
		}
		s.add(waiver{rule: id, Waiver: v})
	}
}

func (s *search) add(w waiver) { s.found.waivers = append(s.found.waivers, w) }

// noWaivers is the reason why a run honours no waivers.
const noWaivers = "--no-waivers"

// KnownNotHonoured returns why the run honours no known findings; empty: it does. They are
// read with the rules, so that the author of an untrusted change has no say.
func (c *Collector) KnownNotHonoured() string {
	if c.Off {
		return noWaivers
	}
	return ""
}

// ofChange completes a waiver that is part of the change itself.
func (s *search) ofChange(v finding.Waiver) finding.Waiver {
	v.NotHonoured = s.Distrust
	if s.Off {
		v.NotHonoured = noWaivers
	}
	return v
}

// parse reads "<rule id> <reason>". It gives a notice if the rule is unknown or the
// reason missing.
func (s *search) parse(in, key, value string) (id, reason string, ok bool) {
	shown := strings.TrimSpace(key + " " + oneLine(value))
	id, reason, _ = strings.Cut(strings.TrimSpace(strings.ReplaceAll(value, "\t", " ")), " ")
	if plain.Blank(reason) {
		reason = ""
	}
	reason = oneLine(reason)
	if !slices.Contains(s.ruleIDs(), id) {
		s.notice("%s: %q is ignored%s", in, shown, s.unknownRule(id, false))
		return "", "", false
	}
	if reason == "" {
		s.notice("%s: %q is ignored; want a reason after the id of the rule", in, shown)
	}
	return id, reason, reason != ""
}

// notice adds a notice on a malformed waiver once. Beyond the number that is shown,
// notices are dropped.
func (s *search) notice(format string, args ...any) {
	if len(s.found.notices) > maxNotices {
		return
	}
	if text := fmt.Sprintf(format, args...); !slices.Contains(s.found.notices, text) {
		s.found.notices = append(s.found.notices, text)
	}
}
