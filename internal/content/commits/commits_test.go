package commits_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/diff"
)

func TestOf(t *testing.T) {
	type trailers = []commits.Trailer
	tests := []struct {
		name, message string
		want          commits.Commit
	}{
		{"a subject", "Parse dates\n", commits.Commit{Subject: "Parse dates", Trailers: trailers{}}},
		{"nothing", "", commits.Commit{Trailers: trailers{}}},
		{"a subject of two lines", "\n\nParse\n  dates\n\nbody\n\nmore\n", commits.Commit{Subject: "Parse   dates", Body: "body\n\nmore", Trailers: trailers{}}},
		{"trailers", "a\n\nb\n\nIssue: #1\nSigned-off-by: A\n <a@b.c>\n", commits.Commit{
			Subject: "a", Body: "b\n\nIssue: #1\nSigned-off-by: A\n <a@b.c>",
			Trailers: trailers{{Key: "Issue", Value: "#1"}, {Key: "Signed-off-by", Value: "A <a@b.c>"}},
		}},
		{"a subject after blanks", " fix: a \n", commits.Commit{Subject: " fix: a", Trailers: trailers{}}},
		{"a subject like a trailer", "fix: a\n", commits.Commit{Subject: "fix: a", Trailers: trailers{}}},
		{"a paragraph with other lines", "a\n\nIssue: #1\nmore\n", commits.Commit{Subject: "a", Body: "Issue: #1\nmore", Trailers: trailers{}}},
		{"carriage returns", "a\r\n\r\nIssue: #1\r\n", commits.Commit{Subject: "a", Body: "Issue: #1", Trailers: trailers{{Key: "Issue", Value: "#1"}}}},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, commits.Of(tt.message)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

type source []diff.Message

func (s source) Messages(context.Context, diff.Base, diff.Head) ([]diff.Message, error) {
	return s, nil
}

func TestReadIsBounded(t *testing.T) {
	read := func(list ...diff.Message) (int, string) {
		got, err := commits.Read(t.Context(), source(list), diff.Changeset{})
		if err != nil {
			return 0, err.Error()
		}
		return len(got), ""
	}
	if n, problem := read(diff.Message{Commit: "1", Text: "a"}, diff.Message{Commit: "2"}); n != 2 || problem != "" {
		t.Errorf("%d commits, %q; want 2", n, problem)
	}
	if _, problem := read(make([]diff.Message, commits.MaxCommits+1)...); !strings.Contains(problem, "10001 commits; want at most 10000") {
		t.Errorf("too many commits: %q", problem)
	}
	if _, problem := read(diff.Message{Text: strings.Repeat("a", commits.MaxBytes+1)}); !strings.Contains(problem, "more than 16 MiB") {
		t.Errorf("a message that is too long: %q", problem)
	}
}

func FuzzOf(f *testing.F) {
	f.Add("a\n\nb: c\n d\n")
	f.Add("\n \nSigned-off-by: \xff\n(cherry picked from commit x)\n")
	f.Fuzz(func(t *testing.T, message string) {
		c := commits.Of(message)
		if strings.ContainsAny(c.Subject, "\n") {
			t.Errorf("subject %q of %q; want one line", c.Subject, message)
		}
		for _, trailer := range c.Trailers {
			if trailer.Key == "" || strings.ContainsAny(trailer.Key, "\n:") || !strings.Contains(message, trailer.Key) {
				t.Errorf("trailer %q of %q", trailer, message)
			}
		}
	})
}
