/* SPDX-License-Identifier: BSD-3-Clause
 * The main file as text: offsets, spelled text, ends of statements, positions as the user sees
 * them. */
#ifndef XMPI_REWRITER_SOURCE_H
#define XMPI_REWRITER_SOURCE_H

#include "program.h"
#include <clang/AST/Stmt.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>

namespace xmpi
{

class StructMembers;

class Source
{
  public:
    Source(const clang::SourceManager &manager, const clang::LangOptions &language,
           const StructMembers &members);

    llvm::StringRef text() const
    {
        return buffer;
    }
    llvm::StringRef text(Span span) const
    {
        return buffer.slice(span.begin, span.end);
    }

    /* Where LOCATION (for a macro: its expansion) stands in the main file. */
    unsigned offset(clang::SourceLocation location) const;
    bool inMain(clang::SourceLocation location) const;
    clang::SourceLocation location(unsigned offset) const;

    /* The text of a statement or expression with its semicolon; macros as they are written. */
    Span statement(const clang::Stmt *statement) const;
    Span expression(const clang::Stmt *expression) const;

    /* EXPRESSION as the user wrote it, also as the argument of a macro; "" where a macro made it.
     */
    std::string written(const clang::Expr *expression) const;
    /* The same for comparisons and messages; never "": what a macro has made is as clang writes it.
     */
    std::string spelled(const clang::Expr *expression) const;

    /* The offset of the '=' of a declaration whose name ends at FROM; UINT_MAX without one. */
    unsigned equalSign(unsigned from) const;

    /* The offset of the word `const` of a declaration that starts at BEGIN and has the name at
     * NAME; UINT_MAX where it is not plain text. */
    unsigned constWord(unsigned begin, unsigned name) const;

    /* Position as the host compiler will say it (the user's own #line is honoured). */
    unsigned line(unsigned offset) const;
    unsigned column(unsigned offset) const;
    std::string fileName(unsigned offset) const;
    /* "file.c:12" for what is declared at LOCATION. */
    std::string position(clang::SourceLocation location) const;

    const clang::SourceManager &manager;

    /* Where the token at LOCATION ends; of a macro: where its whole use ends. */
    unsigned endOfToken(clang::SourceLocation location) const;

  private:
    clang::SourceRange rangeOf(const clang::Stmt *expression) const;
    unsigned endOfStatement(const clang::Stmt *statement) const;

    const clang::LangOptions &language;
    const StructMembers &members;
    llvm::StringRef buffer;
};

/* TEXT as a string of C. */
std::string quoted(llvm::StringRef text);

} // namespace xmpi
#endif
