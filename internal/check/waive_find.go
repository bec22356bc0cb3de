package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// excuses looks for waivers in all their places. Git is asked only where there is
// something to waive, and what commits changed only where one has the trailer.
func (j *judge) excuses(ctx context.Context, c diff.Changeset, staged map[string]bool, findings []finding.Finding) (found, error) {
	if len(findings) == 0 {
		return found{}, nil
	}
	w := waiving{judge: j}
	if err := w.message(ctx, staged); err != nil {
		return found{}, err
	}
	if err := w.commits(ctx, c); err != nil {
		return found{}, err
	}
	w.promises("the pull request", finding.Waiver{Source: finding.PullRequest}, j.options.Waivers.PullRequest)
	w.environment()
	return w.found, nil
}

// waiving is a search for waivers under way.
type waiving struct {
	judge *judge
	found
}

// message reads the one being written: what it waives is what is staged.
func (w *waiving) message(ctx context.Context, staged map[string]bool) error {
	o := w.judge.options.Waivers
	if o.MessageFile == "" {
		return nil
	}
	mark, err := w.judge.git.CommentMark(ctx)
	if err != nil {
		return err
	}
	text := cleaned(o.Message, mark)
	source := finding.Waiver{Source: finding.Message}
	w.trailers("the message", source, text, staged)
	w.promises("the message", source, text)
	return nil
}

// commits reads the messages of those that head has and base has not.
func (w *waiving) commits(ctx context.Context, c diff.Changeset) error {
	messages, err := w.judge.bases.messagesOf(ctx, c)
	if err != nil {
		return err
	}
	var carriers []string
	for _, m := range messages {
		if values, _ := trailersIn(m.Text, waiveKey); len(values) > 0 {
			carriers = append(carriers, m.Commit)
		}
	}
	touched := map[string][]string{}
	if len(carriers) > 0 {
		if touched, err = w.judge.git.Touched(ctx, carriers); err != nil {
			return err
		}
	}
	for _, m := range messages {
		in := "commit " + m.Commit[:min(7, len(m.Commit))]
		w.trailers(in, finding.Waiver{Source: finding.Trailer, Commit: m.Commit}, m.Text, setOf(touched[m.Commit]))
		w.promises(in, finding.Waiver{Source: finding.Promise, Commit: m.Commit}, m.Text)
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

// trailers excuse what the names made that their commit changed.
func (w *waiving) trailers(in string, source finding.Waiver, text string, covers map[string]bool) {
	values, strays := trailersIn(text, waiveKey)
	for _, value := range values {
		id, reason, ok := w.named(in, waiveKey+":", value)
		if ok {
			source.Reason = reason
			w.waivers = append(w.waivers, waiver{rule: id, covers: covers, Waiver: w.ofChange(source)})
		}
	}
	for _, value := range strays {
		w.notice("%s: %q waives nothing: it is no trailer, because it does not stand in a last paragraph of trailers", in, waiveKey+": "+oneLine(value))
	}
}

// promises excuse whatever their rule finds.
func (w *waiving) promises(in string, source finding.Waiver, text string) {
	for _, p := range promisesIn(text) {
		id, ok := w.judge.promisedRule(p.name)
		if !ok {
			w.notice("%s: the promise %q waives nothing%s", in, oneLine(p.name), w.judge.noRule(p.name, true))
			continue
		}
		source.Reason = p.reason
		w.waivers = append(w.waivers, waiver{rule: id, Waiver: w.ofChange(source)})
	}
}

// environment reads what whoever commits has said to this run alone.
func (w *waiving) environment() {
	const name = "RULECHECK_WAIVE"
	for line := range strings.Lines(w.judge.options.Waivers.Environment) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		id, reason, ok := w.named(name, "", line)
		if !ok {
			continue
		}
		v := finding.Waiver{Source: finding.Environment, Reason: reason}
		switch {
		case w.judge.options.Waivers.Off:
			v.NotHonoured = noWaivers
		case !w.judge.options.Staged:
			v.NotHonoured = name + " waives at a commit only, with --staged"
		}
		w.waivers = append(w.waivers, waiver{rule: id, Waiver: v})
	}
}

// noWaivers is why a run honours none.
const noWaivers = "--no-waivers"

// ofChange completes a waiver that the change itself brings.
func (w *waiving) ofChange(v finding.Waiver) finding.Waiver {
	v.NotHonoured = w.judge.options.Waivers.Distrust
	if w.judge.options.Waivers.Off {
		v.NotHonoured = noWaivers
	}
	return v
}

// named reads "<rule id> <reason>". Without a known rule and a reason there is no
// waiver.
func (w *waiving) named(in, key, value string) (id, reason string, ok bool) {
	shown := strings.TrimSpace(key + " " + oneLine(value))
	id, reason, _ = strings.Cut(strings.TrimSpace(strings.ReplaceAll(value, "\t", " ")), " ")
	reason = oneLine(reason)
	if !slices.Contains(w.judge.ruleIDs(), id) {
		w.notice("%s: %q waives nothing%s", in, shown, w.judge.noRule(id, false))
		return "", "", false
	}
	if reason == "" {
		w.notice("%s: %q waives nothing; want a reason behind the rule", in, shown)
	}
	return id, reason, reason != ""
}

// notice tells of a waiver that could not be read, once. More than are told of
// need not be kept.
func (w *waiving) notice(format string, args ...any) {
	if len(w.notices) > maxWaiverNotices {
		return
	}
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.notices, text) {
		w.notices = append(w.notices, text)
	}
}
