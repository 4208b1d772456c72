/* SPDX-License-Identifier: BSD-3-Clause
 * Whether an iteration sets a variable or array before it reads it, on every way through it. */
#ifndef XMPI_REWRITER_FIRST_USE_H
#define XMPI_REWRITER_FIRST_USE_H

#include "analysis.h"

namespace xmpi
{

/* An iteration of the loop sets VARIABLE, all of it as far as can be seen, before it reads it; or
 * does not read it. With LASTING, it is also set before the loop can be left. FIELD is a member of
 * VARIABLE, or null. */
bool setsBeforeReading(Analysis &analysis, const clang::VarDecl *variable,
                       const clang::FieldDecl *field, bool lasting);

/* A message may fill the array VARIABLE in an iteration, and on each rank the iteration sets it
 * before it reads it, or no iteration sets it. */
bool receivesBeforeReading(Analysis &analysis, const clang::VarDecl *variable);

/* An iteration of LOOP may read what an earlier one has left in VARIABLE. */
bool keepsFromOneToNext(const Analysis &analysis, const clang::Stmt *loop,
                        const clang::VarDecl *variable);

/* STATEMENT may read the value that VARIABLE, or its member FIELD, has before it. */
bool readsBeforeSetting(const Analysis &analysis, const clang::Stmt *statement,
                        const clang::VarDecl *variable, const clang::FieldDecl *field);

/* The same of STATEMENTS, one after the other; what is behind a jump is taken to run. */
bool readsBeforeSetting(const Analysis &analysis,
                        const std::vector<const clang::Stmt *> &statements,
                        const clang::VarDecl *variable, const clang::FieldDecl *field);

/* What follows the loop names what MENTION is of only to free it, or an element of it. */
bool isFreedBehind(const Analysis &analysis, const Mention &mention);

/* On every way through STATEMENT it sets VARIABLE, or its member FIELD: all of it, as far as can be
 * seen. */
bool setsAll(const Analysis &analysis, const clang::Stmt *statement, const clang::VarDecl *variable,
             const clang::FieldDecl *field);

} // namespace xmpi
#endif
