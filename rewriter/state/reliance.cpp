/* SPDX-License-Identifier: BSD-3-Clause
 * Goes from the loop through the functions of its file. */
#include "state/reliance.h"
#include "compat.h"
#include "facts/effects.h"
#include "library/library.h"
#include "library/numbers.h"
#include "cells/passing.h"
#include "source/loops.h"
#include "source/within.h"
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <map>
#include <set>

namespace xmpi
{

using namespace clang;

namespace
{

std::string placeOf(const FunctionDecl *function, SourceLocation where)
{
    const SourceManager &manager = function->getASTContext().getSourceManager();
    const PresumedLoc place = manager.getPresumedLoc(manager.getExpansionLoc(where));
    if (place.isInvalid())
        return "?";
    return std::string(place.getFilename()) + ":" + std::to_string(place.getLine());
}

/* The outermost loop in STATEMENT that LOOP is, or is in. */
const Stmt *outermost(const Stmt *statement, const Stmt *loop)
{
    if (statement == nullptr || statement == loop)
        return statement;
    if (isLoop(statement) && holds(statement, loop))
        return statement;
    for (const Stmt *child : statement->children())
        if (holds(child, loop))
            return outermost(child, loop);
    return loop;
}

/* All variables that outlive calls and are named in CLAUSE, with blanks in front. */
std::string variablesIn(const Stmt *clause)
{
    std::set<std::string> names;
    for (const Stmt *part : partsOf(clause))
        if (const VarDecl *variable = variableAt(part))
            if (variable->hasGlobalStorage())
                names.insert(variable->getNameAsString());
    std::string text;
    for (const std::string &name : names)
        text += " " + name;
    return text;
}

} // namespace

std::vector<Reliance> relianceOf(const FunctionDecl *function, const Stmt *loop, const Stmt *clause)
{
    std::map<std::string, Reliance> all;
    std::set<const FunctionDecl *> seen;
    std::vector<const Stmt *> open = {outermost(function->getBody(), loop)};
    while (!open.empty()) {
        const std::vector<const Stmt *> parts = partsOf(open.back());
        open.pop_back();
        for (const Stmt *part : parts) {
            const auto *name = dyn_cast<DeclRefExpr>(part);
            const auto *callee = name ? dyn_cast<FunctionDecl>(name->getDecl()) : nullptr;
            const FunctionDecl *own = callee ? callee->getDefinition() : nullptr;
            if (own != nullptr && seen.insert(own).second)
                open.push_back(own->getBody());
            if (callee != nullptr && makesNumbers(callee))
                all.emplace(callee->getNameAsString(),
                            Reliance{placeOf(function, name->getExprLoc()),
                                     callee->getNameAsString(), libraryMark});
            if (callee == nullptr || !isForeign(callee) ||
                startsWith(callee->getName(), "xmpi_gen_") ||
                deedOf(callee->getName()) != Deed::Unknown)
                continue;
            all.emplace(callee->getNameAsString(),
                        Reliance{placeOf(function, name->getExprLoc()), callee->getNameAsString(),
                                 stateMark + variablesIn(clause)});
        }
    }
    std::vector<Reliance> list;
    for (const auto &[name, one] : all)
        list.push_back(one);
    return list;
}

} // namespace xmpi
