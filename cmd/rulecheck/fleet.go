package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
	"github.com/rulecheck/rulecheck/internal/fleet"
	"github.com/rulecheck/rulecheck/internal/report"
)

// unitTimeout is the time that one unit may take.
const unitTimeout = 5 * time.Minute

// fleetFlags are the flags of rulecheck fleet.
type fleetFlags struct {
	list, ledger string
	shard        shard
	jobs         int
	timeout      time.Duration
	rulesFrom    string
	skip, only   []string
	print        bool
	ledgerOnly   bool
}

// shard is the value of --shard.
type shard struct{ fleet.Shard }

func (s *shard) Set(value string) (err error) {
	s.Shard, err = fleet.ParseShard(value)
	return err
}

func (*shard) Type() string { return "I/N" }

func (s *shard) String() string {
	if s.Shard == (fleet.Shard{}) {
		return ""
	}
	return s.Shard.String()
}

// newFleet returns the command that checks many repositories.
func newFleet(p *process) *cobra.Command {
	f := &fleetFlags{}
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Check many repositories, and merge the results",
		Long: `fleet checks many repositories, or many directories of agent logs, one by one. The
list has one JSON object in each line:

    {"id": "team/web", "git_dir": "/srv/git/web.git", "from": "v1.2", "to": "main"}
    {"id": "logs/ann", "logs": "/srv/logs/ann"}

Without "to", a repository is checked at HEAD; without "from", its last commit is
checked, with everything that it merged. A repository is checked with its own rules,
and logs with the session rules of the working directory. Commands of rules do not
run, and rules of the user do not count.

The results go to a ledger, one line for each unit. To continue an interrupted run,
run it again. A unit is checked again only if it has no result, or if its commits or
branches, its logs and their rules, or the version of rulecheck changed.

With --shard, or started by a scheduler that numbers its tasks, only a part of the
list is checked; fleet merge makes one report of all ledgers.

Exit status: the highest of all units; 3 if a unit could not be checked.`,
		Example: `  rulecheck fleet --list repositories.ndjson
  rulecheck fleet --list repositories.ndjson --shard 3/8
  rulecheck fleet merge fleet-*.ndjson --format html=fleet.html`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage.UnknownCommand(cmd, args[0], "")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return p.fleet(cmd, f) },
	}
	set := cmd.Flags()
	set.StringVar(&f.list, "list", "", "check the units listed in `FILE`, or \"-\" for standard input")
	set.Var(&f.shard, "shard", "check the `I/N`th part of the list, such as 3/8 (default: the part that the scheduler assigns, or all)")
	set.StringVar(&f.ledger, "ledger", "", "keep the results in `FILE`, or in a directory that ends with \"/\" (default: fleet.ndjson, or fleet-I-of-N.ndjson)")
	set.IntVar(&f.jobs, "jobs", 0, "check `N` units at the same time (default: one per processor)")
	set.DurationVar(&f.timeout, "timeout", unitTimeout, "give up on a unit after this `TIME`")
	set.StringVar(&f.rulesFrom, "rules-from", "", "read the rules of each repository at the commit `REF`, or at \"base\"")
	set.StringSliceVar(&f.only, "only", nil, "check only the rules with these `IDS`")
	set.StringSliceVar(&f.skip, "skip", nil, "skip the rules with these `IDS`")
	set.BoolVar(&f.print, "print", false, "print the units of the shard, and check nothing")
	set.BoolVar(&f.ledgerOnly, "ledger-only", false, "exit with status 0 once the ledger is complete; fleet merge has the status of the results")
	cmd.AddCommand(newFleetList(p), newFleetManifest(p), newFleetMerge(p))
	return cmd
}

func (p *process) fleet(cmd *cobra.Command, f *fleetFlags) error {
	if f.list == "" {
		return errors.New("no list; want --list FILE, or \"-\" for standard input")
	}
	if f.jobs < 0 || f.timeout <= 0 {
		return errors.New("--jobs and --timeout; want more than 0")
	}
	if f.jobs == 0 {
		f.jobs = runtime.NumCPU()
	}
	list, err := p.readFleet(f.list)
	if err != nil {
		return err
	}
	part, variable := f.shard.Shard, ""
	if part == (fleet.Shard{}) {
		if part, variable, err = fleet.ShardOf(p.getenv); err != nil {
			return err
		}
	}
	if f.print {
		return p.printUnits(part.Units(list))
	}
	if f.ledger == "" || strings.HasSuffix(f.ledger, "/") {
		f.ledger += ledgerOf(part)
	}
	checker, err := p.fleetProcess(f)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.ledger), 0o755); err != nil { //nolint:gosec // a report is no secret
		return evaluationError{err}
	}
	ledger, err := fleet.OpenLedger(f.ledger, list, part)
	if err != nil {
		return evaluationError{err}
	}
	units := part.Units(list)
	bar := terminal.NewBar(p.stderr, p.getenv, "units", false)
	counts, err := fleet.Run(cmd.Context(), units, checker, ledger, fleet.Options{Jobs: f.jobs, Progress: bar.Draw})
	bar.Clear()
	if err = errors.Join(err, ledger.Close()); err != nil {
		return evaluationError{err}
	}
	if !f.ledgerOnly {
		p.status = counts.Status
	}
	if variable != "" {
		p.print("shard %s, by %s\n", part.String(), variable)
	}
	p.print("%s: %d checked, %d kept from before; %s without a result\n%s\n",
		report.Count(len(units), "unit"), counts.Checked, counts.Kept, report.Count(counts.Failed, "unit"), f.ledger)
	return nil
}

// ledgerOf returns the name of the ledger of a shard.
func ledgerOf(s fleet.Shard) string {
	if s == fleet.Whole {
		return "fleet.ndjson"
	}
	return fmt.Sprintf("fleet-%d-of-%d.ndjson", s.Index, s.Count)
}

func (p *process) readFleet(name string) ([]fleet.Unit, error) {
	if name == "-" {
		return fleet.ReadList(p.stdin, "standard input")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w; want a list of units, see rulecheck fleet --help", err)
	}
	defer file.Close()
	return fleet.ReadList(file, name)
}

// keptVariables are the variables that the processes of a fleet keep: a result must not depend on
// where its shard ran.
var keptVariables = []string{"PATH", "HOME", "LANG", "TMPDIR", "SystemRoot", "XDG_CACHE_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"}

// decidingVariables are those on which results depend.
var decidingVariables = []string{"RULECHECK_ORG_PACK", "RULECHECK_PACK_SIGNERS"}

// fleetProcess returns the checker of units.
func (p *process) fleetProcess(f *fleetFlags) (*fleet.Process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, evaluationError{err}
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, evaluationError{err}
	}
	if f.rulesFrom == "worktree" {
		return nil, errors.New(`--rules-from worktree: working trees change while a fleet runs; want a commit, or "base"`)
	}
	c := &fleet.Process{Program: program, Version: version, Dir: dir, Timeout: f.timeout, RulesFrom: f.rulesFrom}
	c.Env = []string{"CI=true", "GOMAXPROCS=1"} // one processor for each of --jobs
	for _, key := range keptVariables {
		if value := p.getenv(key); value != "" {
			c.Env = append(c.Env, key+"="+value)
		}
	}
	for _, key := range decidingVariables {
		if value := p.getenv(key); value != "" {
			c.Deciding = append(c.Deciding, key+"="+value)
		}
	}
	if len(f.only) > 0 {
		c.Args = append(c.Args, "--only="+strings.Join(f.only, ","))
	}
	if len(f.skip) > 0 {
		c.Args = append(c.Args, "--skip="+strings.Join(f.skip, ","))
	}
	return c, nil
}
