/* SPDX-License-Identifier: BSD-3-Clause
 * The analysis: from the bound pragmas and the AST to the description in program.h. */
#ifndef XMPI_REWRITER_ANALYSE_H
#define XMPI_REWRITER_ANALYSE_H

#include "source/fixed_arrays.h"
#include "pragmas/pragma.h"
#include "report/row_file_advice.h"
#include "source/source.h"
#include "source/struct_members.h"

namespace xmpi
{

/* Describes the program once for each of its adaptive loops, in the order in which they run. False
 * when it cannot be made adaptive as it is; that has been reported. FILES: of the only loop, where
 * it is not divided, what its files hold, as far as that is seen. */
bool analyse(clang::ASTContext &context, const FixedArrays &arrays, const StructMembers &members,
             const Source &source, Pragmas &pragmas, Diagnostics &diagnostics,
             std::vector<Program> &programs, RowFiles &files);

} // namespace xmpi
#endif
