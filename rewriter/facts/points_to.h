/* SPDX-License-Identifier: BSD-3-Clause
 * Which structs the pointers of a file may point to: inclusion-based (Andersen 1994), with one set
 * for each pointer variable, for each member of a type, and for what each function returns. */
#ifndef XMPI_REWRITER_POINTS_TO_H
#define XMPI_REWRITER_POINTS_TO_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace xmpi
{

/* A struct: the variable ROOT or what the call ROOT of malloc made, or the one at PATH inside it.
 */
struct Object {
    const void *root = nullptr;
    std::vector<const clang::FieldDecl *> path;

    bool operator<(const Object &other) const
    {
        return std::tie(root, path) < std::tie(other.root, other.path);
    }
    bool operator==(const Object &other) const
    {
        return root == other.root && path == other.path;
    }
    Object inner(const clang::FieldDecl *field) const;
    /* It is OTHER, or lies in it. */
    bool within(const Object &other) const;
};

using Objects = std::set<Object>;
/* What the pointers and structs that a function is given stand for, in one call of it. */
using Bindings = std::map<const clang::ParmVarDecl *, Objects>;

class PointsTo
{
  public:
    explicit PointsTo(clang::ASTContext &context);

    /* All pointers to structs of this type are known, and none is copied as a whole. */
    bool follows(const clang::RecordDecl *record) const;

    /* What POINTER points to; what the struct PLACE is; nothing where that is not known. */
    std::optional<Objects> at(const clang::Expr *pointer, const Bindings *bindings = nullptr) const;
    std::optional<Objects> of(const clang::Expr *place, const Bindings *bindings = nullptr) const;

    /* The same of a variable or member: a pointer to a struct, or a parameter that is one. */
    const Objects &of(const clang::ValueDecl *holder) const;

    std::vector<const clang::VarDecl *> structs;  /* variables that are structs */
    std::vector<const clang::VarDecl *> pointers; /* and that point to some */
    std::vector<const clang::FunctionDecl *> functions;
    /* Definitions that CALL may lead to: of the function that it names, or, where it is through a
     * pointer, of all whose address somebody takes and that the arguments fit. Functions that are
     * not in the file may call those that they are given. */
    std::vector<const clang::FunctionDecl *> callees(const clang::CallExpr *call) const;

  private:
    class Collector;

    clang::ASTContext &context;
    std::map<const clang::Decl *, Objects> sets;
    std::map<const clang::Decl *, std::set<const clang::Decl *>> references; /* of T **p */
    std::set<const clang::RecordDecl *> opaque;
    std::set<const clang::FunctionDecl *> addressed; /* definitions whose address is taken */
    /* HOLDER receives what VALUE is, a pointer or (as a parameter) a struct. */
    std::vector<std::pair<const clang::Decl *, const clang::Expr *>> flows;

    std::vector<const clang::FunctionDecl *> calleesBehind(const clang::CallExpr *call) const;
    bool propagate();
    void refuse(clang::QualType type);
    void refuse(const clang::Decl *holder);
    void refuseUnknown();
};

/* The struct that TYPE is, or points to; null for others, for unions, and for those of headers of
 * the system. */
const clang::RecordDecl *structIn(const clang::ASTContext &context, clang::QualType type);

} // namespace xmpi
#endif
