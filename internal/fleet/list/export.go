package list

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fleet"
)

// exported is a repository as the APIs of GitHub, Gitea and Bitbucket (full_name) or GitLab
// (path_with_namespace) describe it.
type exported struct {
	FullName  string `json:"full_name"`
	Path      string `json:"path_with_namespace"`
	CloneURL  string `json:"clone_url"`
	GitLabURL string `json:"http_url_to_repo"`
	Branch    string `json:"default_branch"`
	Archived  bool   `json:"archived"`
	Disabled  bool   `json:"disabled"`
	Empty     bool   `json:"empty"`
	NoCommits bool   `json:"empty_repo"`

	MainBranch struct{ Name string }      `json:"mainbranch"` // Bitbucket
	Values     []exported                 `json:"values"`
	Links      map[string]json.RawMessage `json:"links"`
}

// ofExport lists the repositories of arrays, objects or pages, one after another as the
// programs of forges print them.
func ofExport(text []byte, name string, o Options) (units []fleet.Unit, skipped int, err error) {
	if o.Clones == "" {
		return nil, 0, fmt.Errorf("%s: the export of a forge has no paths; want --clones, the directory with the clones", name)
	}
	repositories, err := decode(text)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w; want repositories as the API of a forge lists them", name, err)
	}
	var wrong []error
	for i, r := range repositories {
		if r.Empty || r.NoCommits || r.Disabled || r.Archived && !o.Archived {
			skipped++
			continue
		}
		u, err := r.unit(o)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: repository %d: %w", name, i+1, err))
			continue
		}
		units = append(units, u)
	}
	return units, skipped, errors.Join(wrong...)
}

// decode reads a sequence of repositories, arrays and pages of them.
func decode(text []byte) (all []exported, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	for {
		var raw json.RawMessage
		if err := dec.Decode(&raw); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		var one exported
		var list []exported
		if raw[0] == '[' {
			err = json.Unmarshal(raw, &list)
		} else if err = json.Unmarshal(raw, &one); one.Values != nil {
			list = one.Values
		} else {
			list = []exported{one}
		}
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
}

// unit returns the unit of a repository. Its name becomes a path below the clones only if it
// is a valid id.
func (r exported) unit(o Options) (fleet.Unit, error) {
	u := fleet.Unit{ID: first(r.FullName, r.Path), URL: first(r.CloneURL, r.GitLabURL, r.bitbucketURL())}
	if branch := first(r.Branch, r.MainBranch.Name); branch != "" {
		u.To = "refs/heads/" + branch
	}
	if u.ID == "" {
		return u, errors.New("no full_name and no path_with_namespace")
	}
	u.GitDir = filepath.Join(o.Clones, filepath.FromSlash(u.ID)+".git")
	return u, u.Check()
}

// bitbucketURL returns the https link among the links of a repository of Bitbucket.
func (r exported) bitbucketURL() string {
	var links []struct{ Name, Href string }
	_ = json.Unmarshal(r.Links["clone"], &links) // without one there is no URL
	for _, link := range links {
		if link.Name == "https" {
			return link.Href
		}
	}
	return ""
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
