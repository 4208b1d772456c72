/* SPDX-License-Identifier: BSD-3-Clause
 * What one process sets, and hands on to all. */
#ifndef XMPI_REWRITER_HANDED_ON_H
#define XMPI_REWRITER_HANDED_ON_H

#include "analysis.h"

namespace xmpi
{

/* Where CHOICE, `if (rank == owner)`, is followed at once by broadcasts from that owner among all
 * processes: the variables that they fill, where its branch sets none but these, what is its own
 * and plain numbers, and does nothing but compute: what it reads or draws is that process's. Else
 * none. */
std::set<const clang::VarDecl *> handedOnBehind(Analysis &analysis, const clang::IfStmt *choice);

/* Of the two sides of CHOICE's condition, a comparison, the ones that may be the rank. */
std::vector<const clang::Expr *> sidesOf(const clang::IfStmt *choice);

} // namespace xmpi
#endif
