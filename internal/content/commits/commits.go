// Package commits establishes facts about the commits of a change from their messages.
package commits

import (
	"context"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Commit is one commit of a change, or the one that is being made.
type Commit struct {
	ID       string       `json:"id,omitempty"` // empty: it is being made
	Subject  string       `json:"subject"`      // the first paragraph on one line
	Body     string       `json:"body"`         // the rest, with its trailers
	Author   *diff.Author `json:"author,omitempty"`
	Trailers []Trailer    `json:"trailers"`
	Merge    bool         `json:"merge"` // it has several parents
}

// Trailer is a line such as "Signed-off-by: A <a@example.com>" at the end of a message, with
// the lines that continue it.
type Trailer struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Limits of what is read: the number of commits, and the bytes of their messages.
const (
	MaxCommits = 10_000
	MaxBytes   = 16 << 20
)

// Messenger lists the commits of a change with their messages; every [diff.Engine] does.
type Messenger interface {
	Messages(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Message, error)
}

// Read returns the commits that the head of a changeset has and its base does not, newest
// first. It fails where they are more than the limits.
func Read(ctx context.Context, from Messenger, c diff.Changeset) ([]Commit, error) {
	messages, err := from.Messages(ctx, c.Base, c.Head)
	if err != nil {
		return nil, err
	}
	if len(messages) > MaxCommits {
		return nil, fmt.Errorf("the change has %d commits; want at most %d to read their messages", len(messages), MaxCommits)
	}
	commits, size := make([]Commit, len(messages)), 0
	for i, m := range messages {
		if size += len(m.Text); size > MaxBytes {
			return nil, fmt.Errorf("the messages of the commits have more than %d MiB; want at most that to read them", MaxBytes>>20)
		}
		commits[i] = Of(m.Text)
		commits[i].ID, commits[i].Author, commits[i].Merge = m.Commit, &m.Author, m.Merge
	}
	return commits, nil
}

// Of returns the commit with a message, as far as the message shows it.
func Of(message string) Commit {
	lines := strings.Split(strings.TrimRight(message, space), "\n")
	for len(lines) > 1 && isEmpty(lines[0]) {
		lines = lines[1:]
	}
	end := 0
	var subject []string
	for ; end < len(lines) && !isEmpty(lines[end]); end++ {
		subject = append(subject, strings.TrimRight(lines[end], space)) // as %s of git log, which keeps blanks before it
	}
	body := lines[end:]
	for len(body) > 0 && isEmpty(body[0]) {
		body = body[1:]
	}
	return Commit{
		Subject:  strings.Join(subject, " "),
		Body:     strings.Join(body, "\n"),
		Trailers: trailersOf(lines),
	}
}

// trailersOf returns the trailers of a message; see [TrailerBlock].
func trailersOf(lines []string) []Trailer {
	list := []Trailer{}
	from, to := TrailerBlock(lines)
	for i := from; i < to; {
		t, ok := TrailerIn(lines[i])
		if i++; !ok {
			continue
		}
		t, i = t.With(lines, i, to)
		list = append(list, t)
	}
	return list
}
