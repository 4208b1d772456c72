/* SPDX-License-Identifier: BSD-3-Clause
 * The weights of rows, the clause weight(w) of the loop. */
#ifndef XMPI_REWRITER_WEIGHT_H
#define XMPI_REWRITER_WEIGHT_H

#include <clang/AST/ASTContext.h>

namespace xmpi
{

/* The runtime's name of weights of type ELEMENT ("XMPI_GEN_DOUBLE"), null where it knows none. */
const char *weightType(const clang::ASTContext &context, clang::QualType element);

} // namespace xmpi
#endif
