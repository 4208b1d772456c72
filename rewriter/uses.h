/* SPDX-License-Identifier: BSD-3-Clause
 * How the loop, with the functions of this file that it calls, uses arrays and values. */
#ifndef XMPI_REWRITER_USES_H
#define XMPI_REWRITER_USES_H

#include "analysis.h"

namespace xmpi
{

/* Elements of an array: what is reached, and by which index. */
struct Access {
    const clang::VarDecl *variable; /* named there; perhaps a parameter */
    const clang::Expr *index;
    clang::SourceLocation where;
};

class LoopUses
{
  public:
    explicit LoopUses(Analysis &analysis);

    std::vector<Access> accesses;
    std::vector<std::pair<Place, clang::SourceLocation>> members; /* arrays in structs */
    std::vector<const clang::Stmt *> bodies; /* the loop, then the functions that it may call */

    /* The variables that VARIABLE, a parameter of a function called, may stand for; or itself. */
    std::set<const clang::VarDecl *> meaning(const clang::VarDecl *variable) const;
    bool means(const clang::VarDecl *variable, const clang::VarDecl *wanted) const;

    /* EXPRESSION names a variable that holds, or receives, what is of KIND. */
    bool mentionsRange(const clang::Stmt *expression, RangeKind kind) const;

    /* The loop sets elements of VARIABLE. */
    bool isWritten(const clang::VarDecl *variable) const;
    /* WRITE is by a collective operation that leaves the same on all ranks. */
    static bool isCollective(const Write &write);

  private:
    Analysis &analysis;
    std::map<const clang::VarDecl *, std::set<const clang::VarDecl *>> bound;
    std::vector<Effects> effects; /* of the bodies */

    void bindCalls(const Effects &inside);
    void findAccesses(const clang::Stmt *statement);
    void addAccess(const clang::Expr *base, const clang::Expr *index);
};

} // namespace xmpi
#endif
