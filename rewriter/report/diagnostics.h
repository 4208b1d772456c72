/* SPDX-License-Identifier: BSD-3-Clause
 * The rewriter's own diagnostics: one table, and the reporter that every stage uses. */
#ifndef XMPI_REWRITER_DIAGNOSTICS_H
#define XMPI_REWRITER_DIAGNOSTICS_H

#include <set>
#include <clang/Basic/Diagnostic.h>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace xmpi
{

/* In the order of the table in diagnostics.cpp. */
enum class Problem {
    PragmaName,
    UnknownDirective,
    UnknownClause,
    DuplicateClause,
    MissingClause,
    ClauseSyntax,
    PragmaPlace,
    PragmaOperator,
    PragmaHeader,
    UnknownVariable,
    ClauseExpression,
    DomainType,
    RangeType,
    DataType,
    ShapeType,
    IntervalType,
    IntervalValue,
    CsrType,
    IterationsType,
    WeightType,
    WeightArray,
    DataTwice,
    OutOfCore,
    FileType,
    FileElement,
    DataExtent,
    VariableScope,
    NoStatement,
    PragmaTwice,
    StatementKind,
    LoopKind,
    LoopRows,
    LoopRanks,
    LoopMacro,
    LoopNested,
    LoopTwice,
    LoopMissing,
    LoopMain,
    LoopCalls,
    LoopCalled,
    LoopExit,
    Restore,
    LoopVariable,
    OutsidePath,
    AfterLoop,
    InsideLoop,
    Nested,
    InnerFunction,
    SplitDeclaration,
    InitialPointer,
    InitialValue,
    SetupPlace,
    SetupLabel,
    SetupHidden,
    SetupChanges,
    Communicates,
    SetupData,
    SetupSum,
    SetupLost,
    SetupReads,
    RankDependent,
    RankCondition,
    RankHelper,
    RankInitial,
    StalePointer,
    SkippedPointer,
    SharedArray,
    HiddenState,
    ProcessPlace,
    Shadowed,
    RegisterVariable,
    BitField,
    DataArgument,
    RowPointers,
    PointerArray,
    MemberArray,
    OtherFile,
    NoRange,
    DataRange,
    RandomStream,
    ArrayShape,
    ColumnOrder,
    Halo,
    EqualBlocks,
    OwnFormula,
    OwnTable,
    RangeUnit,
    RowNumbers,
    LocalState,
    PartialArray,
    RequestAcross,
    RequestBuffer,
    Window,
    FilePointer,
    Decomposition,
    Vla,
    SwappedPointer,
    MergedPointers,
    LocalValue,
    LocalRows,
    Sweep,
    GhostsKept,
    GhostsOld,
    PrintedValue,
    KeptValue,
    LoopTimes,
    PointerState,
    Unregistered,
    ChangedAround,
    Count
};

/* What to write: TEXT in the place of RANGE. */
using Fix = clang::FixItHint;

class Diagnostics
{
  public:
    explicit Diagnostics(clang::DiagnosticsEngine &engine) : engine(engine)
    {
    }

    /* Prints PROBLEM with ARGUMENTS for its %0, %1 and then its remedy, with FIX, as a note. False,
     * for those who answer whether all is well. */
    bool report(clang::SourceLocation where, Problem problem,
                std::initializer_list<llvm::StringRef> arguments = {}, const Fix &fix = Fix());

    void note(clang::SourceLocation where, llvm::StringRef text);
    void remark(clang::SourceLocation where, llvm::StringRef text);

    bool failed() const
    {
        return quiet ? refused : heldErrors > 0 || engine.hasErrorOccurred();
    }

    /* From now on reports are held back, until one of the two is called: they are what is wrong; or
     * the first error, or warning where there is none, is only the reason why something else is
     * made, a remark that begins with WHAT and ends with further NOTES. */
    void hold()
    {
        holding = true;
    }
    bool holds() const
    {
        return holding;
    }
    void release();
    void drop(); /* what is held back is not said: there is another reason */
    void take(const Diagnostics &other); /* holds what OTHER does instead */
    void releaseAsRemark(llvm::StringRef what,
                         const std::vector<std::pair<clang::SourceLocation, std::string>> &notes);

    /* The first error that is held back, where all are ONLY this problem; else empty. */
    std::string reason(Problem only) const;
    /* What may be another value in another layout; empty: that is not all that is wrong. */
    std::string whyLayoutMatters() const;

    /* Among what is held back is an error of somebody who has misunderstood a pragma, or put it in
     * a wrong place: whatever the program may be, that is not what was meant. */
    bool holdsMisuse() const;

    bool quiet = false; /* nothing is printed: a first look */

  private:
    struct Held {
        clang::SourceLocation where;
        Problem problem;
        std::string text, remedy;
        Fix fix;
        std::vector<std::pair<clang::SourceLocation, std::string>> notes;
    };

    std::set<std::string> said; /* what has been reported, with its place */
    bool refused = false;
    bool holding = false;
    std::vector<Held> held;
    unsigned heldErrors = 0;
    clang::DiagnosticsEngine &engine;

    void print(const Held &one);
};

} // namespace xmpi
#endif
