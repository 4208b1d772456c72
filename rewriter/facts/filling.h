/* SPDX-License-Identifier: BSD-3-Clause
 * Loops inside an iteration that fill an array: they run over its indices, and read only what they
 * have written. */
#ifndef XMPI_REWRITER_FILLING_H
#define XMPI_REWRITER_FILLING_H

#include "analysis.h"

namespace xmpi
{

class Filling
{
  public:
    /* Of VARIABLE, or of its member FIELD (null: the variable itself). */
    Filling(const Analysis &analysis, const clang::VarDecl *variable,
            const clang::FieldDecl *field);

    bool isIt(const Place &place) const;

    /* PLACE is a member of one of several structs, of which it may be one. */
    bool mayBeIt(const Place &place) const;

    /* `b[i] = x`, or `b[2 * i] = x; b[2 * i + 1] = y;`. */
    bool fills(const clang::ForStmt *loop) const;

    /* The index by which each pass of LOOP sets an element; null where it has several, or sets it
     * on one side of a condition only. */
    const clang::Expr *indexSetBy(const clang::ForStmt *loop) const;

    /* How often LOOP runs, or from where on, is another in each iteration. */
    bool variesInLength(const clang::ForStmt *loop) const;

    /* What VALUE follows from is set at one place of the iteration at most. */
    bool staysInIteration(const clang::Expr *value) const;

    /* The loop sets elements somewhere else than in SETTING. */
    bool isSetBeside(const clang::Stmt *setting) const;

    /* x[i] from x[i - 1], or from x[i + 1]: where the first element has been written before. */
    bool runsAlong(const clang::ForStmt *loop) const;

    struct Access {
        bool write;
        llvm::FoldingSetNodeID index; /* equal for equal expressions */
        const clang::Expr *last;      /* the last index, and whether it is the only one */
        bool only;
        bool wanders; /* it depends on which iteration it is */
    };

  private:
    const Analysis &analysis;
    const clang::VarDecl *variable;
    const clang::FieldDecl *field;
    mutable std::optional<std::set<const clang::VarDecl *>>
        counters; /* of loops in the iteration */

    bool collect(const clang::Stmt *statement, std::vector<Access> &accesses, bool written) const;
    Access accessOf(const clang::ArraySubscriptExpr *subscript, bool written) const;
    bool followsIteration(const clang::Stmt *value, int depth) const;
    bool followsIteration(const clang::VarDecl *named, int depth) const;
    bool isInIteration(const clang::VarDecl *named) const;
    bool isCounter(const clang::VarDecl *named) const;
    void collectCounters(const clang::Stmt *statement) const;
    size_t stepOf(const clang::ForStmt *loop) const;
    bool isBefore(const clang::Expr *index, const clang::VarDecl *counter,
                  const clang::UnaryOperator *step) const;
    bool runsOver(const clang::ForStmt *loop, const clang::Expr *index) const;
    bool isFrom(const clang::VarDecl *from, const clang::VarDecl *counter,
                const clang::ForStmt *loop) const;
    bool isAlways(const clang::Stmt *body) const;
    bool writesIn(const clang::Stmt *statement) const;
};

} // namespace xmpi
#endif
