/* SPDX-License-Identifier: BSD-3-Clause
 * The memory that pointers have before the loop, in the samples of a survey. */
#ifndef XMPI_REWRITER_STORAGE_H
#define XMPI_REWRITER_STORAGE_H

#include "survey.h"

namespace xmpi
{

/* The call that made the memory which VARIABLE points to the begin of, the same in all samples; or
 * null. */
const void *blockOf(const Survey &survey, const clang::VarDecl *variable);

/* How many elements of VARIABLE's type BLOCK has, for each sample. */
std::optional<Values> elementsOf(const Analysis &analysis, const Survey &survey,
                                 const clang::VarDecl *variable, const void *block);

/* VALUES are the same for all ranks and sizes. */
bool isLayoutFree(const Survey &survey, const Values &values);

/* K with VALUES = (ROWS + EXTRA) * K + SLACK, the same for the samples of a round. */
std::optional<Values> rowLength(const Survey &survey, const Values &values, const Values &rows,
                                long long extra, long long slack);

} // namespace xmpi
#endif
