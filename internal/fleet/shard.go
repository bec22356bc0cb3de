package fleet

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Shard is a part of a list that one process checks. To which shard a unit belongs depends on
// its id alone.
type Shard struct {
	Index int // from 1
	Count int
}

// Whole is the only shard of a list that is not divided.
var Whole = Shard{1, 1}

// maxShards is far above what schedulers start for one job.
const maxShards = 100_000

// ParseShard reads I/N, such as 3/8.
func ParseShard(text string) (Shard, error) {
	index, count, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(count)
	if !ok || err != nil || err2 != nil || n < 1 || n > maxShards || i < 1 || i > n {
		return Shard{}, fmt.Errorf("bad shard %q; want I/N with I from 1 to N, such as 3/8", text)
	}
	return Shard{i, n}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Units returns the units of the shard, in their order.
func (s Shard) Units(list []Unit) []Unit {
	var units []Unit
	for _, u := range list {
		digest := sha256.Sum256([]byte(u.ID))
		if binary.BigEndian.Uint64(digest[:])%uint64(s.Count) == uint64(s.Index-1) { //nolint:gosec // neither is negative
			units = append(units, u)
		}
	}
	return units
}

// engine is a scheduler that runs one job several times and numbers the runs.
type engine struct {
	name         string
	index, count string // variables
	first, step  string // variables; empty: 0 or, with one, 1; and 1
	one          bool   // it counts from one
}

// ShardsVariable has the number of shards where the engine does not have it.
const ShardsVariable = "RULECHECK_SHARDS"

// engines is the table of schedulers.
var engines = []engine{
	{name: "Kubernetes (Indexed Job)", index: "JOB_COMPLETION_INDEX", count: ShardsVariable},
	{name: "GitLab (parallel)", index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", one: true},
	{name: "AWS Batch (array job)", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"},
	{name: "Slurm (job array)", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP"},
	{name: "GitHub (matrix), or any other", index: "RULECHECK_SHARD", count: ShardsVariable, one: true},
}

// ShardOf returns the shard that the environment of a scheduler asks for, and the variable
// that has its index; the whole list, and no variable, if none does.
func ShardOf(getenv func(string) string) (Shard, string, error) {
	for _, e := range engines {
		if getenv(e.index) == "" {
			continue
		}
		s, err := e.shard(getenv)
		return s, e.index, err
	}
	return Whole, "", nil
}

func (e engine) shard(getenv func(string) string) (Shard, error) {
	number := func(variable string, missing int) (int, error) {
		if variable == "" || getenv(variable) == "" && variable != e.count {
			return missing, nil
		}
		n, err := strconv.Atoi(getenv(variable))
		if err != nil {
			return 0, fmt.Errorf("%s=%q with %s=%q; want a number, or --shard I/N", variable, getenv(variable), e.index, getenv(e.index))
		}
		return n, nil
	}
	first := 0
	if e.one {
		first = 1
	}
	var numbers [4]int
	for i, of := range []struct {
		variable string
		missing  int
	}{{e.index, 0}, {e.count, 0}, {e.first, first}, {e.step, 1}} {
		n, err := number(of.variable, of.missing)
		if err != nil {
			return Shard{}, err
		}
		numbers[i] = n
	}
	index, count, from, step := numbers[0], numbers[1], numbers[2], numbers[3]
	if step < 1 || (index-from)%step != 0 {
		return Shard{}, fmt.Errorf("%s=%d is not one of the tasks from %d in steps of %d; want --shard I/N", e.index, index, from, step)
	}
	return ParseShard(fmt.Sprintf("%d/%d", (index-from)/step+1, count))
}
