package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// line is one line of the input, or the error that ended it.
type line struct {
	text []byte
	long bool // it exceeds maxMessage and was skipped
	err  error
}

// scan passes on the lines of the input, without empty ones.
func (c *connection) scan(in io.Reader) {
	r := bufio.NewReader(in)
	for {
		l := readLine(r)
		if l.err == nil && !l.long && len(bytes.TrimSpace(l.text)) == 0 {
			continue
		}
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// readLine reads one line and keeps at most maxMessage bytes of it. The last one needs
// no line end.
func readLine(r *bufio.Reader) line {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		if l.long = l.long || len(l.text)+len(part) > maxMessage; l.long {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && (l.long || len(l.text) > 0):
			return l
		case !errors.Is(err, bufio.ErrBufferFull):
			return line{err: err}
		}
	}
}

// fault is a protocol error.
type fault struct {
	code    int64
	message string
	id      json.RawMessage // of the message; nil: unknown
}

// answer returns the message that reports the fault.
func (f *fault) answer() []byte {
	id := f.id
	if id == nil {
		id = json.RawMessage("null")
	}
	text, _ := json.Marshal(map[string]any{ //nolint:errchkjson // an id was valid JSON
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": f.code, "message": f.message},
	})
	return text
}

// decoded is a message of a line, or what is wrong with it.
type decoded struct {
	message jsonrpc.Message
	fault   *fault
}

// messages decodes a line: a message, or a batch of them where the protocol has batches.
func (l line) messages(batches bool) (all []decoded, isBatch bool, _ *fault) {
	if l.long {
		return nil, false, &fault{jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is too long; want at most %d bytes", maxMessage), nil}
	}
	var raw json.RawMessage
	if err := json.Unmarshal(l.text, &raw); err != nil {
		return nil, false, &fault{jsonrpc.CodeParseError, "the line is not JSON: " + err.Error(), nil}
	}
	if raw[0] != '[' {
		return []decoded{decode(raw)}, false, nil
	}
	var items []json.RawMessage
	err := json.Unmarshal(raw, &items)
	switch {
	case err != nil || len(items) == 0:
		return nil, false, &fault{jsonrpc.CodeInvalidRequest, "the batch is empty; want messages", nil}
	case !batches:
		return nil, false, &fault{jsonrpc.CodeInvalidRequest, "a batch; want one message a line since version " + noBatchSince, nil}
	}
	for _, item := range items {
		all = append(all, decode(item))
	}
	return all, true, nil
}

// wholeNumber matches an id that is a number.
var wholeNumber = lazyregexp.New(`^-?[0-9]+$`)

// decode decodes one message.
func decode(raw json.RawMessage) decoded {
	var head struct {
		ID json.RawMessage `json:"id"` // nil: none
	}
	invalid := func(id json.RawMessage, message string) decoded {
		return decoded{fault: &fault{jsonrpc.CodeInvalidRequest, message, id}}
	}
	if raw[0] != '{' {
		return invalid(nil, "the message is not an object")
	}
	_ = json.Unmarshal(raw, &head) // DecodeMessage reports errors
	id := head.ID
	if _, err := strconv.ParseInt(string(id), 10, 64); len(id) > 0 && id[0] != '"' && (err != nil || !wholeNumber().Match(id)) {
		return invalid(nil, fmt.Sprintf("the id is %s; want a text or a whole number", cut(string(id))))
	}
	message, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return invalid(id, err.Error())
	}
	return decoded{message: message}
}
