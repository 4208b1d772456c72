/* SPDX-License-Identifier: BSD-3-Clause
 * The working state that the passes of the analysis share, and the passes in their order. */
#ifndef XMPI_REWRITER_ANALYSIS_H
#define XMPI_REWRITER_ANALYSIS_H

#include "facts/effects.h"
#include "source/fixed_arrays.h"
#include "pragmas/pragma.h"
#include "source/source.h"
#include "source/struct_members.h"
#include "source/structure.h"
#include <clang/Analysis/AnalysisDeclContext.h>

namespace xmpi
{

/* One function on the way from main to the loop. ANCHOR is its statement that leads on: the one
 * with the call, or the loop itself. */
struct Step {
    const clang::FunctionDecl *function;
    const clang::Stmt *anchor;
    const clang::CallExpr *call; /* null in the loop's function */
};

/* How a statement of the prologue is classed. */
enum class Class { Keep, Initial, Setup, Domain };

/* A statement that runs before the loop. */
struct Item {
    Class kind;
    const clang::Stmt *statement;
    const Pragma *pragma; /* null for Keep */
    size_t step;
    Effects effects; /* with those of the functions it calls, without those of marked statements */
    bool everywhere = false; /* setup that a joining process can run too, before the loop */
};

/* A variable with the rank, size, count or displ. */
struct RangeVariable {
    RangeKind kind;
    Place place;
    std::string formula = ""; /* of a neighbour, from xmpi_rank and xmpi_size */
};

/* A value that depends on the rank; CAUSE is the variable through which. */
struct Tainted {
    Place place;
    std::string cause;
    clang::SourceLocation where;
    bool stale = false; /* a pointer into registered data */
};

/* A value that STATEMENT computes from elements of registered arrays: to be had before the loop
 * only. OWN: of distributed ones, so that each rank has another. */
struct Derived {
    const clang::Stmt *statement;
    Tainted value;
    bool own;
};

struct Analysis {
    clang::ASTContext &context;
    const FixedArrays &arrays;
    const StructMembers &members;
    const Source &source;
    Pragmas &pragmas;
    Diagnostics &diagnostics;
    Program &program;

    Structure structure;
    PersistentRequests requests;
    EffectsFinder finder;
    clang::AnalysisDeclContextManager contexts;

    const class Survey *survey = nullptr; /* the trials of the prologue, once there are any */
    const Pragma *loopPragma = nullptr;
    const clang::Stmt *loop = nullptr; /* a for, while or do */
    bool framed = false;               /* the loop is entered again, or is not the only one */
    /* At a change the program's own start runs again, in the new layout: nothing that it makes and
     * the loop does not change is looked for, and after the loop the layout is the program's own.
     */
    bool startsOver = false;
    /* All has been judged, and what is found is for a note alone, with a clause that is checked. */
    bool telling = false;
    /* The calls that lead to the loop, the nearest first, where functions are called more than
     * once; empty: none is. */
    std::vector<const clang::CallExpr *> calledBy;
    /* Arrays, and values that all functions see, that are of the state where others of these
     * lead. */
    std::set<const clang::VarDecl *> wanted;
    /* Where the file has several adaptive loops: */
    bool several = false;
    std::set<const clang::Stmt *> skippedElsewhere; /* statements that joiners to others skip */
    std::set<const clang::Stmt *> dividing;         /* statements that set the range */
    std::string restoreHidden;             /* what follows those where count and displ are ours */
    std::set<const clang::Stmt *> divides; /* statements that divide rows for later ones */
    std::vector<std::unique_ptr<Pragma>> inferred;
    /* Statements to add after the copy of a setup statement: tables of all ranks' parts. */
    std::vector<std::pair<const clang::Stmt *, std::string>> tables;
    std::vector<Step> path; /* main first, the loop's function last */
    std::vector<Item> prologue;
    std::vector<RangeVariable> ranges;
    std::map<std::string, const clang::VarDecl *> liveVariables; /* by the name of the value */
    std::map<std::string, Place> livePlaces;                     /* the same, with the member */
    std::vector<Derived> derived;
    std::vector<Tainted> sources; /* ranks in communicators other than the world */
    std::map<const clang::VarDecl *, std::string> data; /* pointer variable -> name of the array */
    /* Of these what holds a file of the process's own, with its rows, and no pointer to them. */
    std::set<const clang::VarDecl *> files;
    /* Descriptors of files that all processes share, each with its rows at their places among all:
     * setup statements open them (library/opened.h). */
    std::set<const clang::VarDecl *> shared;
    bool isRowFile(const clang::VarDecl *variable) const
    {
        return files.count(variable) != 0 || shared.count(variable) != 0;
    }
    /* What the trials of the prologue have allocated: the further memory that a call has made. */
    std::map<std::pair<const void *, int>, char> allocations;
    /* Structs inside others: what stands for them in the memory of the trials. */
    std::map<std::tuple<const void *, const clang::FieldDecl *, long long>, char> inner;
    /* Parameters that point to an array of fixed size of a caller's, whose value travels. */
    std::set<const clang::VarDecl *> fixed;
    std::set<const clang::VarDecl *>
        divided; /* structs in which nothing but the range depends on the rank */
    /* Arrays of own rows, and an index by which an iteration sets all rows of a block but its first
     * or last ones. */
    std::map<const clang::VarDecl *, const clang::Expr *> leftOut;
    std::set<const clang::VarDecl *> rootOnly; /* what rank 0 has for itself */
    /* What iterations may change, also by pointers; all of it, where they are known to repeat. */
    std::set<const clang::VarDecl *> changed;
    /* Of a loop that starts over: sums that each process has for itself, and that others may take
     * over from it; a value that is another one on each rank and none of them, or null. */
    std::set<const clang::VarDecl *> own;
    const clang::VarDecl *lacking = nullptr;
    /* A sparse matrix that each process assembles for itself is moved all the same; such a one is
     * assembled again. */
    bool movesSparse = false, assembles = false;
    std::set<const clang::VarDecl *> equal; /* the user says that all ranks have the same value */
    /* Arrays that messages fill before they are read, where there is a neighbour to send them; else
     * they have what the prologue puts there, which each layout needs anew. */
    std::set<const clang::VarDecl *> buffers;
    /* What functions of other files hand over, by variable and member: taken for rank or size. */
    std::map<std::pair<const void *, const clang::FieldDecl *>, RangeKind> assumed;
    std::set<const clang::CallExpr *> asking; /* the calls of those that do */
    /* Trials divide the rows themselves where a pragma says what holds the range, as what computes
     * it is not seen. */
    bool divideDomains = false;
    std::set<const clang::VarDecl *> asked; /* communicators that isWorld is looking at */
    std::vector<Place> setup;               /* what setup statements assign */
    Effects inLoop;                         /* of the loop, with functions and setup copies */
    std::vector<Effects> after;             /* for each step, of what follows its anchor */
    /* Tables of the parts of all ranks that are gathered anew after a reconfiguration. */
    struct PartTable {
        RangeKind kind; /* Count, Displ, End or Last */
        bool plain;     /* as they are: not times, or plus, something */
    };
    std::map<std::pair<const clang::VarDecl *, const clang::FieldDecl *>, PartTable> renewed;

    Analysis(clang::ASTContext &context, const FixedArrays &arrays, const StructMembers &members,
             const Source &source, Pragmas &pragmas, Diagnostics &diagnostics, Program &program)
        : context(context), arrays(arrays), members(members), source(source), pragmas(pragmas),
          diagnostics(diagnostics), program(program), structure(context, members),
          requests(structure.functions, members), contexts(context)
    {
        finder.members = &members;
        finder.requests = &requests;
    }

    const Step &loopStep() const
    {
        return path.back();
    }
    /* STATEMENT, of the function of STEP, runs more than once: in a loop around, or as its function
     * is called in one. */
    bool runsAgain(size_t step, const clang::Stmt *statement) const;
    /* What follows the loop runs in a layout of the program's own formula, whichever that is then.
     * (Where it leads to an adaptive loop again, what it does is judged as what iterations do.) */
    bool ownLayoutAfter() const
    {
        return (startsOver && !framed) || loopPragma->restore;
    }
    Registrations &site(Site::Kind kind, unsigned offset);
    /* Where STEP registers what its function has: before the call, or before the loop. */
    Registrations &entry(size_t step);
    void addRefresh(Registrations &registrations, RangeKind kind, const std::string &lvalue,
                    clang::SourceLocation where);
    /* Registers what PLACE holds, member by member where some are range variables; LVALUE is how it
     * is written there, where its name is not enough. */
    void addLive(Registrations &registrations, const Place &place, const std::string &lvalue = "");

    /* PLACE as it is written in the function of STEP; empty where its variable is not visible. */
    std::string textOf(const Place &place, size_t step) const;
    std::string textOf(const Place &place, const clang::FunctionDecl *function,
                       const clang::Stmt *at) const;
    size_t lastStep() const
    {
        return path.size() - 1;
    }
    /* The steps whose functions hold VARIABLE, a member of a struct: the last one, and those that
     * have handed it a copy. */
    std::vector<size_t> holders(const clang::VarDecl *variable) const;

    const RangeVariable *rangeAt(const Place &place) const; /* exactly this place */
    /* A count is all that is known of the rows: where they are must play no part. */
    bool hasCountAlone() const;
    bool isData(const clang::VarDecl *variable) const;
    /* An array of fixed size that travels as a value. */
    bool isLiveArray(const clang::VarDecl *variable) const;
    std::set<const clang::VarDecl *> distributed() const; /* what holds arrays that differ */
    bool isSetup(const Place &place) const;

    /* "in the loop", "after the loop" or "" where PLACE is not used then; sets WHERE. */
    std::string laterUse(const Place &place, clang::SourceLocation &where);
    std::string useOfHandedOn(const Place &place, clang::SourceLocation &where);
    bool liveAtLoop(const clang::VarDecl *variable);
    /* VARIABLE is of a block that has ended where the loop, or the call that leads to it, is: it
     * begins anew where a loop around comes to that block again. */
    bool hasEnded(const clang::VarDecl *variable) const;
};

/* Of a for, while or do. */
const clang::Stmt *bodyOf(const clang::Stmt *loop);

/* What a for or while asks before each pass; null where it asks nothing, and of a do, which asks
 * when a joining process has joined (conditionIn of source/loops.h has that, too). */
const clang::Expr *conditionBefore(const clang::Stmt *loop);

/* A const variable that reconfigurations write, or whose initialiser becomes an assignment, loses
 * its const in the rewritten text. Whether VARIABLE can be written so; and the note that it is. */
bool canBeWritten(const Analysis &analysis, const clang::VarDecl *variable);
void makeWritable(Analysis &analysis, const clang::VarDecl *variable);

/* Types: whether a value can travel as bytes; MPI's handles mean something in one process only. */
bool isPlainValue(clang::QualType type);
/* Something in a value of TYPE, perhaps a member, means nothing in another process, or is of a kind
 * that is not registered; pointers to objects are judged by what they lead to. */
bool staysBehind(clang::QualType type);
bool isHandle(clang::QualType type);
bool isScratchHandle(clang::QualType type); /* MPI_Status, MPI_Request */

bool findPath(Analysis &analysis); /* path.cpp */
/* The calls in this file that lead from main to FUNCTION, one list for each way, the nearest first;
 * none where there are too many. */
std::vector<std::vector<const clang::CallExpr *>>
waysTo(const Analysis &analysis, const clang::FunctionDecl *function); /* path.cpp */
void describePath(Analysis &analysis);                                 /* around.cpp */
bool checkAround(Analysis &analysis);                                  /* around.cpp */
bool checkPlaces(Analysis &analysis);                                  /* path.cpp */
void collectPrologue(Analysis &analysis);                              /* prologue.cpp */
bool findRanges(Analysis &analysis, struct Inference &inference);      /* ranges.cpp */
bool isWorld(Analysis &analysis, const clang::Expr *communicator);     /* ranges.cpp */
bool findData(Analysis &analysis, const struct Inference &inference);  /* data.cpp */
bool describeGuarded(Analysis &analysis);                              /* guarded.cpp */
bool describeLoop(Analysis &analysis);                                 /* loop.cpp */
std::string inferBound(Analysis &analysis);                            /* bound.cpp */
void findConstants(Analysis &analysis);                                /* constant.cpp */
bool describeWeight(Analysis &analysis);                               /* weight.cpp */
bool describeRestore(Analysis &analysis);                              /* restore.cpp */
bool findLive(Analysis &analysis);                                     /* live.cpp */
bool checkSafety(Analysis &analysis);                                  /* safety.cpp */

} // namespace xmpi
#endif
