/* SPDX-License-Identifier: BSD-3-Clause
 * Values of expressions, statement by statement: what assignments and calls make of the state. */
#ifndef XMPI_REWRITER_RANK_EXPRESSIONS_H
#define XMPI_REWRITER_RANK_EXPRESSIONS_H

#include "flow/gathered.h"
#include "flow/split_rows.h"
#include "ranks/rank_values.h"

namespace xmpi
{

/* What a function or a loop that is being walked collects. */
struct Frame {
    State exits;         /* at break, or at return */
    State continues;     /* at continue */
    bool jumped = false; /* some ranks may have left: what follows they do not run */
    bool value = false;  /* what is returned differs */
    std::set<const clang::FieldDecl *> fields; /* members of a returned struct that differ */
    std::optional<Form> form;                  /* of what is returned */
    std::map<const clang::FieldDecl *, Form> forms;
    std::vector<Form> left;                 /* conditions under which it has been left */
    size_t around = 0;                      /* how many conditions are around it */
    const clang::Stmt *statement = nullptr; /* the loop */
    bool rows = false;                      /* a loop over own rows */
    bool adaptive = false; /* the loop itself: who leaves it ends the program, or all do */
    Form early;            /* the row that has ended it before its last one */
    Form ended;            /* what of the layout has ended it */
    const clang::FunctionDecl *function = nullptr;
    const clang::CallExpr *call = nullptr; /* of the function */

    Frame()
    {
        exits.dead = continues.dead = true;
    }
};

class RankExpressions : public RankValues
{
  public:
    /* UNSEEN: functions of other files ask clocks. */
    RankExpressions(Analysis &analysis, const std::set<const clang::VarDecl *> &distributed,
                    Cause cause, bool unseen)
        : RankValues(analysis, distributed, cause), unseen(unseen)
    {
    }

  protected:
    std::vector<Frame> functions, loops;
    /* Calls for parts of the own rows: those that wait for the last one, which is for all rows. */
    std::set<const clang::CallExpr *> putOff;
    std::map<const clang::CallExpr *, SplitRows> joint;
    std::set<const clang::CompoundStmt *> split; /* in which such have been looked for */
    void findSplitRows(const clang::CompoundStmt *block);
    int controls = 0; /* conditions around that differ from rank to rank */
    int calls = 0;
    unsigned picking = 0; /* what an if around it makes of assignments: bits of Form::Gathered */
    const bool unseen;
    bool seeded = false; /* otherwise on each rank */
    bool seededByRow = false;
    bool sent = false; /* messages take what is followed to other ranks */
    const clang::Stmt *steered = nullptr;
    const clang::CallExpr *drawn = nullptr, *drawnApart = nullptr;
    /* Before the loop of a program that starts over: how random numbers, and files by their
     * variables (null: any may be), go on, by whom they have been drawn or read. Calls that have
     * read what others have not. */
    unsigned drawnBy = 0;
    std::map<const clang::VarDecl *, unsigned> standing;
    std::set<const clang::CallExpr *> elsewhere;
    int following = 0; /* loops around whose number of iterations follows the layout */
    int goings = 0;    /* how often anything was drawn or read */
    /* Around the adaptive loop, where no change of it shows what functions of other files do. */
    bool beside = false;
    std::map<std::string, const clang::CallExpr *> outside; /* calls of such, by name */
    std::set<const clang::VarDecl *> guided; /* by conditions that differ, not by what is set */
    /* Members that differ in the struct returned last, and how all follow the layout. */
    std::set<const clang::FieldDecl *> returned;
    std::map<const clang::FieldDecl *, Form> returnedForms;

    virtual void walk(const clang::Stmt *statement) = 0;

    bool isApart() const;
    void set(const Place &place, bool ranked, bool whole, clang::SourceLocation where);
    static const clang::Expr *bare(const clang::Expr *expression);
    /* A struct takes over member by member what differs in VALUE. */
    bool copyStruct(const Place &place, const clang::Expr *value, clang::SourceLocation where);
    /* From the values in LIST: the members that differ, and the forms of all; false: it has not
     * one for each. */
    bool copyList(const Place &place, const clang::InitListExpr *list,
                  std::set<const clang::FieldDecl *> &fields,
                  std::map<const clang::FieldDecl *, Form> &forms);
    void setMembers(const Place &place, const std::set<const clang::FieldDecl *> &fields,
                    const std::map<const clang::FieldDecl *, Form> &forms,
                    clang::SourceLocation where);
    /* TARGET, which is PLACE, points from now on where VALUE does. */
    void pointAnew(const Place &place, const clang::Expr *target, const clang::Expr *value,
                   const Form &form);
    /* What BINARY, which keeps the largest or smallest, takes in; SELF: its target is one of what
     * it chooses from. */
    Form pickedForm(const clang::BinaryOperator *binary, bool self, const Form &value);
    Followed assign(const clang::BinaryOperator *binary);
    void storeSomewhere(const clang::Expr *target, const Followed &value, bool changed);
    Followed evaluateSome(const clang::Expr *named, const std::vector<Place> &all);
    Form combineOwn(const clang::BinaryOperator *binary, const SelfOperation &own,
                    const Form &before, const Form &operand);
    /* m = fmax(m, x) */
    bool isSelf(const clang::BinaryOperator *binary) const;
    Form valueAt(const Place &place, const clang::Expr *target, const Form &index) const;
    bool choosesArray(const clang::Expr *base) const;
    /* The indices on the left side of an assignment: other elements on other ranks. */
    Followed indices(const clang::Expr *target);
    Followed sum(const Followed &base, const clang::Expr *index, bool negative);
    Followed evaluate(const clang::Stmt *expression);
    Followed evaluateOperation(const clang::Stmt *expression);
    Followed evaluateCast(const clang::CastExpr *cast);
    Followed evaluateRounded(const clang::Expr *real);
    Followed evaluateSize(const clang::UnaryExprOrTypeTraitExpr *size);
    static bool isAddress(const clang::Stmt *expression);
    static bool isVerdict(const clang::Stmt *expression);
    Followed evaluateBinary(const clang::BinaryOperator *binary);
    Followed evaluateUnary(const clang::UnaryOperator *unary);
    Followed evaluateName(const clang::Stmt *expression);
    Followed step(const clang::UnaryOperator *unary);
    /* How CONDITION, which decides what runs, differs. */
    Followed decides(const clang::Stmt *condition);
    Followed evaluateChoice(const clang::ConditionalOperator *choice);
    Followed evaluateWays(const clang::AbstractConditionalOperator *choice);
    Followed evaluateLogical(const clang::BinaryOperator *binary);
    bool tellsOwner(const clang::BinaryOperator *both);
    Followed evaluateUnknown(const clang::Expr *expression);
    bool isOpen(const clang::FunctionDecl *callee) const;
    /* What EFFECTS set, or change, as often as BY says, which follows the layout (ranks/jumps.cpp).
     */
    void setByLayout(const Effects &effects, const Form &by);
    /* The same, where no loop shows that they are repeated. */
    void repeatApart(const Effects &effects, const Form &by);
    /* CALLEE, where it is being run, is run once more, with ARGUMENTS. */
    void noteRecursion(const clang::FunctionDecl *callee, const std::vector<Form> &arguments);
    Followed evaluateCall(const clang::CallExpr *call);
    /* RANKED: one of them differs. */
    Form startedForm(const clang::CallExpr *start);
    std::vector<Form> evaluateArguments(const clang::CallExpr *call, bool &ranked);
    /* The functions of the file that CALL may come to by a pointer. */
    void evaluatePossible(const clang::CallExpr *call, bool &ranked, Form &form);
    /* Of what is handed back, which follows the arguments as FORM does; OWN: by a function of the
     * file. */
    Form handedBack(const clang::CallExpr *call, bool own, const Form &form) const;
    /* A call that is not looked into: what it hands back and stores follows what it is given. */
    Followed evaluateHandle(const clang::CallExpr *call);
    /* What CODE leaves follows what it is given; without that, nobody knows what it is. */
    void runAssembler(const clang::GCCAsmStmt *code);
    Followed evaluateClock(const clang::CallExpr *call);
    void seed(const clang::CallExpr *call, bool ranked, const std::vector<Form> &arguments);
    Followed draw(const clang::CallExpr *call);
    void noteDrawn(const clang::CallExpr *call);
    /* Before the loop of a program that starts over (ranks/in_and_out.cpp). */
    bool reads(const clang::CallExpr *call) const;
    bool standsAlike(unsigned &stood) const;
    bool hasFilesOfItsOwn(const clang::VarDecl *variable) const;
    const clang::VarDecl *openedBy(const clang::CallExpr *call) const;
    bool readsAlike(const clang::CallExpr *call, bool ranked, const std::vector<Form> &arguments);
    Form inputForm(const clang::CallExpr *call, bool ranked, const std::vector<Form> &arguments);
    void endRepeated(const Form &condition, int before);
    /* What CALL, of a function that is not looked into, leaves in what it is given. */
    void followCopy(const clang::CallExpr *call, llvm::StringRef name,
                    const std::vector<Form> &arguments, Form &copy);
    void follow(const clang::CallExpr *call, llvm::StringRef name, bool ranked, const Form &form,
                const std::vector<Form> &arguments);
    /* Whether what an MPI call stores differs from rank to rank. */
    bool differsAfter(const clang::CallExpr *call, llvm::StringRef name, bool ranked);
    void followOutside(const clang::CallExpr *call, llvm::StringRef name,
                       const std::vector<Form> &arguments, Form &form);
    /* A function of the library may call those of the program that CALL gives it, with what else it
     * is given: nobody knows what they make of that. */
    void followCallback(const clang::CallExpr *call, llvm::StringRef name);
    std::optional<FileTransfer> transferOf(const clang::CallExpr *call,
                                           const std::vector<Form> &arguments) const;
    /* CALL is about a file of own rows: what it writes there is looked at as what is stored in
     * memory is, and what it reads are rows. FORM is what it hands back. */
    bool followFile(const clang::CallExpr *call, llvm::StringRef name,
                    const std::vector<Form> &arguments, Form &form);
    bool sendsStruct(const clang::CallExpr *call, const clang::Expr *buffer) const;
    void setLeft(const clang::CallExpr *call, const Write &write, const Form &form, bool whole);
    void judgeAddress(const clang::Expr *pointer);
    void holdReturned(const Place &owner, const clang::CallExpr *call);
    void judgeReceived(const clang::CallExpr *call, const Rows &rows, const clang::Expr *buffer);
    Form passedForm(const clang::CallExpr *call, const Write &write, const Form &left) const;
    /* CALL leaves FORM in ROWS, by BUFFER where that is known. */
    void passRows(const clang::CallExpr *call, const Write &write, const Rows &rows,
                  const clang::Expr *buffer, const Form &form);
    /* The members of a struct that messages fill. */
    void passMembers(const clang::Expr *buffer, bool ranked, const Form &form,
                     clang::SourceLocation where);
    bool mayFill(const clang::CallExpr *call);
    void fillBy(const clang::CallExpr *call, const Place &place);
    Form besidePieces(const clang::CallExpr *call, const Place &place, const Form &form) const;
    void setStatus(const Place &status, const Form &form);
    void spoilBy(const clang::CallExpr *call, const Place &place);
    void setPassed(const clang::CallExpr *call, const Write &write, bool ranked, const Form &form);
    /* FORM, of what CALL hands back, or what nobody knows of it. */
    Form besideForm(const clang::CallExpr *call, const Form &form);
    /* CALL, beside the adaptive loop, may write ROWS that the program reads again. */
    void noteRowsOutside(const clang::CallExpr *call, const Rows &rows);
    /* All ranks of a correct program come here: what seemed to part them was the same on all. */
    void meet();
    Followed evaluateOwn(const clang::CallExpr *call, const clang::FunctionDecl *callee);
    /* What CALL gives for parameter INDEX; of one for several, what all of these come to. */
    const clang::Expr *argumentOf(const clang::CallExpr *call, unsigned index) const;
    void bindArguments(const clang::CallExpr *call, const clang::FunctionDecl *callee);
    void bindParameter(const clang::VarDecl *parameter, const clang::Expr *argument,
                       const Followed &value);
};

} // namespace xmpi
#endif
