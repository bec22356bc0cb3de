// Package mcp serves the use cases to agents by the Model Context Protocol
// (https://modelcontextprotocol.io/specification): the same calls as on the
// command line, with answers for programs.
package mcp

import (
	"context"
	"io"
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/phase"
	"github.com/rulecheck/rulecheck/internal/report"
)

// Options are a server's surroundings.
type Options struct {
	Version string    // of this program
	Log     io.Writer // for what goes wrong with the protocol
	// Flow opens the workflows of the repository. It is called for each call of a
	// client, at once with others, so that each sees the files as they are.
	Flow func(ctx context.Context) (*phase.Runner, error)
	// Check judges the change that the options name. It adds what they do not say, and
	// runs no command.
	Check func(ctx context.Context, o check.Options) (*report.Report, error)
}

// maxMessage is how long a message may be, in bytes. It leaves room for arguments
// that are too large, so that they are refused and the client hears why.
const maxMessage = 64 << 20

const instructions = "rulecheck judges a change of this repository against the repository's own rules (tool check), " +
	"and leads through workflows whose phases are left with evidence (tool workflow; begin with the action list_workflows)."

// Serve answers a client until in ends, which is no error, or ctx does, which is
// none either. Each message is a line. Nothing but messages is written to out.
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
	session, err := server.Connect(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: open{out}, MaxLineLength: maxMessage}, nil)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = session.Close() })() // Wait tells what comes of it
	if err := session.Wait(); ctx.Err() == nil {
		return err
	}
	return nil
}

// open is a writer that stays open.
type open struct{ io.Writer }

func (open) Close() error { return nil }
