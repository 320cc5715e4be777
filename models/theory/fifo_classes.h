// FIFO GC: blocks are collected in the order in which they were filled. Pages are rewritten at different rates.
#pragma once

#include "models/theory/setting.h"

namespace ftlab {

// Every page stays in its block for the same number of page programs, whatever its class, so one equation holds for any
// number of classes and any layout of frontiers:
//   A = 1 + sum q_i / (exp((q_i / w_i) alpha / A) - 1)
// (Desnoyers, "Analytic modeling of SSD write performance", SYSTOR 2012, eq. 14). With one class this is
// A = alpha / (alpha + W0(-alpha exp(-alpha))), W0 Lambert's function (Menon 1995; Robinson 1996; Desnoyers eq. 4;
// Xiang and Kurkoski, ICNC 2012). REQUIRES: 0 < utilisation < 1.
double fifo_wa(const PageClasses& classes, double utilisation);

// Share of all page programs, relocations included, that are of class i.
double fifo_programmed_share(const PageClasses& classes, double utilisation, Eigen::Index i);

PageClasses one_class();
PageClasses hot_and_cold(double hot_writes, double hot_pages);

// P(rank i) ~ i^-s over `pages` pages. The first thousand ranks are single classes; the others are grouped within half a per
// cent, which changes A by a share of less than 1e-5.
PageClasses zipf_classes(double s, std::uint64_t pages);

}  // namespace ftlab
