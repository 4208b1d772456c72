/* SPDX-License-Identifier: BSD-3-Clause
 * Tables: how many elements they have, and which of them are named. */
#ifndef XMPI_REWRITER_TABLES_H
#define XMPI_REWRITER_TABLES_H

#include "walk/walk.h"
#include <optional>
#include <vector>

namespace xmpi
{

class Tables
{
  public:
    Tables(const clang::ASTContext &context, Walk &walk) : context(context), walk(walk)
    {
    }

    /* What CALL, of malloc or calloc, is told, if that is known. */
    std::optional<long long> bytesOf(const clang::CallExpr *call) const;

    /* Adds the numbers in u[0][1].v[2] to NUMBERS (-1: not known), and multiplies MANY by how many
     * there may be of them, if that is known. */
    void numbersIn(const clang::Expr *place, std::vector<long long> &numbers,
                   std::optional<long long> &many) const;

    /* Arrays of fixed size all elements of which are in OBJECTS. */
    Memory::Ids arraysOf(const Memory::Ids &objects) const;

  private:
    const clang::ASTContext &context;
    Walk &walk;

    std::optional<long long> lengthOf(const clang::Expr *table) const;
};

} // namespace xmpi
#endif
