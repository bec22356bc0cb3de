package pattern_test

import (
	"errors"
	"testing"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

func TestForeign(t *testing.T) {
	t.Parallel()
	const expression, windows = " looks like a regular expression; want a path pattern", ` has "\" between names, which escapes the next character; want "/"`
	for _, c := range []struct {
		source, want string
		offset       int
	}{
		{`^src/.*\.py$`, expression + `, such as "src/**/*.py"`, 0},
		{`src/.*\.py`, expression + `, such as "src/**/*.py"`, 6},
		{`\.py$`, expression + `, such as "**/*.py"`, 0},
		{`.*\.py`, expression + `, such as "**/*.py"`, 2},
		{`^src/`, expression + `, such as "src/**"`, 0},
		{`^src/[^/]+/test_.*\.(py|pyi)$`, expression + `, such as "src/*/test_*.{py,pyi}"`, 0},
		{`src/.*/x$`, expression + `, such as "src/**/x"`, 8},
		{`src/\d+_up\.sql`, expression, 4},
		{`^(src|lib)/.+$`, expression + `, such as "{src,lib}/**/*"`, 0},
		{`package\.json#/version`, expression + `, such as "package.json"`, 7},
		{`src\**\*.py`, windows + `, such as "src/**/*.py"`, 3},
		{`src\app\main.py`, windows + `, such as "src/app/main.py"`, 3},
		{`src/app\main.py`, windows + `, such as "src/app/main.py"`, 7},
		{`src\docs\*.md`, windows + `, such as "src/docs/*.md"`, 3},
		{`a\.github\x.yml`, windows + `, such as "a/.github/x.yml"`, 1},
		{`src\é`, windows + `, such as "src/é"`, 3},
		{`src/*.py`, "", 0},
		{`.*/**`, "", 0},
		{`.*rc`, "", 0},
		{`config.*`, "", 0},
		{`app/\[id\]/page.tsx`, "", 0},
		{`app/(group)/page.tsx`, "", 0},
		{`a/\*b`, "", 0},
		{`a/[\d\]]b`, "", 0},
		{`\!a`, "", 0},
		{`\^a`, "", 0},
		{`a\$`, "", 0},
		{`a$b`, "", 0},
		{`a\#b`, "", 0},
		{`a.json#/$ref/\x$`, "", 0},
		{`a\\b`, "", 0},
		{`a\`, "", 0},
		{``, "", 0},
	} {
		err := pattern.Foreign(c.source)
		wrong, _ := errors.AsType[*pattern.Error](err)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v; want no error", c.source, err)
		case c.want != "" && (wrong == nil || wrong.Message != `"`+c.source+`"`+c.want || wrong.Offset != c.offset):
			t.Errorf("%s: %+v; want %s at %d", c.source, wrong, c.want, c.offset)
		}
	}
}
