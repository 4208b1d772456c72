/* SPDX-License-Identifier: BSD-3-Clause
 * What the pointers of a file may lead to, as variables: the arrays and numbers whose address they
 * hold, and the pointers that have memory of their own. All assignments of the file count, whatever
 * their order. */
#ifndef XMPI_REWRITER_POINTER_TARGETS_H
#define XMPI_REWRITER_POINTER_TARGETS_H

#include "analysis.h"

namespace xmpi
{

class PointerTargets
{
  public:
    explicit PointerTargets(const Analysis &analysis);

    using Targets = std::set<const clang::VarDecl *>;

    /* What POINTER may lead to: variables, or pointers that hold memory from malloc, registered
     * arrays among them. Nothing where that is not known. INLOOP: when an iteration comes to it,
     * with what the loop's calls hand to parameters, and not what others do. */
    std::optional<Targets> of(const clang::Expr *pointer, bool inLoop = false) const;
    std::optional<Targets> of(const clang::VarDecl *pointer) const;

    /* What POINTER, a member of a local struct that nobody sets behind its declaration, may lead
     * to: any of the pointers in its list. */
    std::optional<Targets> ofListed(const clang::Expr *pointer, bool inLoop) const;

  private:
    struct Found {
        Targets targets;
        bool fresh = false;  /* memory that has just been allocated */
        bool inLoop = false; /* parameters have what the loop's calls hand over */
        Targets handed;      /* what functions called it that have handed it back */
        std::set<std::pair<const clang::VarDecl *, bool>> seen;
        Targets seenElements;
        int depth = 0; /* of tables of pointers */
        std::set<const clang::FunctionDecl *> called;
    };

    const Analysis &analysis;
    std::map<const clang::VarDecl *, std::vector<const clang::Expr *>> values;
    std::map<const clang::VarDecl *, std::vector<const clang::Expr *>> elements; /* p[i] = ... */
    std::set<const clang::FunctionDecl *> iterated; /* that the loop calls */
    std::map<const clang::VarDecl *, std::vector<const clang::Expr *>> handed; /* by its calls */
    Targets assigned;                         /* set otherwise than by calls */
    std::set<const clang::VarDecl *> unknown; /* also set in ways that are not followed */
    std::map<const clang::FunctionDecl *, std::vector<const clang::Expr *>> returned;
    bool calledOutside = false; /* functions of other files, which may set global pointers */

    void collect(const clang::Stmt *statement, const clang::FunctionDecl *function);
    void collectCall(const clang::CallExpr *call);
    void collectAddress(const clang::UnaryOperator *address);
    void collectLoop();
    bool isHandedInLoop(const clang::VarDecl *holder) const;
    void assign(const clang::Expr *target, const clang::Expr *value);
    bool add(const clang::Expr *pointer, Found &found) const;
    bool addElement(const clang::Expr *table, Found &found) const;
    bool addFilled(const Targets &names, const clang::VarDecl *holder, Found &found) const;
    bool addAddress(const clang::Expr *place, Found &found) const;
    bool addHeld(const clang::VarDecl *holder, Found &found) const;
    bool addStruct(const clang::Expr *part, Found &found) const;
    bool isSetLater(const clang::VarDecl *variable) const;
    bool addListed(const clang::InitListExpr *list, Found &found) const;
    bool addAll(const std::vector<const clang::Expr *> &all, Found &found) const;
    bool addCall(const clang::CallExpr *call, Found &found) const;
    bool isOpen(const clang::VarDecl *holder) const;
};

/* POINTER, which is set before the loop, leads to numbers, structs or arrays that are variables,
 * and to nothing else: these; else nothing. */
PointerTargets::Targets valuesBehind(const PointerTargets &targets, const clang::VarDecl *pointer);

/* POINTER, to functions, is only ever set to some of the file, which are FUNCTIONS. */
bool isOwnFunction(const std::vector<const clang::FunctionDecl *> &functions,
                   const clang::Expr *pointer);

/* The variables that messages fill, or that lead to what they fill, of persistent requests that
 * CALL starts. */
std::set<const clang::VarDecl *> filledBy(const Analysis &analysis, const clang::CallExpr *call);

} // namespace xmpi
#endif
