// Package mcp serves rulecheck to agents over the Model Context Protocol
// (https://modelcontextprotocol.io/specification): the same operations as on the
// command line, with structured results.
package mcp

import (
	"context"
	"io"
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/report"
)

// Options configure a server.
type Options struct {
	Version string    // of this program
	Log     io.Writer // for protocol errors
	// Flow opens the workflows of the repository. It is called for each tool
	// call, concurrently, so that each call sees the current files.
	Flow func(ctx context.Context) (*phase.Runner, error)
	// Check checks the change that the options name, with defaults for the other
	// options and without running commands.
	Check func(ctx context.Context, o check.Options) (*report.Report, error)
}

// maxMessage limits a message, in bytes. It exceeds the limits of arguments, so
// that a client gets an error for one that is too large.
const maxMessage = 64 << 20

const instructions = "rulecheck checks a change of this repository against the repository's rules (tool check), " +
	"and leads through workflows whose phases require evidence (tool workflow; begin with the action list_workflows)."

// Serve answers a client until in ends and all calls are answered, or ctx is done;
// neither is an error. Each message is one line. Only messages are written to out.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	server := sdk.NewServer(&sdk.Implementation{Name: "rulecheck", Title: "rulecheck", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		Logger:       slog.New(slog.NewTextHandler(o.Log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	for _, t := range []tool{workflowTool(o.Flow), checkTool(o.Check)} {
		server.AddTool(&sdk.Tool{
			Name: t.name, Title: t.title, Description: t.about, InputSchema: schemaOf(t.arguments), Annotations: t.hints,
		}, t.handler(ctx))
	}
	session, err := server.Connect(ctx, &transport{in, out}, nil)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = session.Close() })() // Wait returns the error
	if err := session.Wait(); ctx.Err() == nil {
		return err
	}
	return nil
}
