/* SPDX-License-Identifier: BSD-3-Clause */
#include "source/visitor.h"
#include <clang/AST/RecursiveASTVisitor.h>

namespace xmpi
{

using namespace clang;

namespace
{

class Walker : public RecursiveASTVisitor<Walker>
{
  public:
    explicit Walker(Visitor &visitor) : visitor(visitor)
    {
    }

#define XMPI_VISIT(NODE)                                                                           \
    bool Visit##NODE(NODE *node)                                                                   \
    {                                                                                              \
        visitor.Visit##NODE(node);                                                                 \
        return true;                                                                               \
    }
    XMPI_VISITED_DECLARATIONS(XMPI_VISIT)
    XMPI_VISITED_STATEMENTS(XMPI_VISIT)
#undef XMPI_VISIT

#define XMPI_TRAVERSE(NODE)                                                                        \
    bool Traverse##NODE(NODE *node)                                                                \
    {                                                                                              \
        return visitor.Traverse##NODE(node);                                                       \
    }                                                                                              \
    bool through##NODE(NODE *node)                                                                 \
    {                                                                                              \
        return RecursiveASTVisitor::Traverse##NODE(node);                                          \
    }
    XMPI_TRAVERSE(FunctionDecl)
    XMPI_TRAVERSED_STATEMENTS(XMPI_TRAVERSE)
#undef XMPI_TRAVERSE

  private:
    Visitor &visitor;
};

} // namespace

bool Visitor::TraverseDecl(Decl *declaration)
{
    return Walker(*this).TraverseDecl(declaration);
}

bool Visitor::TraverseStmt(Stmt *statement)
{
    return Walker(*this).TraverseStmt(statement);
}

#define XMPI_TRAVERSE(NODE)                                                                        \
    bool Visitor::Traverse##NODE(NODE *node)                                                       \
    {                                                                                              \
        return Walker(*this).through##NODE(node);                                                  \
    }
XMPI_TRAVERSE(FunctionDecl)
XMPI_TRAVERSED_STATEMENTS(XMPI_TRAVERSE)
#undef XMPI_TRAVERSE

} // namespace xmpi
