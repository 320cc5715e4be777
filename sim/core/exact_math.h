// Logarithm and exponential with the same bits on every machine. IEEE 754 fixes the results of + - * / but not of log and
// exp: C libraries differ in the last digits, and one different digit in a random draw changes the whole run. Uses only
// these four operations and integers; about 10 ns each.
//
// Both are within 4 units in the last place of the true value (1e-15 relative); subnormal results of exact_exp are within
// one or two smallest subnormals. The method is the textbook one (Muller, "Elementary Functions", 3rd edition, 2016,
// chapters 5 and 11): reduce to a small range with log 2 in two parts, then sum a power series.
#pragma once

namespace ftlab {

// Natural logarithm. -infinity at 0, NaN below 0.
double exact_log(double x);

// e^x. 0 below -745.13, infinity above 709.78.
double exact_exp(double x);

}  // namespace ftlab
