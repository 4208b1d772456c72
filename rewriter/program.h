/* SPDX-License-Identifier: BSD-3-Clause
 * What the analysis found out about a program, as plain structs: `analyse` fills them, `emit` turns
 * them into text, `report` into remarks. All positions are offsets in the main file. */
#ifndef XMPI_REWRITER_PROGRAM_H
#define XMPI_REWRITER_PROGRAM_H

#include <set>
#include <string>
#include <vector>

namespace xmpi
{

struct Span {
    unsigned begin = 0;
    unsigned end = 0;
};

/* End is the row after the last one, Last is the last one; Begin is the first one, counted from 1.
 * Neighbour is what follows from the rank and size alone: the rank before, or the one after. */
enum class RangeKind { Rank, Size, Count, Displ, End, Last, Begin, Neighbour };

/* Computed from rank, size, count and displ after a reconfiguration, which writes only those. */
inline bool followsRange(RangeKind kind)
{
    return kind == RangeKind::End || kind == RangeKind::Last || kind == RangeKind::Begin ||
           kind == RangeKind::Neighbour;
}

/* A variable that every reconfiguration writes. */
struct Refresh {
    RangeKind kind;
    std::string lvalue;
    unsigned where;
};

/* A value that joining processes take from a running member. */
struct Live {
    std::string name; /* unique in the program: "file.c:12:n" */
    std::string lvalue;
    unsigned where;
    bool cast;                 /* its address needs a cast to void * (volatile) */
    std::string elements = ""; /* of what it is made (elements.h) */
};

/* How an array is stored. Owned: all processes have all rows, each its own ones up to date. */
enum class Scheme { Distributed, Replicated, Owned };

struct Data {
    std::string name;
    std::string variable;
    Scheme scheme;
    std::vector<std::string> shape; /* global extents, rows first */
    std::string halo;               /* rows on each side; empty: none */
    /* Of a loop that starts over, where the loop itself tells how rows lie: the index of the first
     * own one, but where that is its NUMBER among all; and halo are those in front, BEHIND those at
     * the other end. */
    std::string at, behind;
    bool numbered = false;
    int csr = 0; /* of a sparse matrix: 1 row pointers, 2 columns, 3 values, one after another */
    std::string table; /* the rows are reached through this array of pointers; VARIABLE is ours */
    unsigned where;
    long long fixed = 0;       /* bytes of an array of fixed size, which VARIABLE is or points to */
    bool outOfCore = false;    /* it lives on a disk where it does not fit in memory */
    std::string file;          /* XMPI_GEN_... of what VARIABLE is, if the rows are in a file */
    std::string element;       /* and the type of what is in it */
    bool constant = false;     /* neither the loop nor what it calls changes its elements */
    std::string elements = ""; /* of what one of its elements is made (elements.h) */
};

/* A further variable that holds the pointer of registered data. */
struct Alias {
    std::string data;
    std::string variable;
    unsigned where;
};

/* Everything that one place of the program tells the runtime, in this order. */
struct Registrations {
    std::vector<std::string> drops; /* arrays of an earlier loop */
    std::string prepare;            /* a statement that comes first, empty without one */
    std::string domain;             /* extent, empty without one */
    std::vector<Refresh> refreshes;
    std::vector<Data> data;
    std::vector<Alias> aliases;
    std::vector<Live> lives;
    std::string finish;  /* a statement that comes last, empty without one */
    bool watch = false;  /* the statement that follows calls functions of other files */
    std::string watched; /* and this is where it was; empty: nowhere */
    /* Functions of other files that the loop calls, by where it does. */
    std::vector<std::pair<std::string, std::string>> relies;

    bool empty() const
    {
        return !watch && watched.empty() && relies.empty() && drops.empty() && finish.empty() &&
               prepare.empty() && domain.empty() && refreshes.empty() && data.empty() &&
               aliases.empty() && lives.empty();
    }
};

/* Registrations at an offset between two statements, or in the place of a pragma. */
struct Site {
    enum class Kind { AtPragma, Before, After } kind;
    unsigned offset;
    Registrations what;
};

/* A declaration with an initialiser that becomes declaration and assignment. */
struct Split {
    bool needed = false;
    std::string name;
    unsigned nameOffset = 0;
    unsigned equal = 0;
    std::string literal; /* "(type)" where an initialiser in braces becomes a value */
    /* Of an array, which is copied from a literal: */
    bool copied = false;
    unsigned valueEnd = 0;
    std::string close;  /* what ends the copy, behind the value */
    std::string length; /* where none is written, and its place */
    unsigned bracket = 0;
};

/* A declaration of several names, which becomes one for each where text comes between them. */
struct Declarators {
    struct Part {
        unsigned comma, begin; /* the comma in front of a further name, and where that begins */
    };
    Span statement;
    Span type; /* up to the first name */
    std::vector<Part> parts;
};

/* What a setup statement has got, and is let go of before it is run again. */
struct Released {
    enum class How { Not, Memory, Descriptor, Stream };
    std::string lvalue;
    How how;
};

/* A statement that only processes of the first hour run: initial or setup. */
struct Guarded {
    bool setup;
    Span pragma;
    Span statement;
    Split split;
    std::vector<std::string> cleared; /* pointers and numbers: 0 where the statement is skipped */
    std::vector<std::string> wiped;   /* structs and arrays: zero bytes there */
    std::vector<std::string> worlds;  /* duplicates of the world: it stands for them there */
    std::vector<Released> released;   /* allocated or opened here */
    Registrations after;
    bool everywhere = false;        /* joining processes run it as well, in its place */
    bool inferred = false;          /* there is no pragma: the text goes before the statement */
    std::vector<std::string> again; /* statements after its copy in the loop */
    std::string enters;             /* leads to this adaptive loop, which runs earlier */
    bool shadows = false; /* its copy in the loop hides a variable that the original does not */
};

/* Work between communication: a loop, or statements without one. */
struct Stage {
    unsigned where;
    bool loop;
    long long passes = 1; /* how often an iteration does it; 0: that is not known */
    std::vector<std::string> reads, writes; /* names of arrays */
};

/* A parallel section: its stages, and the communication that ends it (none after the last). */
struct Section {
    unsigned where = 0;
    int repeated = 0;   /* inner loops around it */
    bool tiled = false; /* a pipeline: receive, compute, send in a loop */
    std::vector<Stage> stages;
    unsigned event = 0;
    std::vector<std::string> calls, arrays; /* MPI functions, and what they are given */
};

/* Whether an iteration can be run a second time from the registered state (repeat.h). */
enum class Repeats { Never, Perhaps, Relied, Shown };

struct Loop {
    Repeats repeats = Repeats::Perhaps;
    std::string repeatsWhy; /* not shown: the reason, with its place */
    std::vector<Section> sections;
    std::string restore; /* what divides the rows again, after the loop; empty: nothing does */
    Span pragma;
    unsigned where; /* the `for`, `while` or `do` */
    std::string name;
    std::string interval;  /* empty without one */
    bool computed = false; /* the interval is no constant: it is checked when the loop begins */
    std::string bound;     /* iterations that it makes at most; empty: not known */
    long long least = 0;   /* rows of a block, as some are named by their places in it */
    std::string policy;    /* and its settings; empty without one */
    std::string weight;    /* the call that tells the weights of the rows, empty without */
    std::string weights;   /* their variable */
    unsigned weighted = 0; /* where it is named */
    bool divided = false;  /* among processes that come and go, by rows */
    bool hasCondition;
    Span condition;
    bool braces;                       /* the body is a block */
    Span body;                         /* with its braces or semicolon */
    unsigned end;                      /* of the whole statement */
    std::vector<std::string> again;    /* statements after a reconfiguration, before the copies */
    std::vector<std::string> reopened; /* files of MPI that setup statements open */
    int depth = -1;        /* of its function below main, where frames must be told apart */
    std::string elsewhere; /* how it is left by who is called to another loop; empty: cannot be */
    std::vector<std::string> earlier; /* loops that come again behind it, in a loop around both */
    std::vector<Span> exits;          /* return and goto statements that leave the loop */
    Registrations before;
    Registrations inside;
};

/* The condition of a loop or if around the adaptive loop: joiners go on to the adaptive loop. */
struct Wrap {
    Span condition;
    bool otherwise; /* it is in the else branch */
};

/* A call on the way to the loop. */
struct Call {
    Span statement;
    int depth;
    std::string loop, elsewhere; /* as for the loop; empty: nothing */
};

/* A finding that leaves no other trace in the description. */
struct Remark {
    unsigned where;
    std::string kind, name, text;
};

struct Program {
    std::vector<Remark> remarks;
    std::vector<Span> pragmas;
    std::vector<Declarators> divisible;
    std::vector<Site> sites;
    std::vector<Guarded> guarded;
    std::vector<Wrap> wraps;
    std::vector<Call> calls;
    std::set<unsigned> writable; /* offsets of words `const` that are left out */
    bool hasLoop = false;
    bool hiddenRange = false; /* count and displ are kept in variables of ours */
    Loop loop;
};

} // namespace xmpi
#endif
