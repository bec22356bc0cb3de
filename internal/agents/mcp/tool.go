package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool describes a tool that clients can call.
type tool struct {
	name, title, about string
	hints              *sdk.ToolAnnotations
	arguments          []argument
	call               func(ctx context.Context, g given) (*answer, error)
}

// handler adapts the tool to the SDK. Errors of a call are returned as results,
// because the model sees results and can correct the call, but clients do not pass
// on protocol errors. Calls are canceled when the server ends.
func (t tool) handler(server context.Context) sdk.ToolHandler {
	return func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(server, cancel)()
		g, err := read(request.Params.Arguments, t.arguments)
		var a *answer
		if err == nil {
			a, err = t.call(ctx, g)
		}
		if err != nil {
			a = refuse(err)
		}
		return a.result()
	}
}
