/* SPDX-License-Identifier: BSD-3-Clause
 * Which constant of MPI's an expression is: the macro that its number stands in. */
#include "library/constants.h"
#include "compat.h"
#include "source/variable.h"
#include <clang/AST/ASTContext.h>
#include <clang/Lex/Lexer.h>

namespace xmpi
{

using namespace clang;

/* Macros from the number out: those of MPI's come before any of the program's that stands for one.
 */
static std::string macroOf(SourceLocation at, const ASTContext &context)
{
    const SourceManager &manager = context.getSourceManager();
    for (; at.isMacroID(); at = manager.getImmediateMacroCallerLoc(at)) {
        const llvm::StringRef name =
            Lexer::getImmediateMacroName(at, manager, context.getLangOpts());
        if (startsWith(name, "MPI_") || startsWith(name, "XMPI_"))
            return name.str();
    }
    return "";
}

std::string constantOfMpi(const Expr *expression, const ASTContext &context)
{
    const Expr *bare = expression->IgnoreParenCasts();
    const VarDecl *variable = variableAt(bare);
    if (variable != nullptr && variable->getType().isConstQualified() &&
        variable->getInit() != nullptr)
        return constantOfMpi(variable->getInit(), context);
    return isa<IntegerLiteral, UnaryOperator>(bare) ? macroOf(bare->getBeginLoc(), context) : "";
}

bool isInPlace(const Expr *argument, const ASTContext &context)
{
    return constantOfMpi(argument, context) == "MPI_IN_PLACE";
}

} // namespace xmpi
