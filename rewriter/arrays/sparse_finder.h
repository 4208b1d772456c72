/* SPDX-License-Identifier: BSD-3-Clause
 * Sparse matrices of three arrays, which are moved or assembled again. */
#ifndef XMPI_REWRITER_SPARSE_FINDER_H
#define XMPI_REWRITER_SPARSE_FINDER_H

#include "arrays/array_registry.h"

namespace xmpi
{

class SparseFinder
{
  public:
    SparseFinder(Analysis &analysis, const Inference &inference, ArrayFacts &facts,
                 ArrayRegistry &registry)
        : analysis(analysis), inference(inference), survey(*inference.survey), facts(facts),
          registry(registry)
    {
    }

    std::set<const clang::VarDecl *> made; /* set by each process, again after a reconfiguration */

    /* Sparse matrices tell what becomes of the arrays that are filled with them. */
    bool find();

  private:
    Analysis &analysis;
    const Inference &inference;
    const Survey &survey;
    ArrayFacts &facts;
    ArrayRegistry &registry;

    bool isRowPointers(const clang::VarDecl *variable, const Values &values) const;
    bool describeSparse(const clang::VarDecl *variable, clang::SourceLocation where);
    bool isLeftToStart(const std::vector<const clang::VarDecl *> &arrays);
    bool isMadeAgain(const std::vector<const clang::VarDecl *> &arrays);
    bool dividesRows(const std::vector<const clang::VarDecl *> &arrays) const;
};

} // namespace xmpi
#endif
