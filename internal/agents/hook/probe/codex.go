package probe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Hook is a hook as Codex knows it.
//
//nolint:tagliatelle // as Codex has it
type Hook struct {
	Key     string `json:"key"`
	Event   string `json:"eventName"`
	Command string `json:"command"`
	Source  string `json:"sourcePath"`
	Hash    string `json:"currentHash"`
	Trust   string `json:"trustStatus"` // untrusted, trusted, modified or managed
}

// Trusted reports whether Codex runs the hook.
func (h Hook) Trusted() bool { return h.Trust == "trusted" || h.Trust == "managed" }

// Codex asks the application server of Codex.
type Codex struct {
	in   io.WriteCloser
	out  *bufio.Reader
	next int
	stop func() error
}

// codexLimit bounds a conversation with Codex.
const codexLimit = 30 * time.Second

// OpenCodex starts the application server of a program in a directory.
func OpenCodex(ctx context.Context, program, dir string, env []string) (*Codex, error) {
	ctx, cancel := context.WithTimeout(ctx, codexLimit)
	cmd := exec.CommandContext(ctx, program, "app-server")
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	c := &Codex{in: in, out: bufio.NewReader(out), stop: func() error {
		err := in.Close()
		cancel() // it has answered all that matters
		_ = cmd.Wait()
		return err
	}}
	info := map[string]any{"clientInfo": map[string]any{"name": "rulecheck", "version": "1"}}
	if err := c.call("initialize", info, nil); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if err := c.send(map[string]any{"method": "initialized"}); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close ends the server.
func (c *Codex) Close() error { return c.stop() }

// Hooks returns the hooks that Codex finds for a directory. Those of a project that it does
// not trust are not among them.
func (c *Codex) Hooks(dir string) ([]Hook, error) {
	var reply struct {
		Data []struct {
			Hooks []Hook `json:"hooks"`
		} `json:"data"`
	}
	if err := c.call("hooks/list", map[string]any{"cwds": []string{dir}}, &reply); err != nil {
		return nil, err
	}
	var hooks []Hook
	for _, d := range reply.Data {
		hooks = append(hooks, d.Hooks...)
	}
	return hooks, nil
}

// Trust lets Codex run hooks as they are now, as the user does with /hooks: it writes their
// hashes to the user's configuration of Codex.
func (c *Codex) Trust(hooks []Hook) error {
	state := map[string]any{}
	for _, h := range hooks {
		state[h.Key] = map[string]any{"trusted_hash": h.Hash}
	}
	edit := map[string]any{"keyPath": "hooks.state", "mergeStrategy": "upsert", "value": state}
	return c.call("config/batchWrite", map[string]any{"edits": []any{edit}}, nil)
}

func (c *Codex) send(message map[string]any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(text, '\n'))
	return err
}

// call sends a request and reads its reply. Notifications in between are skipped.
func (c *Codex) call(method string, params, reply any) error {
	c.next++
	if err := c.send(map[string]any{"id": c.next, "method": method, "params": params}); err != nil {
		return fmt.Errorf("codex app-server: %s: no reply: %w", method, err)
	}
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("codex app-server: %s: no reply: %w", method, err)
		}
		var message struct {
			ID     *int            `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(line, &message) != nil || message.ID == nil || *message.ID != c.next || message.Method != "" {
			continue
		}
		switch {
		case message.Error != nil:
			return fmt.Errorf("codex app-server: %s: %s", method, message.Error.Message)
		case reply == nil:
			return nil
		}
		return json.Unmarshal(message.Result, reply)
	}
}
