package profile

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// ClineLine returns the shell line for an input of Cline's run_commands, in all forms that it takes: lines, programs with
// arguments, and lists of both. The line is empty if the input has no command, and isWhole is false if it also has
// something else. Each of several commands runs in another shell, so that a quote or a here-document that one of
// them opens does not reach the next.
func ClineLine(input []byte) (line string, isWhole bool) {
	list := clineList(input, "commands")
	isWhole = list != nil
	var lines, alone []string
	for _, one := range list {
		words, ok := clineCommand(one)
		isWhole = isWhole && ok
		if line := CommandOf(words); line != "" {
			lines, alone = append(lines, line), append(alone, "bash -c "+CommandOf([]string{line}))
		}
	}
	if len(lines) < 2 {
		return strings.Join(lines, ""), isWhole
	}
	return strings.Join(alone, "; "), isWhole
}

// clineList returns the values of an input: a list or one value, alone or as a member with one of the names, the last of
// which counts. It is nil if the input is not JSON.
func clineList(input []byte, names ...string) []any {
	var of any
	if json.Unmarshal(input, &of) != nil {
		return nil
	}
	object, _ := of.(map[string]any)
	for _, name := range names {
		if member, ok := object[name]; ok {
			of = member
		}
	}
	if list, ok := of.([]any); ok {
		return list
	}
	return []any{of}
}

// clineCommand returns the words of a command; ok is false for any other value.
func clineCommand(of any) (words []string, ok bool) {
	object, isObject := of.(map[string]any)
	line, ok := of.(string)
	for _, key := range []string{"cmd", "command"} {
		if text, isText := object[key].(string); isText {
			line, ok = text, true
		}
	}
	words = []string{line}
	arguments, _ := object["args"].([]any)
	for _, e := range arguments {
		text, isText := e.(string)
		words, ok = append(words, text), ok && isText
	}
	if !isObject || len(words) == 1 {
		return []string{"bash", "-c", line}, ok
	}
	return words, ok
}

// ClineFiles returns the files that an input of Cline's read_files states, in all forms that it takes.
func ClineFiles(input []byte) (files []string) {
	for _, one := range clineList(input, "files", "file_paths", "paths") {
		name, _ := one.(string)
		if object, ok := one.(map[string]any); ok {
			for _, key := range []string{"path", "file_path", "filePath"} {
				if text, ok := object[key].(string); ok {
					name = text
				}
			}
		}
		if name != "" {
			files = append(files, name)
		}
	}
	return files
}

// ClineResult is how one operation of a call ended.
type ClineResult struct {
	Status        fact.Status // unknown if it is not stated
	Exit          *int        // of a command
	Text, Failure string
}

// exitedWith is the failure of a command that ended by itself.
var exitedWith = lazyregexp.New(`^Command exited with code (\d{1,9})$`)

// ClineResults returns the results that the output of a call states: an object for each operation, in a list or alone,
// which may be a text. They are nil if it states none.
func ClineResults(output []byte) (results []ClineResult) {
	var text string
	if json.Unmarshal(output, &text) == nil {
		output = []byte(text)
	}
	var list []map[string]any
	if json.Unmarshal(output, &list) != nil {
		var one map[string]any
		if json.Unmarshal(output, &one) != nil || one == nil {
			return nil
		}
		list = []map[string]any{one}
	}
	for _, of := range list {
		r := ClineResult{Status: fact.Unknown}
		r.Text, _ = of["result"].(string)
		r.Failure, _ = of["error"].(string)
		if success, ok := of["success"].(bool); ok {
			if r.Status = fact.Error; success {
				r.Status = fact.OK
			}
		}
		if found := exitedWith().FindStringSubmatch(r.Failure); found != nil && r.Status == fact.Error {
			if exit, err := strconv.Atoi(found[1]); err == nil {
				r.Exit = &exit
			}
		}
		results = append(results, r)
	}
	return results
}

// ClineOutcome returns how a call ended, by its results: one that failed counts, and without one the outcome is unknown
// unless each states success.
func ClineOutcome(results []ClineResult) (status fact.Status, exit *int) {
	status = fact.Unknown
	for i, r := range results {
		switch {
		case r.Status == fact.Error:
			return fact.Error, r.Exit
		case i == 0 || r.Status == fact.Unknown:
			status = r.Status
		}
	}
	return status, nil
}

// withMember returns the input of a tool with a further member, or one that has only it if the input is no object.
func withMember(input json.RawMessage, name string, value any) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(input, &object) != nil || object == nil {
		object = map[string]json.RawMessage{}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return input
	}
	object[name] = text
	if all, err := json.Marshal(object); err == nil {
		return all
	}
	return input
}
