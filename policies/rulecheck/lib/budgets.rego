# METADATA
# title: Budgets
# description: Compares what sessions used with the limits that a rule sets.
package rulecheck.lib.budgets

import data.rulecheck.lib.amounts

# METADATA
# description: The violation of a limit on what was counted; none if it is kept.
exceeded(metrics) := set() if metrics.count <= _limit(metrics.of)

exceeded(metrics) := {{"message": _message(metrics), "reached": _limit(metrics.of) + 1}} if metrics.count > _limit(metrics.of)

_limit("tokens") := _param("max_tokens")

# Costs are counted in millionths of a millionth of a dollar.
_limit("cost") := round(_param("max_usd") * 1000000000000)

# Shares are counted in millionths.
_limit("subagent_share") := round(_param("max_subagent_share") * 1000000)

_param(name) := input.rule.params[sprintf("%s.%s", [input.rule.mode, name])]

_message(metrics) := sprintf("Budget of %s exceeded%s: %s / %s", [
	_whose(metrics),
	_by(metrics),
	amounts.number(metrics.count),
	amounts.number(_limit("tokens")),
]) if {
	metrics.of == "tokens"
}

_message(metrics) := sprintf("Cost budget of %s exceeded%s: %s / %s USD", [
	_whose(metrics),
	_by(metrics),
	_hundredths(metrics.count / 10000000000),
	_hundredths(_limit("cost") / 10000000000),
]) if {
	metrics.of == "cost"
}

_message(metrics) := sprintf("Subagents used %s%% of the tokens of %s (limit: %s%%)", [
	_hundredths(metrics.count / 100),
	_whose(metrics),
	_hundredths(_limit("subagent_share") / 100),
]) if {
	metrics.of == "subagent_share"
}

_whose(metrics) := object.get(metrics, "over", "the session")

_by(metrics) := sprintf(" by %s", [amounts.times(metrics.distinct, "session")]) if metrics.over

_by(metrics) := "" if not metrics.over

# Rounded up, so that what is above a limit rarely looks equal to it.
_hundredths(n) := sprintf("%d.%02d", [floor(whole / 100), whole % 100]) if whole := ceil(n)
