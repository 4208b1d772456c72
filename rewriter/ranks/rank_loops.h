/* SPDX-License-Identifier: BSD-3-Clause
 * What loops make of the state: walked through until nothing changes; those over own rows mean
 * something for the rows. */
#ifndef XMPI_REWRITER_RANK_LOOPS_H
#define XMPI_REWRITER_RANK_LOOPS_H

#include "ranks/rank_expressions.h"
#include "rows/own_loops.h"
#include "rows/pieces.h"

namespace xmpi
{

class RankLoops : public RankExpressions
{
  public:
    using RankExpressions::RankExpressions;

  protected:
    std::map<Holder, Form> carriedForms; /* when an iteration of the adaptive loop has ended */
    std::map<const clang::VarDecl *, Filled> filled; /* of rows, in each iteration */
    std::map<const clang::VarDecl *, clang::SourceLocation> changedAtEnd; /* of one */
    State *entered = nullptr; /* what has been when the adaptive loop was entered, to be noted */

    /* The conditions under which a statement does not run as others have left are with those
     * around. */
    void leave();
    /* JUMP ends loops, or repeats what is in front of it (ranks/jumps.cpp); at its label all are
     * together again. */
    void goTo(const clang::GotoStmt *jump);
    void arriveAt(const clang::LabelStmt *label);
    /* Nobody knows what runs behind STATEMENT, where nothing else looks at statements of its kind.
     */
    void passUnknown(const clang::Stmt *statement);
    /* LOOP, over own rows, may end before its last row, by what a row holds: how many rows it goes
     * through is another question for each block. (Or it is the adaptive one.) */
    void endEarly(Frame &loop);
    /* What runs behind the adaptive loop, from the statement FIRST on of those that follow the
     * anchor of STEP. */
    std::vector<const clang::Stmt *> restFrom(size_t step, size_t first) const;
    /* Behind STATEMENT it is known how many rows a piece has. */
    void noteLength(const clang::Stmt *statement);
    /* Until nothing changes; the result is what differs when an iteration ends. */
    Ranked walkLoop(const clang::Stmt *statement);

  private:
    /* A loop, and what it means for the rows; what one walk through it leaves for the next. */
    struct Loop {
        const clang::Stmt *statement = nullptr;
        const clang::ForStmt *counted = nullptr; /* the same, if it is one */
        const clang::DoStmt *until = nullptr;    /* likewise */
        const clang::Expr *condition = nullptr;
        Counting counting;
        Form begin, end;
        std::vector<Induced> induced;
        std::map<const clang::VarDecl *, Form> origins; /* of the induced variables */
        std::optional<Pieces> pieces;                   /* it goes through the rows so */
        bool rows = false, shared = false;
        bool jumped = false; /* some ranks may have left */
        Form early;          /* the row that has ended it before its last one */
        Form ended;          /* what of the layout has ended it, if it does not count */
        Form again;          /* by what a do loop has gone on to the iteration at hand */
        State left;          /* where its condition has ended it */
    };

    std::map<const clang::LabelDecl *, State> labels;
    std::map<const clang::Stmt *, const clang::VarDecl *>
        lengths; /* of pieces, known behind a statement */

    /* CONDITION is one under which ROWS goes through a row. */
    static void pickRows(RowLoop &rows, const Form &condition);
    Form formOfVariable(const clang::VarDecl *variable) const;
    void setVariable(const clang::VarDecl *variable, const Form &form);
    /* The counter of a loop over pieces. */
    Form pieceForm(const Pieces &pieces);
    bool dealsOut(const Loop &loop) const;
    void setInduced(const Loop &loop, const Form &form);
    /* Sets the counter, and what follows it, as they are in an iteration. */
    void setCounters(Loop &loop);
    /* What a variable that ONE steps is after a loop over rows. */
    static Form steppedForm(const Loop &loop, const Induced &one, const RowLoop &rows);
    /* After a loop over rows: what it has left is of all of them. */
    void endRows(const Loop &loop, const RowLoop &rows);
    /* How the number of iterations of LOOP, which goes on while CONDITION holds, follows the
     * layout: a loop over rows is run for each of them. */
    Form repeats(const Loop &loop, const Form &condition) const;
    /* Where CONDITION ends the adaptive loop, and follows the layout, there are as many iterations
     * after a change as neither layout makes. */
    void endAdaptive(const Form &condition);
    /* The head of a loop over rows asks more than whether there is another one. */
    void endByCondition(const clang::Expr *condition, const clang::Expr *bound);
    /* What was in the arrays that STATEMENT sets as a whole is gone. */
    void forgetSetBy(const clang::Stmt *statement);
    void fillWhole(const Loop &loop, const State &back);
    /* What stands at the head of STATEMENT, which begins. */
    Loop enterLoop(const clang::Stmt *statement);
    bool isWhole(const Form &end, const Counting &counting) const;
    int stepUp(const Counting &counting) const;
    Form counted(const Loop &loop); /* what its counter runs through */
    /* LOOP, which does not count, may be ended by CONDITION. */
    void noteEnd(Loop &loop, const Form &condition) const;
    /* What LOOP goes on with from one iteration to the next: how many there have been follows the
     * layout, where that ends it. */
    void goOnByLayout(const Loop &loop);
    /* Its body, where GOES_ON is what its condition has come to before it. */
    void walkBody(Loop &loop, const Followed &goesOn);
    void noteFilling(const Loop &loop);
    /* One iteration from the state at its head; ENTRY is the state before the first. */
    Frame walkOnce(Loop &loop, const State &entry);
    /* One more from HEAD, which takes up what it has come to, BACK; whether that was anything new.
     * The state is then the one behind the loop. */
    bool walkAgain(Loop &loop, const State &entry, State &head, State &back);
    /* BOUND is one of the range, or made of such, without a constant. */
    bool isOfRange(const clang::Expr *bound) const;
    /* LOOP goes over own rows, or is run for one of those that OUTER goes over. */
    void openRows(const Loop &loop, const RowLoop *outer);
    void leaveRows(const Loop &loop);
};

} // namespace xmpi
#endif
