package check

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/waiver"
)

// pending returns how the message of the commit that is being made is read; nil if none is.
func (r *run) pending() func(context.Context) (string, error) {
	if r.Waivers.MessageFile == "" {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		mark, err := r.engine.CommentMark(ctx)
		return waiver.Cleaned(r.Waivers.Message, mark), err
	}
}
