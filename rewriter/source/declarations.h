/* SPDX-License-Identifier: BSD-3-Clause
 * Declarations of several names, of which each is sorted by itself. */
#ifndef XMPI_REWRITER_DECLARATIONS_H
#define XMPI_REWRITER_DECLARATIONS_H

#include "pragmas/pragma.h"
#include "source/source.h"
#include <clang/AST/ASTContext.h>

namespace xmpi
{

struct Divided {
    std::vector<Declarators> divisible; /* where the text can be divided */
    /* What stands behind the first part of a declaration. */
    std::map<const clang::Stmt *, std::vector<const clang::DeclStmt *>> further;
};

/* Makes of `int a = 1, *b;` in the syntax tree one declaration for each name, wherever the text
 * could be divided so too. Comes before anything keeps statements. */
Divided divideDeclarations(clang::ASTContext &context, const Source &source);

/* A function that is another name of one (`alias`), or is chosen when the program starts (`ifunc`),
 * counts for clang as defined, without a body: what it does is as unknown as that of another
 * file's. Comes before anything asks for definitions. */
void forgetAliases(clang::ASTContext &context);

/* What is said of a declaration holds for all its names that have an initialiser. */
void markAllNames(Pragmas &pragmas, const Divided &divided);

} // namespace xmpi
#endif
