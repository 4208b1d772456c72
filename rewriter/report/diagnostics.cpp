/* SPDX-License-Identifier: BSD-3-Clause
 * The table of the rewriter's diagnostics. docs/diagnostics.md explains each by name. */
#include "report/diagnostics.h"
#include <cassert>
#include <clang/Basic/SourceManager.h>

namespace xmpi
{
namespace
{

struct Entry {
    Problem problem;
    const char *name;
    clang::DiagnosticsEngine::Level level;
    const char *text;
    const char *remedy; /* printed as a note; empty where the text says it all */
};

constexpr auto Error = clang::DiagnosticsEngine::Error;
constexpr auto Warning = clang::DiagnosticsEngine::Warning;

constexpr Entry table[] = {
    {Problem::PragmaName, "xmpi-pragma-name", Error, "unknown pragma '%0'", "write 'xmpi'"},
    {Problem::UnknownDirective, "xmpi-unknown-directive", Error, "unknown directive '%0'",
     "the directives are domain, data, initial, setup and loop"},
    {Problem::UnknownClause, "xmpi-unknown-clause", Error, "'%1' has no clause '%0'", "%2"},
    {Problem::DuplicateClause, "xmpi-duplicate-clause", Error, "second '%0' clause",
     "give each clause once"},
    {Problem::MissingClause, "xmpi-missing-clause", Error, "'%0' needs %1", "write %2"},
    {Problem::ClauseSyntax, "xmpi-clause-syntax", Error, "expected %0", ""},
    {Problem::PragmaPlace, "xmpi-pragma-place", Error,
     "'#pragma xmpi %0' stands where a block can have no statement",
     "move it, with the statement it is for, into a block { ... } of a function"},
    {Problem::PragmaOperator, "xmpi-pragma-operator", Error,
     "an xmpi pragma cannot be written with _Pragma",
     "write '#pragma xmpi ...' on a line of its own"},
    {Problem::PragmaHeader, "xmpi-pragma-header", Error, "xmpi pragma in an included file",
     "compile that file by itself, or move the annotated code into the source file"},
    {Problem::UnknownVariable, "xmpi-unknown-variable", Error, "%0",
     "declare the variable before the pragma, in a scope that encloses it"},
    {Problem::ClauseExpression, "xmpi-clause-expression", Error, "%0",
     "a clause takes C expressions that are valid where the pragma stands"},
    {Problem::DomainType, "xmpi-domain-type", Error, "the domain '%0' is of type '%1'",
     "the domain is an integer: the number of rows that are divided"},
    {Problem::RangeType, "xmpi-range-type", Error,
     "'%0' of type %1 cannot hold a count or displacement",
     "use a variable of an integer type of 4 or 8 bytes"},
    {Problem::DataType, "xmpi-data-type", Error, "'%0' of type '%1' is not a pointer to elements",
     "name a pointer variable that holds memory from malloc"},
    {Problem::ShapeType, "xmpi-shape-type", Error, "the extent '%0' is of type '%1'",
     "write the array's global extents as integers: A[rows][columns]"},
    {Problem::IntervalType, "xmpi-interval-type", Error, "the interval '%0' is of type '%1'",
     "the interval is a number of iterations"},
    {Problem::IntervalValue, "xmpi-interval-value", Error, "the interval '%0' is %1",
     "write at least 1, or leave the clause out: the setting XMPI_INTERVAL holds then"},
    {Problem::CsrType, "xmpi-csr-type", Error, "the row pointers '%0' are of type '%1'",
     "the first array of csr(ia, ja, a: n) says where rows begin: integers of 4 or 8 bytes"},
    {Problem::IterationsType, "xmpi-iterations-type", Error,
     "the number of iterations '%0' is of type '%1'", "it is how many the loop makes at most"},
    {Problem::WeightType, "xmpi-weight-type", Error, "the weights '%0' are of type '%1'",
     "name a variable that points to double, float, or signed integers of 4 or 8 bytes, one for "
     "each row"},
    {Problem::WeightArray, "xmpi-weight-array", Error,
     "the weights '%0' do not follow the rows in a reconfiguration",
     "register '%0' with '#pragma xmpi data', or make it in a statement marked '#pragma xmpi "
     "setup'"},
    {Problem::DataTwice, "xmpi-data-twice", Error, "'%0' is registered twice",
     "name each array in one clause only"},
    {Problem::OutOfCore, "xmpi-out-of-core", Error,
     "'%0' is of fixed size and cannot be out of core",
     "allocate it with malloc, or write distributed(%0[rows][columns])"},
    {Problem::FileType, "xmpi-file-type", Error, "'%0' in a 'file' clause has the type '%1'",
     "name the variable with the descriptor of the file (int), or its stream (FILE *)"},
    {Problem::FileElement, "xmpi-file-element", Error,
     "a file cannot have elements of the type '%0', which means nothing to another process",
     "name the type of the values that are written, as in file(double fd[n])"},
    {Problem::DataExtent, "xmpi-data-extent", Error, "'%0' is said to be %1, but %2", "%3"},
    {Problem::VariableScope, "xmpi-variable-scope", Error,
     "'%0' does not live until the loop: its block ends before",
     "declare it in a block that encloses the loop"},
    {Problem::NoStatement, "xmpi-no-statement", Error,
     "'#pragma xmpi %0' has no statement after it",
     "put it directly before the statement that it is for"},
    {Problem::PragmaTwice, "xmpi-pragma-twice", Error,
     "'#pragma xmpi %0' stands before another pragma for the same statement, '#pragma xmpi %1'",
     "write one of domain, initial, setup and loop directly before the statement that it is for"},
    {Problem::StatementKind, "xmpi-statement-kind", Error,
     "'#pragma xmpi %0' cannot stand before %1", "%2"},
    {Problem::LoopKind, "xmpi-loop-kind", Error, "'#pragma xmpi loop' is not followed by a loop",
     "put it before the for, while or do statement that iterates"},
    {Problem::LoopRows, "xmpi-loop-rows", Error,
     "this loop goes over the rows of the process: '%0' says how far, and is another on each rank",
     "put '#pragma xmpi loop' before the loop around it, which iterates"},
    {Problem::LoopRanks, "xmpi-loop-ranks", Error,
     "only some ranks get to the adaptive loop: '%0' is another on each",
     "let all of them iterate, and put what some of them do into an if inside the loop"},
    {Problem::LoopMacro, "xmpi-loop-macro", Error, "the adaptive loop's %0 comes from a macro",
     "write the loop's for, parentheses and braces without macros"},
    {Problem::LoopNested, "xmpi-loop-nested", Error,
     "the adaptive loop is inside another adaptive loop", "annotate one of them"},
    {Problem::LoopTwice, "xmpi-loop-twice", Error, "one statement leads to two adaptive loops",
     "let one statement after another lead to them, or annotate one of them"},
    {Problem::LoopMissing, "xmpi-loop-missing", Error,
     "'#pragma xmpi %0' in a file without '#pragma xmpi loop'",
     "put '#pragma xmpi loop' before the iterative loop of this file; where that is in another "
     "file, both go into one"},
    {Problem::LoopMain, "xmpi-loop-main", Error,
     "the adaptive loop's function '%0' is not called from main in this file, nor in those that "
     "are "
     "looked into with it",
     "put main and the loop's function into one file, with a direct call; or leave the loop where "
     "it is and say what it keeps, for the program to start over with other processes: '#pragma "
     "xmpi loop state(rows(u[n] from first, count), same(t, step))'"},
    {Problem::LoopCalls, "xmpi-loop-calls", Error,
     "'%0', on the way to the adaptive loop, is called "
     "from more than one place",
     "call it once, or move the loop into main"},
    {Problem::LoopCalled, "xmpi-loop-called", Error,
     "the function '%0' with the adaptive loop is called in a loop without braces",
     "put braces around the body of that loop"},
    {Problem::LoopExit, "xmpi-loop-exit", Error,
     "a macro leaves the adaptive loop with return or goto",
     "write the return or goto without a macro, or use break"},
    {Problem::Restore, "xmpi-restore", Error, "'restore' cannot divide the rows again: %0",
     "compute the range in the loop's function, in statements of its own"},
    {Problem::LoopVariable, "xmpi-loop-variable", Error,
     "the loop variable '%0' of type '%1' cannot travel to a joining process",
     "iterate with a variable of an arithmetic type"},
    {Problem::OutsidePath, "xmpi-outside-path", Error,
     "'#pragma xmpi %0' in '%1', which is not on the way from main to the adaptive loop",
     "move it to the statement in main or the loop's function that calls '%1'"},
    {Problem::AfterLoop, "xmpi-after-loop", Error, "'#pragma xmpi %0' after the adaptive loop",
     "remove it: after the loop every member that is left runs everything"},
    {Problem::InsideLoop, "xmpi-inside-loop", Error, "'#pragma xmpi %0' inside a loop",
     "move it before the loop"},
    {Problem::Nested, "xmpi-nested", Error, "'#pragma xmpi %0' inside a statement marked %1",
     "let the marked statements follow one another"},
    {Problem::InnerFunction, "xmpi-inner-function", Error,
     "a function within a function that does more than compute from its parameters",
     "hand it what it needs as parameters, move it out, or the adaptive loop to a file without"},
    {Problem::SplitDeclaration, "xmpi-split-declaration", Error,
     "this declaration cannot be divided into declaration and assignment: %0",
     "declare the variable first and mark the assignment"},
    {Problem::InitialPointer, "xmpi-initial-pointer", Error,
     "what %0 to is made by an initial statement and used %1, but it is not "
     "registered: a joining process does not have it",
     "%2"},
    {Problem::InitialValue, "xmpi-initial-value", Error,
     "'%0' of type '%1' is assigned by an initial statement and used %2, but its value cannot "
     "travel "
     "to a joining process",
     "assign it in a statement marked '#pragma xmpi setup', or keep its pointers in variables of "
     "their own that '#pragma xmpi data' names"},
    {Problem::SetupPlace, "xmpi-setup-place", Error, "this setup statement cannot be run again: %0",
     "setup belongs before the loop, in the same function and in a block that encloses the loop"},
    {Problem::SetupLabel, "xmpi-setup-label", Error, "a setup statement contains %0",
     "the statement is run again in a copy, so it can have none: move it into a function"},
    {Problem::SetupHidden, "xmpi-setup-hidden", Error,
     "the setup statement uses '%0', which another '%0' hides at the loop",
     "rename one of the two"},
    {Problem::SetupChanges, "xmpi-setup-changes", Error,
     "'%0' carries a value from one iteration to the next, but a statement that sets it before the "
     "loop is run again after every reconfiguration",
     "%1"},
    {Problem::Communicates, "xmpi-communicates", Error,
     "joining processes would run this statement alone, but it communicates (%0)", "%1"},
    {Problem::SetupData, "xmpi-setup-data", Error,
     "'%0' is data, which a reconfiguration moves, but is set in setup, which is run again after "
     "it",
     "allocate it in a statement of its own, with a size written in terms of the local range; fill "
     "it in a statement marked '#pragma xmpi initial'"},
    {Problem::SetupSum, "xmpi-setup-sum", Error,
     "this setup statement changes '%0' by its old value: run again after a reconfiguration, it "
     "would not come to the same",
     "begin the statement with the first value, as in { %0 = 0; ... }, or use a variable of its "
     "own "
     "in it"},
    {Problem::SetupLost, "xmpi-setup-lost", Error,
     "'%0' is set by setup, which is run again after a reconfiguration, and changed here by a "
     "statement that is not: what that makes of it would be lost",
     "go on with a variable of its own here, which begins with '%0'"},
    {Problem::SetupReads, "xmpi-setup-reads", Error,
     "the setup statement takes something from %0: run again after a reconfiguration, it would "
     "come "
     "to something else",
     "%1"},
    {Problem::RankDependent, "xmpi-rank-dependent", Error,
     "'%0' depends on the rank, size or local range (through %1) and is used %2, but would keep "
     "its "
     "value after a reconfiguration",
     "%3"},
    {Problem::RankCondition, "xmpi-rank-condition", Error,
     "this statement runs on some ranks only and %0: a joining process may repeat it",
     "mark it '#pragma xmpi initial'"},
    {Problem::RankHelper, "xmpi-rank-helper", Error,
     "'%0' stores the %1 through a pointer, so the variable cannot be kept up to date",
     "call MPI_Comm_rank and MPI_Comm_size in main or the loop's function"},
    {Problem::RankInitial, "xmpi-rank-initial", Error,
     "the %0 is stored inside an initial statement, which joining processes skip",
     "call MPI_Comm_rank and MPI_Comm_size in statements of their own"},
    {Problem::StalePointer, "xmpi-stale-pointer", Error,
     "'%0' points into the registered array '%1' and is used %2, but the array moves in a "
     "reconfiguration",
     "mark the statement that assigns it '#pragma xmpi setup', or compute it inside the loop"},
    {Problem::SkippedPointer, "xmpi-skipped-pointer", Error,
     "joining processes run this statement with '%0' NULL: they skip the %1 statement that sets it",
     "mark this statement '#pragma xmpi %1' as well, or move it into that statement"},
    {Problem::SharedArray, "xmpi-shared-array", Error,
     "'%0' and '%1' lead to the same array, but the loop's way to it is '%0': only that is moved",
     "allocate the array for '%0', and use '%0' instead of '%1' everywhere"},
    {Problem::HiddenState, "xmpi-hidden-state", Error,
     "'%0' keeps a value between iterations but cannot be reached from the loop",
     "declare it at file scope before the loop's function"},
    {Problem::ProcessPlace, "xmpi-hidden-state", Error,
     "what '%0' puts into %1 is asked for again, where joining processes have none of it",
     "keep it in a variable that is declared before the loop, at file scope where functions share "
     "it"},
    {Problem::Shadowed, "xmpi-shadowed", Error,
     "'%0' is hidden by another '%0' where it would be "
     "registered",
     "rename one of the two"},
    {Problem::RegisterVariable, "xmpi-register-variable", Error,
     "'%0' is a register variable and has no address", "remove 'register'"},
    {Problem::BitField, "xmpi-bit-field", Error, "'%0' is a bit-field and has no address",
     "use a plain member"},
    {Problem::DataArgument, "xmpi-data-argument", Error,
     "the registered data '%0' is passed on as an expression",
     "pass the plain pointer variable, so that it can be kept up to date"},
    {Problem::RowPointers, "xmpi-row-pointers", Error,
     "'%0' is an array of pointers to rows: the pointers would be wrong after a reconfiguration",
     "let the pointers, made in the loop's function, lead to the rows of one block in their order, "
     "or use that block, as in a[i * columns + j]"},
    {Problem::PointerArray, "xmpi-pointer-array", Error,
     "the loop changes what the pointers in '%0' lead to, and their memory is not known: it would "
     "be lost when ranks come and go",
     "let every element of an array of pointers have memory of its own, from malloc or calloc "
     "before the loop, of the same size, as in %0[0] = malloc(size); %0[1] = malloc(size); or use "
     "a pointer variable for each"},
    {Problem::MemberArray, "xmpi-member-array", Error,
     "the loop works on the array '%0', a member of a struct, and it is not known of which one: a "
     "reconfiguration could not move it",
     "let all pointers to such structs stay where they point, exchange pointers in one struct "
     "instead of structs, and copy none as a whole; or let a pointer variable hold the memory"},
    {Problem::OtherFile, "xmpi-other-file", Error,
     "'%0', of another file, is given '%1' before the loop: what it keeps of it would be wrong "
     "after a reconfiguration",
     "write '#pragma xmpi setup' before this statement, which runs it again then, or '#pragma xmpi "
     "initial' where it keeps nothing"},
    {Problem::NoRange, "xmpi-no-range", Warning,
     "nothing tells which rows are this process's, so that none can go to others",
     "if rows are divided, write '#pragma xmpi domain(rows) range(count, first)' before the "
     "statement that computes count and first, variables that are declared before it, with the "
     "number of own rows and the first of them"},
    {Problem::DataRange, "xmpi-data-range", Error,
     "'%0' is divided by rows, but nothing tells which rows are this process's",
     "write '#pragma xmpi domain(rows) range(count, first)' before the statement that computes "
     "count and first, variables that are declared before it, with the number of own rows and the "
     "first of them"},
    {Problem::RandomStream, "xmpi-random-stream", Error,
     "%0 draws from a state of each process that does not travel: a joining process would draw "
     "other numbers, and rows get others with another process",
     "keep the state in a variable (rand_r, erand48, or a generator of your own): one that all "
     "ranks set alike and draw from alike, so that it travels, or one in the loop over the rows "
     "that is set to the number of the row among all and of the iteration"},
    {Problem::ArrayShape, "xmpi-array-shape", Error,
     "the loop %2 the array '%0', and its size does not tell how it is divided", "%1"},
    {Problem::ColumnOrder, "xmpi-column-order", Error,
     "'%0' is divided by rows, but this index has the local count as a stride",
     "store the local part row by row, or hold the array in full on every rank"},
    {Problem::Halo, "xmpi-halo", Error,
     "'%0' has rows beside the process's own, and the loop does not show that they are ghost rows",
     "%1, or keep them in arrays of their own"},
    {Problem::EqualBlocks, "xmpi-equal-blocks", Error,
     "%0 takes as many rows from every rank, but after a reconfiguration ranks have different "
     "counts",
     "use the variant with counts and displacements, such as MPI_Allgatherv; between two ranks "
     "send "
     "the number of rows first, and receive as many"},
    {Problem::OwnFormula, "xmpi-own-formula", Error,
     "'%0' follows the program's own formula for the range, which is wrong after a reconfiguration",
     "compute it from the variables that hold this process's count and first row (--xmpi-report "
     "names them); where they are not found, name them: '#pragma xmpi domain(rows) range(count, "
     "first)' before the statement that sets them, and behind their declarations"},
    {Problem::OwnTable, "xmpi-own-table", Error,
     "'%0' is filled by the program's own formula for the parts of all ranks, or by a function "
     "that "
     "may follow it: it is wrong after a reconfiguration",
     "%1"},
    {Problem::RangeUnit, "xmpi-range-unit", Error,
     "'%0' counts in steps of %1, so that a row is more than one: a reconfiguration would divide "
     "within a row",
     "keep the range in rows, first = rank * rows / size, and multiply by %1 where it is used; "
     "arrays are then malloc(count * %1 * sizeof(...))"},
    {Problem::RowNumbers, "xmpi-row-numbers", Error,
     "the elements of '%0' are %1, which are others after a reconfiguration", "%2"},
    {Problem::LocalState, "xmpi-local-state", Error,
     "'%0' has another value on each rank and keeps it from one iteration to the next: it is lost "
     "when ranks come and go",
     "reduce it within the iteration (MPI_Allreduce), and add up the result; where a function of "
     "another file does that, say that all ranks have the same: '#pragma xmpi data "
     "replicated(%0)'%1"},
    {Problem::PartialArray, "xmpi-partial-array", Error,
     "'%0' is held in full on every rank, but each rank changes its own part of it",
     "end the iteration with MPI_Allgatherv or MPI_Allreduce of '%0'; or say what each process "
     "has: "
     "'loop state(own(...: +), ...)' where all only add to it, '#pragma xmpi data owned(%0[rows])' "
     "where own rows are at their numbers among all, 'loop state(rows(%0[rows] from first, count "
     "at "
     "index), ...)' elsewhere; or, where a function of another file makes it whole, '#pragma xmpi "
     "data replicated(%0[...])'%1"},
    {Problem::RequestAcross, "xmpi-request-across", Error,
     "the request of %0 is still open when %1", "wait for it (MPI_Wait) %2"},
    {Problem::RequestBuffer, "xmpi-request-buffer", Error,
     "the persistent request of %0 is for the memory that '%1' points to before the loop, but the "
     "loop makes '%1' point elsewhere",
     "copy the values instead of exchanging the pointers; or make the request, wait for it and "
     "free "
     "it (MPI_Request_free) in the iteration; or replace it by MPI_Isend or MPI_Irecv there"},
    {Problem::Window, "xmpi-window", Error,
     "%0: a window for one-sided communication cannot follow a reconfiguration",
     "send the rows instead: where the iteration puts or gets rows of a neighbour's between two "
     "fences, let MPI_Sendrecv exchange them with that neighbour, and leave the window out"},
    {Problem::FilePointer, "xmpi-file-pointer", Error,
     "the loop uses the file '%0', which joining processes do not have", "%1"},
    {Problem::Decomposition, "xmpi-decomposition", Error,
     "the processes form a grid of %0 dimensions; only rows can be divided",
     "divide the domain by rows, in one dimension"},
    {Problem::Vla, "xmpi-vla", Error,
     "'%0' is an array of variable length: it cannot grow or move in a reconfiguration",
     "make it a pointer to memory from malloc"},
    {Problem::SwappedPointer, "xmpi-swapped-pointer", Error,
     "the loop assigns '%0', which a variable of the caller holds as well: the two would differ",
     "exchange the pointers in the function that declares them, or copy the rows"},
    {Problem::MergedPointers, "xmpi-merged-pointers", Error,
     "the loop lets '%0' lead where '%1' leads: after a reconfiguration each has rows of its own",
     "exchange the pointers, so that each array keeps one, or copy the rows"},
    {Problem::LocalValue, "xmpi-local-value", Error,
     "rows of '%0' get a value that follows '%1', and so the layout: after a reconfiguration it is "
     "another one",
     "compute it from the number of the row among all (first own row + index), or from what all "
     "ranks have in common: the number of all rows, reduced sums"},
    {Problem::LocalRows, "xmpi-local-rows", Error,
     "which rows of '%0' are set here follows '%1', and so the layout: after a reconfiguration "
     "others are set",
     "choose rows by their number among all, as in if ((first + i) % 2 == 0), or as row 0 and the "
     "last one"},
    {Problem::Sweep, "xmpi-sweep", Error,
     "'%0' is set from '%1' in place, which this sweep has set where it is of the same block, and "
     "messages have brought before where it is not: after a reconfiguration the result is another "
     "one",
     "take it as it was before the sweep, from a second array, or set every second row at a time, "
     "by its number among all; or let each process receive it before the sweep, from the one that "
     "sends what it has made after its own"},
    {Problem::GhostsKept, "xmpi-ghosts-kept", Error,
     "ghost rows of '%0' are read here, but messages do not fill all of them in each iteration: "
     "they hold rows of earlier ones, which a reconfiguration cannot bring along",
     "exchange them in each iteration before they are read, or at its end; or let one iteration of "
     "the loop be all that lies between two exchanges"},
    {Problem::GhostsOld, "xmpi-ghosts-old", Error,
     "ghost rows of '%0' are read here, but its own rows are set in line %1, behind the messages "
     "that have sent them: the ghost rows of neighbours hold what was there before, so that the "
     "result follows where blocks begin",
     "exchange them behind that line, before they are read here"},
    {Problem::PrintedValue, "xmpi-printed-value", Warning,
     "'%0' is put out here, and follows how the rows are divided%1: after a reconfiguration it is "
     "another one",
     "put out rows by their numbers among all, or what all processes have put together of their "
     "rows; behind the loop, '#pragma xmpi loop restore' brings the program's own blocks back%2"},
    {Problem::KeptValue, "xmpi-kept-value", Error,
     "'%0' follows '%1', and so the layout, and is read in the next iteration or after the loop: "
     "after a reconfiguration it is another one",
     "keep what does not change with the layout, such as the number of a row among all instead of "
     "a rank; or compute it anew in each iteration; or name the state of the loop: '#pragma xmpi "
     "loop state(...)' (docs/startover.md)"},
    {Problem::LoopTimes, "xmpi-loop-times", Error,
     "how many iterations there are follows '%0', and so the layout: after a reconfiguration they "
     "are as many as in neither",
     "let their number follow from what is the same with any number of processes"},
    {Problem::PointerState, "xmpi-pointer-state", Error,
     "'%0' leads from one iteration to the next, to memory that no other process has",
     "keep what it leads to in an array that is allocated before the loop, and places in it as "
     "indices"},
    {Problem::Unregistered, "xmpi-unregistered", Error,
     "iterations change '%0', which no reconfiguration would move or send: a joining process has "
     "none of it",
     "let a pointer variable of its own hold the memory that has a row for each of the domain, or "
     "name it in '#pragma xmpi data', or set it anew in each iteration before it is read"},
    {Problem::ChangedAround, "xmpi-unregistered", Error,
     "a loop around the adaptive one changes '%0' and finds it again, which no reconfiguration "
     "would "
     "move or send: a joining process has it as it was at the start, or in a turn before",
     "keep a number instead, such as the index of a choice; or name memory in '#pragma xmpi data'; "
     "or "
     "write '#pragma xmpi setup' before the statement that sets it, where that stands before the "
     "adaptive loop"},
};

constexpr bool inOrder()
{
    for (unsigned i = 0; i < static_cast<unsigned>(Problem::Count); i++)
        if (table[i].problem != static_cast<Problem>(i))
            return false;
    return true;
}

static_assert(sizeof table / sizeof *table == static_cast<unsigned>(Problem::Count),
              "every problem has an entry");
static_assert(inOrder(), "the entries stand in the order of the enumeration");

const Entry &entryOf(Problem problem)
{
    return table[static_cast<unsigned>(problem)];
}

/* Our texts are no format strings: everything goes through %0. */
std::string fill(llvm::StringRef text, std::initializer_list<llvm::StringRef> arguments)
{
    std::string filled;
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9') {
            size_t which = static_cast<size_t>(text[++i] - '0');
            assert(which < arguments.size() && "a text without what it names");
            filled += arguments.begin()[which].str();
        } else {
            filled += text[i];
        }
    }
    return filled;
}

} // namespace

/* A place in a macro is said as the place in the user's text, without a tour of the macros. */
static clang::SourceLocation inFile(const clang::DiagnosticsEngine &engine,
                                    clang::SourceLocation where)
{
    return where.isMacroID() ? engine.getSourceManager().getFileLoc(where) : where;
}

bool Diagnostics::report(clang::SourceLocation where, Problem problem,
                         std::initializer_list<llvm::StringRef> arguments, const Fix &fix)
{
    const Entry &entry = entryOf(problem);
    refused = refused || entry.level == Error;
    if (quiet)
        return false;
    where = inFile(engine, where);
    const std::string text = fill(entry.text, arguments);
    if (!said.insert(std::to_string(where.getRawEncoding()) + entry.name + text).second)
        return false;
    const Held one = {where, problem, text, fill(entry.remedy, arguments), fix, {}};
    if (!holding) {
        print(one);
        return false;
    }
    held.push_back(one);
    heldErrors += entry.level == Error;
    return false;
}

void Diagnostics::print(const Held &one)
{
    const Entry &entry = entryOf(one.problem);
    engine.Report(one.where, engine.getCustomDiagID(entry.level, "%0 [%1]"))
        << one.text << entry.name;
    if (!one.remedy.empty())
        engine.Report(one.where, engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0"))
            << one.remedy << one.fix;
    for (const auto &[where, text] : one.notes)
        note(where, text);
}

void Diagnostics::release()
{
    holding = false;
    heldErrors = 0;
    for (const Held &one : held)
        print(one);
    held.clear();
}

void Diagnostics::drop()
{
    heldErrors = 0;
    held.clear();
    said.clear();
}

void Diagnostics::take(const Diagnostics &other)
{
    said = other.said;
    refused = other.refused;
    held = other.held;
    heldErrors = other.heldErrors;
}

std::string Diagnostics::whyLayoutMatters() const
{
    for (const Problem problem : {Problem::LocalValue, Problem::KeptValue})
        if (const std::string rows = reason(problem); !rows.empty())
            return rows;
    return reason(Problem::LoopTimes);
}

std::string Diagnostics::reason(Problem only) const
{
    std::string first;
    for (const Held &one : held) {
        if (entryOf(one.problem).level != Error)
            continue;
        if (one.problem != only)
            return "";
        first = first.empty() ? one.text : first;
    }
    return first;
}

void Diagnostics::releaseAsRemark(
    llvm::StringRef what, const std::vector<std::pair<clang::SourceLocation, std::string>> &notes)
{
    auto isError = [](const Held &one) { return entryOf(one.problem).level == Error; };
    auto reason = llvm::find_if(held, isError);
    if (reason == held.end())
        reason = held.begin();
    holding = false;
    heldErrors = 0;
    if (reason == held.end())
        return;
    remark(reason->where, what.str() + reason->text + " [" + entryOf(reason->problem).name + "]");
    if (!reason->remedy.empty())
        engine.Report(reason->where, engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0"))
            << reason->remedy << reason->fix;
    for (const auto &more : {reason->notes, notes})
        for (const auto &[where, text] : more)
            note(where, text);
    held.clear();
}

bool Diagnostics::holdsMisuse() const
{
    return llvm::any_of(held, [](const Held &one) {
        switch (one.problem) {
        case Problem::LoopNested:
        case Problem::LoopMissing:
        case Problem::OutsidePath:
        case Problem::AfterLoop:
        case Problem::InsideLoop:
        case Problem::Nested:
            return true;
        default: /* those before are of the text of a pragma and of what stands behind it */
            return one.problem <= Problem::LoopRanks;
        }
    });
}

void Diagnostics::note(clang::SourceLocation where, llvm::StringRef text)
{
    if (quiet)
        return;
    if (holding) {
        if (!held.empty())
            held.back().notes.emplace_back(where, text.str());
        return;
    }
    engine.Report(inFile(engine, where),
                  engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0"))
        << text;
}

void Diagnostics::remark(clang::SourceLocation where, llvm::StringRef text)
{
    engine.Report(where, engine.getCustomDiagID(clang::DiagnosticsEngine::Remark, "%0")) << text;
}

} // namespace xmpi
