package workflow

import (
	"embed"
	"io/fs"
)

// BundledDir is where [Bundled] has its workflow files, one NAME.yaml for each.
const BundledDir = "bundled"

//go:embed bundled/*.yaml
var bundled embed.FS

// Bundled are the workflows that come with the program.
func Bundled() fs.FS { return bundled }
