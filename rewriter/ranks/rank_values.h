/* SPDX-License-Identifier: BSD-3-Clause
 * How values of expressions differ from rank to rank and follow the layout, and what stores and
 * calls of MPI make of them. */
#ifndef XMPI_REWRITER_RANK_VALUES_H
#define XMPI_REWRITER_RANK_VALUES_H

#include "ranks/rank_state.h"
#include <tuple>

namespace xmpi
{

/* What is known of the value of an expression; of a pointer, how far into its array it leads. */
struct Followed {
    bool ranked = false;
    Form form;
};

/* Conditions around a statement, as far as they follow the layout. */
struct Guards {
    bool local = false, block = false, ends = false, edge = false, row = false;
    bool any = false;      /* whether the process has rows */
    bool one = false;      /* of the ends: at most one process passes */
    unsigned told = 0;     /* of the ends: which, or what else */
    unsigned ended = 0;    /* the same, but for how many processes or rows there are, */
    unsigned sure = 0;     /* or where at most one process passes */
    unsigned edged = 0;    /* of the edges: which, or that it is not known */
    unsigned gathered = 0; /* of those of a block */
    Form cause;            /* of the first that is local or of a block; else of the ends */
    Form weak;             /* of the first that follows the row, or whether there are rows */

    void add(const Form &condition);
    bool endOfDomain() const; /* a row with a known number */
};

/* A call that moves rows between memory and a file of own rows. */
struct FileTransfer {
    const clang::CallExpr *call = nullptr;
    const clang::VarDecl *file = nullptr;
    const clang::Expr *buffer = nullptr;
    bool shared = false; /* the file has all rows, of all processes */
    bool writes = false;
    Form memory;               /* from where in its buffer on */
    Form bytes;                /* how many */
    std::optional<Form> place; /* from where in the file on; none: where it stands */

    /* It moves a piece of the own rows (rows/pieces.h), all of it, from the begin of a buffer on.
     */
    bool isWholePiece() const;
    /* It reads such a piece with rows beside it, of which the file has WIDTH in front of the own
     * ones and behind: a number, as a text. */
    bool isPieceWithin(const std::string &width) const;
};

/* What INDEX grows by from one row, or process, to the next; empty where it is uniform. */
std::string unitOf(const Form &index);

/* INDEX, of one row of each block, is certainly none of the ghost rows of ROWS. */
bool isOwnEdge(const RankState::Rows &rows, const Form &index);
/* Which argument of a call NAME, which copies, tells where to, and which one from where. */
inline unsigned copiesTo(llvm::StringRef name)
{
    return name == "bcopy" ? 1 : 0;
}
inline unsigned copiesFrom(llvm::StringRef name)
{
    return 1 - copiesTo(name);
}
bool isOneOf(llvm::StringRef name, std::initializer_list<const char *> names);

/* A call NAME receives from a process that is another one for each. */
bool isFromNeighbour(llvm::StringRef name, const std::vector<Form> &arguments);
bool isReduction(llvm::StringRef name);
/* TARGET, of PLACE, is an element, or a member of one. */
bool isElement(const Place &place, const clang::Expr *target);
bool isElementType(llvm::StringRef type); /* of MPI, and of one element */
/* The function that a call of MPI_Op_create makes VARIABLE of; null where it is not one alone. */
const clang::FunctionDecl *operationMadeBy(const Analysis &analysis,
                                           const clang::VarDecl *variable);
bool gathersParts(llvm::StringRef name); /* what each process has, in the order of their ranks */

class RankValues : public RankState
{
  public:
    RankValues(Analysis &analysis, const std::set<const clang::VarDecl *> &distributed, Cause cause)
        : RankState(analysis, distributed, cause), analysis(analysis)
    {
    }

    std::vector<Misuse> misuses;
    std::vector<std::pair<const clang::VarDecl *, Misuse>> made; /* by the start, of rows */
    std::vector<Misuse> printed;

  protected:
    Analysis &analysis;
    bool watched = false;         /* misuses are noted: in the loop, or after it */
    bool inLoop = false;          /* stores are judged */
    bool inStart = false;         /* what comes before the loop */
    std::vector<Form> conditions; /* around */
    /* An element of ROWS, by its place seen from the row that the iteration is for. */
    struct Swept {
        const clang::VarDecl *rows;
        int shift;
        bool alone; /* the index counts rows, not elements of several */
        int every;  /* of the rows: it is among those that are so many apart; 1: all */
        std::multiset<std::string> from; /* of an array with all rows: what the shift is beyond */
        const clang::Expr *element;
        /* Indices on the way to it that count rows; the one array that it is of, if that is known.
         */
        std::set<const clang::Expr *> byRow;
        const clang::VarDecl *array;
    };
    /* One of two values that are chosen by whether a row is at an edge of the block. */
    struct Chosen {
        const clang::Expr *expression;
        Form form;
    };
    /* Loops over own rows around; what is declared, or set anew, in their iteration. */
    struct RowLoop {
        const clang::Stmt *rows = nullptr; /* the loop, if it goes over own rows */
        std::set<const clang::VarDecl *> fresh, assigned, induced;
        std::set<const clang::VarDecl *> varied; /* induced by steps that differ */
        /* Of the induced ones: how else than by rows they come about, bits of Form::Gathered. */
        std::map<const clang::VarDecl *, unsigned> beside;
        std::set<const clang::VarDecl *> led; /* pointers: set to what a row has */
        bool some = false;                    /* it leaves out some of the block, */
        bool spaced = false;                  /* as rows so many apart, from its first on */
        bool falls = false;                   /* from the last of them to the first */
        bool single = false;                  /* it comes to each of them, in steps of 1 */
        bool pairs = false;                   /* for each row of another such loop */
        /* Its first row, seen from the first own one, and its last, from behind the last own one.
         */
        std::optional<std::pair<long long, long long>> span;
        bool pieces = false; /* it goes through them piece by piece */
        /* At which rows, seen from that of the iteration, arrays with ghost rows are read before
         * the adaptive loop's iteration has filled them. */
        mutable std::map<const clang::VarDecl *, std::set<std::string>> reads;
        size_t around = 0; /* conditions */
        /* Elements of arrays with ghost rows that are set, or read, for each row beside others. */
        mutable std::vector<Swept> set, read;
        /* Arrays with ghost rows of which it sets own rows, and where; at which distances from its
         * row it sets rows; and where it reads rows, at which distances, of arrays of which the
         * ghost rows are older than the own ones. */
        std::map<const clang::VarDecl *, clang::SourceLocation> changes;
        std::set<std::string> setAt;
        /* What variables have been set to where a row is at an edge of the block, or is not. */
        std::map<std::pair<const clang::VarDecl *, unsigned>, std::vector<Chosen>> atEdge;
        struct Older {
            clang::SourceLocation where, set;
            std::set<std::string> at;
        };
        mutable std::map<const clang::VarDecl *, Older> older;
        /* Rows of files that are written, or read, for each row, by their place beside it. */
        struct Filed {
            std::string file, name, by;
            int shift;
            bool set, shared;
            clang::SourceLocation where;
        };
        std::vector<Filed> filed;
        bool picks = false; /* jumps leave out rows otherwise than as a range, */
        int every = 1;      /* or all but those that are so many apart */
    };
    std::vector<RowLoop> rowLoops;
    unsigned gathering = 0; /* how the assignment at hand changes what is there */
    Form taken;             /* what it adds, or compares with that */
    mutable std::optional<bool> handlesErrors, handsOnInPlace;
    /* What is in arrays and structs without a name, as they were when they were last come to. */
    std::map<const clang::Expr *, Form> literals;
    const clang::Stmt *overRanks = nullptr; /* the loop around, if it goes through all ranks */
    mutable Form part; /* what has been read of a table of the parts of all ranks */
    /* What messages take to other processes, by their types and tags. */
    struct Sent {
        std::string type;
        std::optional<long long> tag;
        Form form;
        bool edge; /* a row at the edge of the block, which is right where it is received for one */
        std::string toward; /* how far behind, by ranks, who gets it is; empty: not known */
    };
    std::vector<Sent> sends;
    size_t settled = 0; /* those of which it is known from which ends of blocks they are */
    Form left; /* what is in files, pipes or the environment: of what the loop has put there */
    std::map<const clang::VarDecl *, std::string> operations; /* parameters: reductions */
    /* Stores at the edges of blocks alone: the first one; any of them is made of messages. */
    struct Edges {
        clang::SourceLocation where;
        std::string by;
        bool messages = false, filled = false; /* by messages themselves */
        bool apart = false;                    /* other stores leave such rows out */
    };
    struct EdgesOf {
        const clang::VarDecl *rows;
        bool own;       /* the store is to own rows */
        bool iterating; /* in the adaptive loop: what messages bring there is not for stores around
                         */
        bool operator<(const EdgesOf &other) const
        {
            return std::tie(rows, own, iterating) <
                   std::tie(other.rows, other.own, other.iterating);
        }
    };
    std::map<EdgesOf, Edges> edges;
    mutable bool ownRead = false; /* by what is assigned: rows at edges that are no ghost rows */
    /* Where what messages have brought is chosen for rows at the edges of blocks alone, with the
     * array that gets it (null: not yet); and the arrays that get something for the rows between
     * alone, chosen as well where that has not yet been put anywhere. */
    mutable std::map<const clang::Expr *, const clang::VarDecl *> alone;
    std::set<const clang::VarDecl *> between;
    mutable bool chosenBetween = false;
    void settleChoices(const clang::VarDecl *array);
    void noteElement(const Place &place, const clang::Expr *target, const Form &index,
                     bool unpacked);
    void noteBetween(const Effects &effects);
    void noteAlone(const clang::Expr *choice, const Form &one, const Form &other) const;
    /* What is chosen at the edges of blocks in place of a row beside, and is not that of the
     * neighbour, as it is there (ranks/ghosts.cpp); with the array that gets it. */
    mutable std::map<const clang::Expr *, const clang::VarDecl *> standIns;
    void noteStandIn(const Chosen &one, const Chosen &other) const;
    void noteSetAtEdge(const Place &place, const clang::Expr *target, const Form &value);
    bool isRowBeside(const Chosen &message, const Chosen &row) const;
    bool isOfOtherSide(const Form &index, const Form &value) const;
    bool leadToSame(const clang::VarDecl *one, const clang::VarDecl *other) const;
    /* Arrays that all have whole, around the loop: of which each has set its own rows alone. */
    std::set<const clang::VarDecl *> parted;
    std::map<const clang::VarDecl *, std::string> names; /* of parameters: what was handed over */
    /* Arrays that a loop around sets as its counter goes through own rows, or ranks: what has been
     * there before is not all that is read of them. */
    std::set<const clang::VarDecl *> filling;

    void reportEdges(); /* those that messages have no part in */

    /* Sweeps over own rows that go on with what they have set (ranks/sweeps.cpp). */
    /* A buffer, and to whom it is sent. */
    using Ways = std::set<std::pair<const clang::VarDecl *, std::string>>;
    struct Sweep {
        clang::SourceLocation where;
        std::string by;
        bool begun = false, passed = false; /* with what has come; what it made goes on */
        Ways before;                        /* what has been sent before it */
    };
    std::map<const clang::VarDecl *, Sweep> sweeps;
    std::set<const clang::VarDecl *> come; /* of which rows messages have come; null: of any */
    Ways ways;                             /* what has been sent so far */
    /* CONDITION may hold for some rows, and not for those beside them. */
    static bool picksRows(const Form &condition)
    {
        return !condition.isUniform() && !condition.isWide();
    }
    void beginSweeps(); /* of an iteration, or what follows the loop */
    std::set<const clang::Expr *> indicesByRow(const clang::Expr *element) const;
    const clang::VarDecl *onlyArray(const Place &place) const;
    static bool differByRow(const Analysis &analysis, const Swept &set, const Swept &read,
                            const clang::Expr *one, const clang::Expr *other,
                            const std::set<const clang::VarDecl *> &assigned);
    const clang::VarDecl *sweptAt(const Place &place, const Form &index) const;
    void noteSwept(const Place &place, const clang::Expr *element, const Form &index,
                   bool set) const;
    void noteFiled(const FileTransfer &transfer, const clang::Expr *file);
    void endFiled(const RowLoop &rows, bool falls);
    void noteMessage(const clang::CallExpr *call, llvm::StringRef name);
    void noteTaken(const clang::VarDecl *taken, const clang::Expr *buffer, const clang::Expr *to,
                   bool shifts);
    bool isShift(const clang::Expr *to, const clang::Expr *from) const;
    void endSweep(const RowLoop &rows, bool falls);
    /* Own rows that are set behind the messages that have sent them (ranks/ghosts.cpp). */
    bool ending = false; /* behind the adaptive loop */
    unsigned long clock = 0;
    std::map<const clang::VarDecl *, unsigned long> packed; /* when arrays without rows were set */
    void noteChanged(const Rows &rows, const Place &place, const Form &index, bool unpacked,
                     clang::SourceLocation where);
    void notePacked(const Place &place);
    void noteSpoilt(const Rows &rows, const Place &place, const clang::Expr *target,
                    const Form &index, bool unpacked);
    void noteSetBy(const clang::CallExpr *call, const Rows &rows, const Place &place, bool all,
                   const Form &from);
    void noteSentRows(const std::optional<Place> &buffer);
    void endChanged(const RowLoop &rows);
    void reportSweeps();

    bool iterating = false; /* in the adaptive loop */
    /* Arrays whose ghost rows are read before the iteration has filled them. */
    mutable std::map<const clang::VarDecl *, Unfilled> unfilled;
    std::vector<const clang::Stmt *> way;     /* calls and loops around, in the adaptive loop */
    std::set<const clang::VarDecl *> varying; /* parameters that are others in other iterations */
    /* Something else than a loop over own rows stores there: CALL, or null. */
    void fill(const Place &place, const clang::CallExpr *call);
    /* The same, of ghost rows that others than messages have set: of PLACE, at INDEX, if it is
     * known. */
    void fillSpoilt(const Place &place, const std::optional<Form> &index);
    bool isAnother(const Write &write, std::set<const clang::VarDecl *> &seen) const;
    bool differsByIteration(const clang::Expr *expression,
                            std::set<const clang::VarDecl *> &seen) const;
    bool choosesIterations(const clang::Expr *condition) const;
    void misuse(Problem problem, clang::SourceLocation where, const std::string &what,
                const std::string &by);

    /* -- texts of what is uniform */
    std::string textOf(const clang::Expr *expression) const;
    static bool isSmall(const clang::Expr *expression);         /* a constant next to 0 */
    static bool isAny(const clang::BinaryOperator *comparison); /* x > 0, or the same */

    std::string shiftOf(const Form &index, const Form &by, const clang::Expr *text,
                        bool negative) const;
    void judgePlace(const clang::BinaryOperator *binary, const Form &form);
    Form combine(const clang::BinaryOperator *binary, const Form &left, const Form &right);
    Form sumOf(const clang::BinaryOperator *binary, clang::BinaryOperatorKind kind,
               const Form &left, const Form &right);
    std::optional<long long> constantIn(const Form &form, const clang::Expr *expression) const;
    Form comparisonOf(const clang::BinaryOperator *binary, const Form &left, const Form &right);
    Form choose(const Form &condition, const clang::ConditionalOperator *choice, Form one,
                Form other) const;
    Guards guards(size_t from = 0) const; /* the conditions from the one with this number on */

    /* The own entry of a table of the parts of all ranks, or the one behind it. */
    std::optional<Form> readPart(const Place &place, const clang::Expr *target,
                                 const Form &index) const;
    /* What TARGET, at INDEX of PLACE, is where nobody has sent what it was. */
    std::optional<Form> readParted(const Place &place, const clang::Expr *target,
                                   const Form &index) const;
    bool isChosenBy(const Place &place, const Form &index, bool zero) const;
    std::optional<Form> readOfNeighbour(const Place &place, const Form &content, const Form &index,
                                        clang::SourceLocation where) const;
    Form readElement(const Place &place, Form content, const Form &index) const;
    /* CONTENT, of an array, NAME, that has rows by their places in the block, or by their numbers
     * among all, at INDEX: of the row there, which is another one in another layout; nothing where
     * that is each row in turn. */
    static std::optional<Form> readAtEdge(const Form &content, const Form &index,
                                          const std::string &name, clang::SourceLocation where);
    /* What is read at INDEX of PLACE. */
    Form readPartOf(Form content, const Form &index) const;
    Form read(const Place &place, const Form &index, clang::SourceLocation where) const;
    /* What is assigned to PLACE, an element at INDEX; COMPOUND: to what is there. */
    /* VALUE, or what is CHANGED of an element of ROWS by it. */
    void storeRow(const Rows &rows, const Place &place, const clang::Expr *target,
                  const Form &index, const Form &changed, const Form &value);
    /* What PLACE comes to by VALUE, which was GIVEN, in a loop over own rows. */
    Form gatheredInto(const Place &place, const Form &given, Form value, bool element,
                      bool ownElement, bool compound, bool whole);
    /* What VALUE, which was GIVEN, is where it is put at INDEX of PLACE. */
    bool staysWithin(const Form &index) const;
    unsigned placesOfRows(const Form &index, bool ownElement, const Form &given,
                          bool element) const;
    Form placedAt(const Place &place, const clang::Expr *target, const Form &index,
                  const Form &given, Form value) const;
    void lead(const Place &place, const Form &value, bool whole);
    void store(const Place &place, const clang::Expr *target, const Form &index, Form value,
               bool compound, bool whole);
    /* Counts what MPI is given, and what it leaves in its buffers. */
    std::string typeNamed(const clang::Expr *type) const;
    void noteSent(const clang::CallExpr *call, llvm::StringRef name,
                  const std::vector<Form> &arguments);
    bool isOfElected(const clang::CallExpr *call, const Form &source, const Form &row) const;
    bool isByPlaceInBlock(const clang::CallExpr *call, llvm::StringRef name,
                          const std::vector<Form> &arguments) const;
    Form receivedForm(const clang::CallExpr *call, llvm::StringRef name,
                      const std::vector<Form> &arguments) const;
    Form givenForm(const clang::Expr *argument, const Form &value) const;
    Form exchangedForm(const clang::CallExpr *call, llvm::StringRef name,
                       const std::vector<Form> &arguments) const;
    Form scatteredForm(const clang::CallExpr *call, llvm::StringRef name, const Form &rows) const;
    /* What MANY elements from INDEX of BUFFER on are, which a process hands over for all. */
    bool mayBeInPlace(const clang::Expr *buffer) const;
    Form putIn(const clang::CallExpr *call, const std::vector<Form> &arguments,
               unsigned many) const;
    Form handedOver(const clang::Expr *buffer, const Form &index, const Form &many) const;
    Form takenFrom(const clang::Expr *source, const Form &index, const Form &many) const;
    Form gatheredForm(const clang::CallExpr *call, llvm::StringRef name,
                      const std::vector<Form> &arguments) const;
    Form outputForm(const clang::CallExpr *call, llvm::StringRef name,
                    const std::vector<Form> &arguments);
    /* Where CALL makes of pairs the largest, or smallest, with what belongs to it: how that number
     * itself, FIRST, follows the layout, whatever belongs to it. */
    std::optional<Form> reducedFirst(const clang::CallExpr *call, llvm::StringRef name,
                                     Place &first);
    /* Notes what CALL, of a function that puts it out, prints of the blocks. */
    void notePrinted(const clang::CallExpr *call, const std::vector<Form> &arguments);
    /* The same of the operation that CALL, of a reduction, goes by. */
    void noteOperation(const clang::CallExpr *call);
    /* The same of VALUE, what BACK, of main, hands back. */
    void noteStatus(const clang::ReturnStmt *back, const Form &value);
    /* Whether CALL makes a communicator, and how who is in it follows the layout. */
    static bool makesCommunicator(const clang::CallExpr *call);
    Form communicatorForm(const clang::CallExpr *call, const std::vector<Form> &arguments) const;
    /* MPI_COMM_SELF, which is written so. */
    bool isOwnWorld(const clang::Stmt *expression) const;
    bool isWindow(const clang::Expr *target, const Form &index) const;
    void noteEdge(const Rows &rows, const clang::Expr *target, const std::string &by, bool message,
                  bool own = false);
    Form readFile(const FileTransfer &transfer) const;
    Form readRow(const Rows &rows, const Form &index, clang::SourceLocation where) const;
    void judgeWritten(const FileTransfer &transfer);
    void judgePlaced(const clang::CallExpr *call, const Form &index);
    void judgeBlock(const clang::CallExpr *call, const Rows &rows, const Form &target,
                    const Form &from);
    void judgeGiven(const clang::CallExpr *call, const Rows &rows, const Form &target,
                    const Form &given, const Form &many);
    void judgeCopy(const clang::CallExpr *call, llvm::StringRef name, const Form &target,
                   const std::vector<Form> &arguments);
    void checkBlocks(const clang::CallExpr *call, llvm::StringRef name,
                     const std::vector<Form> &arguments);
    Form contentAt(const Place &place) const;
    Form contentOf(const clang::Expr *argument) const;
    std::optional<Form> copied(const clang::CallExpr *call, llvm::StringRef name,
                               const std::vector<Form> &arguments) const;
    Form errorForm(const clang::CallExpr *call) const; /* of what CALL, of MPI, hands back */
    Form foreignForm(const clang::CallExpr *call, bool ranked,
                     const std::vector<Form> &arguments) const;
    /* At the end of an iteration of a loop over own rows, which was entered with ENTRY. */
    void carry(const clang::Stmt *loop, const State &entry);
    bool isReadBehindPointer(const clang::Stmt *loop, const clang::VarDecl *variable) const;
    bool standsForRowBefore(const Form &before, const Form &row) const;
    void freshen(const clang::VarDecl *variable); /* declared in what runs for one row */
    bool isFresh(const Place &place) const;
    void noteAssigned(const Place &place); /* by a call */
    void goOnFromBefore(const clang::Stmt *body);
    /* The predefined operation of a reduction, as its name; "" where it is not known. */
    std::string operationOf(const clang::Expr *operation) const;

    /* VALUE, if the conditions around hold. */
    Form guarded(const Form &value) const;
    /* What PLACE, TARGET, becomes where the process that has one row alone puts VALUE there. */
    std::optional<Form> ofOwner(const Place &place, const clang::Expr *target, const Form &value,
                                bool compound) const;
    bool isUnderOwner() const;
    bool isOfNext(const Place &place, const clang::Expr *target) const;

  private:
    void noteGhosts(const Rows &rows, const Place &place, const Form &index,
                    clang::SourceLocation where) const;
    void noteOlder(const Rows &rows, const Place &place, const Form &index,
                   clang::SourceLocation where) const;
    std::optional<std::pair<int, int>> beyondOwn(const Rows &rows, const std::string &shift) const;
    bool goesThroughGhosts(const Rows &rows) const;
    bool isSetBesideNeighbour(const clang::Expr *target, bool behind) const;
    void noteSpoiltRead(const clang::VarDecl *array, const Rows &rows, const Form &index) const;
    void noteSpoiltAlone(const Rows &rows, const Place &place, const Form &index) const;

  protected:
    /* Of arrays: what has been set where a neighbour's row is read then. */
    mutable std::map<const clang::VarDecl *, const clang::Expr *> spoiltRead;

  private:
    struct Trials; /* of a few processes, with what the loop touches there */
    mutable std::shared_ptr<Trials> trials;
    bool leavesOut(const Rows &rows, const Form &index) const;
    int readsBeyond(const Rows &rows, const Form &index) const;
    bool isCarried(const clang::VarDecl *variable) const;
    int rowsBrought(const clang::CallExpr *call) const;
    bool haveEqualBlocks();
    std::optional<bool> equalBlocks; /* once asked for */
    void judgeMade(const Rows &rows, const clang::Expr *target, const Form &index,
                   const Form &value);
    void judgeWhole(const Place &place, const clang::Expr *target, const Form &index,
                    const Form &value);
    void judgeNeighbours(const Rows &rows, const clang::Expr *target, const Form &index,
                         const Form &value);
    void judgeEdge(const Rows &rows, const clang::Expr *target, const Form &index,
                   const Form &value, const Guards &around);
    Form toldForm(const clang::CallExpr *call, llvm::StringRef name,
                  const std::vector<Form> &arguments) const;
    Form broadcastForm(const clang::CallExpr *call, const std::vector<Form> &arguments);
    Form leftForm(const clang::CallExpr *call, llvm::StringRef name,
                  const std::vector<Form> &arguments);
    bool isOfBlocks(const Form &value) const;
    /* EXPRESSION, which is VALUE, is put out, with what says of which process it is, OF_PROCESS:
     * whether it is told that this follows the blocks. */
    bool notePutOut(const clang::Expr *expression, const Form &value, bool ofProcess);
    bool isChosenByRows() const;
    bool isOfEdge(const Form &value) const;
    Form besideEdge(Form both, const Form &one, const Form &other) const;
    bool isChosenBeside(const Form &value) const;
    unsigned gatheredBeside(const Form &value) const;
    bool isAmongSome(const clang::CallExpr *call, const std::vector<Form> &arguments) const;
    bool isOfBlock(const clang::Expr *argument, const Form &index) const;
    Form computedForm(const clang::CallExpr *call, const std::vector<Form> &arguments) const;
    Form product(const clang::BinaryOperator *binary, const Form &left, const Form &right);
    Form quotient(const clang::BinaryOperator *binary, const Form &left, const Form &right) const;
    Form under(const Guards &around, const Form &given) const;
    bool addsOther(const Effects &effects, const clang::VarDecl *sum, const std::string &own) const;
    Form endOfEntries(const Place &place, const Form &index, const Form &value) const;
    Form accumulated(const Place &place, const Form &before, const Form &value, bool ownElement);
    Form ofPairs(const Form &value) const;
    Form ofPieces(const Place &place, const Form &before, const Form &value) const;
    unsigned pickedUnder(const Form &value) const;
    void gatherUnder(const Place &place, const Form &given, Form &value, bool compound) const;
    bool takesAllParts(const Place &place, const clang::Expr *target) const;
    Form ofParts(const Place &place, const clang::Expr *target) const;
    bool isOfSums(const Form &content) const;
    Form reduced(const clang::CallExpr *call, llvm::StringRef name,
                 const std::vector<Form> &arguments);
    Form reducedOf(const clang::CallExpr *call, llvm::StringRef name, const Form &content);
    std::string sentForOne(const Form &value) const;
    void judge(const Rows &rows, const clang::Expr *target, const Form &index, const Form &value);
    void checkTables(const clang::CallExpr *call, llvm::StringRef name);
    bool isFirstThere(const Form &form, const Form &value) const;
    std::string badRows(const Form &index, const Guards &around) const;
    std::string badTransfer(const FileTransfer &transfer, const Form &value) const;
};

} // namespace xmpi
#endif
