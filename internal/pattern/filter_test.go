package pattern_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// filled returns text as a filter writes it.
func filled(t *testing.T, filter, text string) string {
	t.Helper()
	path, ok := compile(t, "{x|"+filter+"}").Path(pattern.Captures{"x": text})
	if !ok {
		t.Fatalf("{x|%s} of %q is no path", filter, text)
	}
	return path
}

func TestFilters(t *testing.T) {
	tests := []struct{ text, kebab, snake, camel, pascal, lower, upper string }{
		{"UserService", "user-service", "user_service", "userService", "UserService", "userservice", "USERSERVICE"},
		{"user-service", "user-service", "user_service", "userService", "UserService", "user-service", "USER-SERVICE"},
		{"user_service", "user-service", "user_service", "userService", "UserService", "user_service", "USER_SERVICE"},
		{"USER_SERVICE", "user-service", "user_service", "userService", "UserService", "user_service", "USER_SERVICE"},
		{"HTTPServer", "http-server", "http_server", "httpServer", "HTTPServer", "httpserver", "HTTPSERVER"},
		{"parseURL", "parse-url", "parse_url", "parseURL", "ParseUrl", "parseurl", "PARSEURL"},
		{"Base64Url", "base64-url", "base64_url", "base64Url", "Base64Url", "base64url", "BASE64URL"},
		{"user.list--view", "user-list-view", "user_list_view", "userListView", "UserListView", "user.list--view", "USER.LIST--VIEW"},
		{"éteÉtat", "éte-état", "éte_état", "éteÉtat", "ÉteÉtat", "éteétat", "ÉTEÉTAT"},
		{"日本", "日本", "日本", "日本", "日本", "日本", "日本"},
		{"--", "--", "--", "--", "--", "--", "--"},
		{"a\xffB", "a\xff-b", "a\xff_b", "a\xffB", "A\xffB", "a\xffb", "A\xffB"},
		{"x", "x", "x", "x", "X", "x", "X"},
	}
	for _, tt := range tests {
		for filter, want := range map[string]string{
			"kebab": tt.kebab, "snake": tt.snake, "camel": tt.camel, "pascal": tt.pascal, "lower": tt.lower, "upper": tt.upper,
		} {
			if got := filled(t, filter, tt.text); got != want {
				t.Errorf("%q as %s: %q; want %q", tt.text, filter, got, want)
			}
		}
	}
	if got, _ := compile(t, "{path|kebab}").Path(pattern.Captures{"path": "MyApp/UserService"}); got != "my-app/user-service" {
		t.Errorf("a path in kebab case: %q; want each segment in it", got)
	}
}

func TestAFilterMatchesWhatIsWrittenSo(t *testing.T) {
	tests := []struct {
		source, path string
		want         string // the capture x; empty: no match
	}{
		{"src/{x|pascal}.tsx", "src/UserCard.tsx", "UserCard"},
		{"src/{x|pascal}.tsx", "src/HTTPCard.tsx", "HTTPCard"},
		{"src/{x|pascal}.tsx", "src/index.tsx", ""},
		{"src/{x|kebab}.ts", "src/user-card.ts", "user-card"},
		{"src/{x|kebab}.ts", "src/user_card.ts", ""},
		{"{x|kebab}_{name}", "a-b_c_d", "a-b"},
		{"{x}/{x|kebab}.css", "UserCard/user-card.css", "UserCard"},
		{"{x}/{x|kebab}.css", "UserCard/UserCard.css", ""},
		{"{x|kebab}/{x|pascal}.tsx", "user-card/UserCard.tsx", "user-card"},
		{"{**x|lower}/z", "a/b/z", "a/b"},
		{"{**x|lower}/z", "a/B/z", ""},
		{"*{x|lower}B*", "AaBcB", "a"},
	}
	for _, tt := range tests {
		c, ok := compile(t, tt.source).Match(tt.path)
		if ok != (tt.want != "") || c["x"] != tt.want {
			t.Errorf("%q matches %q: %v, %v; want x = %q", tt.source, tt.path, c, ok, tt.want)
		}
	}
}

// model writes text by regular expressions, on ASCII only.
func model(filter, text string) string {
	joined := map[string]string{"camel": `^[^A-Z][A-Za-z0-9]*$`, "pascal": `^[^a-z][A-Za-z0-9]*$`}[filter]
	switch {
	case filter == "lower":
		return strings.ToLower(text)
	case filter == "upper":
		return strings.ToUpper(text)
	case joined != "" && regexp.MustCompile(joined).MatchString(text) && regexp.MustCompile(`^[A-Za-z0-9]+$`).MatchString(text):
		return text
	}
	spaced := regexp.MustCompile(`([a-z0-9])([A-Z])`).ReplaceAllString(text, "$1 $2")
	spaced = regexp.MustCompile(`([A-Z]+)([A-Z][a-z])`).ReplaceAllString(spaced, "$1 $2")
	words := strings.Fields(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(spaced, " "))
	if len(words) == 0 {
		return text
	}
	var titles []string
	for i, w := range words {
		words[i] = strings.ToLower(w)
		titles = append(titles, strings.ToUpper(words[i][:1])+words[i][1:])
	}
	switch filter {
	case "kebab":
		return strings.Join(words, "-")
	case "snake":
		return strings.Join(words, "_")
	case "camel":
		return words[0] + strings.Join(titles[1:], "")
	default:
		return strings.Join(titles, "")
	}
}

func TestFiltersAsTheModel(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Ca-c1.\-_ ]{1,12}`).Draw(t, "text")
		for _, filter := range pattern.Filters() {
			path, _ := compile(t, "{x|"+filter+"}").Path(pattern.Captures{"x": text})
			if want := model(filter, text); path != want {
				t.Fatalf("%q as %s: %q; want %q", text, filter, path, want)
			}
		}
	})
}

// A pattern with filters matches just when it does without them, with the same captures, and
// each capture is as its filter writes it. (A capture without a wildcard around it has one
// text.)
func TestFiltersNarrowMatches(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		filter := rapid.SampledFrom(pattern.Filters())
		first, second := filter.Draw(t, "first"), filter.Draw(t, "second")
		path := rapid.StringMatching(`[ABab\-_]{1,8}/[ABab\-_]{1,8}\.c`).Draw(t, "path")
		plain, _ := compile(t, "{x}/{y}.c").Match(path)
		got, ok := compile(t, "{x|"+first+"}/{y|"+second+"}.c").Match(path)
		want := model(first, plain["x"]) == plain["x"] && model(second, plain["y"]) == plain["y"]
		if ok != want || ok && (got["x"] != plain["x"] || got["y"] != plain["y"]) {
			t.Fatalf("%q with %s, %s: %v, %v; want %v, %v", path, first, second, got, ok, plain, want)
		}
	})
}

// Inside a segment, a capture with a filter takes the longest text that is written so, and of
// which the rest of the pattern matches what follows.
func TestFiltersBacktrack(t *testing.T) {
	matches := 0
	lawtest.Check(t, func(t *rapid.T) {
		filter := rapid.SampledFrom(pattern.Filters()).Draw(t, "filter")
		path := rapid.StringMatching(`[ABab\-_]{2,10}`).Draw(t, "path")
		want := ""
		for from := 0; from < len(path) && want == ""; from++ { // a wildcard takes as little as it can
			for to := len(path) - 1; to > from && want == ""; to-- {
				if path[to] == '-' && model(filter, path[from:to]) == path[from:to] {
					want = path[from:to]
				}
			}
		}
		c, ok := compile(t, "*{x|"+filter+"}-*").Match(path)
		if ok != (want != "") || c["x"] != want {
			t.Fatalf("%q with %s: %v, %v; want x = %q", path, filter, c, ok, want)
		}
		if ok {
			matches++
		}
	})
	if matches == 0 && !testing.Short() {
		t.Error("no matches drawn; want some")
	}
}

// What a filter writes, it keeps, and the essence of a text is in all its forms.
func TestFiltersKeepWhatTheyWrite(t *testing.T) {
	check := func(t *rapid.T, text string) {
		for _, filter := range pattern.Filters() {
			p := compile(t, "{x|"+filter+"}")
			once, _ := p.Path(pattern.Captures{"x": text})
			if again, _ := p.Path(pattern.Captures{"x": once}); again != once {
				t.Fatalf("%q as %s is %q, and that %q", text, filter, once, again)
			}
			if pattern.Essence(once) != pattern.Essence(text) {
				t.Fatalf("%q as %s is %q: essence %q; want %q", text, filter, once, pattern.Essence(once), pattern.Essence(text))
			}
			if c, ok := p.Match(once); !ok || c["x"] != once {
				t.Fatalf("%q does not match %q, which it writes of %q", p, once, text)
			}
		}
	}
	lawtest.Check(t, func(t *rapid.T) {
		check(t, rapid.StringOfN(rapid.RuneFrom(nil, unicode.L, unicode.Nd, unicode.P), 1, 12, -1).Filter(func(s string) bool { return !strings.Contains(s, "/") }).Draw(t, "text"))
		check(t, string(rapid.SliceOfN(rapid.ByteRange(0xc0, 0xff), 1, 8).Draw(t, "bytes")))
	})
}

func TestBoundFilters(t *testing.T) {
	c := pattern.Captures{"x": "User[Card"}
	p := compile(t, "{x|kebab}/**/{x}.{ts,js}")
	if got := p.Bind(c).String(); got != `user-card/**/User\[Card.{ts,js}` {
		t.Errorf("%q bound: %q", p, got)
	}
	if got := p.Expand(c); got != `user-card/**/User[Card.{ts,js}` {
		t.Errorf("%q expands to %q", p, got)
	}
}
