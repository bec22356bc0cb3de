package check_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// What the working tree changed since it left main.
func ExampleRun() {
	ctx := context.Background()
	engine, err := program.Open(ctx, git.Options{Env: os.Environ()})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := check.Run(ctx, engine, check.Options{Since: "main"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict())
}
