package trust

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// Grant adds settings and the commands that head has and base does not. A trusted setting
// counts only while no other command is new: another branch could have the same setting,
// and run something else with it.
func (r Record) Grant(settings []Setting, head, base Settings, now time.Time) Record {
	r.Time = now.UTC().Truncate(time.Second)
	for _, s := range settings {
		r.Settings = add(r.Settings, Entry{s.Digest(), s.String()})
	}
	for _, id := range head.newCommands(base) {
		argv := head.Actions[id].Argv
		r.Commands = add(r.Commands, Entry{commandDigest(id, argv), id + ": " + strings.Join(argv, " ")})
	}
	return r
}

func add(list []Entry, e Entry) []Entry {
	if has(list, e.Digest) {
		return list
	}
	return append(list, e)
}

func has(list []Entry, digest string) bool {
	return slices.ContainsFunc(list, func(e Entry) bool { return e.Digest == digest })
}

// newCommands returns the rules of the repository whose command base does not have.
func (s Settings) newCommands(base Settings) []string {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(s.Actions)) {
		if before := base.Actions[id]; s.Own[id] && (before == nil || !slices.Equal(before.Argv, s.Actions[id].Argv)) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Trusts returns whether a setting is trusted for the commands of head. Settings of a rule
// name its command; the others need every new command to be trusted.
func (r Record) Trusts(head, base Settings) func(Setting) bool {
	known := !slices.ContainsFunc(head.newCommands(base), func(id string) bool {
		return !has(r.Commands, commandDigest(id, head.Actions[id].Argv))
	})
	return func(s Setting) bool { return (known || s.Rule != "") && has(r.Settings, s.Digest()) }
}

// Texts returns the settings and commands as lines for people.
func (r Record) Texts() (settings, commands []string) {
	for _, e := range r.Settings {
		settings = append(settings, finding.Visible(e.Text))
	}
	for _, e := range r.Commands {
		commands = append(commands, finding.Visible(e.Text))
	}
	return settings, commands
}
