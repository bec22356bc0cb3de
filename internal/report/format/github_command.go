package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/plain"
)

// commands maps levels to GitHub's workflow commands.
var commands = map[finding.Level]string{
	finding.Error: "error", finding.Warning: "warning", finding.Note: "notice",
}

// The escapes that the runner decodes: in the data of a command, and in its
// properties.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeCommands writes each annotation as a workflow command, the only ones in a log.
func writeCommands(w io.Writer, list []annotation) error {
	var b strings.Builder
	for _, a := range list {
		message := plain.Line(a.message)
		if a.advice != "" {
			message += "\n" + a.advice
		}
		fmt.Fprintf(&b, "::%s %s::%s\n", commands[a.level], strings.Join(a.properties(), ","), dataEscapes.Replace(string(message)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// properties returns the place and the title of an annotation.
func (a annotation) properties() []string {
	var properties []string
	if a.file != "" {
		properties = append(properties, "file="+propertyEscapes.Replace(fileProperty(a.file)))
		if a.line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", a.line))
		}
		if a.column > 0 {
			properties = append(properties, fmt.Sprintf("col=%d", a.column))
		}
	}
	return append(properties, "title="+propertyEscapes.Replace(string(plain.Line(a.title))))
}

// lineEnds matches the invisible characters that the runner decodes.
var lineEnds = lazyregexp.New(`[\r\n]|[^\r\n]+`)

// fileProperty returns a name as it is, because GitHub looks the file up, except for
// characters that cannot be seen.
func fileProperty(name string) string {
	return lineEnds().ReplaceAllStringFunc(name, func(part string) string {
		if part == "\r" || part == "\n" {
			return part
		}
		return string(plain.Line(part))
	})
}
