package attest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// refs is where a repository keeps envelopes: one ref for each, below the id of the tree, so
// that a rebased or squashed commit with the same files keeps its own.
const refs = "refs/attestations/"

// Bounds of what is read of a repository, whose refs may be someone else's.
const (
	maxEnvelopes = 100
	maxEnvelope  = 8 << 20
)

// TreeOf returns the id of a commit that a revision names, and that of its tree.
func TreeOf(ctx context.Context, repo *git.Repo, revision string) (commit, tree string, err error) {
	out, err := repo.Run(ctx, "log", "-1", "--no-show-signature", "--format=%H %T", "--end-of-options", revision, "--")
	commit, tree, found := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || !found {
		return "", "", fmt.Errorf("%q is no commit; see: git log", revision)
	}
	return commit, tree, nil
}

// Store keeps the envelope of a statement about a tree in a repository, and returns the ref.
// Keeping the same one twice changes nothing.
func Store(ctx context.Context, repo *git.Repo, tree string, envelope []byte) (ref string, err error) {
	written, err := repo.Do(ctx, git.Call{Args: []string{"hash-object", "-w", "--no-filters", "--stdin"}, Stdin: bytes.NewReader(envelope)})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(envelope)
	ref = refs + tree + "/" + hex.EncodeToString(sum[:8])
	_, err = repo.Run(ctx, "update-ref", ref, strings.TrimSpace(string(written.Stdout)))
	return ref, err
}

// Stored returns the envelopes about a tree in a repository, by their refs.
func Stored(ctx context.Context, repo *git.Repo, tree string) (map[string][]byte, error) {
	out, err := repo.Run(ctx, "for-each-ref", fmt.Sprintf("--count=%d", maxEnvelopes+1), "--format=%(objecttype) %(objectsize) %(objectname) %(refname)", refs+tree)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for line := range strings.Lines(string(out)) {
		var kind, id, ref string
		var size int64
		if _, err := fmt.Sscan(line, &kind, &size, &id, &ref); err != nil || kind != "blob" || size > maxEnvelope {
			continue // not written by Store
		}
		if len(found) == maxEnvelopes {
			return nil, fmt.Errorf("more than %d attestations of the tree %s; want the one that counts by --attestation FILE", maxEnvelopes, tree)
		}
		blob, err := repo.Do(ctx, git.Call{Args: []string{"cat-file", "blob", id}})
		if err != nil {
			return nil, err
		}
		found[ref] = blob.Stdout
	}
	return found, nil
}
