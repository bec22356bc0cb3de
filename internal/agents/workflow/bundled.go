package workflow

import (
	"embed"
	"io/fs"
)

// BundledDir is the directory of the workflow files in [Bundled].
const BundledDir = "bundled"

//go:embed bundled/*.yaml
var bundled embed.FS

// Bundled returns the file system of the workflows that come with rulecheck.
func Bundled() fs.FS { return bundled }
