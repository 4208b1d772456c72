/* SPDX-License-Identifier: BSD-3-Clause
 * Tells files of one text apart. */
#include "state/sight.h"
#include <algorithm>
#include <clang/Basic/SourceManager.h>

namespace xmpi
{

using namespace clang;

/* Each file of several begins with a #line; without one, a text is a single file. */
std::string otherFile(const SourceManager &manager, SourceLocation place, SourceLocation at)
{
    place = manager.getExpansionLoc(place);
    if (place.isInvalid() || !manager.isInMainFile(place))
        return "";
    const PresumedLoc file = manager.getPresumedLoc(place),
                      here = manager.getPresumedLoc(manager.getExpansionLoc(at));
    if (file.isInvalid() || here.isInvalid() || file.getFilename() == manager.getFilename(place) ||
        llvm::StringRef(file.getFilename()) == here.getFilename())
        return "";
    return file.getFilename();
}

bool isDeclaredFor(const SourceManager &manager, const VarDecl *variable, SourceLocation at)
{
    const auto all = variable->redecls();
    return std::any_of(all.begin(), all.end(), [&](const VarDecl *one) {
        return manager.isBeforeInTranslationUnit(one->getLocation(), at) &&
               otherFile(manager, one->getLocation(), at).empty();
    });
}

/* Adds to ALL what is declared in STATEMENT and seen at PLACE; whether that is in it. */
static bool addSeen(const Stmt *statement, const Stmt *place, std::vector<const VarDecl *> &all)
{
    if (statement == place)
        return true;
    if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
        for (const Decl *one : declaration->decls())
            if (const auto *variable = dyn_cast<VarDecl>(one))
                all.push_back(variable);
        return false;
    }
    const size_t outside = all.size();
    for (const Stmt *child : statement->children())
        if (child != nullptr && addSeen(child, place, all))
            return true;
    all.resize(outside);
    return false;
}

std::set<const VarDecl *> seenAt(const FunctionDecl *function, const Stmt *place)
{
    std::vector<const VarDecl *> all(function->param_begin(), function->param_end());
    addSeen(function->getBody(), place, all);
    return {all.begin(), all.end()};
}

std::string whereDeclared(const SourceManager &manager, const VarDecl *variable, SourceLocation at)
{
    const std::string file = otherFile(manager, variable->getLocation(), at);
    const bool alone = variable->isFileVarDecl() && variable->getStorageClass() == SC_Static;
    return file.empty() ? "" : " of " + file + (alone ? " (without static)" : "");
}

} // namespace xmpi
