package keys

import (
	"math/big"
	"strings"
)

// maxExponent is the length of an exponent that is computed with; a longer one is compared
// as text.
const maxExponent = 18

// decimal returns a number in decimal notation in a form that equal numbers share, however
// many digits they have.
func decimal(text string) string {
	text, negative := strings.CutPrefix(strings.TrimPrefix(strings.ToLower(text), "+"), "-")
	mantissa, exponent, _ := strings.Cut(text, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	significant := strings.TrimRight(digits, "0")
	sign := ""
	if negative {
		sign = "-"
	}
	exponent = strings.TrimPrefix(exponent, "+")
	if len(exponent) > maxExponent {
		return sign + mantissa + "e" + exponent
	}
	power, _ := new(big.Int).SetString("0"+strings.TrimPrefix(exponent, "-"), 10)
	if strings.HasPrefix(exponent, "-") {
		power.Neg(power)
	}
	power.Add(power, big.NewInt(int64(len(digits)-len(significant)-len(fraction))))
	return sign + significant + "e" + power.String()
}

// maxDigits is the length of an integer that is converted; a longer one is compared as text.
const maxDigits = 1000

// integer returns an integer in any notation of Go in a form that equal integers share.
func integer(text string) string {
	text = strings.TrimPrefix(text, "+")
	if len(text) > maxDigits {
		return text
	}
	if n, ok := new(big.Int).SetString(text, 0); ok {
		return n.String()
	}
	return text
}
