package main

import (
	"encoding/json"
	"errors"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/diff"
	"golang.org/x/tools/txtar"
)

// byOasdiff compares two versions of an OpenAPI document, without what is for readers alone.
func byOasdiff(base, head *txtar.Archive) ([]string, error) {
	var sides [2]*openapi3.T
	for i, archive := range []*txtar.Archive{base, head} {
		if len(archive.Files) != 1 {
			return nil, errors.New("want one file")
		}
		var err error
		if sides[i], err = openapi3.NewLoader().LoadFromData(archive.Files[0].Data); err != nil {
			return nil, err
		}
		sides[i].OpenAPI, sides[i].Info, sides[i].ExternalDocs, sides[i].Tags = "3.1.0", &openapi3.Info{}, nil, nil
	}
	config := diff.NewConfig(diff.WithExcludeElements([]string{
		diff.ExcludeDescriptionOption, diff.ExcludeEndpointsOption, diff.ExcludeExamplesOption,
		diff.ExcludeExtensionsOption, diff.ExcludeSummaryOption, diff.ExcludeTagsOption, diff.ExcludeTitleOption,
	}), diff.WithMatchInlineRefs(false))
	found, err := diff.Get(config, sides[0], sides[1])
	if err != nil || found.Empty() {
		return nil, err
	}
	text, err := json.Marshal(found)
	return []string{string(text)}, err
}
