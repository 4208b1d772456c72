/* SPDX-License-Identifier: BSD-3-Clause
 * Functions that hand back whether something is wrong, and callers that end the program then: who
 * goes on has come back another way. */
#ifndef XMPI_REWRITER_FAILING_H
#define XMPI_REWRITER_FAILING_H

#include "analysis.h"

namespace xmpi
{

/* The caller of CALL ends the program, in the `if` that asks for it or in the next statement, with
 * what BACK, a return of the function that is called, surely hands back. */
bool endsAtCaller(const Analysis &analysis, const clang::CallExpr *call,
                  const clang::ReturnStmt *back);

} // namespace xmpi
#endif
