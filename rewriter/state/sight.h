/* SPDX-License-Identifier: BSD-3-Clause
 * Which variables a loop can name, also where its file is one of several in a text (joined/). */
#ifndef XMPI_REWRITER_SIGHT_H
#define XMPI_REWRITER_SIGHT_H

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <set>
#include <string>

namespace xmpi
{

/* The file that PLACE is in, as the user calls it, where AT is in another one of the same text;
 * else empty, and for headers. */
std::string otherFile(const clang::SourceManager &manager, clang::SourceLocation place,
                      clang::SourceLocation at);

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

} // namespace xmpi
#endif
