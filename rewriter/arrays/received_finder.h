/* SPDX-License-Identifier: BSD-3-Clause
 * What messages of an iteration fill: it needs its first contents in each layout, and nothing else.
 */
#ifndef XMPI_REWRITER_RECEIVED_FINDER_H
#define XMPI_REWRITER_RECEIVED_FINDER_H

#include "arrays/array_registry.h"

namespace xmpi
{

class ReceivedFinder
{
  public:
    ReceivedFinder(Analysis &analysis, ArrayFacts &facts, ArrayRegistry &registry)
        : analysis(analysis), facts(facts), registry(registry)
    {
    }

    /* A number, or an array of fixed size, declared outside the loop. */
    bool isValueAround(const clang::VarDecl *variable) const;

    /* A number gets its first value again after a reconfiguration. */
    bool describe(const clang::VarDecl *variable, clang::SourceLocation where);

    /* What gives a received array its first contents can be run again. */
    bool isBuffer(const clang::VarDecl *variable);

  private:
    Analysis &analysis;
    ArrayFacts &facts;
    ArrayRegistry &registry;

    std::string nameAtLoop(const clang::VarDecl *variable) const;
    void clearAgain(const clang::VarDecl *variable);
    bool isForBuffersOnly(const Item &item) const;
};

} // namespace xmpi
#endif
