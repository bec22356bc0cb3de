package markdown_test

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/markdown"
)

// pages resolves addresses of pages, and a file.
func pages(target string) string {
	if strings.HasPrefix(target, "https://") {
		return target
	}
	if target == "a.md" {
		return "https://example.com/a.md"
	}
	return ""
}

func TestHTML(t *testing.T) {
	const link = `<a href="https://example.com/a.md" rel="noopener">`
	for body, want := range map[string]string{
		"Add a test.\n\n- one\n- two `<b>`":         "<p>Add a test.</p>\n<ul>\n<li>one</li>\n<li>two <code>&lt;b&gt;</code></li>\n</ul>\n",
		"# Title":                                   "<h3>Title</h3>\n",
		"See [a *b*](a.md \"c\").":                  "<p>See " + link + "a <em>b</em></a>.</p>\n",
		"See [a](javascript:alert(1)) [b](c.md).":   "<p>See a b.</p>\n",
		"[a](javascript&#58;alert(1))":              "<p>a</p>\n",
		"[a](https://x.org/?a=1&copy;=2)":           "<p><a href=\"https://x.org/?a=1©=2\" rel=\"noopener\">a</a></p>\n",
		"https://x.org/a?b=c&d and x@y.org":         "<p><a href=\"https://x.org/a?b=c&amp;d\" rel=\"noopener\">https://x.org/a?b=c&amp;d</a> and x@y.org</p>\n",
		"![an image](https://x.org/i.png)":          "<p>!<a href=\"https://x.org/i.png\" rel=\"noopener\">an image</a></p>\n",
		"<img src=x onerror=alert(1)> <b>x</b><br>": "<p>&lt;img src=x onerror=alert(1)&gt; &lt;b&gt;x&lt;/b&gt;<br></p>\n",
		"a <!-- comment --> b\n\n<!-- c -->":        "<p>a  b</p>\n",
		"<promise>done</promise>":                   "<p>&lt;promise&gt;done&lt;/promise&gt;</p>\n",
		"<script>alert(1)</script>":                 "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
		"```html\n<b>\n":                            "<pre><code class=\"language-html\">&lt;b&gt;\n</code></pre>\n",
		"```x\" onclick=\"y\na\n```":                "<pre><code class=\"language-x&quot;\">a\n</code></pre>\n",
		"```\n::error a::b\n##[error]c\n```":        "<pre><code>&#58;&#58;error a&#58;&#58;b\n##\\x5berror]c\n</code></pre>\n",
		"| a |\n|--:|\n| b |":                       "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n",
		"a\x1b[31m\u202eb":                          "<p>a\\x1b[31m\\u202eb</p>\n",
	} {
		if got := markdown.HTML(body, pages); got != want {
			t.Errorf("%q is\n%s\nwant\n%s", body, got, want)
		}
	}
}

// harmless are the elements of rendered markdown with the attributes that they may have.
var harmlessTags = map[string]string{
	"p": "", "ul": "", "ol": "start", "li": "", "code": "class", "pre": "", "em": "", "strong": "", "del": "", "br": "", "hr": "", "blockquote": "",
	"h3": "", "h4": "", "h5": "", "h6": "", "table": "", "thead": "", "tbody": "", "tr": "", "th": "", "td": "", "a": "href rel", "input": "checked disabled type",
}

var language = regexp.MustCompile(`^language-`)

// TestHTMLIsHarmlessLaw reads what hostile markdown becomes as a browser does: only elements
// of markdown, only attributes of links, and every element closed.
func TestHTMLIsHarmlessLaw(t *testing.T) {
	t.Parallel()
	lawtest.Check(t, func(t *rapid.T) {
		body := hostile.Draw(t, "body")
		page := markdown.HTML(body, pages)
		if strings.Contains(page, "::") || strings.Contains(page, "##[") {
			t.Fatalf("%q has a command of GitHub's runner in\n%s", body, page)
		}
		depth := 0
		for tokens := html.NewTokenizer(strings.NewReader(page)); tokens.Next() != html.ErrorToken; {
			token := tokens.Token()
			switch token.Type { //nolint:exhaustive // text is escaped
			case html.CommentToken, html.DoctypeToken:
				t.Fatalf("%q has %s in\n%s", body, token, page)
			case html.EndTagToken:
				depth--
			case html.StartTagToken, html.SelfClosingTagToken:
				allowed, known := harmlessTags[token.Data]
				if !known {
					t.Fatalf("%q has <%s> in\n%s", body, token.Data, page)
				}
				if token.Data != "br" && token.Data != "hr" && token.Data != "input" {
					depth++
				}
				for _, a := range token.Attr {
					switch {
					case !strings.Contains(" "+allowed+" ", " "+a.Key+" "),
						a.Key == "href" && !strings.HasPrefix(a.Val, "https://"), a.Key == "class" && !language.MatchString(a.Val):
						t.Fatalf("%q has the attribute %s=%q in\n%s", body, a.Key, a.Val, page)
					}
				}
			}
		}
		if depth != 0 {
			t.Fatalf("%q leaves %d elements open in\n%s", body, depth, page)
		}
	})
}
