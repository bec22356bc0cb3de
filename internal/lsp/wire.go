package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/plain"
)

// Bounds of what a client sends, in bytes. Documents are messages, so a message may be long.
const (
	maxMessage = 64 << 20
	maxHeader  = 4 << 10 // one line of it
)

// The codes of errors.
const (
	parseError      = -32700
	invalidRequest  = -32600
	unknownMethod   = -32601
	invalidParams   = -32602
	internalError   = -32603
	notInitialized  = -32002
	requestFailed   = -32803
	requestCanceled = -32800
)

// message is a request, a notification (it has no id) or a response (it has no method).
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *fault          `json:"error,omitempty"`
}

// fault is an error of the protocol.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f *fault) Error() string { return f.Message }

func invalid(format string, values ...any) *fault {
	return &fault{invalidParams, fmt.Sprintf(format, values...)}
}

// readFrame returns the text of the next message. A fault is about a message that was skipped;
// an error ends the input.
func readFrame(r *bufio.Reader) ([]byte, *fault, error) {
	length, headers := int64(-1), 0
	for {
		line, long, err := readHeader(r)
		if err != nil {
			return nil, nil, err
		}
		if line == "" && !long {
			if headers == 0 {
				continue // an empty line between messages
			}
			break
		}
		headers++
		// What a broken message left may be before the name.
		const name = "content-length:"
		at := strings.LastIndex(strings.ToLower(line), name)
		if at < 0 || long {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(line[at+len(name):]), 10, 64)
		if err != nil || n < 0 {
			n = -1
		}
		length = n
	}
	switch {
	case length < 0:
		return nil, &fault{parseError, "the header lacks Content-Length; want the number of bytes of the message"}, nil
	case length > maxMessage:
		if _, err := io.CopyN(io.Discard, r, length); err != nil {
			return nil, nil, err
		}
		return nil, &fault{invalidRequest, fmt.Sprintf("the message has %d bytes; want at most %d", length, maxMessage)}, nil
	}
	var text bytes.Buffer // grows with what arrives, and not with what was announced
	if _, err := io.CopyN(&text, r, length); err != nil {
		return nil, nil, err
	}
	return text.Bytes(), nil, nil
}

// readHeader returns a line without its end; of a long one, only that it was long.
func readHeader(r *bufio.Reader) (line string, long bool, err error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(text)+len(part) > maxHeader; long {
			text = nil
		} else {
			text = append(text, part...)
		}
		switch {
		case err == nil:
			return strings.TrimRight(string(text), "\r\n"), long, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", false, err
		}
	}
}

// request is a message of the client.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// decode returns the message in a text, and what is wrong with it. The id is empty if it is malformed.
func decode(text []byte) (request, *fault) {
	var r request
	if !json.Valid(text) {
		return r, &fault{parseError, "the message is not JSON"}
	}
	if text = bytes.TrimSpace(text); text[0] != '{' {
		return r, &fault{invalidRequest, "the message is not an object; want one message, and no batch"}
	}
	err := json.Unmarshal(text, &r)
	if string(r.ID) == "null" {
		r.ID = nil
	}
	if len(r.ID) > 0 && !isID(r.ID) {
		r.ID = nil
		return r, &fault{invalidRequest, "the id is neither text nor a whole number"}
	}
	switch {
	case err != nil:
		return r, &fault{invalidRequest, "the message is not a request: " + err.Error()}
	case r.Method == "" && r.Result == nil && r.Error == nil:
		return r, &fault{invalidRequest, "the message has no method"}
	}
	return r, nil
}

// isID reports whether a JSON value can be the id of a request.
func isID(raw json.RawMessage) bool {
	if raw[0] == '"' {
		return len(raw) <= maxHeader
	}
	_, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil
}

// send writes a message.
func (s *server) send(m message) {
	m.Version = "2.0"
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		s.stop(unreachable{err})
		return
	}
	safe := plain.JSON(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(safe), safe)
	if err != nil {
		s.stop(unreachable{err})
	}
}

// notify sends a notification.
func (s *server) notify(method string, params any) { s.send(message{Method: method, Params: params}) }

// request sends a request whose answer does not matter.
func (s *server) request(method string, params any) {
	s.mutex.Lock()
	s.asked++
	id := strconv.Itoa(s.asked)
	s.mutex.Unlock()
	s.send(message{ID: json.RawMessage(id), Method: method, Params: params})
}

// answer sends the response to a request.
func (s *server) answer(id json.RawMessage, result any, err *fault) {
	if err != nil {
		if id == nil {
			id = json.RawMessage("null")
		}
		s.send(message{ID: id, Error: err})
		return
	}
	text, e := json.Marshal(result)
	if e != nil {
		s.stop(unreachable{e})
		return
	}
	s.send(message{ID: id, Result: text})
}
