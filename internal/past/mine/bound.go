package mine

import "math"

// z is the quantile of a one-sided bound of 95 %.
const z = 1.645

// lowerBound returns Wilson's lower bound of a share that held in held of n units.
func lowerBound(held, n int) float64 {
	if n == 0 {
		return 0
	}
	p, count := float64(held)/float64(n), float64(n)
	center := p + z*z/(2*count)
	spread := z * math.Sqrt(p*(1-p)/count+z*z/(4*count*count))
	return (center - spread) / (1 + z*z/count)
}
