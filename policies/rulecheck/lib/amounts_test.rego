package rulecheck.lib.amounts_test

import data.rulecheck.lib.amounts

test_puts_commas_between_three_digits if {
	every n, text in {0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 999999: "999,999", 1234567: "1,234,567"} {
		amounts.number(n) == text
	}
	amounts.number(18446744073709551615) == "18,446,744,073,709,551,615"
}

test_counts_one_and_several if {
	amounts.times(1, "time") == "1 time"
	amounts.times(2, "edit") == "2 edits"
	amounts.times(1500, "command") == "1,500 commands"
}

test_names_a_window_in_its_largest_whole_unit if {
	every seconds, text in {
		1: "1 second", 59: "59 seconds", 60: "1 minute", 90: "90 seconds", 120: "2 minutes",
		600: "10 minutes", 3600: "1 hour", 5400: "90 minutes", 7200: "2 hours",
	} {
		amounts.window(seconds) == text
	}
	amounts.window(10000000000) == "10000000000 seconds"
}

test_writes_a_span_without_zero_units if {
	every seconds, text in {
		0: "0s", 45: "45s", 60: "1m", 400: "6m 40s", 660: "11m", 3599: "59m 59s",
		3600: "1h", 3605: "1h 5s", 5400: "1h 30m", 90061: "25h 1m 1s",
	} {
		amounts.span(seconds) == text
	}
}
