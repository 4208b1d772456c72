/* SPDX-License-Identifier: BSD-3-Clause
 * What stands where only rank 0 comes. */
#ifndef XMPI_REWRITER_ROOT_GUARDS_H
#define XMPI_REWRITER_ROOT_GUARDS_H

#include "analysis.h"

namespace xmpi
{

/* Needs the ranks that are known (findRanges). */
class RootGuards
{
  public:
    explicit RootGuards(Analysis &analysis) : analysis(analysis)
    {
    }

    /* CONDITION, where it comes out as TRUTH, means rank 0, or that TESTED, a pointer or null, is
     * not null. */
    bool holds(const clang::Expr *condition, bool truth, const clang::VarDecl *tested) const;

    /* STATEMENT is reached on rank 0 only, or where TESTED is not null, as its function shows: it
     * is under such a condition, or behind a statement that leaves otherwise. */
    bool isUnder(const clang::Stmt *statement, const clang::VarDecl *tested = nullptr) const;

    /* The same, also where all calls of its function are, and of the functions with these. */
    bool isOnlyThere(const clang::Stmt *statement) const;

  private:
    Analysis &analysis;

    using Seen = std::set<const clang::FunctionDecl *>;

    bool isRank(const clang::Expr *expression, unsigned depth = 0) const;
    bool isHandedRank(const clang::ParmVarDecl *parameter, unsigned depth) const;
    bool asksRank(const clang::VarDecl *variable) const;
    bool isZero(const clang::Expr *expression) const;
    bool isBehind(const clang::CompoundStmt *block, const clang::Stmt *statement,
                  const clang::VarDecl *tested) const;
    bool isOnlyThere(const clang::Stmt *statement, Seen &seen) const;
};

/* POINTER is null, as it is written. */
bool isNull(const Analysis &analysis, const clang::Expr *pointer);

/* All calls of FUNCTION in the file; nothing where somebody may call it otherwise. */
std::optional<std::vector<const clang::CallExpr *>> callsOf(const Analysis &analysis,
                                                            const clang::FunctionDecl *function);

} // namespace xmpi
#endif
