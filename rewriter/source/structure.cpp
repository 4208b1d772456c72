/* SPDX-License-Identifier: BSD-3-Clause
 * Parents, scopes and order of the statements of the file. */
#include "source/structure.h"
#include "library/traits.h"
#include "source/loops.h"
#include "source/within.h"
#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>
#include <set>

namespace xmpi
{

using namespace clang;

Structure::Structure(ASTContext &context, const StructMembers &members)
    : context(context), members(members)
{
    const SourceManager &manager = context.getSourceManager();
    for (const Decl *declaration : context.getTranslationUnitDecl()->decls()) {
        const auto *function = dyn_cast<FunctionDecl>(declaration);
        if (function == nullptr || !function->doesThisDeclarationHaveABody())
            continue;
        enter(function->getBody());
        if (!manager.isInSystemHeader(manager.getExpansionLoc(function->getLocation())))
            functions.push_back(function);
    }
}

void Structure::enter(const Stmt *statement)
{
    for (const VarDecl *variable : declaredBy(statement))
        declarations[variable] = statement;
    for (const Stmt *child : partsIn(statement)) {
        parents[child] = statement;
        enter(child);
    }
}

const Stmt *Structure::parent(const Stmt *statement) const
{
    auto found = parents.find(statement);
    return found == parents.end() ? nullptr : found->second;
}

bool Structure::encloses(const Stmt *outer, const Stmt *inner) const
{
    while (inner != nullptr && inner != outer)
        inner = parent(inner);
    return inner != nullptr;
}

const Stmt *Structure::inBlock(const Stmt *statement) const
{
    for (const Stmt *up = parent(statement); up != nullptr; statement = up, up = parent(up)) {
        const auto *block = dyn_cast<CompoundStmt>(up);
        if (block != nullptr && !block->getLBracLoc().isMacroID())
            return statement;
    }
    return statement;
}

const Stmt *Structure::enclosingLoop(const Stmt *statement) const
{
    for (const Stmt *up = parent(statement); up != nullptr; up = parent(up))
        if (isLoop(up))
            return up;
    return nullptr;
}

static const VarDecl *declaredIn(const Stmt *statement, llvm::StringRef name)
{
    const auto *declaration = dyn_cast_or_null<DeclStmt>(statement);
    if (declaration == nullptr)
        return nullptr;
    for (const VarDecl *variable : declaredBy(declaration))
        if (variable->getName() == name)
            return variable;
    return nullptr;
}

/* The last declaration of NAME in BLOCK before its statement STOP. */
static const VarDecl *declaredBefore(const Stmt *block, const Stmt *stop, llvm::StringRef name)
{
    const VarDecl *found = nullptr;
    for (const Stmt *child : block->children()) {
        if (child == stop)
            break;
        if (const VarDecl *variable = declaredIn(child, name))
            found = variable;
    }
    return found;
}

const VarDecl *Structure::lookup(llvm::StringRef name, const FunctionDecl *function,
                                 const Stmt *place) const
{
    for (const Stmt *up = parent(place); up != nullptr; place = up, up = parent(up))
        if (isa<CompoundStmt, ForStmt>(up))
            if (const VarDecl *variable = declaredBefore(up, place, name))
                return variable;
    for (const ParmVarDecl *parameter : function->parameters())
        if (parameter->getName() == name)
            return parameter;
    const SourceManager &manager = context.getSourceManager();
    for (const NamedDecl *declaration :
         context.getTranslationUnitDecl()->lookup(DeclarationName(&context.Idents.get(name)))) {
        const auto *variable = dyn_cast<VarDecl>(declaration);
        if (variable != nullptr &&
            manager.isBeforeInTranslationUnit(variable->getCanonicalDecl()->getLocation(),
                                              function->getLocation()))
            return variable;
    }
    return nullptr;
}

std::string Structure::textOf(const VarDecl *variable, const FunctionDecl *function,
                              const Stmt *place, bool *copy) const
{
    if (copy != nullptr)
        *copy = false;
    if (!members.contains(variable))
        return visible(variable, function, place) ? variable->getNameAsString() : "";
    std::optional<MemberText> text = members.text(
        variable, [&](const VarDecl *named) { return visible(named, function, place); });
    if (copy != nullptr)
        *copy = text && text->copy;
    return text ? text->text : "";
}

bool Structure::visible(const VarDecl *variable, const FunctionDecl *function,
                        const Stmt *place) const
{
    if (members.contains(variable))
        return !textOf(variable, function, place).empty();
    const VarDecl *seen = lookup(variable->getName(), function, place);
    return seen != nullptr && seen->getCanonicalDecl() == variable->getCanonicalDecl();
}

bool Structure::alive(const VarDecl *variable, const FunctionDecl *function,
                      const Stmt *place) const
{
    if (members.contains(variable))
        return visible(variable, function, place);
    if (!variable->isLocalVarDeclOrParm())
        return true;
    if (isa<ParmVarDecl>(variable))
        return variable->getDeclContext() == function;
    auto declaration = declarations.find(variable);
    if (declaration == declarations.end())
        return false;
    const Stmt *scope = parent(declaration->second);
    if (scope == nullptr || !encloses(scope, place))
        return false;
    const SourceManager &manager = context.getSourceManager();
    return manager.isBeforeInTranslationUnit(declaration->second->getBeginLoc(),
                                             place->getBeginLoc());
}

const FunctionDecl *Structure::functionOf(const Stmt *statement) const
{
    for (const FunctionDecl *function : functions)
        if (encloses(function->getBody(), statement))
            return function;
    return nullptr;
}

std::vector<const Stmt *> Structure::around(const Stmt *place) const
{
    std::vector<const Stmt *> found;
    for (const Stmt *up = parent(place); up != nullptr; up = parent(up))
        if (isLoop(up) || isa<IfStmt>(up))
            found.insert(found.begin(), up);
    return found;
}

const Stmt *Structure::loopAround(const Stmt *place) const
{
    for (const Stmt *up : around(place))
        if (isLoop(up))
            return up;
    return nullptr;
}

static void addHead(const Stmt *loop, std::vector<const Stmt *> &found)
{
    const auto *counted = dyn_cast<ForStmt>(loop);
    const Stmt *condition = conditionIn(loop);
    for (const Stmt *part :
         {condition, counted ? static_cast<const Stmt *>(counted->getInc()) : nullptr})
        if (part != nullptr)
            found.push_back(part);
}

/* What an if does where it does not do BRANCH; or null. */
static const Stmt *otherBranch(const Stmt *statement, const Stmt *branch)
{
    const auto *choice = dyn_cast<IfStmt>(statement);
    if (choice == nullptr || (branch != choice->getThen() && branch != choice->getElse()))
        return nullptr;
    return branch == choice->getThen() ? choice->getElse() : choice->getThen();
}

static bool isForEnd(const CallExpr *call)
{
    const FunctionDecl *callee = call->getDirectCallee();
    return callee != nullptr && callee->getIdentifier() != nullptr && call->getNumArgs() > 0 &&
           has(callee->getName(), Trait::ForEnd);
}

static bool namesAnyForEnd(ASTContext &context)
{
    const std::vector<llvm::StringRef> names = namesWith(Trait::ForEnd);
    return llvm::any_of(names, [&](llvm::StringRef name) {
        for (const NamedDecl *one :
             context.getTranslationUnitDecl()->lookup(DeclarationName(&context.Idents.get(name))))
            if (one->isReferenced())
                return true;
        return false;
    });
}

/* The function that EXPRESSION, or what it is the address of, names; or null. */
static const FunctionDecl *functionIn(const Stmt *expression)
{
    const auto *value = dyn_cast<Expr>(expression);
    const auto *address = value ? dyn_cast<UnaryOperator>(value->IgnoreParenCasts()) : nullptr;
    const Expr *bare = address ? address->getSubExpr() : value;
    const auto *name = bare ? dyn_cast<DeclRefExpr>(bare->IgnoreParenCasts()) : nullptr;
    const auto *function = name != nullptr ? dyn_cast<FunctionDecl>(name->getDecl()) : nullptr;
    return function != nullptr ? function->getCanonicalDecl() : nullptr;
}

/* Of FUNCTIONS those that run when the program ends. One that is given by a pointer may be any
 * whose address is taken, of its type. */
static std::vector<const FunctionDecl *>
functionsAtEnd(ASTContext &context, const std::vector<const FunctionDecl *> &functions)
{
    std::set<const FunctionDecl *> given, taken;
    std::set<const Stmt *> called;
    std::set<const Type *> types;
    const bool any = namesAnyForEnd(context);
    for (const FunctionDecl *function : functions)
        eachWithin(any ? function->getBody() : nullptr, [&](const Stmt *one) {
            const auto *call = dyn_cast<CallExpr>(one);
            if (call != nullptr)
                called.insert(call->getCallee()->IgnoreParenImpCasts());
            else if (isa<DeclRefExpr>(one) && !called.count(one))
                taken.insert(functionIn(one));
            if (call == nullptr || !isForEnd(call))
                return;
            for (const Expr *argument : call->arguments())
                if (const FunctionDecl *named = functionIn(argument))
                    given.insert(named);
                else if (const QualType type = argument->IgnoreParenCasts()->getType();
                         type->isFunctionPointerType())
                    types.insert(type->getPointeeType().getCanonicalType().getTypePtr());
        });
    std::vector<const FunctionDecl *> found;
    for (const FunctionDecl *function : functions) {
        const FunctionDecl *first = function->getCanonicalDecl();
        const Type *type = function->getType().getCanonicalType().getTypePtr();
        if (given.count(first) || function->hasAttr<DestructorAttr>() ||
            (taken.count(first) && types.count(type)))
            found.push_back(function);
    }
    return found;
}

static bool isMainBody(const Stmt *body, const std::vector<const FunctionDecl *> &functions)
{
    return llvm::any_of(functions, [&](const FunctionDecl *function) {
        return function->isMain() && function->getBody() == body;
    });
}

std::vector<const Stmt *> Structure::following(const Stmt *place) const
{
    std::vector<const Stmt *> found, before;
    for (const Stmt *up = parent(place); up != nullptr; place = up, up = parent(up)) {
        if (isLoop(up)) {
            addHead(up, found);
            found.insert(found.end(), before.begin(), before.end());
            before.clear();
        }
        if (const Stmt *other = otherBranch(up, place))
            before.push_back(other); /* another time around */
        if (!isa<CompoundStmt>(up))
            continue;
        std::vector<const Stmt *> ahead;
        bool after = false;
        for (const Stmt *child : up->children()) {
            if (child != place)
                (after ? found : ahead).push_back(child);
            after = after || child == place;
        }
        before.insert(before.begin(), ahead.begin(), ahead.end());
    }
    if (isMainBody(place, functions))
        for (const FunctionDecl *function : functionsAtEnd(context, functions))
            found.push_back(function->getBody());
    return found;
}

std::vector<const Stmt *> Structure::preceding(const Stmt *place) const
{
    std::vector<const Stmt *> found;
    for (const Stmt *up = parent(place); up != nullptr; place = up, up = parent(up)) {
        if (!isa<CompoundStmt>(up))
            continue;
        std::vector<const Stmt *> before;
        for (const Stmt *child : up->children()) {
            if (child == place)
                break;
            before.push_back(child);
        }
        found.insert(found.begin(), before.begin(), before.end());
    }
    return found;
}

} // namespace xmpi
