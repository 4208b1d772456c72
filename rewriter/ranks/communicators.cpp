/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators of some of the processes: who is in them follows the layout, and so does what comes
 * of calls among these. */
#include "compat.h"
#include "ranks/rank_values.h"
#include "check/safety.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include <algorithm>
#include <clang/Lex/Lexer.h>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

bool RankValues::isOwnWorld(const Stmt *expression) const
{
    const auto *cast = dyn_cast<CStyleCastExpr>(expression);
    const SourceManager &manager = analysis.context.getSourceManager();
    for (SourceLocation at = cast != nullptr ? cast->getBeginLoc() : SourceLocation();
         at.isMacroID(); at = manager.getImmediateMacroCallerLoc(at))
        if (Lexer::getImmediateMacroName(at, manager, analysis.context.getLangOpts()) ==
            "MPI_COMM_SELF")
            return true;
    return false;
}

static bool isCommunicator(QualType type)
{
    const auto *name = type->getAs<TypedefType>();
    return name != nullptr && name->getDecl()->getName() == "MPI_Comm";
}

bool RankValues::makesCommunicator(const CallExpr *call)
{
    static const char *const kinds[] = {"Comm_split", "Comm_create",  "Comm_dup",
                                        "Comm_idup",  "Cart_create",  "Cart_sub",
                                        "Intercomm_", "Graph_create", "Dist_graph_create"};
    const llvm::StringRef name = calleeName(call);
    return isMpiCall(call) &&
           std::any_of(std::begin(kinds), std::end(kinds), [&](const char *kind) {
               return startsWith(name, "MPI_" + std::string(kind)) && call->getNumArgs() > 1;
           });
}

/* All of the first communicator are in the one that CALL makes of it: a colour that all have the
 * same parts nobody. */
static bool takesAll(llvm::StringRef name, const std::vector<Form> &arguments)
{
    return startsWith(name, "MPI_Comm_dup") || startsWith(name, "MPI_Comm_idup") ||
           name == "MPI_Cart_create" || name == "MPI_Graph_create" ||
           startsWith(name, "MPI_Dist_graph_create") ||
           (name == "MPI_Comm_split" && arguments.size() > 1 && arguments[1].isUniform());
}

Form RankValues::communicatorForm(const CallExpr *call, const std::vector<Form> &arguments) const
{
    const llvm::StringRef name = calleeName(call);
    const bool all = takesAll(name, arguments) && !isAmongSome(call, arguments);
    return all ? Form::of(Kind::Row) : Form::of(Kind::Local, name.str(), call->getExprLoc());
}

/* CALL is made among the processes of a communicator that does not have all of them. */
bool RankValues::isAmongSome(const CallExpr *call, const std::vector<Form> &arguments) const
{
    const FunctionDecl *callee = call->getDirectCallee();
    for (unsigned i = 0; isMpiCall(call) && i < arguments.size(); i++)
        if (callee != nullptr && i < callee->getNumParams() &&
            isCommunicator(callee->getParamDecl(i)->getType()) && arguments[i].isLocal() &&
            !spansWorld(analysis, call->getArg(i)))
            return true;
    return false;
}

} // namespace xmpi
