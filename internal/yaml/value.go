package yaml

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Int reads an integer of YAML 1.2's core schema, in which 012 is twelve.
func (n *Node) Int() (int, error) {
	text, base := n.Text, 10
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		text, base = digits, 16
	} else if digits, ok := strings.CutPrefix(text, "0o"); ok {
		text, base = digits, 8
	}
	i, err := strconv.ParseInt(text, base, strconv.IntSize)
	return int(i), err
}

// JSON is the node as [encoding/json] has it: nil, bool, float64, string, []any
// or map[string]any. There is none of the infinite, of what is no number, nor of
// what is beyond a float64.
func (n *Node) JSON() (any, error) {
	switch n.Kind {
	case Boolean:
		return strings.EqualFold(n.Text, "true"), nil
	case Integer:
		if i, err := n.Int(); err == nil {
			return float64(i), nil
		}
		return n.float()
	case Float:
		return n.float()
	case Text:
		return n.Text, nil
	case List:
		list := []any{}
		for _, item := range n.Items {
			v, err := item.JSON()
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case Mapping:
		values := map[string]any{}
		for _, e := range n.Entries {
			v, err := e.Value.JSON()
			if err != nil {
				return nil, err
			}
			values[e.Name] = v
		}
		return values, nil
	default:
		return nil, nil
	}
}

func (n *Node) float() (any, error) {
	f, err := strconv.ParseFloat(n.Text, 64)
	if err != nil {
		return nil, fmt.Errorf("%s is no number that JSON can have", n.Text)
	}
	return f, nil
}

// Unreadable reports a file that cannot be read.
func (l *Log) Unreadable(err error) {
	l.Add(Top, CodeUnreadable, "want a file that can be read: %v", Reason(err))
}

// Reason is an error of the file system without the path, which a problem has.
func Reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
