/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at all that a stream is set to. */
#include "handles/streams.h"
#include "flow/root_guards.h"
#include "source/variable.h"

namespace xmpi
{

using namespace clang;

bool isStream(QualType type)
{
    const RecordDecl *record =
        type->isPointerType() ? type->getPointeeType()->getAsRecordDecl() : nullptr;
    return record != nullptr && (record->getName() == "_IO_FILE" || record->getName() == "__sFILE");
}

static bool isAlwaysStandard(const Analysis &analysis, const VarDecl *variable)
{
    if (variable->hasExternalFormalLinkage())
        return false;
    bool any = variable->hasInit() && isStandardStream(analysis, variable->getInit());
    if (variable->hasInit() && !any)
        return false;
    const auto *parameter = dyn_cast<ParmVarDecl>(variable);
    for (const FunctionDecl *function : analysis.structure.functions) {
        const Effects effects = EffectsFinder().of(function->getBody());
        for (const Write &write : effects.writes)
            if (write.place.base->getCanonicalDecl() == variable && !write.place.behind) {
                if (write.value == nullptr || !isStandardStream(analysis, write.value))
                    return false;
                any = true;
            }
        for (const CallExpr *call : effects.calls)
            if (const Expr *given = parameter ? argumentFor(call, parameter) : nullptr) {
                if (!isStandardStream(analysis, given))
                    return false;
                any = true;
            }
    }
    return any;
}

bool isStandardStream(const Analysis &analysis, const Expr *stream)
{
    const Expr *bare = stream->IgnoreParenCasts();
    if (const auto *choice = dyn_cast<ConditionalOperator>(bare))
        return isStandardStream(analysis, choice->getTrueExpr()) &&
               isStandardStream(analysis, choice->getFalseExpr());
    if (bare->isNullPointerConstant(analysis.context, Expr::NPC_ValueDependentIsNull))
        return true;
    const VarDecl *variable = variableAt(bare);
    if (variable == nullptr)
        return false;
    if (analysis.context.getSourceManager().isInSystemHeader(variable->getLocation()))
        return variable->getName() == "stdout" || variable->getName() == "stderr";
    return isAlwaysStandard(analysis, variable->getCanonicalDecl());
}

/* STREAM is null on all ranks but 0, where it is open. */
static bool isOfRoot(const Analysis &analysis, const Expr *stream, unsigned depth = 0)
{
    enum { MostHanded = 4 };
    const VarDecl *variable = variableIn(stream);
    if (variable == nullptr || depth > MostHanded)
        return stream->isNullPointerConstant(analysis.context, Expr::NPC_ValueDependentIsNull);
    if (analysis.rootOnly.count(variable) != 0)
        return true;
    const auto *parameter = dyn_cast<ParmVarDecl>(variable);
    const auto *function = parameter ? cast<FunctionDecl>(parameter->getDeclContext()) : nullptr;
    const auto calls = function != nullptr ? callsOf(analysis, function) : std::nullopt;
    return calls && !calls->empty() && llvm::all_of(*calls, [&](const CallExpr *call) {
               const Expr *given = argumentFor(call, parameter);
               return given != nullptr && isOfRoot(analysis, given, depth + 1);
           });
}

bool writesForRoot(Analysis &analysis, const CallExpr *call, const Expr *stream)
{
    static const std::set<llvm::StringRef> writing = {
        "fclose",         "fflush", "fprintf",         "fputc", "fputc_unlocked", "fputs",
        "fputs_unlocked", "fwrite", "fwrite_unlocked", "putc",  "putc_unlocked",  "vfprintf"};
    return writing.count(calleeName(call)) != 0 &&
           (RootGuards(analysis).isOnlyThere(call) || isOfRoot(analysis, stream));
}

bool opensForRoot(Analysis &analysis, const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    if ((name != "fopen" && name != "fopen64") || call->getNumArgs() != 2)
        return false;
    const auto *mode = dyn_cast<StringLiteral>(call->getArg(1)->IgnoreParenImpCasts());
    const llvm::StringRef how = mode != nullptr ? mode->getString() : "";
    return !how.empty() && (how[0] == 'w' || how[0] == 'a') && !how.contains('+') &&
           RootGuards(analysis).isOnlyThere(call);
}

} // namespace xmpi
