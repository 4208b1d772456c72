/* SPDX-License-Identifier: BSD-3-Clause
 * Of what values and the elements of arrays are made, as the runtime is told (xmpi_gen_elements).
 */
#ifndef XMPI_REWRITER_ELEMENTS_H
#define XMPI_REWRITER_ELEMENTS_H

#include "analysis.h"

namespace xmpi
{

/* "3f8 i4 x4": the members of TYPE in their order, with padding; what means nothing to other
 * processes (pointers, handles of MPI, unions) as "x". Of an array of structs it is what one of
 * them is made of, which fills the array when it is repeated; so it is for arrays of variable
 * length. Parts of a large type that would make the text longer than some 200 characters are "x" as
 * well. Empty where nothing is known. */
std::string elementsOf(const clang::ASTContext &context, clang::QualType type);

/* Marks the values that differ from member to member ("~"), and those that need not have been set
 * ("?"), where they are registered. */
void markElements(Analysis &analysis);

} // namespace xmpi
#endif
