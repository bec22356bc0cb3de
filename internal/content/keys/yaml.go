package keys

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// parseYAML reads the documents of a YAML file. Aliases have the value of their anchors, and
// merge keys add keys that a mapping lacks.
func parseYAML(s *source) ([]*node, error) {
	from := yaml.NewDecoder(strings.NewReader(s.text))
	var roots []*node
	for {
		var document yaml.Node
		if err := from.Decode(&document); errors.Is(err, io.EOF) {
			return roots, nil
		} else if err != nil {
			return nil, yamlError(err)
		}
		root, err := s.node("", part.Place{Line: 1, Column: 1})
		if err != nil {
			return nil, err
		}
		roots = append(roots, root)
		for _, content := range document.Content { // one
			root.Place = placeOf(content)
			if err := s.fillYAML(root, content, 0); err != nil {
				return nil, err
			}
		}
	}
}

func placeOf(v *yaml.Node) part.Place {
	return part.Place{Line: max(v.Line, 1), Column: max(v.Column, 1)}
}

// fillYAML sets the value of a node.
func (s *source) fillYAML(n *node, v *yaml.Node, depth int) error {
	if err := tooDeep(depth, n.Place); err != nil {
		return err
	}
	switch v.Kind {
	case yaml.AliasNode:
		return s.fillYAML(n, v.Alias, depth+1)
	case yaml.MappingNode:
		n.value = mapping + customTag(v, "!!map")
		return s.fillMapping(n, v, depth)
	case yaml.SequenceNode:
		n.value = list + customTag(v, "!!seq")
		for _, content := range v.Content {
			child, err := s.next(n, "", placeOf(content))
			if err != nil {
				return err
			}
			if err := s.fillYAML(child, content, depth+1); err != nil {
				return err
			}
		}
	default:
		n.value, n.scalar, n.text = scalar(v), true, v.Value
	}
	return nil
}

func customTag(v *yaml.Node, usual string) string {
	if tag := v.ShortTag(); tag != usual {
		return " " + tag
	}
	return ""
}

// fillMapping adds the keys of a mapping, and then those that it merges.
func (s *source) fillMapping(n *node, v *yaml.Node, depth int) error {
	var merged []*yaml.Node
	for i := 0; i+1 < len(v.Content); i += 2 {
		key, value := v.Content[i], v.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.ShortTag() == "!!merge" {
			merged = append(merged, value)
			continue
		}
		if key.Kind != yaml.ScalarNode {
			return &part.Error{Place: placeOf(v.Content[i]), Message: "the key is a mapping or a list, which no pointer can name"}
		}
		child, err := s.add(n, key.Value, "", placeOf(v.Content[i]))
		if err != nil {
			return err
		}
		if err := s.fillYAML(child, value, depth+1); err != nil {
			return err
		}
	}
	for _, from := range merged {
		if err := s.merge(n, from, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// merge adds the keys of a mapping, or of a list of mappings, that a node lacks.
func (s *source) merge(n *node, from *yaml.Node, depth int) error {
	if err := tooDeep(depth, placeOf(from)); err != nil {
		return err
	}
	at := placeOf(from)
	if from.Kind == yaml.AliasNode {
		from = from.Alias
	}
	if from.Kind == yaml.SequenceNode {
		for _, each := range from.Content {
			if err := s.merge(n, each, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if from.Kind != yaml.MappingNode {
		return &part.Error{Place: at, Message: `"<<" merges neither a mapping nor a list of mappings`}
	}
	other, err := s.node(mapping, at)
	if err != nil {
		return err
	}
	if err := s.fillMapping(other, from, depth+1); err != nil {
		return err
	}
	for _, child := range other.children {
		if n.child(child.name) == nil {
			n.children = append(n.children, child)
			n.byName = nil
		}
	}
	return nil
}

// scalar returns the value of a scalar with its type: to YAML, 1 and 1.0 and "1" differ.
func scalar(v *yaml.Node) string {
	tag, text := v.ShortTag(), v.Value
	switch tag {
	case "!!null":
		text = ""
	case "!!bool":
		text = strings.ToLower(text)
	case "!!int":
		text = integer(strings.ReplaceAll(text, "_", ""))
	case "!!float":
		text = floatOf(text)
	case "!!timestamp":
		var at time.Time
		if v.Decode(&at) == nil {
			text = at.UTC().Format(time.RFC3339Nano)
		}
	}
	return tag + " " + text
}

var decimalNumber = lazyregexp.New(`^[-+]?[0-9]*\.?[0-9]*([eE][-+]?[0-9]+)?$`)

func floatOf(text string) string {
	text = strings.ReplaceAll(text, "_", "")
	if decimalNumber().MatchString(text) {
		return decimal(text)
	}
	if f, err := strconv.ParseFloat(strings.ReplaceAll(strings.ToLower(text), ".", ""), 64); err == nil { // .inf, .nan
		return fmt.Sprint(f)
	}
	return text
}

var yamlPlace = lazyregexp.New(`^yaml: line (\d+): `)

// yamlError converts an error of the parser, whose text has the line if it is known.
func yamlError(err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if found := yamlPlace().FindStringSubmatch(err.Error()); found != nil {
		line, _ = strconv.Atoi(found[1])
		message = strings.TrimPrefix(err.Error(), found[0])
	}
	return &part.Error{Place: part.Place{Line: max(line, 1), Column: 1}, Message: "cannot be read as YAML: " + message}
}
