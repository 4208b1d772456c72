/* SPDX-License-Identifier: BSD-3-Clause
 * Going through the syntax tree, each node once and before what is in it. Clang's template for that
 * is compiled here alone: it takes longer than all else in a file that has it. */
#ifndef XMPI_REWRITER_VISITOR_H
#define XMPI_REWRITER_VISITOR_H

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace xmpi
{

/* The nodes that somebody wants to see: declarations, statements, and statements that one may go
 * through in another way, or not at all. */
#define XMPI_VISITED_DECLARATIONS(node)                                                            \
    node(FieldDecl) node(FunctionDecl) node(ParmVarDecl) node(VarDecl)
#define XMPI_VISITED_STATEMENTS(node)                                                              \
    node(BinaryOperator) node(CallExpr) node(CompoundStmt) node(CStyleCastExpr) node(DeclRefExpr)  \
        node(ImplicitCastExpr) node(InitListExpr) node(MemberExpr) node(ReturnStmt)                \
            node(UnaryExprOrTypeTraitExpr) node(UnaryOperator)
#define XMPI_TRAVERSED_STATEMENTS(node) node(DoStmt) node(ForStmt) node(IfStmt) node(WhileStmt)

/* What is visited is overridden. A function that returns false ends it all, and so do those that
 * called it: going through a node may do so, visiting it does not. */
class Visitor
{
  public:
    virtual ~Visitor() = default;

    bool TraverseDecl(clang::Decl *declaration);
    bool TraverseStmt(clang::Stmt *statement);

    /* Go through the node and what is in it. */
    virtual bool TraverseFunctionDecl(clang::FunctionDecl *function);
#define XMPI_TRAVERSE(NODE) virtual bool Traverse##NODE(clang::NODE *node);
    XMPI_TRAVERSED_STATEMENTS(XMPI_TRAVERSE)
#undef XMPI_TRAVERSE

#define XMPI_VISIT(NODE)                                                                           \
    virtual void Visit##NODE(clang::NODE *)                                                        \
    {                                                                                              \
    }
    XMPI_VISITED_DECLARATIONS(XMPI_VISIT)
    XMPI_VISITED_STATEMENTS(XMPI_VISIT)
#undef XMPI_VISIT
};

} // namespace xmpi
#endif
