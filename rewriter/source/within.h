/* SPDX-License-Identifier: BSD-3-Clause
 * What is in a statement: each node before what is in it, in the order of the text. */
#ifndef XMPI_REWRITER_WITHIN_H
#define XMPI_REWRITER_WITHIN_H

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLExtras.h>
#include <vector>

namespace xmpi
{

/* What STATEMENT consists of, where there is something. */
inline auto partsIn(const clang::Stmt *statement)
{
    return llvm::make_filter_range(statement->children(),
                                   [](const clang::Stmt *part) { return part != nullptr; });
}

/* FOUND is so of STATEMENT, or of anything in it. */
template <class Found> bool anyWithin(const clang::Stmt *statement, const Found &found)
{
    return statement != nullptr &&
           (found(statement) || llvm::any_of(partsIn(statement), [&](const clang::Stmt *part) {
                return anyWithin(part, found);
            }));
}

/* PART is STATEMENT, or in it. */
inline bool holds(const clang::Stmt *statement, const clang::Stmt *part)
{
    return anyWithin(statement, [&](const clang::Stmt *one) { return one == part; });
}

/* Shows STATEMENT and all that is in it to SEE. */
template <class See> void eachWithin(const clang::Stmt *statement, const See &see)
{
    anyWithin(statement, [&](const clang::Stmt *one) {
        see(one);
        return false;
    });
}

/* How often STATEMENT names VARIABLE. */
inline int namesOf(const clang::Stmt *statement, const clang::ValueDecl *variable)
{
    int times = 0;
    eachWithin(statement, [&](const clang::Stmt *one) {
        const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(one);
        times +=
            name != nullptr && name->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl();
    });
    return times;
}

/* What STATEMENT, of a function, hands back. */
inline std::vector<const clang::Expr *> returnedIn(const clang::Stmt *statement)
{
    std::vector<const clang::Expr *> values;
    eachWithin(statement, [&](const clang::Stmt *one) {
        const auto *back = llvm::dyn_cast<clang::ReturnStmt>(one);
        if (back != nullptr && back->getRetValue() != nullptr)
            values.push_back(back->getRetValue());
    });
    return values;
}

} // namespace xmpi
#endif
