package rule

import (
	"io/fs"
	"net/url"
	"path"
	"regexp/syntax"
	"strings"
	"time"
	"unicode"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

func levels() []string {
	var names []string
	for _, l := range finding.Levels() {
		names = append(names, string(l))
	}
	return names
}

// checkName accepts names that fit on one line of a report and between the angle
// brackets of a promise.
func checkName(name string) *yaml.Issue {
	if strings.TrimSpace(name) == "" {
		return yaml.NewIssue(CodeEmptyValue, "is blank; want a name, or remove the key to use the file's name")
	}
	if i := strings.IndexByte(name, '<'); i >= 0 {
		return &yaml.Issue{Code: CodeBadValue, Offset: i, Message: `contains "<"; want a name without it`}
	}
	if i := strings.IndexFunc(name, unicode.IsControl); i >= 0 {
		return yaml.NewIssue(CodeBadValue, "is %q; want one line", name)
	}
	return nil
}

// checkGlob checks a name with wildcards.
func checkGlob(text string) *yaml.Issue {
	if _, err := path.Match(text, ""); err != nil {
		return yaml.NewIssue(CodeBadValue, "is %q, whose wildcards cannot be read; want *, ? or [a-z]", text)
	}
	return nil
}

func checkURL(text string) *yaml.Issue {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return yaml.NewIssue(CodeBadValue, "is %q; want a URL that begins with https:// or http://", text)
	}
	return nil
}

// envName matches names by POSIX.1-2017, Base Definitions, §8.1, and lower case.
var envName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

func checkEnvName(text string) *yaml.Issue {
	if !envName().MatchString(text) {
		return yaml.NewIssue(CodeBadValue, "is %q; want the name of an environment variable, such as CI", text)
	}
	return nil
}

// semver is the expression of semver.org without build metadata.
var semver = lazyregexp.New(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(-((0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$`)

func checkVersion(text string) *yaml.Issue {
	if !semver().MatchString(text) {
		return yaml.NewIssue(CodeBadValue, "is %q; want a version such as 1.2.0", text)
	}
	return nil
}

func checkDirectory(text string) *yaml.Issue {
	if !fs.ValidPath(text) || strings.ContainsAny(text, `\`+"\x00") {
		return yaml.NewIssue(CodeBadValue, `is %q; want a path below the repository's root, such as .rulecheck/rules, without "..", "./" or a "/" at either end`, text)
	}
	return nil
}

func checkBranch(text string) *yaml.Issue {
	if at := git.BadBranch(text); at >= 0 {
		return &yaml.Issue{Code: CodeBadValue, Offset: at, Message: "is " + yaml.Quote(text) + "; want the name of a branch, such as main"}
	}
	return nil
}

func checkDuration(text string) *yaml.Issue {
	if d, err := time.ParseDuration(text); err != nil || d <= 0 {
		return yaml.NewIssue(CodeBadValue, "is %q; want a duration with its unit, such as 90s or 5m", text)
	}
	return nil
}

func checkRegex(text string) *yaml.Issue {
	if _, err := syntax.Parse(text, syntax.Perl); err != nil { // regexp.Compile fails for the same texts
		if what := beyondRE2(text); what != "" {
			return yaml.NewIssue(CodeBadValue, "is %q; want an RE2 expression, which has no %s", text, what)
		}
		return yaml.NewIssue(CodeBadValue, "is %q; want an RE2 expression: %s", text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return nil
}

// beyondRE2 names what other regular expressions have and RE2 lacks, with what to use in its
// place; empty if an expression that is refused has nothing of it.
func beyondRE2(text string) string {
	for _, of := range []struct{ sign, what string }{
		{"(?=", "lookahead: match the text too, or use two rules"},
		{"(?!", "lookahead: exclude characters with [^…], or use two rules"},
		{"(?<=", "lookbehind: match the text too, or use two rules"},
		{"(?<!", "lookbehind: exclude characters with [^…], or use two rules"},
		{"(?>", "atomic groups: use (?:…)"},
	} {
		if strings.Contains(text, of.sign) {
			return of.what
		}
	}
	if backReference().MatchString(text) {
		return "back references: write the text again"
	}
	return ""
}

var backReference = lazyregexp.New(`\\[1-9]`)
