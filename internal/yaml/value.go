package yaml

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Int parses an integer of YAML 1.2's core schema, in which 012 is twelve.
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

// JSON returns the node as [encoding/json] would decode it: nil, bool, float64,
// string, []any or map[string]any. Infinity, NaN and numbers beyond a float64 are
// errors.
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
		return nil, fmt.Errorf("JSON cannot represent the number %s", n.Text)
	}
	return f, nil
}

// Unreadable adds the problem that the file cannot be read.
func (l *Log) Unreadable(err error) {
	l.Add(Top, CodeUnreadable, "cannot read the file: %v", Reason(err))
}

// Reason strips the path from an error of the file system: problems have their own.
func Reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
