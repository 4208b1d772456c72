/* SPDX-License-Identifier: BSD-3-Clause
 * What functions of the C library, of POSIX and of MPI do beside what their arguments say. One
 * table for all who ask. */
#ifndef XMPI_REWRITER_LIBRARY_H
#define XMPI_REWRITER_LIBRARY_H

#include <llvm/ADT/StringRef.h>
#include <string>

namespace clang
{
class CallExpr;
}

namespace xmpi
{

enum class Deed {
    Unknown,     /* it is not in the table */
    Computes,    /* from its arguments into its result and what they point to; memory; waiting */
    Prints,      /* to the standard output or error */
    Reads,       /* from the standard input */
    Stream,      /* on the FILE that it is given */
    Descriptor,  /* on the descriptor that it is given first */
    File,        /* on files that it opens or names; MPI's files */
    Random,      /* draws from a state that nobody sees */
    Seeds,       /* sets that state */
    Keeps,       /* other state of the library or the process */
    Clock,       /* asks a clock, or what time was used */
    Place,       /* asks who or where this process is */
    Exits,       /* ends the program */
    Signals,     /* sends them, or sets what they do */
    Jumps,       /* comes back somewhere else */
    Processes,   /* starts, ends or waits for processes and threads */
    Socket,      /* on sockets and other ways to other processes */
    Window,      /* one-sided communication of MPI */
    Communicates /* MPI: with other members, until it returns or is waited for */
};

/* What a call before the loop comes to when the program starts over, with the same arguments. */
enum class Anew {
    Other, /* something else, or it is not known */
    Same,  /* the same: the runtime puts back the environment, and what the library keeps; it sees
              that files that are read are what they were, and that nothing is read otherwise */
    Drawn  /* the same where as much has been drawn before */
};

/* Of the function NAME; "PMPI_" and the variants of the compiler ("__builtin_", "__..._chk") count
 * as what they stand for. */
Deed deedOf(llvm::StringRef name);

/* The same of the function that CALL names; Unknown where that is one of the program's. */
Deed deedOf(const clang::CallExpr *call);

Anew anewOf(const clang::CallExpr *call);

/* It tells who or where the process is: by its number, its host, or what a launcher has put into
 * its environment. */
bool tellsPlace(const clang::CallExpr *call);

/* What it hands back, or stores, names something of the calling process: a descriptor, a process, a
 * handle of MPI as an integer. */
bool namesOfProcess(const clang::CallExpr *call);

/* A place of the calling process, in words, that NAME puts something in, or asks; empty: none. What
 * is put there no other process has. */
llvm::StringRef placePutInto(llvm::StringRef name);
llvm::StringRef placeAsked(llvm::StringRef name);

/* What NAME puts into such a place decides about all that is computed: how numbers are rounded. */
bool concernsNumbers(llvm::StringRef name);

/* What it hands back is of calls before: errors in what each process has computed. */
bool tellsOfEarlierCalls(llvm::StringRef name);

/* It hands back where something is in what it is given. */
bool searches(llvm::StringRef name);

/* What a call of NAME has to do with beside what it is given, for people: "draws random numbers".
 * Empty where that is nothing, but for memory, for what it prints, and for messages between the
 * processes that it is told. */
std::string beyondItsArguments(llvm::StringRef name);

/* What a function that is there to send and receive may call of MPI: all that asks the
 * communicators that it was given, and moves what it was given. */
bool isToTalk(llvm::StringRef name);

/* Stands for such a function among the names that go with its own (xmpi_gen_relies). */
constexpr const char *talkingMark = "(talks)";

/* Stands there for a function of a loop with a state(...): those behind it are the variables that
 * this names, and what matters is what the function changes of others. */
constexpr const char *stateMark = "(state)";

/* What NAME stands for, a function of ours that is linked into programs that can move, in place of
 * one of the library; else empty. */
llvm::StringRef standsFor(llvm::StringRef name);

/* It stores nothing behind what it is given. */
bool changesNothing(llvm::StringRef name);

/* It reads, writes or prints, or deals with files. */
bool isInputOutput(Deed deed);

/* A function of MPI that concerns the calling process only. */
bool isLocalMpi(llvm::StringRef name);

} // namespace xmpi
#endif
