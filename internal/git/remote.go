package git

import (
	"context"
	"io"
	"slices"
	"strings"
)

// protocols are those of [Remote]: the others can run programs, or are not encrypted.
const protocols = "GIT_ALLOW_PROTOCOL=https:ssh:file"

// RemoteURL returns the URL of the remote "origin", or "" if the repository has no such remote.
func (r *Repo) RemoteURL(ctx context.Context) string {
	out, err := r.Run(ctx, "config", "--get", "remote.origin.url")
	if err != nil {
		return "" // its status 1: it is not set
	}
	return strings.TrimSpace(string(out))
}

// Remote runs git in another repository than the user's, o.Dir, or in none, and may reach a
// server. It keeps the variables of the environment that concern servers. The output is
// limited to most bytes.
func Remote(ctx context.Context, o Options, most int64, args ...string) ([]byte, error) {
	own := []string{"GIT_SSH=", "GIT_SSH_COMMAND=", "GIT_SSH_VARIANT=", "GIT_ASKPASS=", "GIT_CONFIG_GLOBAL=", "GIT_CONFIG_SYSTEM=", "GIT_CONFIG_NOSYSTEM=", "GIT_SSL_"}
	o.Env = slices.DeleteFunc(slices.Clone(o.Env), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_") && !slices.ContainsFunc(own, func(key string) bool { return strings.HasPrefix(kv, key) })
	})
	r := &runner{options: o, env: environ(o)}
	var out []byte
	_, err := r.Do(ctx, Call{
		Args: slices.Concat([]string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "credential.interactive=false"}, args),
		Env:  []string{protocols},
		Read: func(from io.Reader) (err error) {
			out, err = io.ReadAll(io.LimitReader(from, most))
			return err
		},
	})
	return out, err
}
