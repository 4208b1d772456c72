/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays whose pointers are members of structs, or elements of arrays: they cannot be registered.
 */
#ifndef XMPI_REWRITER_MEMBER_ARRAYS_H
#define XMPI_REWRITER_MEMBER_ARRAYS_H

#include "facts/uses.h"

namespace xmpi
{

/* Refuses members that a reconfiguration would have to move. */
bool checkMemberArrays(Analysis &analysis, const LoopUses &uses);

/* VARIABLE is an array of fixed size with pointers to memory that statements before the loop made,
 * or to variables. Texts that do not change are none. */
bool isPointerArray(const Analysis &analysis, const clang::VarDecl *variable);

} // namespace xmpi
#endif
