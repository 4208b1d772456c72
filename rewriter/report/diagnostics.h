/* SPDX-License-Identifier: BSD-3-Clause
 * The rewriter's own diagnostics: one table, and the reporter that every stage uses. */
#ifndef XMPI_REWRITER_DIAGNOSTICS_H
#define XMPI_REWRITER_DIAGNOSTICS_H

#include <set>
#include <clang/Basic/Diagnostic.h>
#include <initializer_list>
#include <string>

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
    SetupReads,
    RankDependent,
    RankCondition,
    RankHelper,
    RankInitial,
    StalePointer,
    SkippedPointer,
    SharedArray,
    HiddenState,
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
    LocalValue,
    LocalRows,
    KeptValue,
    PointerState,
    Unregistered,
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

    /* Prints PROBLEM with ARGUMENTS for its %0, %1 and then its remedy, with FIX, as a note. */
    void report(clang::SourceLocation where, Problem problem,
                std::initializer_list<llvm::StringRef> arguments = {}, const Fix &fix = Fix());

    void note(clang::SourceLocation where, llvm::StringRef text);
    void remark(clang::SourceLocation where, llvm::StringRef text);

    bool failed() const
    {
        return quiet ? refused : engine.hasErrorOccurred();
    }

    bool quiet = false; /* nothing is printed: a first look */

  private:
    std::set<std::string> said; /* what has been reported, with its place */
    bool refused = false;
    clang::DiagnosticsEngine &engine;
};

} // namespace xmpi
#endif
