/* SPDX-License-Identifier: BSD-3-Clause
 * What a statement mentions, writes and calls: the ground of every later judgement. */
#ifndef XMPI_REWRITER_EFFECTS_H
#define XMPI_REWRITER_EFFECTS_H

#include "handles/requests.h"
#include "source/struct_members.h"
#include "source/variable.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace xmpi
{

/* A variable, or a member of it, or what it points to. */
struct Place {
    const clang::VarDecl *base = nullptr;
    const clang::FieldDecl *field = nullptr; /* the outermost member, or null */
    bool behind = false;                     /* reached through the pointer BASE */
    bool element = false;                    /* one of many elements behind a pointer */
    clang::QualType type;

    /* "s.n", "p->n", "*p" or "n" */
    std::string text() const;

    /* All of VARIABLE. */
    static Place of(const clang::VarDecl *variable)
    {
        return {variable, nullptr, false, false, variable->getType()};
    }
};

/* Whether writing one may change the other. */
bool overlap(const Place &one, const Place &other);

/* The one place that EXPRESSION is; nothing where that is not known, or it may be several. */
std::optional<Place> placeOf(const clang::Expr *expression);

/* The one place that ARGUMENT is, or is the address of. */
std::optional<Place> placeGiven(const clang::Expr *argument);

/* All that EXPRESSION may be, where functions of the file hand back pointers, or these are chosen;
 * none where that is not known. */
std::vector<Place> placesOf(const clang::Expr *expression);

/* What POINTER may lead to, as one element of many. */
std::vector<Place> placesBehind(const clang::Expr *pointer);

struct Mention {
    Place place;
    bool assigned; /* as the left side of a plain assignment */
    clang::SourceLocation where;
};

struct Write {
    enum class How { Assigned, Declared, Passed } how;
    Place place;
    const clang::Expr *value;                    /* assigned or initial value; null for Passed */
    const clang::CallExpr *call;                 /* for Passed */
    std::vector<const clang::Expr *> conditions; /* that decide whether or how often it happens */
    clang::SourceLocation where;
};

struct Effects {
    std::vector<Mention> mentions;
    std::vector<Write> writes;
    std::vector<const clang::CallExpr *> calls;
    std::vector<const clang::FunctionDecl *> functions; /* that may be called */
    std::vector<const clang::VarDecl *> declared;

    /* WRITE, one of these, sets all of a variable, first and in any case. */
    bool setsAnew(const Write &write) const;

    /* Something here may change PLACE; names some of it. */
    bool changes(const Place &place) const;
    bool names(const Place &place) const;
};

/* Collects effects; the statements in SKIPPED (pragma markers, marked statements) are left out. */
class EffectsFinder
{
  public:
    std::set<const clang::Stmt *> skipped;
    const StructMembers *members = nullptr;       /* to see what happens to structs as a whole */
    const PersistentRequests *requests = nullptr; /* to see what starting them does */

    Effects of(const clang::Stmt *statement) const;

    /* The members that a function of this file sets through PARAMETER, a pointer to a struct; none
     * where it may do more with it. */
    using Members = std::optional<std::set<const clang::FieldDecl *>>;
    const Members &membersSet(const clang::ParmVarDecl *parameter) const;

    /* WRITE hands a number to a function of this file that changes it by its old value. */
    bool addsTo(const Write &write) const;

    /* With the effects on globals of the functions of this file that STATEMENT may call. */
    Effects withCallees(const clang::Stmt *statement) const;

    /* Functions defined in this file that EFFECTS may lead to. */
    std::vector<const clang::FunctionDecl *> reachable(const Effects &effects) const;

    /* Functions of this file that other files have been given before the loop, or the library
     * anywhere (operations, handlers, starts of threads): both may call them from any call. */
    std::set<const clang::FunctionDecl *> handedOut;

    /* Definitions in this file that CALL may lead to, also through a pointer to a function. */
    std::vector<const clang::FunctionDecl *> callees(const clang::CallExpr *call) const;

  private:
    std::shared_ptr<std::map<const clang::ParmVarDecl *, Members>> known =
        std::make_shared<std::map<const clang::ParmVarDecl *, Members>>();

    using Calls = std::map<const clang::FunctionDecl *, std::set<Bindings>>;
    Calls callsBehind(const Effects &effects) const;
    std::set<const clang::VarDecl *> globals(const Place &place, const clang::FunctionDecl *in,
                                             const Calls &calls) const;
};

/* CALLEE is a function of another file of the program. */
bool isForeign(const clang::FunctionDecl *callee);

/* What EXPRESSION, of a kind that nothing else here looks at, computes and leaves is not known. */
bool isUnknown(const clang::Expr *expression);

/* CALL changes what it is given by what was there, or in another way that is not known: a function
 * of the compiler alone. */
bool isUnknownBuiltin(const clang::CallExpr *call);

/* The definition in this file of the function that CALL (or null) calls directly; or null. */
const clang::FunctionDecl *definitionOf(const clang::CallExpr *call);

/* The call that VALUE (or null) is, in parentheses or casts perhaps; or null. */
const clang::CallExpr *callIn(const clang::Expr *value);

/* VALUE (or null) is a call of one of NAMES. */
bool callsOneOf(const clang::Expr *value, std::initializer_list<llvm::StringRef> names);

/* What CALL, if it is a direct one of its function, hands over for PARAMETER; or null. */
const clang::Expr *argumentFor(const clang::CallExpr *call, const clang::ParmVarDecl *parameter);

/* The parameters of FUNCTION with what CALL hands over for them. */
std::vector<std::pair<const clang::ParmVarDecl *, const clang::Expr *>>
passedBy(const clang::CallExpr *call, const clang::FunctionDecl *function);

/* What FUNCTION (or null), whose body is one return, hands back; null of others. */
const clang::Expr *returnedBy(const clang::FunctionDecl *function);

/* The name of the function that CALL calls directly, or "". */
llvm::StringRef calleeName(const clang::CallExpr *call);
/* The same, where it is PMPI_... of MPI_... . */
llvm::StringRef plainName(const clang::CallExpr *call);

} // namespace xmpi
#endif
