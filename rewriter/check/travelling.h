/* SPDX-License-Identifier: BSD-3-Clause
 * What is found when the loop is entered, and does not follow the layout that is there then. */
#ifndef XMPI_REWRITER_TRAVELLING_H
#define XMPI_REWRITER_TRAVELLING_H

#include "ranks/rank_flow.h"

namespace xmpi
{

/* What travels has one value: a condition, an index or the number of rows may have made it another
 * on each rank, or in each layout. Reports what RANKS says to be so; false: there is some. */
bool checkTravelling(Analysis &analysis, const RankFlow &ranks);

} // namespace xmpi
#endif
