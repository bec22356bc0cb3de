package format

import "strings"

// withoutCommands escapes what GitHub's runner, which reads every line of a log,
// would execute: "::name::" at the start of a line or after white space, and
// "##[name]" anywhere.
func withoutCommands(output string) string {
	if !strings.Contains(output, "::") && !strings.Contains(output, "##[") {
		return output
	}
	lines := strings.Split(strings.ReplaceAll(output, "##[", `##\[`), "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			lines[i] = strings.Replace(line, "::", `\x3a:`, 1)
		}
	}
	return strings.Join(lines, "\n")
}
