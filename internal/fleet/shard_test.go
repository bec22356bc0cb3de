package fleet_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/fleet"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestShardOf reads the variables that each scheduler sets, as its documentation has them.
func TestShardOf(t *testing.T) {
	for name, test := range map[string]struct {
		env       map[string]string
		want, err string
	}{
		"none":       {want: "1/1"},
		"Kubernetes": {map[string]string{"JOB_COMPLETION_INDEX": "0", "RULECHECK_SHARDS": "8"}, "1/8", ""},
		"GitLab":     {map[string]string{"CI_NODE_INDEX": "8", "CI_NODE_TOTAL": "8"}, "8/8", ""},
		"AWS Batch":  {map[string]string{"AWS_BATCH_JOB_ARRAY_INDEX": "7", "AWS_BATCH_JOB_ARRAY_SIZE": "8"}, "8/8", ""},
		"Slurm": {map[string]string{
			"SLURM_ARRAY_TASK_ID": "14", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_STEP": "2",
		}, "3/3", ""},
		"GitHub":      {map[string]string{"RULECHECK_SHARD": "1", "RULECHECK_SHARDS": "8"}, "1/8", ""},
		"no count":    {map[string]string{"JOB_COMPLETION_INDEX": "0"}, "", `RULECHECK_SHARDS="" with JOB_COMPLETION_INDEX="0"; want a number, or --shard I/N`},
		"no number":   {map[string]string{"CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "2"}, "", `CI_NODE_INDEX="x" with CI_NODE_INDEX="x"; want a number, or --shard I/N`},
		"out of step": {map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_STEP": "2"}, "", "SLURM_ARRAY_TASK_ID=3 is not one of the tasks from 0 in steps of 2; want --shard I/N"},
		"beyond":      {map[string]string{"RULECHECK_SHARD": "9", "RULECHECK_SHARDS": "8"}, "", `bad shard "9/8"; want I/N with I from 1 to N, such as 3/8`},
	} {
		shard, _, err := fleet.ShardOf(func(key string) string { return test.env[key] })
		if err != nil && err.Error() != test.err || err == nil && (test.err != "" || shard.String() != test.want) {
			t.Errorf("%s: %v, %v; want %s, %s", name, shard, err, test.want, test.err)
		}
	}
}

// TestShardsDivide checks that every unit belongs to one shard, whatever else is in the list.
func TestShardsDivide(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		var list []fleet.Unit
		for _, id := range rapid.SliceOfDistinct(rapid.StringMatching(`[a-z]{1,8}`), rapid.ID).Draw(t, "ids") {
			list = append(list, fleet.Unit{ID: id, GitDir: id})
		}
		count := rapid.IntRange(1, 70).Draw(t, "shards")
		shards := map[string]int{}
		for i := range count {
			for _, u := range (fleet.Shard{Index: i + 1, Count: count}).Units(list) {
				if shards[u.ID] != 0 {
					t.Fatalf("%q is in the shards %d and %d", u.ID, shards[u.ID], i+1)
				}
				shards[u.ID] = i + 1
				if alone := (fleet.Shard{Index: i + 1, Count: count}).Units([]fleet.Unit{u}); len(alone) != 1 {
					t.Fatalf("%q is in another shard when it is alone", u.ID)
				}
			}
		}
		if len(shards) != len(list) {
			t.Fatalf("%d of %d units are in a shard", len(shards), len(list))
		}
	})
}
