package clinetasks

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

var (
	// exitLine begins the result of a command, with its exit status or the signal that ended it.
	exitLine = lazyregexp.New(`^(?:Command executed successfully \(exit code (\d{1,9})\)|Command failed with exit code (\d{1,9})\.|(Command terminated by signal )|` +
		`Command executed in (?:terminal +)?(?:within working directory )?'[^\n]*'\. (?:Command execution was not successful[^\n]*\n)?(?:Exit code: (\d{1,9})\b|(Process terminated by signal )))`)
	timedOut = lazyregexp.New(`^Command timed out after \d+ seconds\. Running`)
	skipped  = lazyregexp.New(`^(?:Skipping |Tool \[[\w-]+\] was not executed |Tool was interrupted and not executed |MCP tool \S+ was interrupted and not executed )`)

	denials = [][]byte{[]byte("The user denied this "), []byte(`{"status":"denied"`), []byte("Changes were rejected by the user."), []byte("Delete operation was rejected by the user.")}
	// failures begin the results of calls of all kinds, and failuresToWrite those of commands and edits, whose results repeat no file.
	failures        = [][]byte{[]byte("The tool execution failed"), []byte(`{"status":"error"`), []byte("Missing value for required parameter"), []byte("Error:")}
	failuresToWrite = [][]byte{
		[]byte("<error"), []byte("[ERROR]"), []byte("Error"), []byte("Unable to apply diff to file"), []byte("File does not exist at path"), []byte("The command was terminated after exceeding"),
		[]byte("Command execution blocked"), []byte("Command failed to execute"), []byte("Working directory '"),
	}
	saved = [][]byte{
		[]byte("The content was successfully saved to"), []byte("The user made the following updates to your content"), []byte("<file_write_result>"),
		[]byte("Changes successfully applied"), []byte("Successfully "), []byte("But unable to apply all diff parts to file"),
	}
)

// isSkipped reports whether a text states that a call was not made.
func isSkipped(text []byte) bool { return skipped().Match(text) }

// outcome reads how a call ended. Only what the text states is known: a command without an exit status may have failed.
func outcome(kind fact.Kind, text []byte, failed bool) (status fact.Status, exit *int) {
	text = bytes.TrimSpace(withoutApproval(text))
	begins := func(with [][]byte) bool {
		return slices.ContainsFunc(with, func(beginning []byte) bool { return bytes.HasPrefix(text, beginning) })
	}
	switch {
	case begins(denials), isSkipped(text):
		return fact.Rejected, nil
	case failed, begins(failures), (kind == fact.Command || kind == fact.FileEdit) && begins(failuresToWrite):
		return fact.Error, nil
	case kind == fact.Command:
		return commandOutcome(text)
	case kind != fact.FileEdit, begins(saved), isWritten(text):
		return fact.OK, nil
	}
	return fact.Unknown, nil
}

func commandOutcome(text []byte) (status fact.Status, exit *int) {
	if bytes.HasPrefix(text, []byte("Command is still running in ")) || timedOut().Match(text) {
		return fact.Running, nil
	}
	found := exitLine().FindSubmatch(text)
	if found == nil {
		return fact.Unknown, nil
	}
	for _, code := range [][]byte{found[1], found[2], found[4]} {
		if n, err := strconv.Atoi(string(code)); err == nil {
			if n != 0 {
				return fact.Error, &n
			}
			return fact.OK, &n
		}
	}
	return fact.Error, nil // by a signal
}

// withoutApproval returns the text of a result behind what the user wrote on approving the call.
func withoutApproval(text []byte) []byte {
	if !bytes.HasPrefix(text, []byte(`{"status":"approved"`)) {
		return text
	}
	s := jsonscan.New(text)
	if approval := s.Skip(); approval != nil {
		return text[len(approval):]
	}
	return text
}

// isWritten reports whether a text begins with an object that names a file and what was done with it.
func isWritten(text []byte) bool {
	var path, operation bool
	s := jsonscan.New(text)
	s.Members(func(key string) {
		path = path || key == "path"
		operation = operation || key == "operation"
	})
	return path && operation
}
