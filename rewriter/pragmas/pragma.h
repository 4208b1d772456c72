/* SPDX-License-Identifier: BSD-3-Clause
 * Reads `#pragma xmpi` lines: the clause grammar, and markers in the AST.
 *
 * A pragma's expressions are handed back to the parser as a block { (n); (count); } in the place of
 * the pragma, so that clang resolves and types them in their scope. The block's left brace stands
 * at the '#', which no brace of the user's does: that is how `bind` finds it. */
#ifndef XMPI_REWRITER_PRAGMA_H
#define XMPI_REWRITER_PRAGMA_H

#include "report/diagnostics.h"
#include "program.h"
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/Lex/Preprocessor.h>
#include <memory>
#include <vector>

namespace xmpi
{

/* Enter: not written by anybody, what leads to another adaptive loop that runs earlier. */
enum class Directive { Domain, Data, Initial, Setup, Loop, Enter };

llvm::StringRef spelling(Directive directive);

/* One expression of a clause: its tokens and, once bound, what clang made of it. */
struct Operand {
    std::vector<clang::Token> tokens;
    clang::SourceLocation where;
    std::string text; /* as the user wrote it, macros not expanded */
    const clang::Expr *expression = nullptr;
};

struct ArrayOperand {
    Scheme scheme;
    int csr = 0; /* of a sparse matrix: 1 the row pointers, 2 the columns, 3 the values */
    Operand variable;
    std::vector<Operand> shape;
    std::vector<Operand> halo; /* one or none: rows on each side */
    bool outOfCore = false;
    std::vector<Operand> element; /* of a file: one, sizeof its elements' type */
};

struct Pragma {
    Directive directive;
    bool inferred = false; /* not in the source: `hash` is where its statement begins */
    clang::SourceLocation hash;
    Span line;                        /* from the '#' to the end of the directive */
    std::vector<Operand> operands;    /* domain: extent, count, displ; loop: interval */
    std::vector<Operand> weights;     /* loop: at most one */
    std::vector<Operand> iterations;  /* loop: the same */
    std::vector<ArrayOperand> arrays; /* data */
    std::string policy;               /* loop: its name, and NAME=VALUE of its settings; or empty */
    bool computed = false;            /* loop: the interval is no constant */
    bool divisible = false;           /* loop: that it cannot be divided is an error */
    bool restore = false;             /* loop: the program's own layout comes back after it */
    std::string enters;               /* Enter: the name of the loop */

    bool further = false; /* of a name behind the first in a declaration that is marked */

    /* set by bind */
    const clang::CompoundStmt *marker = nullptr;
    const clang::FunctionDecl *function = nullptr;
    const clang::Stmt *target = nullptr; /* the statement annotated */

    std::vector<Operand *> allOperands();
};

/* All pragmas of the file, in their order. */
struct Pragmas {
    std::vector<std::unique_ptr<Pragma>> list;
    /* Errors of clang's in the text of a pragma, kept back to be said in our words. */
    struct Complaint {
        clang::SourceLocation where;
        std::string text;
        bool undeclared;
    };
    std::vector<Complaint> complaints;
    bool broken = false;            /* a pragma could not be read */
    const Pragmas *whole = nullptr; /* of a part of the pragmas: all of them */

    const Pragma *at(clang::SourceLocation hash) const;
    /* The pragma whose text covers OFFSET. */
    const Pragma *covering(unsigned offset) const;
};

/* WORD is nearly "xmpi": misspelt, it would go by unnoticed. */
bool resemblesXmpi(llvm::StringRef word);

/* Makes PREPROCESSOR call us for every `#pragma xmpi`. */
void installPragmaHandler(clang::Preprocessor &preprocessor, Pragmas &pragmas);

} // namespace xmpi
#endif
