/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of other files that a loop with a `state(...)` calls: the linked program shows what
 * they change (linked/examine.h). */
#ifndef XMPI_REWRITER_RELIANCE_H
#define XMPI_REWRITER_RELIANCE_H

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <string>
#include <vector>

namespace xmpi
{

struct Reliance {
    std::string where;  /* a call, "main.c:18" */
    std::string name;   /* of the function */
    std::string marked; /* what goes with it: a mark and the variables that the clause names */
};

/* Of LOOP in FUNCTION, and of the loops around it there; CLAUSE tells the state. */
std::vector<Reliance> relianceOf(const clang::FunctionDecl *function, const clang::Stmt *loop,
                                 const clang::Stmt *clause);

} // namespace xmpi
#endif
