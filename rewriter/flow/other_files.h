/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of other files of the program, which nobody can look into: what they tell of the rank
 * and size, and what they may keep. */
#ifndef XMPI_REWRITER_OTHER_FILES_H
#define XMPI_REWRITER_OTHER_FILES_H

#include "analysis.h"

namespace xmpi
{

/* CALL is of a function of the program that another file has. */
bool isUnseen(const Analysis &analysis, const clang::CallExpr *call);

/* Such functions may hand over the rank and the size. What is worth being taken for them, the
 * likeliest first; whether it is them shows when rows are divided by it. */
std::vector<decltype(Analysis::assumed)> rankAssumptions(const Analysis &analysis);

/* Registers what the function of STEP has been told in that way. */
bool registerAssumed(Analysis &analysis, size_t step);

/* ITEM calls a function of another file that may call MPI_Init, as nothing that is seen does. */
bool mayStartMpi(const Analysis &analysis, const Item &item);

/* Lets the runtime watch statements before the loop: where a function of another file asks for the
 * rank or communicates, it may have kept or told what a reconfiguration makes wrong. */
void watchOtherFiles(Analysis &analysis);

/* The functions of other files in setup and initial statements: what they keep is made anew, or
 * right with any layout, as the user says. */
std::set<std::string> spokenOf(const Analysis &analysis);

/* The loop is right where FUNCTION, of another file and called at WHERE, goes by what it is given:
 * that shows when the program is linked. What those use that the user has spoken of is excused. */
void relyOn(Analysis &analysis, const clang::FunctionDecl *function, clang::SourceLocation where);

/* Relies on all functions of other files that the loop calls. */
void noteReliance(Analysis &analysis);

/* A function that libraries call, who knows how often, tells by WRITE how often, or of what it has
 * been called for: it outlives the call. Not so a volatile flag that is set to a constant, as
 * handlers of signals do: that these come is no matter of the layout. */
bool tellsOfCalls(const clang::ASTContext &context, const Write &write);

} // namespace xmpi
#endif
