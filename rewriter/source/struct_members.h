/* SPDX-License-Identifier: BSD-3-Clause
 * Members of structs as variables of their own (scalar replacement of aggregates): where it is
 * known which struct is meant, `g.u` and `p->u` become the name of one variable, of file scope, so
 * that all that is known of variables holds for members too. */
#ifndef XMPI_REWRITER_STRUCT_MEMBERS_H
#define XMPI_REWRITER_STRUCT_MEMBERS_H

#include "facts/points_to.h"
#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <unordered_map>

namespace xmpi
{

/* The text of a member where it stands, and whether it is of a copy of its struct there. */
struct MemberText {
    std::string text;
    bool copy = false;
};

class StructMembers
{
  public:
    /* Replaces what is known in all functions of CONTEXT. */
    explicit StructMembers(clang::ASTContext &context);

    /* VARIABLE stands for one member of one struct; for one of several structs. */
    bool contains(const clang::VarDecl *variable) const;
    bool isShared(const clang::VarDecl *variable) const;
    /* The members that VARIABLE may be, where it is shared; else nothing. */
    const std::set<const clang::VarDecl *> &meaning(const clang::VarDecl *variable) const;
    /* The same in a call with BINDINGS. */
    std::set<const clang::VarDecl *> meaning(const clang::VarDecl *variable,
                                             const Bindings &bindings) const;

    /* Where VARIABLE is: root and path, the last of which is the member. */
    const Object &placeOf(const clang::VarDecl *variable) const;
    /* What REFERENCE, made here, was in the source; null for others. */
    const clang::MemberExpr *written(const clang::DeclRefExpr *reference) const;

    /* All members of the struct, or of the struct pointed to, that EXPRESSION is. */
    std::vector<const clang::VarDecl *> inside(const clang::Expr *expression,
                                               const Bindings *bindings = nullptr) const;

    std::vector<const clang::VarDecl *> inside(const clang::VarDecl *owner,
                                               const clang::FieldDecl *field = nullptr) const;
    /* VARIABLE is a pointer to structs whose members are such: of itself it says nothing. */
    bool isPointer(const clang::VarDecl *variable) const;
    /* OWNER is a struct with such members; all of its FIELD is such. */
    bool holds(const clang::VarDecl *owner) const
    {
        return !inside(owner).empty();
    }
    bool replaces(const clang::VarDecl *owner, const clang::FieldDecl *field) const;
    /* All of VARIABLE, a struct, is in variables of their own. */
    bool replaces(const clang::VarDecl *variable) const;
    /* The variable for the member FIELD of the struct ROOT; or null. */
    const clang::VarDecl *at(const void *root, const clang::FieldDecl *field) const;

    /* Definitions that CALL may lead to (points_to.h). */
    std::vector<const clang::FunctionDecl *> callees(const clang::CallExpr *call) const
    {
        return pointsTo.callees(call);
    }

    bool hasShared() const
    {
        return !parameters.empty();
    }

    /* What the parameters of FUNCTION stand for in CALL, made where BINDINGS hold. */
    Bindings bind(const clang::CallExpr *call, const clang::FunctionDecl *function,
                  const Bindings &bindings) const;

    /* How VARIABLE is written where ISVISIBLE tells which variables can be named; or nothing. */
    using Visible = std::function<bool(const clang::VarDecl *)>;
    std::optional<MemberText> text(const clang::VarDecl *variable, const Visible &isVisible) const;

    /* The struct that VARIABLE is a member of, where it is a variable; or null. */
    const clang::VarDecl *owner(const clang::VarDecl *variable) const;

  private:
    /* One way to name a struct: TEXT is what the name of a member is added to. */
    struct Access {
        Object object;
        const clang::RecordDecl *record;
        std::string text;
        bool constant, copy;
    };

    clang::ASTContext &context;
    PointsTo pointsTo;
    std::set<const clang::RecordDecl *> replaced;
    std::map<Object, const clang::VarDecl *> variables;
    std::unordered_map<const clang::VarDecl *, Object> places;
    std::map<std::pair<const clang::ParmVarDecl *, std::vector<const clang::FieldDecl *>>,
             const clang::VarDecl *>
        shared;
    std::map<const clang::VarDecl *,
             std::pair<const clang::ParmVarDecl *, std::vector<const clang::FieldDecl *>>>
        parameters; /* of the shared ones */
    std::map<const clang::VarDecl *, std::set<const clang::VarDecl *>> meanings;
    llvm::DenseMap<const clang::DeclRefExpr *, const clang::MemberExpr *> sources;

    void choose();
    void addAll();
    void addMembers(const Object &object, const clang::RecordDecl *record, const std::string &name,
                    clang::SourceLocation where, clang::StorageClass storage);
    void replace(clang::Stmt *statement);
    const clang::VarDecl *variableFor(const clang::MemberExpr *member);
    const clang::VarDecl *sharedFor(const clang::MemberExpr *member, const Objects &objects);
    clang::Expr *nameOf(const clang::VarDecl *variable, const clang::MemberExpr *member);
    std::vector<Access> accesses(const Visible &isVisible) const;
    void addPointed(const Access &from, std::vector<Access> &found) const;
};

} // namespace xmpi
#endif
