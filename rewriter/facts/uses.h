/* SPDX-License-Identifier: BSD-3-Clause
 * How the loop, with the functions of this file that it calls, uses arrays and values. */
#ifndef XMPI_REWRITER_USES_H
#define XMPI_REWRITER_USES_H

#include "analysis.h"

namespace xmpi
{

/* Elements of an array: what is reached, and by which index. */
struct Access {
    const clang::VarDecl *variable; /* named there; perhaps a parameter, or a further pointer */
    const clang::Expr *base;        /* what INDEX counts from */
    const clang::Expr *index;
    clang::SourceLocation where;
};

/* The pointer or array that EXPRESSION counts from: u in u, u + m, &u[m]; else null. */
const clang::VarDecl *pointerIn(const clang::Expr *expression);

/* What the loop assigns to a pointer. */
struct Pointed {
    std::vector<const clang::Expr *> values;
    bool otherwise = false; /* it is changed in other ways, too */
};

class LoopUses
{
  public:
    explicit LoopUses(Analysis &analysis);

    std::vector<Access> accesses;
    std::vector<std::pair<Place, clang::SourceLocation>> members; /* arrays in structs */
    std::vector<const clang::Stmt *> bodies; /* the loop, then the functions that it may call */

    std::map<const clang::VarDecl *, Pointed> pointers; /* of those that the bodies assign */
    /* Of pointers declared outside, which the bodies assign: where they come from. */
    std::map<const clang::VarDecl *, std::set<const clang::VarDecl *>> exchanged;

    /* The variables that VARIABLE, a parameter of a function called or a pointer declared in the
     * loop, may stand for; or itself. */
    std::set<const clang::VarDecl *> meaning(const clang::VarDecl *variable) const;
    bool means(const clang::VarDecl *variable, const clang::VarDecl *wanted) const;
    /* VARIABLE and those with which the loop exchanges its pointer. */
    std::set<const clang::VarDecl *> exchangedWith(const clang::VarDecl *variable) const;
    /* ACCESS may be to an element of WANTED, not to one of a row that an element points to. */
    bool touches(const Access &access, const clang::VarDecl *wanted) const;

    /* EXPRESSION names a variable that holds, or receives, what is of KIND. */
    bool mentionsRange(const clang::Stmt *expression, RangeKind kind) const;

    /* The loop sets elements of VARIABLE. */
    bool isWritten(const clang::VarDecl *variable) const;
    /* What follows the loop names VARIABLE. */
    bool isNamedAfter(const clang::VarDecl *variable) const;
    /* WRITE is by a collective operation that leaves the same on all ranks. */
    static bool isCollective(const Write &write);

  private:
    Analysis &analysis;
    std::map<const clang::VarDecl *, std::set<const clang::VarDecl *>> bound;
    std::set<const clang::VarDecl *> inner; /* declared in the bodies, or parameters of theirs */
    /* Addresses that are arguments of functions which look at what is there only. */
    std::map<const clang::Expr *, const clang::VarDecl *> handedOver;
    std::vector<Effects> effects; /* of the bodies */

    void bindCall(const clang::CallExpr *call, const clang::FunctionDecl *callee);
    void bindForeign(const clang::CallExpr *call, const clang::FunctionDecl *callee);
    void bindCalls(const Effects &inside);
    bool reaches(const clang::VarDecl *pointer, const clang::VarDecl *variable) const;
    void addOrigins(const clang::Expr *value, std::set<const clang::VarDecl *> &origins,
                    int depth) const;
    void bindPointer(const clang::VarDecl *pointer, const clang::Expr *value);
    void bindPointersAt(const clang::Stmt *statement);
    void bindExchanges();
    void findAccess(const clang::Stmt *statement);
    void addAccess(const clang::Expr *base, const clang::Expr *index);
};

} // namespace xmpi
#endif
