package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is what a client may call.
type tool struct {
	name, title, about string
	hints              *sdk.ToolAnnotations
	arguments          []argument
	call               func(ctx context.Context, g given) (*answer, error)
}

// handler makes the tool one of the SDK's. Whatever is wrong with a call is told to
// the model, which may mend it: an error of the protocol, which the client keeps
// to itself, is only for what is no call. Calls end with the server.
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
			a = refused(err)
		}
		return a.result()
	}
}
