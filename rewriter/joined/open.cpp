/* SPDX-License-Identifier: BSD-3-Clause
 * Looks for what a file uses and does not define, and for main. */
#include "joined/open.h"
#include "compat.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

namespace xmpi
{
namespace
{

using namespace clang;

class Finder : public RecursiveASTVisitor<Finder>
{
  public:
    explicit Finder(const SourceManager &manager) : manager(manager)
    {
    }

    bool VisitDeclRefExpr(DeclRefExpr *reference)
    {
        const ValueDecl *value = reference->getDecl();
        found = found || (value->getIdentifier() != nullptr && value->hasExternalFormalLinkage() &&
                          !isDefined(value) && !isOfLibrary(value));
        return !found;
    }

    bool found = false;

  private:
    const SourceManager &manager;

    static bool isDefined(const ValueDecl *value)
    {
        if (const auto *function = dyn_cast<FunctionDecl>(value))
            return function->getDefinition() != nullptr || function->getBuiltinID() != 0;
        auto *variable = const_cast<VarDecl *>(dyn_cast<VarDecl>(value));
        return variable == nullptr || variable->getDefinition() != nullptr ||
               variable->getActingDefinition() != nullptr;
    }

    bool isOfLibrary(const ValueDecl *value) const
    {
        const llvm::StringRef name = value->getName();
        return startsWith(name, "MPI_") || startsWith(name, "PMPI_") || startsWith(name, "XMPI_") ||
               startsWith(name, "xmpi_gen_") || /* in a text that has points already */
               manager.isInSystemHeader(
                   manager.getExpansionLoc(value->getCanonicalDecl()->getLocation()));
    }
};

} // namespace

static bool hasMain(const ASTContext &context)
{
    const auto &all = context.getTranslationUnitDecl()->decls();
    return llvm::any_of(all, [](const Decl *declaration) {
        const auto *function = dyn_cast<FunctionDecl>(declaration);
        return function != nullptr && function->isMain() && function->hasBody();
    });
}

bool isPartOfProgram(ASTContext &context)
{
    Finder finder(context.getSourceManager());
    finder.TraverseDecl(context.getTranslationUnitDecl());
    return finder.found || !hasMain(context);
}

} // namespace xmpi
