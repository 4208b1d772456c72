/* SPDX-License-Identifier: BSD-3-Clause
 * Which variables a loop can name, also where its file is one of several in a text (joined/). */
#ifndef XMPI_REWRITER_SIGHT_H
#define XMPI_REWRITER_SIGHT_H

#include "joined/places.h"
#include "state/unnamed.h"
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <set>
#include <string>

namespace xmpi
{

/* VARIABLE, of file scope, is declared in front of AT in its file or in a header. */
bool isDeclaredFor(const clang::SourceManager &manager, const clang::VarDecl *variable,
                   clang::SourceLocation at);

/* Parameters and variables of FUNCTION that are declared where PLACE in it can name them. */
std::set<const clang::VarDecl *> seenAt(const clang::FunctionDecl *function,
                                        const clang::Stmt *place);

/* Behind the name of VARIABLE, which AT cannot name: " of report.c (without static)", as far as it
 * is in another file. */
std::string whereDeclared(const clang::SourceManager &manager, const clang::VarDecl *variable,
                          clang::SourceLocation at);

/* What a clause with TEXT names or goes into and PLACE in FUNCTION does not see, for people: "'C'
 * of config.c (without static) and 'struct grid' of grid.c". */
std::string unseenIn(const clang::ASTContext &context, const std::string &text,
                     const clang::FunctionDecl *function, const clang::Stmt *place);

/* What FOUND has that only other functions can name: values and arrays, or pointers that are
 * LEADING elsewhere than before; for people. */
std::string hiddenIn(const std::set<Left> &found, bool leading);

/* The same of pointers that the loop's function names: the clause names what they lead to at first.
 * Empty: there are none. */
std::string ledElsewhere(const std::set<Left> &found);

/* By which a clause can name what they lead to; for people. */
extern const char namesToLead[];

/* Why there is no clause for what was FOUND, empty where there may be one: memory that iterations
 * make and keep is not there where the program has started over. */
std::string withoutClause(const std::set<Left> &found);

/* NAME as FUNCTION may also call it: "s.v" for "p->v" where p leads to its own struct s for good.
 */
std::string namedDirectly(const std::string &name, const clang::FunctionDecl *function);

/* LOOP sets elements of the array NAME one behind another, as many as it happens to have: by a
 * number that it steps there, as in list[many++] = i. */
bool isFilledUp(const std::string &name, const clang::Stmt *loop);

} // namespace xmpi
#endif
