package main

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestSite builds the site of docs/ as make site does, follows its links, and checks that
// it loads nothing from other hosts and that its search knows every page.
func TestSite(t *testing.T) {
	if _, err := exec.LookPath("mkdocs"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("mkdocs is not installed")
	}
	site := t.TempDir()
	build := exec.CommandContext(t.Context(), "mkdocs", "build", "--quiet", "--site-dir", site)
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages := sitePages(t, site)
	if len(pages) < 15 {
		t.Fatalf("%d pages", len(pages))
	}
	index := readDocument(t, site, "search", "search_index.json")
	for name, page := range pages {
		for _, address := range page.loads {
			if u, err := url.Parse(address); err != nil || u.Host != "" {
				t.Errorf("%s loads %s", name, address)
			}
		}
		for _, address := range append(page.links, page.loads...) {
			if problem := follow(site, pages, name, address); problem != "" {
				t.Errorf("%s: %s", name, problem)
			}
		}
		if location := strings.TrimSuffix(name, "index.html"); name != "404.html" && !strings.Contains(index, `"location":"`+location+`"`) {
			t.Errorf("the search does not know %s", name)
		}
	}
	outside := regexp.MustCompile(`(?:@import|url\()\s*["']?(?:https?:)?//`)
	styles, err := filepath.Glob(filepath.Join(site, "assets", "stylesheets", "*.css"))
	if err != nil || len(styles) == 0 {
		t.Fatal(styles, err)
	}
	for _, file := range styles {
		if found := outside.FindString(readDocument(t, file)); found != "" {
			t.Errorf("%s loads from another host: %s", file, found)
		}
	}
}

// sitePage holds the references of a page of the site.
type sitePage struct {
	ids   []string
	links []string // for the reader to follow
	loads []string // by the browser
}

// sitePages reads the pages below a directory, by their slash-separated paths.
func sitePages(t *testing.T, site string) map[string]*sitePage {
	t.Helper()
	pages := map[string]*sitePage{}
	err := filepath.WalkDir(site, func(file string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".html" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		root, err := html.Parse(bytes.NewReader(text))
		if err != nil {
			return err
		}
		name, err := filepath.Rel(site, file)
		pages[filepath.ToSlash(name)] = readSitePage(root)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func readSitePage(root *html.Node) *sitePage {
	page := &sitePage{}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				page.ids = append(page.ids, a.Val)
			case n.Data == "a" && a.Key == "href":
				page.links = append(page.links, a.Val)
			case n.Type == html.ElementNode && (a.Key == "src" || n.Data == "link" && a.Key == "href"):
				page.loads = append(page.loads, a.Val)
			}
		}
	}
	return page
}

// follow returns what is wrong with a link to another page of the site.
func follow(site string, pages map[string]*sitePage, from, address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return err.Error()
	case u.Scheme == "https" && u.Host != "" || strings.HasPrefix(address, "/"): // of the 404 page
		return ""
	case u.Scheme != "":
		return "the link " + address + " has an unknown scheme"
	}
	target := from
	if u.Path != "" {
		if target = path.Join(path.Dir(from), u.Path); strings.HasSuffix(u.Path, "/") || u.Path == "." || u.Path == ".." {
			target = path.Join(target, "index.html")
		}
	}
	if _, err := os.Stat(filepath.Join(site, filepath.FromSlash(target))); err != nil {
		return "the link " + address + " leads nowhere"
	}
	if page := pages[target]; page != nil && u.Fragment != "" && !slices.Contains(page.ids, u.Fragment) {
		return "no heading has the id of the link " + address
	}
	return ""
}
