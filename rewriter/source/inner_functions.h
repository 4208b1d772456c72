/* SPDX-License-Identifier: BSD-3-Clause
 * Functions within functions, as gcc has them and the parser has not. One that computes from its
 * parameters alone is for the analysis what a function of another file is: for the parser its body
 * is hidden, and it is back in what is written. */
#ifndef XMPI_REWRITER_INNER_FUNCTIONS_H
#define XMPI_REWRITER_INNER_FUNCTIONS_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/ADT/StringRef.h>
#include <string>
#include <vector>

namespace xmpi
{

/* Whether FUNCTION, which has no body for the parser, is one whose body was hidden from it. */
bool isInnerFunction(const clang::SourceManager &manager, const clang::FunctionDecl *function);

class InnerFunctions
{
  public:
    /* The parser has met a body of one in TEXT at OFFSET, its first brace. False where it cannot be
     * hidden. */
    bool add(llvm::StringRef text, size_t offset);

    bool empty() const
    {
        return bodies.empty();
    }

    /* TEXT with a semicolon and blanks in place of the bodies: all else stays where it is. */
    std::string hide(llvm::StringRef text) const;

    /* Puts the bodies back into what was made of hidden TEXT; false where they are not there. */
    bool restore(std::string &text) const;

    /* The first byte of a body of which is not known that it only computes from its parameters;
     * SIZE_MAX where there is none. CONTEXT is of the hidden text. */
    size_t unknown(const clang::ASTContext &context) const;

  private:
    struct Hidden {
        size_t begin;
        std::string text;
    };
    std::vector<Hidden> bodies; /* in their order */
};

} // namespace xmpi
#endif
