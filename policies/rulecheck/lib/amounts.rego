# METADATA
# title: Amounts in words
# description: Formats numbers and durations for messages.
package rulecheck.lib.amounts

# METADATA
# description: A whole number with commas between groups of three digits.
number(n) := trim_left(strings.reverse(grouped), ",") if {
	grouped := regex.replace(strings.reverse(format_int(n, 10)), `(\d{3})`, "$1,")
}

# METADATA
# description: A count with its noun, such as "1 time" and "2 times".
times(n, one) := sprintf("1 %s", [one]) if n == 1

times(n, one) := sprintf("%s %ss", [number(n), one]) if n != 1

# METADATA
# description: Seconds in the largest unit that divides them evenly, such as "2 minutes" and "90 seconds".
window(seconds) := _plain(seconds / 3600, "hour") if {
	seconds % 3600 == 0
} else := _plain(seconds / 60, "minute") if {
	seconds % 60 == 0
} else := _plain(seconds, "second")

_plain(n, unit) := sprintf("1 %s", [unit]) if n == 1

_plain(n, unit) := sprintf("%d %ss", [n, unit]) if n != 1

# METADATA
# description: Seconds as hours, minutes and seconds without zeros, such as "6m 40s".
span(seconds) := "0s" if {
	seconds == 0
} else := concat(" ", parts) if {
	units := [[floor(seconds / 3600), "h"], [floor(seconds / 60) % 60, "m"], [seconds % 60, "s"]]
	parts := [part |
		some [n, unit] in units
		n > 0
		part := sprintf("%d%s", [n, unit])
	]
}
