# METADATA
# title: Paths that are still named
# description: >-
#   One finding for each line, in a file that matches `in`, that names a path which the
#   change deletes or renames. All lines that name something in a directory that is gone
#   are one finding. Lines that the change adds or edits, and names that an ignore file
#   matches, do not count.
# custom:
#   params:
#     refs.in: patterns
#   facts: [matches, mentions]
#   examples:
#     - |
#       ---
#       refs: {in: [CODEOWNERS, "**/*.md", ".github/**"]}
#       ---
#       Follow the file, or take its name out.
#
#       ```rulecheck
#       D scripts/lint.sh
#       A scripts/check.sh
#       = .github/workflows/ci.yml
#       + jobs: {lint: {steps: [{run: scripts/lint.sh}]}}
#       --
#       .github/workflows/ci.yml:1
#       ```
#
#       ```rulecheck
#       D scripts/lint.sh
#       A scripts/check.sh
#       M .github/workflows/ci.yml
#       - jobs: {lint: {steps: [{run: scripts/lint.sh}]}}
#       + jobs: {lint: {steps: [{run: scripts/check.sh}]}}
#       --
#       silent
#       ```
package rulecheck.modes.refs

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for each line that names a file which is gone, placed on it.
violations contains violation if {
	some mention in _stale
	not mention.directory

	violation := {
		"path": mention.path,
		"line": mention.line,
		"related": _related(mention, []),
		"trigger_files": [mention.removed],
		"message": _message(mention),
	}
}

# METADATA
# description: One violation for each directory that is gone, placed on the first line that names something in it.
violations contains violation if {
	some directory, mentions in _below
	[path, line, mention] := min(mentions)
	others := {[other[0], other[1]] | some other in mentions} - {[path, line]}

	violation := {
		"path": path,
		"line": line,
		"related": _related(mention, others),
		"trigger_files": [mention.removed],
		"message": concat("", [_message(mention), _further(directory, count(others))]),
	}
}

# The most places that one finding lists.
_most := 100

_stale contains mention if {
	some mention in input.mentions
	not mention.new
	not mention.ignored
}

_below[mention.directory] contains [mention.path, mention.line, mention] if some mention in _stale

_related(mention, others) := array.slice(array.concat(new, places), 0, _most) if {
	new := [{"path": mention.renamed_to, "line": 1} | not endswith(mention.renamed_to, "/")]
	places := [{"path": path, "line": line} | some [path, line] in others]
}

_message(mention) := sprintf("names %s, which the change deletes", [mention.name]) if not mention.renamed_to

_message(mention) := sprintf("names %s, which the change renames to %s", [mention.name, mention.renamed_to])

_further(_, 0) := ""

_further(directory, n) := sprintf("; %s more lines name something in %s, which is gone", [amounts.number(n), directory]) if n > 1

_further(directory, 1) := sprintf("; 1 more line names something in %s, which is gone", [directory])
