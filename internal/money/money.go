// Package money has amounts of US dollars, and costs that may be unknown.
package money

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// USD is an amount of money, in millionths of a millionth of a US dollar: prices of single tokens
// are whole numbers of them.
type USD int64

// Dollar is one US dollar.
const Dollar USD = 1_000_000_000_000

// String returns the amount in dollars, rounded to cents; an amount below a cent has its first two
// digits.
func (u USD) String() string {
	if u != 0 && u < Dollar/100 {
		return strconv.FormatFloat(float64(u)/float64(Dollar), 'g', 2, 64) + " USD"
	}
	cents := u / (Dollar / 100)
	if u%(Dollar/100) >= Dollar/200 {
		cents++
	}
	return fmt.Sprintf("%d.%02d USD", cents/100, cents%100)
}

// MarshalJSON writes the exact amount in dollars.
func (u USD) MarshalJSON() ([]byte, error) {
	text := fmt.Sprintf("%d.%012d", u/Dollar, u%Dollar)
	return []byte(strings.TrimSuffix(strings.TrimRight(text, "0"), ".")), nil
}

// UnmarshalJSON reads an amount in dollars that is not negative.
func (u *USD) UnmarshalJSON(data []byte) error {
	n, err := strconv.ParseFloat(string(data), 64)
	amount, ok := Dollars(n)
	if err != nil || !ok {
		return fmt.Errorf("%q is no amount of dollars; want a number from 0", data)
	}
	*u = amount
	return nil
}

// Dollars returns a number of dollars; ok is false if it is negative or too large.
func Dollars(n float64) (u USD, ok bool) {
	n = math.Round(n * float64(Dollar))
	if !(n >= 0 && n < math.MaxInt64) { // NaN, too
		return 0, false
	}
	return USD(n), true
}

// StatedUSD returns the number of dollars that a log states; nil for none. Zero states nothing: agents
// write it if a subscription pays, and if they do not know the price of a model.
func StatedUSD(number []byte) *USD {
	var u USD
	if u.UnmarshalJSON(number) != nil || u == 0 {
		return nil
	}
	return &u
}

// Cost adds up the prices of calls of the model.
type Cost struct {
	USD USD `json:"usd"` // of the calls with a known price
	// Unknown counts the sessions with calls whose price is unknown.
	Unknown int `json:"unpriced_sessions,omitempty"`
	// Unpriced counts the calls whose price is unknown, and Why has the first reason.
	Unpriced int    `json:"unpriced_calls,omitempty"`
	Why      string `json:"unpriced_because,omitempty"`
	// Late is true if the price table is older than some of the calls.
	Late bool `json:"after_price_table,omitempty"`
}

// Add adds what other calls cost.
func (c *Cost) Add(other Cost) {
	c.USD += min(other.USD, math.MaxInt64-c.USD)
	c.Unknown += other.Unknown
	c.Unpriced += other.Unpriced
	if c.Why == "" {
		c.Why = other.Why
	}
	c.Late = c.Late || other.Late
}
