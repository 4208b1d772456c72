/* SPDX-License-Identifier: BSD-3-Clause
 * What an iteration hands to the next one: what is surely read, on some way through the program,
 * before anything may have set it. Unknown is not handed on. */
#ifndef XMPI_REWRITER_PASSING_H
#define XMPI_REWRITER_PASSING_H

#include "cells/cells.h"
#include <clang/AST/Stmt.h>
#include <clang/Analysis/CFG.h>
#include <functional>
#include <memory>

namespace xmpi
{

/* Reads and writes that are seen; Part leaves the rest as it was, Hidden is what somebody may have
 * set, or all where it has no cell. */
struct Touch {
    enum class Kind { Read, Write, Part, Hidden } kind;
    Cells::Cell cell;
    const clang::Stmt *by;
    const clang::Expr *place = nullptr;    /* an lvalue; null: what is behind an argument */
    bool sums = false;                     /* adds to what is there, and no more */
    const clang::Expr *argument = nullptr; /* of a function of a library, that leads there */

    const clang::Stmt *what() const
    {
        return argument != nullptr ? argument : by;
    }
};

using CellSet = std::set<Cells::Cell>;

class Passing
{
  public:
    Passing(clang::ASTContext &context, Cells &cells);

    /* Of LOOP in FUNCTION, whose point is the condition of POINT. */
    struct Handed {
        CellSet live, changed;
        std::vector<Touch> touches; /* of an iteration, without those of functions */
    };
    Handed over(const clang::FunctionDecl *function, const clang::Stmt *loop,
                const clang::IfStmt *point);

    /* Of the loop that over was asked of last: it hands on CELL, one for several structs, in the
     * struct that the statements, and arguments, of CONCERNED may touch, which callers do not see
     * if it is LOCAL. */
    using Concerned = std::function<bool(const clang::Stmt *)>;
    bool handsOn(const clang::FunctionDecl *function, Cells::Cell cell, bool local,
                 const Handed &handed, const Concerned &concerned);

    bool followsClock(Cells::Cell cell);
    bool hasClock(const clang::Expr *value); /* VALUE asks one, or follows one */

  private:
    struct Block {
        std::vector<Touch> touches;
        std::vector<unsigned> next;
        const clang::Stmt *loop = nullptr; /* whose end is the last of NEXT */
        CellSet live;
    };
    struct Flow {
        std::unique_ptr<clang::CFG> graph;
        std::vector<Block> blocks; /* by their numbers */
    };
    struct Summary {
        CellSet reads, writes, hidden;
        bool known = false;
    };

    clang::ASTContext &context;
    Cells &cells;
    std::set<const clang::Stmt *> skipped; /* what tells the state */
    CellSet requested;                     /* what persistent requests receive into */
    CellSet clocked;
    std::set<const clang::FunctionDecl *> asked; /* whether they hand back a time */
    CellSet carried;                             /* numbers that iterations hand on */
    std::set<const clang::Stmt *> once;          /* statements that an iteration makes once */
    std::set<const clang::Stmt *> aside;         /* that are of no concern */
    CellSet beyond;                              /* read by callers */
    unsigned begin = 0;                          /* the block that an iteration begins with */
    const clang::Stmt *point = nullptr;
    std::map<const clang::FunctionDecl *, Flow> flows;
    std::map<const clang::Stmt *, CellSet> settings;
    std::map<const clang::FunctionDecl *, Summary> summaries;

    void readFile();
    /* Forgets what was found of another loop than LOOP, whose point is CONDITION. */
    void restart(const clang::Expr *condition, const clang::Stmt *loop);
    bool handsBackClock(const clang::CallExpr *call);
    const Flow &flowOf(const clang::FunctionDecl *function);
    void collect(const clang::Stmt *element, std::vector<Touch> &touches);
    void assign(const clang::Expr *place, const clang::Stmt *by, bool reads, bool sums,
                std::vector<Touch> &touches);
    void collectCall(const clang::CallExpr *call, std::vector<Touch> &touches);
    void collectArgument(const clang::CallExpr *call, unsigned index, std::vector<Touch> &touches);
    void collectArguments(const clang::CallExpr *call, std::vector<Touch> &touches);
    void hide(const clang::CallExpr *call, std::vector<Touch> &touches);
    const Summary &summaryOf(const clang::FunctionDecl *function);
    bool isPart(const Touch &touch);
    void addLive(const Block &block, const std::vector<Block> &blocks, CellSet &live);
    const CellSet &setIn(const clang::Stmt *loop, const std::vector<Block> &blocks);
    void add(Touch::Kind kind, Cells::Cell cell, clang::QualType type, const clang::Stmt *by,
             const clang::Expr *place, bool sums, std::vector<Touch> &touches);
    void backward(const std::vector<Touch> &touches, CellSet &live,
                  const std::set<const clang::Stmt *> &without);
    void solve(std::vector<Block> &blocks, const CellSet &atEnd,
               const std::set<const clang::Stmt *> &without);
    /* Of what follows CALL of a function, in all that call it. */
    void addCallers(const clang::FunctionDecl *function, std::set<const void *> &seen,
                    CellSet &live, CellSet &changed);
    static std::set<unsigned> from(const std::vector<Block> &blocks, unsigned start, bool back);
};

/* STATEMENT and all that is in it, in the order of the text. */
std::vector<const clang::Stmt *> partsOf(const clang::Stmt *statement);

} // namespace xmpi
#endif
