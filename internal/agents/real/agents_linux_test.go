package real_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// specimens are the agents that can be run.
var specimens = []specimen{codex, gemini, opencode, qwen}

// installed returns a file of an agent that was installed from npm.
func installed(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv(agentsEnv), pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: not found in the directory of %s, %v", pattern, agentsEnv, err)
	}
	return files[0]
}

// server returns the command and the environment of the MCP server.
func server(t *testing.T) (program string, env map[string]string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self, map[string]string{roleEnv: roleEcho}
}

// addFile is a patch that adds a file of one line.
func addFile(name, content string) string {
	return "*** Begin Patch\n*** Add File: " + name + "\n+" + strings.TrimSuffix(content, "\n") + "\n*** End Patch\n"
}

var codex = specimen{
	name: "codex", before: "PreToolUse",
	isMain: func(object) bool { return true },
	shell:  func(command string) call { return call{name: "exec_command", args: object{"cmd": command}} },
	write:  func(name, content string) call { return call{name: "apply_patch", input: addFile(name, content)} },
	echo:   func(text string) call { return call{name: "echo", namespace: "mcp__probe", args: object{"text": text}} },
	settle: func(w *world) {
		slug := w.options["model"]
		if slug == "" {
			slug = "gpt-5.5"
		}
		settings := `model = "` + slug + `"
model_provider = "scripted"
` + w.options["top"] + `
[model_providers.scripted]
name = "scripted"
base_url = "` + w.model.server.URL + `/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[features]
plugins = false
apps = false
`
		if w.options["trust"] != "none" {
			settings += "[projects." + text(w.project) + "]\ntrust_level = \"trusted\"\n"
		}
		if w.mcp {
			program, env := server(w.T)
			settings += "[mcp_servers.probe]\ncommand = " + text(program) + "\ndefault_tools_approval_mode = \"approve\"\n" +
				"[mcp_servers.probe.env]\n" + roleEnv + " = " + text(env[roleEnv]) + "\n"
		}
		w.file("home/.codex/config.toml", settings)
		w.env = append(w.env, "SCRIPTED_KEY=none")
	},
	ask: func(w *world, prompt string) outcome {
		w.Helper()
		argv := []string{installed(w.T, "codex/node_modules/@openai/codex/vendor/*/bin/codex"), "exec"}
		if w.options["resume"] != "" {
			argv = append(argv, "resume", "--last")
		}
		argv = append(argv, "--json", "--dangerously-bypass-approvals-and-sandbox")
		if w.options["hooks"] != "untrusted" {
			argv = append(argv, "--dangerously-bypass-hook-trust")
		}
		return w.run(append(argv, prompt)...)
	},
}

var gemini = specimen{
	name: "gemini", before: "BeforeTool",
	isMain: func(body object) bool { return body["tools"] != nil },
	shell: func(command string) call {
		return call{name: "run_shell_command", args: object{"command": command, "description": "run"}}
	},
	write: func(name, content string) call {
		return call{name: "write_file", args: object{"file_path": name, "content": content}}
	},
	echo: func(text string) call { return call{name: "mcp_probe_echo", args: object{"text": text}} },
	settle: func(w *world) {
		settings := object{
			"security":  object{"auth": object{"selectedType": "gemini-api-key"}},
			"telemetry": object{"enabled": false}, "privacy": object{"usageStatisticsEnabled": false},
			"general": object{"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
		}
		if w.mcp {
			program, env := server(w.T)
			settings["mcpServers"] = object{"probe": object{"command": program, "env": env, "trust": true}}
		}
		w.file("home/.gemini/settings.json", text(settings))
		if w.options["trust"] != "none" {
			w.file("home/.gemini/trustedFolders.json", text(object{w.project: "TRUST_FOLDER"}))
		}
		w.env = append(w.env, "GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL="+w.model.server.URL)
	},
	ask: func(w *world, prompt string) outcome {
		w.Helper()
		argv := []string{"node", installed(w.T, "gemini/node_modules/@google/gemini-cli/bundle/gemini.js"), "--yolo", "-m", "gemini-2.5-pro", "--output-format", "json"}
		if w.options["resume"] != "" {
			argv = append(argv, "--resume", "latest")
		}
		argv = append(argv, strings.Fields(w.options["flags"])...)
		return w.run(append(argv, "-p", prompt)...)
	},
}

var qwen = specimen{
	name: "qwen", before: "PreToolUse",
	isMain: func(body object) bool { return body["tools"] != nil },
	shell: func(command string) call {
		return call{name: "run_shell_command", args: object{"command": command, "description": "run", "is_background": false}}
	},
	write: func(name, content string) call {
		return call{name: "write_file", args: object{"file_path": name, "content": content}}
	},
	echo: func(text string) call {
		return call{name: "tool_call", args: object{"name": "mcp__probe__echo", "arguments": object{"text": text}}}
	},
	absolute: true,
	settle: func(w *world) {
		settings := object{
			"security":  object{"auth": object{"selectedType": "openai"}},
			"telemetry": object{"enabled": false}, "privacy": object{"usageStatisticsEnabled": false},
			"general": object{"enableAutoUpdate": false, "disableAutoUpdate": true},
			"model":   object{"name": "scripted"},
		}
		if w.mcp {
			program, env := server(w.T)
			settings["mcpServers"] = object{"probe": object{"command": program, "env": env, "trust": true}}
		}
		w.file("home/.qwen/settings.json", text(settings))
		w.env = append(w.env, "OPENAI_API_KEY=none", "OPENAI_BASE_URL="+w.model.server.URL+"/v1", "OPENAI_MODEL=scripted")
	},
	ask: func(w *world, prompt string) outcome {
		w.Helper()
		argv := []string{"node", installed(w.T, "qwen/node_modules/@qwen-code/qwen-code/cli.js"), "--yolo", "--output-format", "json"}
		if w.options["resume"] != "" {
			argv = append(argv, "--continue")
		}
		return w.run(append(argv, "-p", prompt)...)
	},
}

// opencode is used by its server, as its terminal and its editors do: "opencode run" ends
// before a refused stop could be continued.
var opencode = specimen{
	name: "opencode", before: "tool.execute.before",
	isMain: func(body object) bool { return body["tools"] != nil },
	shell: func(command string) call {
		return call{name: "bash", args: object{"command": command, "description": "run"}}
	},
	write: func(name, content string) call {
		return call{name: "write", args: object{"filePath": name, "content": content}}
	},
	echo: func(text string) call { return call{name: "probe_echo", args: object{"text": text}} },
	settle: func(w *world) {
		provider := object{
			"npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": object{"baseURL": w.model.server.URL + "/v1", "apiKey": "none"},
			"models": object{"m": object{"name": "m", "tool_call": true, "limit": object{"context": 200000, "output": 8000}}},
		}
		settings := object{
			"autoupdate": false, "share": "disabled", "model": "scripted/m", "small_model": "scripted/m", "provider": object{"scripted": provider},
			"permission": object{"edit": "allow", "bash": "allow", "webfetch": "deny"},
		}
		if w.mcp {
			program, env := server(w.T)
			settings["mcp"] = object{"probe": object{"type": "local", "command": []string{program}, "environment": env, "enabled": true}}
		}
		w.file("home/.config/opencode/opencode.json", text(settings))
		// Without it, OpenCode waits for npm before it loads plugins.
		for _, dir := range []string{"home/.config/opencode", "project/.opencode"} {
			for _, name := range []string{"package.json", "package-lock.json"} {
				content, err := os.ReadFile(installed(w.T, "plugin/"+name))
				if err != nil {
					w.Fatal(err)
				}
				w.file(dir+"/"+name, string(content))
			}
			if err := os.Symlink(installed(w.T, "plugin/node_modules"), filepath.Join(w.dir, dir, "node_modules")); err != nil {
				w.Fatal(err)
			}
		}
		w.file("project/.opencode/.gitignore", "node_modules\npackage.json\npackage-lock.json\nbun.lock\n.gitignore\n")
		w.env = append(w.env, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1")
	},
	ask: func(w *world, prompt string) outcome {
		w.Helper()
		start := time.Now()
		program := installed(w.T, "opencode/node_modules/opencode-*/bin/opencode")
		if w.options["run"] != "" {
			return w.run(program, "run", "--format", "json", prompt)
		}
		ctx, cancel := context.WithTimeout(w.Context(), limit)
		defer cancel()
		cmd := w.command(ctx, program, "serve", "--hostname", "127.0.0.1", "--port", "0", "--print-logs")
		log, err := os.Create(filepath.Join(w.dir, "serve.log"))
		if err != nil {
			w.Fatal(err)
		}
		defer log.Close()
		cmd.Stderr = log
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			w.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			w.Fatal(err)
		}
		defer func() {
			cancel()
			_ = cmd.Wait()
		}()
		url := ""
		for lines := bufio.NewScanner(stdout); url == "" && lines.Scan(); {
			url = regexp.MustCompile(`http://[0-9.:]+`).FindString(lines.Text())
		}
		send := func(path string, body object) (object, error) {
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, strings.NewReader(text(body)))
			if err != nil {
				return nil, err
			}
			r.Header.Set("Content-Type", "application/json")
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				return nil, err
			}
			defer answer.Body.Close()
			raw, err := io.ReadAll(answer.Body)
			if answer.StatusCode >= http.StatusBadRequest {
				err = fmt.Errorf("%s: %s %s", path, answer.Status, raw)
			}
			var got object
			_ = json.Unmarshal(raw, &got)
			return got, err
		}
		post := func(path string, body object) object {
			got, err := send(path, body)
			if err != nil {
				w.Fatalf("%v; see %s", err, log.Name())
			}
			return got
		}
		id := w.options["session"]
		if w.options["resume"] == "" {
			id, _ = post("/session", object{})["id"].(string)
			w.options["session"] = id
		}
		aborted := false
		w.abort = func() {
			aborted = true
			_, _ = send("/session/"+id+"/abort", object{})
		}
		stops := len(w.decided(hook.Stop))
		post("/session/"+id+"/message", object{"parts": []object{{"type": "text", "text": prompt}}})
		w.abort = nil
		if aborted { // time for a plugin that takes this for a stop
			time.Sleep(2 * time.Second)
		}
		if w.options["hooks"] != "none" && !aborted {
			w.until("a stop that is allowed", func() bool {
				list := w.decided(hook.Stop)
				return len(list) > stops && (w.options["hooks"] == "observed" || !strings.HasPrefix(list[len(list)-1], string(hook.Block)))
			})
		}
		return outcome{seconds: time.Since(start).Seconds()}
	},
}
