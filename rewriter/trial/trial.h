/* SPDX-License-Identifier: BSD-3-Clause
 * Trial evaluation of the prologue: its integers are computed for a made-up rank, size and input,
 * so that a formula is known by what it yields and not by how it is written. */
#ifndef XMPI_REWRITER_TRIAL_H
#define XMPI_REWRITER_TRIAL_H

#include "analysis.h"
#include "trial/idle.h"

namespace xmpi
{

/* One element of memory: of a variable, or of a block that a call of malloc made. */
struct Cell {
    const void *base = nullptr;
    const clang::FieldDecl *field = nullptr;
    long long index = 0;

    bool operator<(const Cell &other) const
    {
        return std::tie(base, field, index) < std::tie(other.base, other.field, other.index);
    }
    bool operator==(const Cell &other) const
    {
        return base == other.base && field == other.field && index == other.index;
    }
};

struct Value {
    enum class Kind { Unknown, Integer, Real, Pointer } kind = Kind::Unknown;
    long long integer = 0;
    double real = 0;
    Cell target;

    static Value of(long long integer);
    static Value of(double real);
    static Value to(const Cell &target);

    bool isNumber() const
    {
        return kind == Kind::Integer || kind == Kind::Real;
    }
    double asReal() const
    {
        return kind == Kind::Real ? real : static_cast<double>(integer);
    }
    /* As a condition: a pointer to something is true, as memory was to be had. */
    std::optional<bool> truth() const
    {
        if (kind == Kind::Pointer)
            return true;
        return isNumber() ? std::optional(asReal() != 0) : std::nullopt;
    }
};

/* Made-up values of what the program reads or receives, the same for all ranks and sizes: FIRST and
 * multiples of STEP more, in another order by the bits of TURNED. */
class Inputs
{
  public:
    Inputs(long long first, long long step, long long turned)
        : first(first), step(step), turned(turned)
    {
    }
    long long valueOf(const Cell &cell);
    bool contains(const Cell &cell) const
    {
        return known.count(cell) != 0;
    }

  private:
    std::map<Cell, long long> known;
    long long first, step, turned;
};

/* An integer that each rank hands over in a call, by the call, how often it has been made before,
 * and the rank. */
using Told = std::map<std::pair<const clang::CallExpr *, int>, std::map<long long, long long>>;

/* What the ranks of one size tell one another: what they have heard of an earlier try, and what
 * they tell in this one. */
struct Gathered {
    Told heard, told;
};

/* What the body of a loop does that sets pointers to rows. */
struct PointerLoop {
    std::vector<const clang::BinaryOperator *> stores;
    std::vector<const clang::Stmt *> fills; /* of numbers */
};

/* Jumps that lead out of a statement. */
struct Jumps {
    bool breaks = false, continues = false, returns = false;
    std::vector<const clang::LabelDecl *> labels; /* null: one that is computed */
};

/* Where in a function a trial is. A jump that is known is on its way, or one may have been made:
 * then what follows has been run, or not. */
struct Flow {
    enum class Jump { None, Break, Continue, Return } jump = Jump::None;
    bool mayBreak = false, mayContinue = false, mayLeave = false;
    const clang::Stmt *body = nullptr; /* of the function */

    bool isDoubtful() const
    {
        return mayBreak || mayContinue || mayLeave;
    }
};

/* One side of a comparison that something is picked by, in all trials so far. */
class Compared
{
  public:
    void add(long long value, const Inputs *given);
    /* It is another one on other ranks, or with other sizes. */
    bool varies() const
    {
        return other;
    }
    /* It is always the same number, and not next to 0: which. */
    std::optional<long long> limit() const
    {
        return one && (first > 1 || first < -1) ? std::optional(first) : std::nullopt;
    }

  private:
    bool one = false, other = false;
    long long first = 0, last = 0;
    const Inputs *inputs = nullptr; /* that LAST was found with */
};

struct Comparison {
    Compared left, right;
    bool held = false, failed = false;

    /* Of which what follows the layout has been on one side alone. */
    std::optional<long long> limit() const
    {
        if (held == failed)
            return std::nullopt;
        return left.varies() ? right.limit() : right.varies() ? left.limit() : std::nullopt;
    }
};

/* What trials have found in the source: it is the same for all of a survey, and costs more to find
 * than all else. */
struct Lookups {
    /* An expression without what is around it, and its value where that is constant. */
    struct Bare {
        const clang::Expr *expression = nullptr;
        std::optional<long long> constant;
    };
    llvm::DenseMap<const clang::Expr *, Bare> expressions;
    std::unordered_map<const clang::Stmt *, bool> integerLoops;
    std::unordered_map<const clang::CallExpr *, std::vector<Write>> writesOfCalls;
    std::unordered_map<const clang::Stmt *, std::vector<Write>> writesOfAll; /* with callees */
    std::unordered_map<const clang::IfStmt *, bool> failing; /* that end with an error */
    std::unordered_map<const clang::Stmt *, Jumps> jumps;
    std::unordered_map<const clang::FunctionDecl *, Variables> idle;
    std::unordered_map<const clang::Expr *, bool> worlds; /* communicators */
    std::unordered_map<const clang::Stmt *, PointerLoop> pointerLoops;
    /* Of a condition that is not constant: 1: it did not hold in some trial, 2: it did. Of a
     * quotient, 1: it was 0, 3: it was not; of a remainder, whether it was all of the number. */
    std::unordered_map<const clang::Expr *, unsigned> sides;
    std::unordered_map<const clang::Stmt *, Comparison>
        comparisons; /* by which something is picked */
};

class Trial
{
  public:
    Trial(Analysis &analysis, Lookups &lookups, Inputs &inputs, long long rank, long long size)
        : analysis(analysis), lookups(lookups), inputs(inputs), rank(rank), size(size)
    {
        addFixedArrays();
    }

    /* The prologue up to the loop, with the calls on the way. */
    void run();
    /* It took too long, and nothing is known. */
    bool isSpent() const
    {
        return spent;
    }

    int stepsTaken() const
    {
        return stepsOfAll;
    }

    /* The integer in CELL, if it is known or an input. */
    std::optional<long long> integerAt(const Cell &cell) const;
    Value valueAt(const Cell &cell) const;
    /* The value of EXPRESSION after the prologue. */
    std::optional<long long> integerOf(const clang::Expr *expression);
    Value valueOf(const clang::Expr *expression);
    /* STATEMENT is run behind all. */
    void runAgain(const clang::Stmt *statement);
    /* PARAMETER gets the value of ARGUMENT, as in a call. */
    void bind(const clang::ParmVarDecl *parameter, const clang::Expr *argument);
    /* The number of bytes that the block BASE was made with. */
    std::optional<long long> bytesOf(const void *base) const;

    std::map<Cell, Value> memory;
    bool over = false;            /* nothing is made up any more: what is not known stays unknown */
    Gathered *gathered = nullptr; /* while it runs; null: nothing is heard of other ranks */

  private:
    enum { MaxDepth = 12 };

    Analysis &analysis;
    Lookups &lookups;
    Inputs &inputs;
    long long rank, size;
    std::map<const void *, long long> blocks;
    std::map<const clang::CallExpr *, int> made; /* how often a call has allocated, or gathered */
    std::optional<Value> returned;
    Flow flow;
    std::set<const clang::FunctionDecl *> running; /* that have been called */
    bool spent = false;                            /* all steps: nothing is known any more */
    int steps = 0, stepsOfAll = 0, depth = 0;

    void addFixedArrays();
    std::optional<Value> assumedAt(const Cell &cell) const;
    Cell placed(const Cell &cell) const;
    const void *innerBase(const Cell &cell) const;
    void runFields(const Cell &cell, const clang::InitListExpr *list);
    void divide(const Pragma &domain);
    void enter(size_t step);
    void runStatement(const clang::Stmt *statement);
    void runIf(const clang::IfStmt *choice);
    void runJump(const clang::Stmt *statement);
    void runSwitch(const clang::SwitchStmt *choice);
    void passOver(const clang::Stmt *statement);
    void addJumps(const clang::Stmt *statement, Jumps &found, bool inLoop, bool inSwitch);
    const Jumps &jumpsIn(const clang::Stmt *statement);
    bool leadsAway(const clang::LabelDecl *label) const;
    bool isError(const clang::IfStmt *choice);
    bool failsAtCallers(const clang::IfStmt *choice);
    void runLoop(const clang::Stmt *loop);
    const PointerLoop &pointersIn(const clang::ForStmt *loop, const clang::VarDecl *counter);
    PointerLoop readPointers(const clang::ForStmt *loop, const clang::VarDecl *counter);
    bool fillsRows(const clang::Stmt *statement, const clang::VarDecl *counter);
    bool readsSet(const clang::BinaryOperator *store, const clang::Stmt *fill);
    bool runPointers(const clang::ForStmt *loop);
    bool runPointers(const clang::BinaryOperator *store, const Cell &counter, long long begin,
                     long long many);
    void runDeclaration(const clang::VarDecl *variable);
    void forget(const clang::Stmt *statement);
    void forget(const Cell &cell);
    void forgetOverlaid(const Cell &cell);
    void forgetBase(const void *base);
    void forgetContents(const void *block, bool pointers);
    bool forgetBehind(const clang::CallExpr *call, const Write &write);
    void store(const std::optional<Cell> &cell, const Value &value, clang::QualType type);
    void copyFields(const Cell &cell, const Value &from, clang::QualType type);
    Value load(const std::optional<Cell> &cell, clang::QualType type);
    std::optional<Cell> cellOf(const clang::Expr *expression);
    std::optional<Cell> element(const Value &pointer, const Value &index);
    Value evaluate(const clang::Expr *expression);
    Lookups::Bare bareOf(const clang::Expr *expression);
    std::optional<long long> constantOf(const clang::Expr *expression)
    {
        return bareOf(expression).constant;
    }
    std::optional<bool> decide(const clang::Expr *condition);
    Value compared(const clang::Expr *condition);
    Value evaluateChoice(const clang::ConditionalOperator *choice);
    Value evaluateLogical(const clang::BinaryOperator *binary);
    Value evaluateBinary(const clang::BinaryOperator *binary);
    Value evaluateOperator(const clang::BinaryOperator *binary);
    Value evaluateUnary(const clang::UnaryOperator *unary);
    Value evaluateBlock(const clang::CompoundStmt *block);
    Value evaluateCast(const clang::CastExpr *cast);
    Value evaluateCall(const clang::CallExpr *call);
    /* What CALL, which is not looked into, may have written is not known from then on. */
    void forgetWritten(const clang::CallExpr *call);
    Value evaluateOwn(const clang::CallExpr *call, const clang::FunctionDecl *function);
    Value compute(clang::BinaryOperatorKind kind, const Value &left, const Value &right);
    Value allocation(const clang::CallExpr *call);
    bool meansWorld(const clang::Expr *communicator);
    bool receivePart(const clang::CallExpr *call);
    bool gatherParts(const clang::CallExpr *call);
    void begin();
    bool spend();
    bool computesIntegers(const clang::Stmt *loop);
    const Variables &idleIn(const clang::FunctionDecl *function);
    bool writesIntegers(const clang::Stmt *loop);
    const std::vector<Write> &writesOfCall(const clang::CallExpr *call);
    const std::vector<Write> &writesOfAll(const clang::Stmt *statement);
};

/* What KIND computes of a number is 0, or the number itself, as long as that is small: a quotient,
 * or a remainder. */
bool cutsOff(clang::BinaryOperatorKind kind);

/* CALL fills a table with an integer of each rank, perhaps: where it is one of the world. */
bool gathersIntegers(const clang::CallExpr *call);

/* The last statement of BRANCH. */
const clang::Stmt *endOf(const clang::Stmt *branch);

} // namespace xmpi
#endif
