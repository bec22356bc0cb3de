// Package signature checks the SSH signatures of commits with ssh-keygen.
package signature

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Signers is a file of allowed signers, in the format of ssh-keygen.
type Signers struct {
	File string
	Env  []string // of ssh-keygen
}

// Verify checks that one of the signers signed a commit object. A key counts at this time,
// and not at the time that the commit gives, which its author chooses.
func (s Signers) Verify(ctx context.Context, commit []byte) error {
	if !filepath.IsAbs(s.File) {
		return fmt.Errorf("the file of allowed signers %q is relative; want an absolute path outside of the repository", s.File)
	}
	if _, err := os.Stat(s.File); err != nil {
		return fmt.Errorf("allowed signers: %w", err)
	}
	signature, payload := split(commit)
	if !strings.HasPrefix(signature, "-----BEGIN SSH SIGNATURE-----\n") {
		return errors.New("the commit of the pack has no SSH signature; want one of an allowed signer: git commit -S with gpg.format=ssh")
	}
	dir, err := os.MkdirTemp("", "rulecheck-signature-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "signature")
	const private = 0o600
	if err := os.WriteFile(file, []byte(signature), private); err != nil {
		return err
	}
	found, err := s.keygen(ctx, nil, "find-principals", "-s", file)
	principal, _, _ := strings.Cut(string(found), "\n")
	if err != nil || principal == "" {
		return wrong(err)
	}
	_, err = s.keygen(ctx, payload, "verify", "-I", strings.TrimSpace(principal), "-n", "git", "-s", file)
	return wrong(err)
}

// wrong explains an error of ssh-keygen.
func wrong(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("the signature of the pack cannot be checked: %w; install OpenSSH", err)
	default:
		return fmt.Errorf("the signature of the pack is not one of an allowed signer: %w", err)
	}
}

func (s Signers) keygen(ctx context.Context, input []byte, operation string, args ...string) ([]byte, error) {
	//nolint:gosec // no shell reads the arguments
	cmd := exec.CommandContext(ctx, "ssh-keygen", append([]string{"-Y", operation, "-f", s.File}, args...)...)
	cmd.Env, cmd.Stdin = s.Env, bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && !errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("ssh-keygen: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return out, err
}

// split separates the signature of a commit from what it signs.
func split(commit []byte) (signature string, payload []byte) {
	headers, message, _ := bytes.Cut(commit, []byte("\n\n"))
	inside := false
	for line := range strings.Lines(string(headers) + "\n") {
		first, isKey := "", false
		for _, key := range []string{"gpgsig ", "gpgsig-sha256 "} {
			if rest, ok := strings.CutPrefix(line, key); ok {
				first, isKey = rest, true
			}
		}
		switch {
		case isKey:
			inside = true
			signature += first
		case inside && strings.HasPrefix(line, " "):
			signature += line[1:]
		default:
			inside = false
			payload = append(payload, line...)
		}
	}
	return signature, append(append(payload, '\n'), message...)
}
