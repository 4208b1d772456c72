/* SPDX-License-Identifier: BSD-3-Clause
 * Which arrays processes divide: by loops whose bounds depend on the rank. */
#ifndef XMPI_REWRITER_DIVIDED_H
#define XMPI_REWRITER_DIVIDED_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <set>
#include <vector>

namespace xmpi
{

/* Those of the file that have a body, in the order of the text. */
std::vector<const clang::FunctionDecl *> functionsOf(clang::ASTContext &context);

/* TYPE is one of an array of a few arrays. */
bool isFewArrays(clang::QualType type);

class DividedArrays
{
  public:
    explicit DividedArrays(clang::ASTContext &context);

    /* Such a loop sets elements of VARIABLE by its counter. */
    bool contains(const clang::VarDecl *variable) const
    {
        return variables.count(variable) != 0;
    }

    /* It sets elements of the arrays in VARIABLE so, and VARIABLE itself is not divided. */
    bool dividesEach(const clang::VarDecl *variable) const
    {
        return inner.count(variable) != 0 && !contains(variable);
    }

  private:
    std::set<const clang::VarDecl *> variables, inner;
};

} // namespace xmpi
#endif
