/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of pointers to rows: how they are registered, and follow the rows. */
#ifndef XMPI_REWRITER_TABLE_FINDER_H
#define XMPI_REWRITER_TABLE_FINDER_H

#include "arrays/array_registry.h"
#include "arrays/row_table.h"

namespace xmpi
{

class TableFinder
{
  public:
    /* TAKEN: the blocks that have a variable already. */
    TableFinder(Analysis &analysis, const Inference &inference, ArrayFacts &facts,
                ArrayRegistry &registry, std::set<const void *> &taken)
        : analysis(analysis), inference(inference), survey(*inference.survey), facts(facts),
          registry(registry), taken(taken)
    {
    }

    /* An array of pointers to rows that lie one after another in one block. */
    bool describe(const clang::VarDecl *variable, clang::SourceLocation where);

  private:
    Analysis &analysis;
    const Inference &inference;
    const Survey &survey;
    ArrayFacts &facts;
    ArrayRegistry &registry;
    std::set<const void *> &taken;

    bool addRows(const clang::VarDecl *variable, clang::SourceLocation where, const RowTable &table,
                 Scheme scheme, int halo);
    bool isRebuilt(const clang::VarDecl *variable) const;
    std::string countName() const;
    bool isMadeWithRows(const clang::VarDecl *variable) const;
    std::string firstRow(const clang::VarDecl *variable, const RowTable &table,
                         const std::string &name, const std::string &rows) const;
    bool addTable(const clang::VarDecl *variable, clang::SourceLocation where,
                  const RowTable &table, int halo);
};

} // namespace xmpi
#endif
