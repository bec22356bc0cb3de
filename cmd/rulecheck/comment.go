package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/report/comment"
)

// The bytes that are read at most of a report, and of a comment, which GitLab limits to 1 MB.
const (
	maxReport  = 8 << 20
	maxComment = 4 << 20
)

func newComment(p *process) *cobra.Command {
	var previous string
	var o comment.Options
	cmd := &cobra.Command{
		Use:   "comment REPORT",
		Short: "Write a report as the comment on a pull request",
		Long: `comment reads a report that --format json wrote, and writes the text of a comment
on the pull request. The text begins with a hidden list of the findings. With
--previous, the current comment, findings that are no longer reported are marked.
Nothing is written if there is nothing to report and no previous comment.

Text from the report is written as code, so that it mentions no one and contains no
links: the author of the change may have written the report.

Exit status: 0 written, 2 wrong usage, 3 a file could not be read.`,
		Example: `  rulecheck comment report.json
  rulecheck comment report.json --previous comment.md --link https://ci.example/run/7`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := regular.ReadAtMost(args[0], maxReport)
			if err != nil {
				return evaluationError{fmt.Errorf("%w; want a report that rulecheck --format json=FILE wrote", err)}
			}
			r, err := comment.Read(text)
			if err != nil {
				return evaluationError{fmt.Errorf("%s: %w", args[0], err)}
			}
			if previous != "" {
				before, err := regular.ReadAtMost(previous, maxComment)
				if err != nil {
					return evaluationError{fmt.Errorf("--previous: %w", err)}
				}
				o.Previous = string(before)
			}
			written, err := comment.Text(r, o)
			if err != nil {
				return evaluationError{err}
			}
			return markdown.Fprint(p.stdout, written)
		},
	}
	cmd.Flags().StringVar(&previous, "previous", "", "mark findings that the comment in `FILE` lists and the report does not")
	cmd.Flags().StringVar(&o.Link, "link", "", "link to the run at this `URL`")
	return cmd
}
