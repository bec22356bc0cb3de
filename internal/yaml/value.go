package yaml

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"strconv"
	"strings"
)

// Int parses an integer of YAML 1.2's core schema, in which 012 is twelve.
func (n *Node) Int() (int, error) {
	text, base := n.digits()
	i, err := strconv.ParseInt(text, base, strconv.IntSize)
	return int(i), err
}

// IsUint64 reports whether an integer is one of 64 bits without a sign.
func (n *Node) IsUint64() bool {
	text, base := n.digits()
	_, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), base, 64)
	return err == nil
}

// digits returns an integer without its prefix, and its base.
func (n *Node) digits() (text string, base int) {
	if digits, ok := strings.CutPrefix(n.Text, "0x"); ok {
		return digits, 16
	}
	if digits, ok := strings.CutPrefix(n.Text, "0o"); ok {
		return digits, 8
	}
	return n.Text, 10
}

// JSON returns the node as [encoding/json] would decode it: nil, bool, float64,
// string, []any or map[string]any, and json.Number for integers that float64 would
// round. Infinity, NaN and fractions beyond a float64 are errors.
func (n *Node) JSON() (any, error) {
	switch n.Kind {
	case Boolean:
		return strings.EqualFold(n.Text, "true"), nil
	case Integer:
		const exact int64 = 1 << 53 // up to here float64 has every integer
		if i, err := n.Int(); err == nil && -exact <= int64(i) && int64(i) <= exact {
			return float64(i), nil
		}
		text, base := n.digits()
		if i, ok := new(big.Int).SetString(text, base); ok {
			return json.Number(i.String()), nil
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
