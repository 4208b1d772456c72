/* SPDX-License-Identifier: BSD-3-Clause
 * What the sizes of memory, and the places of messages in it, tell of arrays that nothing else is
 * known of. */
#ifndef XMPI_REWRITER_MEMORY_SIZES_H
#define XMPI_REWRITER_MEMORY_SIZES_H

#include "infer/infer.h"

namespace xmpi
{

/* VALUES, numbers of elements, are equal on all processes, and do not become fewer with more of
 * these, as parts of something that is divided would. */
bool isAsLarge(const Survey &survey, const Values &values);

/* Of the array VARIABLE the CALLS hand over elements in the same places on all processes, however
 * many there are, and fill some: none is the place of a part. */
bool talksInPlace(Survey &survey, const std::vector<const clang::CallExpr *> &calls,
                  const clang::VarDecl *variable);

/* The first that an iteration does with the array VARIABLE, of VALUES elements, is that rank 0
 * hands all of it to all: what other processes have there is of the iteration. */
bool isHandedOut(Analysis &analysis, Survey &survey, const clang::VarDecl *variable,
                 const Values &values);

/* Rank 0 alone looks into VARIABLE, an array of the loop's function, in the loop and behind it,
 * whatever all have put there before. */
bool isOfRootAlone(Analysis &analysis, const clang::VarDecl *variable);

/* The numbers of elements of memory that members of the struct VARIABLE, or of the one that it
 * leads to, lead to the begin of, by what these are called: "s.u", "p->u". Not of those that
 * DIVISION divides by columns, as far as indices show it. */
std::map<std::string, Values> sizesOfMembers(Analysis &analysis, const Survey &survey,
                                             const Division *division,
                                             const clang::VarDecl *variable);

/* The lengths of VARIABLE, an array of variable length: the first one, and all others multiplied.
 */
std::optional<std::pair<Values, Values>> lengthsOf(Survey &survey, const clang::VarDecl *variable);

} // namespace xmpi
#endif
