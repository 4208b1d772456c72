/* SPDX-License-Identifier: BSD-3-Clause
 * Classes of what may be the same memory, by unification (Steensgaard 1996): variables, members,
 * and what pointers lead to. All assignments of the file count, whatever their order. */
#ifndef XMPI_REWRITER_CELLS_H
#define XMPI_REWRITER_CELLS_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <map>
#include <set>
#include <vector>

namespace xmpi
{

class Cells
{
  public:
    using Cell = int;
    static constexpr Cell none = -1;

    explicit Cells(clang::ASTContext &context);

    /* Where PLACE, an lvalue, is; what POINTER leads to. None where that is not memory. */
    Cell of(const clang::Expr *place);
    Cell behind(const clang::Expr *pointer);

    Cell of(const clang::VarDecl *variable);
    /* A member of a struct: one for all structs of the type, but of a variable whose address nobody
     * takes, VARIABLE; or null. */
    Cell of(const clang::VarDecl *variable, const clang::FieldDecl *field);
    Cell behind(Cell pointer); /* none: no pointer is there */
    Cell found(Cell cell);     /* equal for what may be the same */

    /* All that is there is known: no address comes from functions that are not seen. */
    bool isKnown(Cell cell);
    /* Functions of other files may change it. */
    bool isOpen(Cell cell);
    /* Somebody takes the address of the struct. */
    bool isAddressed(const clang::VarDecl *variable) const;
    /* Several structs of a type are one class. */
    bool isSeveral(const clang::FieldDecl *field) const;

    std::set<Cell> membersOf(clang::QualType type); /* of structs, those inside too */
    std::vector<const clang::FunctionDecl *> functions;
    /* Definitions that CALL may lead to. */
    std::vector<const clang::FunctionDecl *> callees(const clang::CallExpr *call) const;

  private:
    class Collector;
    struct Class {
        Cell parent, pointee = none;
        bool known = true, open = false;
    };

    clang::ASTContext &context;
    std::vector<Class> classes;
    std::map<const void *, Cell> cells; /* of declarations, and calls that allocate */
    std::map<std::pair<const void *, const void *>, Cell> members;
    std::set<const clang::VarDecl *> addressed;           /* structs */
    std::map<const clang::RecordDecl *, unsigned> counts; /* variables and allocations */
    std::vector<const clang::FunctionDecl *> pointed;     /* functions whose address is taken */

    Cell fresh();
    Cell named(const void *what);
    Cell led(Cell pointer); /* made where it is none */
    void unify(Cell one, Cell other);
    void flow(Cell pointer, const clang::Expr *value);
    void open(Cell cell, bool behind);
    Cell resultOf(const clang::CallExpr *call);
};

} // namespace xmpi
#endif
