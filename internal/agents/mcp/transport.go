package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/plain"
)

// transport connects a server with a client, one message a line. In contrast to the
// transport of the SDK it answers messages that are not valid and goes on, and finishes
// the calls in progress at the end of the input.
type transport struct {
	in  io.Reader
	out io.Writer
}

// noBatchSince is the version of the protocol from which on there are no batches.
const noBatchSince = "2025-06-18"

// Connect implements [sdk.Transport].
func (t *transport) Connect(context.Context) (sdk.Connection, error) {
	c := &connection{
		out: t.out, lines: make(chan line), closed: make(chan struct{}),
		calls: map[jsonrpc.ID]*batch{}, idle: make(chan struct{}, 1),
	}
	go c.scan(t.in) // a blocked read of standard input cannot be ended
	return c, nil
}

// connection implements [sdk.Connection].
type connection struct {
	out   io.Writer
	lines chan line
	queue []jsonrpc.Message // read, but not returned yet
	idle  chan struct{}     // receives when the last call in progress was answered

	mutex      sync.Mutex
	calls      map[jsonrpc.ID]*batch // in progress; nil for a call outside a batch
	initialize jsonrpc.ID            // of the call that negotiates the version
	version    string                // negotiated; empty: not yet
	failed     error                 // of writing

	closing sync.Once
	closed  chan struct{}
}

// batch collects the answers to the calls of one line.
type batch struct {
	answers []json.RawMessage
	open    int // calls without an answer
}

// SessionID implements [sdk.Connection].
func (c *connection) SessionID() string { return "" }

// Close implements [sdk.Connection].
func (c *connection) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return nil
}

// Read returns the next valid message, and answers the others.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.queue) > 0 {
			next := c.queue[0]
			c.queue = c.queue[1:]
			return next, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			if l.err != nil {
				return nil, c.finish(ctx, l.err)
			}
			if err := c.accept(l); err != nil {
				return nil, err
			}
		}
	}
}

// finish waits for the calls in progress at the end of the input.
func (c *connection) finish(ctx context.Context, end error) error {
	for {
		c.mutex.Lock()
		open, failed := len(c.calls), c.failed
		c.mutex.Unlock()
		if open == 0 || failed != nil || !errors.Is(end, io.EOF) {
			return errors.Join(failed, end)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.closed:
			return io.EOF
		case <-c.idle:
		}
	}
}

// accept queues the messages of a line, and answers invalid ones.
func (c *connection) accept(l line) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	messages, isBatch, fault := l.messages(c.version == "" || c.version < noBatchSince)
	if fault != nil {
		return c.send(fault.answer())
	}
	var of *batch
	if isBatch {
		of = &batch{}
	}
	for _, m := range messages {
		if m.fault == nil {
			m.fault = c.begin(m.message, of)
		}
		switch {
		case m.fault == nil:
			c.queue = append(c.queue, m.message)
		case of != nil:
			of.answers = append(of.answers, m.fault.answer())
		default:
			return c.send(m.fault.answer())
		}
	}
	if of != nil && of.open == 0 && len(of.answers) > 0 {
		return c.sendBatch(of)
	}
	return nil
}

// begin notes a call in progress.
func (c *connection) begin(message jsonrpc.Message, of *batch) *fault {
	request, ok := message.(*jsonrpc.Request)
	if !ok || !request.IsCall() {
		return nil
	}
	if _, twice := c.calls[request.ID]; twice {
		return &fault{jsonrpc.CodeInvalidRequest, "the id is that of a call in progress", nil}
	}
	c.calls[request.ID] = of
	if of != nil {
		of.open++
	}
	if request.Method == "initialize" {
		c.initialize = request.ID
	}
	return nil
}

// Write implements [sdk.Connection].
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	response, ok := message.(*jsonrpc.Response)
	if !ok {
		text, err := jsonrpc.EncodeMessage(message)
		return errors.Join(err, c.send(text))
	}
	if wire, ok := errors.AsType[*jsonrpc.Error](response.Error); ok && wire.Code == 0 {
		response.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: wire.Message, Data: wire.Data}
	}
	if response.ID == c.initialize && response.Error == nil {
		var result struct {
			Version string `json:"protocolVersion"` //nolint:tagliatelle // the protocol's name
		}
		_ = json.Unmarshal(response.Result, &result) // the SDK wrote it
		c.version = result.Version
	}
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	of := c.calls[response.ID]
	delete(c.calls, response.ID)
	if len(c.calls) == 0 {
		defer func() {
			select {
			case c.idle <- struct{}{}:
			default:
			}
		}()
	}
	if of == nil {
		return c.send(text)
	}
	of.answers = append(of.answers, text)
	if of.open--; of.open > 0 {
		return nil
	}
	return c.sendBatch(of)
}

// sendBatch writes the answers of a batch on one line.
func (c *connection) sendBatch(of *batch) error {
	text, err := json.Marshal(of.answers)
	return errors.Join(err, c.send(text))
}

// send writes one line. The caller holds the mutex.
func (c *connection) send(text []byte) error {
	_, err := c.out.Write(append(bytes.Clone(plain.JSON(text)), '\n'))
	if err != nil {
		c.failed = err
	}
	return err
}
