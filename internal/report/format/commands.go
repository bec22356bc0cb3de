package format

import "strings"

// inert takes from output what GitHub's runner, which reads every line of a
// log, would carry out as a command: "::name::" at the start of a line, after
// blanks too, and "##[name]" anywhere.
func inert(output string) string {
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
