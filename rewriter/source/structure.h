/* SPDX-License-Identifier: BSD-3-Clause
 * The shape of the file: what encloses what, which names are seen where, and the way from main to
 * the loop. */
#ifndef XMPI_REWRITER_STRUCTURE_H
#define XMPI_REWRITER_STRUCTURE_H

#include "source/struct_members.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <map>
#include <vector>

namespace xmpi
{

class Structure
{
  public:
    Structure(clang::ASTContext &context, const StructMembers &members);

    /* Function definitions of the main file and of headers of the program. */
    std::vector<const clang::FunctionDecl *> functions;

    const clang::Stmt *parent(const clang::Stmt *statement) const;
    bool encloses(const clang::Stmt *outer, const clang::Stmt *inner) const;

    /* STATEMENT or what encloses it: the first one that is a statement of a block written without
     * a macro, so that text can stand before and after it. */
    const clang::Stmt *inBlock(const clang::Stmt *statement) const;

    /* The for, while or do that STATEMENT is in, or null. */
    const clang::Stmt *enclosingLoop(const clang::Stmt *statement) const;

    /* The variable that NAME means just before PLACE, a statement of a block of FUNCTION. */
    const clang::VarDecl *lookup(llvm::StringRef name, const clang::FunctionDecl *function,
                                 const clang::Stmt *place) const;
    bool visible(const clang::VarDecl *variable, const clang::FunctionDecl *function,
                 const clang::Stmt *place) const;

    /* How VARIABLE is written there: its name, or what leads to a member; empty where it is not
     * visible. COPY (or null): it is a member of a copy there. */
    std::string textOf(const clang::VarDecl *variable, const clang::FunctionDecl *function,
                       const clang::Stmt *place, bool *copy = nullptr) const;

    /* Whether VARIABLE is declared in a scope that encloses PLACE: it lives there, seen or not. */
    bool alive(const clang::VarDecl *variable, const clang::FunctionDecl *function,
               const clang::Stmt *place) const;

    /* The function that STATEMENT is in, or null. */
    const clang::FunctionDecl *functionOf(const clang::Stmt *statement) const;

    /* The loops and ifs of its function that PLACE is in, the outermost first. */
    std::vector<const clang::Stmt *> around(const clang::Stmt *place) const;

    /* The outermost loop of its function that PLACE is in, or null. */
    const clang::Stmt *loopAround(const clang::Stmt *place) const;

    /* The statements that run after PLACE in its function, in their order: of loops around it what
     * stands behind it, the head, and what stands before it, or in the other branch of an if around
     * it; of main also what runs when the program ends; the ones before it. */
    std::vector<const clang::Stmt *> following(const clang::Stmt *place) const;
    std::vector<const clang::Stmt *> preceding(const clang::Stmt *place) const;

  private:
    void enter(const clang::Stmt *statement);

    clang::ASTContext &context;
    const StructMembers &members;
    std::map<const clang::Stmt *, const clang::Stmt *> parents;
    std::map<const clang::VarDecl *, const clang::Stmt *> declarations;
};

} // namespace xmpi
#endif
