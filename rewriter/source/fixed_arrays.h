/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of fixed size in which each process has its own rows. For the analysis such an array is a
 * pointer to memory of that size, so that all that is known of memory from malloc holds for it; the
 * runtime leaves it where it is, and copies its rows. One of variable length is a pointer to memory
 * that is taken where it is declared. An array of a few of them, as u[2][ROWS][COLUMNS] for two
 * levels of time, is an array of such pointers. */
#ifndef XMPI_REWRITER_FIXED_ARRAYS_H
#define XMPI_REWRITER_FIXED_ARRAYS_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <map>

namespace xmpi
{

class FixedArrays
{
  public:
    /* Replaces their types in CONTEXT: of arrays that loops between bounds which depend on the rank
     * set, and whose every use is that of a pointer. */
    explicit FixedArrays(clang::ASTContext &context);

    /* What has been replaced, with the bytes of the array. The address of an entry stands for its
     * memory. */
    const std::map<const clang::VarDecl *, long long> &all() const
    {
        return arrays;
    }

    /* The same of arrays of several: by the variable and the number in it. */
    using Several = std::map<std::pair<const clang::VarDecl *, long long>, long long>;
    const Several &several() const
    {
        return levels;
    }

    /* VARIABLE has been replaced. */
    bool contains(const clang::VarDecl *variable) const;

    /* The bytes of the array that BLOCK, the memory of one, has; 0 for other memory. */
    long long bytesOf(const void *block) const;

  private:
    std::map<const clang::VarDecl *, long long> arrays;
    Several levels;

    void addSeveral(const clang::ASTContext &context, const clang::VarDecl *variable);
};

} // namespace xmpi
#endif
