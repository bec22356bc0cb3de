package diff

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/git"
)

// entry is one file of the index or of a commit.
type entry struct{ path, mode, object string }

// entries lists an Index or Commit: all of it, or what is at and below paths
// (more where those are too many for one process). To ask for a diff from the
// empty tree is the way to be told of an index without its intent-to-add entries.
func (p *Program) entries(ctx context.Context, head Head, paths []string) ([]entry, error) {
	if list, ok := p.toldEntries(head, paths); ok {
		return list, nil
	}
	return p.entriesIn(ctx, nil, head, paths)
}

// entriesIn does it in an environment.
func (p *Program) entriesIn(ctx context.Context, env []string, head Head, paths []string) ([]entry, error) {
	args := compare(p.emptyTree(), head, rawForm, []string{"--no-renames"})
	records, _, err := p.compared(ctx, git.Call{Args: append(args, pathspecs(paths)...), Env: env})
	if err != nil {
		return nil, err
	}
	list := make([]entry, 0, len(records))
	for _, r := range records {
		if r.newMode != absent { // an unmerged path has none
			list = append(list, entry{path: r.path, mode: r.newMode, object: r.newObject})
		}
	}
	return list, nil
}

// blobs reads objects in one process, of each at most limit bytes; limit < 0: all.
func (p *Program) blobs(ctx context.Context, objects []string, limit int64) (map[string][]byte, error) {
	return p.blobsIn(ctx, nil, objects, limit)
}

// shareable is from how many objects on they are read by a process for each
// processor: most of a commit in the making are loose, each a file of its own.
const shareable = 128

// blobsIn does it in an environment.
func (p *Program) blobsIn(ctx context.Context, env, objects []string, limit int64) (map[string][]byte, error) {
	objects = slices.Compact(slices.Sorted(slices.Values(objects)))
	content := make(map[string][]byte, len(objects))
	if len(objects) == 0 {
		return content, nil
	}
	share := len(objects)
	if share >= shareable {
		share = (len(objects) + runtime.NumCPU() - 1) / runtime.NumCPU()
	}
	shares := slices.Collect(slices.Chunk(objects, share))
	parts, err := iter.MapErr(shares, func(objects *[]string) (map[string][]byte, error) {
		return p.batch(ctx, env, *objects, limit)
	})
	if err != nil {
		return nil, lacking(err)
	}
	for _, part := range parts {
		maps.Copy(content, part)
	}
	for _, object := range objects {
		if _, ok := content[object]; !ok {
			return nil, fmt.Errorf("git cat-file --batch: no answer for object %s", object)
		}
	}
	return content, nil
}

// batch reads objects in one process.
func (p *Program) batch(ctx context.Context, env, objects []string, limit int64) (map[string][]byte, error) {
	content := make(map[string][]byte, len(objects))
	_, err := p.repo.Do(ctx, git.Call{
		Args:  []string{"cat-file", "--batch", "--buffer"},
		Env:   env,
		Stdin: strings.NewReader(strings.Join(objects, "\n") + "\n"),
		Read: func(r io.Reader) error {
			batch := bufio.NewReader(r)
			for {
				object, blob, err := readBlob(batch, limit)
				if errors.Is(err, io.EOF) {
					return nil // what an answer cut short lacks is noticed by whoever asked
				}
				if err != nil {
					return err
				}
				content[object] = blob
			}
		},
	})
	return content, err
}

// readBlob reads "<object> <type> <size>", line feed, the content, line feed.
func readBlob(r *bufio.Reader, limit int64) (object string, blob []byte, err error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", nil, err
	}
	field := strings.Fields(line)
	if len(field) == 2 && field[1] == "missing" {
		return "", nil, fmt.Errorf("object %s is missing; see git fsck", field[0])
	}
	if len(field) != 3 {
		return "", nil, fmt.Errorf("git cat-file --batch: %q is no answer; want \"<object> <type> <size>\"", line)
	}
	size, err := strconv.ParseInt(field[2], 10, 64)
	if err != nil {
		return "", nil, fmt.Errorf("git cat-file --batch: size: %w", err)
	}
	keep := size
	if limit >= 0 {
		keep = min(size, limit)
	}
	blob, err = io.ReadAll(io.LimitReader(r, keep))
	if err != nil {
		return "", nil, err
	}
	_, err = io.CopyN(io.Discard, r, size-keep+1)
	return field[0], blob, err
}
