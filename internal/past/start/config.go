package start

import (
	"strconv"
	"strings"

	"golang.org/x/mod/semver"
)

// config returns the configuration, with the packs that fit and the files that no rule looks
// at. A build without a release's version writes no minimum: nothing could be compared with it.
func config(packs, exclude []string, version string) string {
	example := "bundled/docs"
	if len(packs) > 0 {
		example = strings.Join(packs, ", ")
	}
	excludes := `# exclude: ["vendor/**", "**/*.generated.*"]`
	if len(exclude) > 0 {
		var list strings.Builder
		for _, p := range exclude {
			list.WriteString("\n  - " + strconv.Quote(p))
		}
		excludes = "exclude:" + list.String()
	}
	least := "# min_version: 1.0.0"
	if v := semver.Canonical(version); v != "" && semver.Prerelease(v) == "" && semver.Build(version) == "" {
		least = "min_version: " + strings.TrimPrefix(v, "v")
	}
	return strings.NewReplacer("«packs»", example, "«exclude»", excludes, "«min_version»", least).Replace(exampleConfig)
}

const exampleConfig = `# yaml-language-server: $schema=schema/config.json
# The configuration of rulecheck for this repository. Every key is optional.

# All rules of packs that come with rulecheck; a file in .rulecheck/rules replaces the rule
# of the same name.
# extends: [«packs»]

# The oldest rulecheck that may check this repository: older ones do not know all rules.
«min_version»

# The branch that changes are compared to. Found from the remote unless given.
# default_branch: main

# Files that no rule should look at.
«exclude»

# The lowest level that fails a run: error, warning or note.
fail_on: error
`
