package git_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rulecheck/rulecheck/internal/git"
)

// The ids of all commits of the repository in the current directory.
func ExampleRepo_Run() {
	ctx := context.Background()
	repo, err := git.Open(ctx, git.Options{Env: os.Environ()})
	if err != nil {
		fmt.Println(err)
		return
	}
	ids, err := repo.Run(ctx, "rev-list", "--all")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", ids)
}
