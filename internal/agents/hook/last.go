package hook

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LastRuns returns the last row of each agent in the journals below a git directory, by the
// agents' names.
func LastRuns(ctx context.Context, gitDir string) (map[string]Row, error) {
	entries, err := os.ReadDir(JournalDir(gitDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	last := map[string]Row{}
	for _, e := range entries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !strings.HasSuffix(e.Name(), ext) || !e.Type().IsRegular() {
			continue
		}
		j := &Journal{dir: filepath.Clean(JournalDir(gitDir)), name: e.Name()}
		rows, err := j.Tail()
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.At.After(last[row.Adapter].At) {
				last[row.Adapter] = row
			}
		}
	}
	return last, nil
}
