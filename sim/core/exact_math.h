// Logarithm and exponential with the same bits everywhere. IEEE 754 fixes + - * / but not log and exp, so every C
// library has its own last digits, and one other last digit in a draw is another run. Written with those four and with
// integers only; about 10 ns each.
//
// Both stay within 4 units in the last place of the true value (1e-15 relative); subnormal results of exact_exp within
// the smallest subnormal or two. The method is the textbook one (Muller, "Elementary Functions", 3rd edition, 2016,
// chapters 5 and 11): reduce to a small range with log 2 in two parts, then sum a power series.
#pragma once

namespace ftlab {

// The natural logarithm. -infinity at 0, not a number below it.
double exact_log(double x);

// e to the x. 0 below -745.13, infinity above 709.78.
double exact_exp(double x);

}  // namespace ftlab
