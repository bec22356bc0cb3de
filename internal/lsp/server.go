// Package lsp serves editors over the Language Server Protocol: the findings of a check on their
// lines while files are edited, and help in rule files and the configuration.
//
// [Serve] reads messages one by one. One goroutine checks the working tree, and publishes what the
// check found; between checks it looks up the past of open rules. All others wait for the client.
// Nothing runs while nothing is edited.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Options configure a server.
type Options struct {
	Version string // of this program
	Dir     string // for clients that name no directory; empty: that of the process
	// Open opens the repository around a directory, with texts in the place of files of its
	// working tree. It is called for each check, so that each sees the present state. With texts,
	// it or the check may fail with [diff.ErrNeedsGit].
	Open func(ctx context.Context, dir string, texts map[string][]byte) (Repository, error)
	// WorkflowSchema returns the JSON Schema of a workflow file.
	WorkflowSchema func() ([]byte, error)
	// Idle is called when a check has ended, and its findings were published.
	Idle func()
}

// Repository is a repository as it was when it was opened.
type Repository struct {
	Engine diff.Engine
	// Check checks the working tree without running commands.
	Check func(ctx context.Context) (*check.Result, error)
	// Fix runs the command of a rule on a file, and writes what it changes.
	Fix func(ctx context.Context, id, path string) (*check.Result, error)
	// Replay checks the newest [Units] commits of the main line with one rule of the working tree.
	Replay func(ctx context.Context, id string) (*replay.Report, error)
}

// ErrNoShutdown means that the client ended the server without asking it to shut down.
var ErrNoShutdown = errors.New("the client sent exit before shutdown")

// maxCalls limits how many requests wait for their answer.
const maxCalls = 4096

// typingPause is how long nothing is typed before the unsaved text is checked.
const typingPause = 300 * time.Millisecond

// server serves one client about one repository.
type server struct {
	Options

	out     io.Writer
	writing sync.Mutex
	wake    chan struct{} // receives when a check was asked for
	slots   chan struct{} // held by requests that read the repository

	mutex   sync.Mutex
	client  initialization
	dir     string // where the repository is looked for
	root    string // its top; empty: not known yet
	shown   string // the same as the client names it
	open    map[string]*document
	calls   map[string]context.CancelFunc // requests in progress, by id
	waiting []chan struct{}               // closed when a check that has not begun yet has ended
	typed   bool                          // and nothing since, for a while: a check is to begin
	found   *found                        // by the last check
	wanted  []string                      // rules whose past is to be looked up, by path
	pasts   map[string]past               // of rules, by path
	sent    map[string]string             // diagnostics that the client has, by path
	asked   int                           // requests to the client
	refused string                        // why unsaved text was not checked last
	typing  *time.Timer                   // asks for a check when nothing was typed for a while
	stop    context.CancelCauseFunc

	interrupt context.CancelFunc // ends the replay in progress; nil: none is
}

// unreachable ends the server if it cannot write.
type unreachable struct{ error }

func (u unreachable) Unwrap() error { return u.error }

// Serve answers a client until in ends, the client says exit, or ctx is done; neither is an error
// after shutdown. Only messages are written to out.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	var background conc.WaitGroup
	defer background.Wait()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := &server{
		Options: o, out: out, wake: make(chan struct{}, 1), slots: make(chan struct{}, 2),
		open: map[string]*document{}, calls: map[string]context.CancelFunc{}, sent: map[string]string{}, found: &found{}, pasts: map[string]past{}, stop: stop,
	}
	s.typing = time.AfterFunc(typingPause, s.pause)
	s.typing.Stop()
	defer s.typing.Stop()
	background.Go(func() { s.loop(ctx) })
	frames := make(chan frame)
	go read(ctx, in, frames) // a blocked read of standard input cannot be ended
	state := starting
	for {
		select {
		case <-ctx.Done():
			if lost, ok := errors.AsType[unreachable](context.Cause(ctx)); ok {
				return lost
			}
			return nil
		case f := <-frames:
			if f.err != nil {
				return nil // the client is gone
			}
			var r request
			if f.fault == nil {
				r, f.fault = decode(f.text)
			}
			if f.fault != nil {
				s.answer(r.ID, nil, f.fault)
				continue
			}
			if r.Method == "exit" {
				if state != ended {
					return ErrNoShutdown
				}
				return nil
			}
			state = s.handle(ctx, &background, state, r)
		}
	}
}

// state is where a client is in the life of a connection.
type state int

const (
	starting state = iota
	running
	ended
)

type frame struct {
	text  []byte
	fault *fault
	err   error
}

// read passes on the messages of the input.
func read(ctx context.Context, in io.Reader, to chan<- frame) {
	r := bufio.NewReader(in)
	for {
		var f frame
		f.text, f.fault, f.err = readFrame(r)
		select {
		case to <- f:
		case <-ctx.Done():
			return
		}
		if f.err != nil {
			return
		}
	}
}

// handle handles one message, and returns the state after it.
func (s *server) handle(ctx context.Context, background *conc.WaitGroup, now state, r request) state {
	refuse := func(f *fault) state {
		if r.ID != nil {
			s.answer(r.ID, nil, f)
		}
		return now
	}
	switch {
	case r.Method == "": // an answer to a request of the server
		return now
	case now == starting && r.Method != "initialize":
		return refuse(&fault{notInitialized, "want the request initialize first"})
	case now == ended:
		return refuse(&fault{invalidRequest, "the server was shut down; want exit"})
	}
	switch r.Method {
	case "initialize":
		if now != starting || r.ID == nil {
			return refuse(&fault{invalidRequest, "the server was initialized before"})
		}
		result, f := s.initialize(ctx, r.Params)
		s.answer(r.ID, result, f)
		if f != nil {
			return now
		}
		return running
	case "shutdown":
		s.answer(r.ID, nil, nil)
		return ended
	}
	if notified, ok := s.notifications()[r.Method]; ok {
		if f := notified(r.Params); f != nil {
			s.log(r.Method + ": " + f.Message)
		}
		return now
	}
	answer, ok := s.requests()[r.Method]
	switch {
	case r.ID == nil:
	case !ok:
		return refuse(&fault{unknownMethod, "unknown method " + strings.ToValidUTF8(r.Method[:min(len(r.Method), 80)], "")})
	default:
		s.begin(ctx, background, r, answer)
	}
	return now
}

// begin answers a request in the background, where it can be cancelled.
func (s *server) begin(ctx context.Context, background *conc.WaitGroup, r request, answer call) {
	ctx, cancel := context.WithCancel(ctx)
	key := string(r.ID)
	s.mutex.Lock()
	_, twice := s.calls[key]
	full := len(s.calls) >= maxCalls
	if !twice && !full {
		s.calls[key] = cancel
	}
	s.mutex.Unlock()
	if twice || full {
		cancel()
		why := "the id is that of a request in progress"
		if full {
			why = "too many requests wait for their answer"
		}
		s.answer(r.ID, nil, &fault{invalidRequest, why})
		return
	}
	background.Go(func() {
		defer cancel()
		result, f := answer(ctx, r.Params)
		s.mutex.Lock()
		delete(s.calls, key)
		s.mutex.Unlock()
		if ctx.Err() != nil {
			f = &fault{requestCanceled, "the request was cancelled"}
		}
		s.answer(r.ID, result, f)
	})
}

type call func(ctx context.Context, params json.RawMessage) (any, *fault)

func (s *server) requests() map[string]call {
	return map[string]call{
		"textDocument/completion":  s.complete,
		"textDocument/hover":       s.hover,
		"textDocument/codeLens":    s.lenses,
		"textDocument/codeAction":  s.actions,
		"textDocument/definition":  s.partners,
		"textDocument/rename":      s.rename,
		"workspace/executeCommand": s.execute,
	}
}

func (s *server) notifications() map[string]func(params json.RawMessage) *fault {
	ask := func(json.RawMessage) *fault { s.ask(); return nil }
	ignore := func(json.RawMessage) *fault { return nil }
	return map[string]func(params json.RawMessage) *fault{
		"initialized":                      s.initialized,
		"textDocument/didOpen":             s.didOpen,
		"textDocument/didChange":           s.didChange,
		"textDocument/didSave":             s.didSave,
		"textDocument/didClose":            s.didClose,
		"workspace/didChangeWatchedFiles":  ask,
		"workspace/didChangeConfiguration": ignore,
		"$/cancelRequest":                  s.cancel,
		"$/setTrace":                       ignore,
	}
}

// parse decodes parameters.
func parse[T any](params json.RawMessage) (T, *fault) {
	var value T
	if len(params) == 0 {
		return value, invalid("the parameters are missing")
	}
	if err := json.Unmarshal(params, &value); err != nil {
		return value, invalid("the parameters are malformed: %v", err)
	}
	return value, nil
}

// initialize returns what the server can do.
func (s *server) initialize(ctx context.Context, params json.RawMessage) (any, *fault) {
	client, f := parse[initialization](params)
	if f != nil {
		return nil, f
	}
	dir := s.Dir
	switch {
	case len(client.Folders) > 0:
		dir, f = fileOf(client.Folders[0].URI)
	case client.RootURI != "":
		dir, f = fileOf(client.RootURI)
	case filepath.IsAbs(client.RootPath):
		dir = client.RootPath
	}
	if f != nil {
		return nil, f
	}
	s.mutex.Lock()
	s.client, s.dir, s.root, s.shown = client, dir, dir, dir
	s.mutex.Unlock()
	if repo, err := s.Open(ctx, dir, nil); err == nil { // otherwise the check reports it
		s.locate(repo.Engine.Root())
	}
	return map[string]any{
		"serverInfo": map[string]any{"name": "rulecheck", "version": s.Version},
		"capabilities": map[string]any{
			"textDocumentSync":       map[string]any{"openClose": true, "change": 2, "save": true},
			"completionProvider":     map[string]any{"triggerCharacters": []string{" ", "{", "."}},
			"hoverProvider":          true,
			"codeLensProvider":       map[string]any{},
			"definitionProvider":     true,
			"renameProvider":         true,
			"codeActionProvider":     map[string]any{"codeActionKinds": []string{"quickfix"}},
			"executeCommandProvider": map[string]any{"commands": commands},
		},
	}, nil
}

// initialized begins the first check, and asks the client to report files that change.
func (s *server) initialized(json.RawMessage) *fault {
	if s.client.Capabilities.Workspace.Watched.Dynamic {
		var watchers []any
		for _, glob := range []string{"**/.git/{HEAD,index}", "**/" + setup.Dir + "/**"} { // checkouts, commits and rules
			watchers = append(watchers, map[string]any{"globPattern": glob})
		}
		s.request("client/registerCapability", map[string]any{"registrations": []any{map[string]any{
			"id": "watch", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": watchers},
		}}})
	}
	s.ask()
	return nil
}

// cancel ends a request. One that has ended is not found.
func (s *server) cancel(params json.RawMessage) *fault {
	p, f := parse[struct {
		ID json.RawMessage `json:"id"`
	}](params)
	if f != nil {
		return f
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if end, ok := s.calls[string(p.ID)]; ok {
		end()
	}
	return nil
}

// log writes to the client's log.
func (s *server) log(text string) {
	s.notify("window/logMessage", map[string]any{"type": messageLog, "message": text})
}
