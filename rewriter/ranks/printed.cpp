/* SPDX-License-Identifier: BSD-3-Clause
 * What is printed and written of the blocks: some of their rows, by their places, or what each
 * comes to. Who has which rows may be told, as ranks and counts may, but not what they come to all
 * together; what is in rows then depends on that. */
#include "compat.h"
#include "flow/other_files.h"
#include "ranks/rank_values.h"
#include "library/library.h"
#include "source/variable.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

/* CALL puts out what it is given, not as messages for people beside the results. */
static bool putsOut(const Source &source, const CallExpr *call)
{
    static const char *const words[] = {"print", "put", "write"};
    const llvm::StringRef name = calleeName(call);
    const Deed deed = deedOf(call);
    const bool given = deed == Deed::Stream || deed == Deed::Descriptor || deed == Deed::File;
    const bool puts = std::any_of(std::begin(words), std::end(words),
                                  [&](const char *word) { return name.contains(word); });
    return puts && name != "perror" && (deed == Deed::Prints || given) &&
           std::none_of(call->arg_begin(), call->arg_end(),
                        [&](const Expr *argument) { return source.spelled(argument) == "stderr"; });
}

/* CALL is about a file of rows: what is written there is looked at as rows are. */
static bool isOfRowFile(const Analysis &analysis, const CallExpr *call)
{
    return std::any_of(call->arg_begin(), call->arg_end(), [&](const Expr *argument) {
        const VarDecl *variable = variableIn(argument);
        return variable != nullptr && analysis.isRowFile(variable);
    });
}

/* VALUE, which follows the layout, is certainly of the blocks: an element by its place in one, or
 * what no reduction puts together. (Of others it is only not known whether they are.) */
static bool isCertain(const Form &value)
{
    if (value.follows(Form::Own) || value.follows(Form::First))
        return true;
    return value.gathered != 0 ? (value.gathered & Form::Picked) == 0
                               : value.follows(Form::Count) || value.isOfPiece() || value.strided;
}

/* VALUE is what a reduction has made of ranks, counts or places in the blocks of all processes:
 * that tells of no one's layout any more. */
static bool isMadeOfLayout(const Form &value)
{
    const bool told =
        value.terms != 0 || (value.gathered & (Form::Otherwise | Form::Neighbours)) != 0;
    return value.agreed && value.kind == Kind::Local && told && !value.data && !value.counted;
}

/* VALUE, or whether it is put out, follows where the blocks begin and end. */
bool RankValues::isOfBlocks(const Form &value) const
{
    Guards around;
    for (const Form &condition : conditions)
        if (!condition.each) /* one process after another */
            around.add(condition);
    const Kind kind = value.judged();
    const bool told = around.ends && (around.told & (Form::Verdict | Form::Chosen)) == 0;
    const bool passed = value.message || value.before || !value.scanned.empty();
    if (kind == Kind::Local || kind == Kind::Block)
        return isCertain(value) && !passed;
    if (kind == Kind::Ends)
        return value.isChosen() || (value.ends & Form::Verdict) != 0;
    if (kind == Kind::Edge)
        return !told && !value.before;
    if (kind != Kind::Row || rowLoops.empty())
        return false;
    const bool edge = around.edge && !around.ends;
    return rowLoops.back().some || around.local || edge || (around.ends && !around.edge && !told);
}

/* The call of a function of another file whose result VALUE, a variable, may be; or null. */
static const CallExpr *unseenMaker(const Analysis &analysis, const Expr *value)
{
    const auto *name = dyn_cast<DeclRefExpr>(value);
    auto made = [&](const Effects &effects) -> const CallExpr * {
        for (const Write &write : effects.writes) {
            const auto *call =
                write.value ? dyn_cast<CallExpr>(write.value->IgnoreParenCasts()) : nullptr;
            if (call != nullptr && write.place.base == name->getDecl() && isUnseen(analysis, call))
                return call;
        }
        return nullptr;
    };
    const CallExpr *found = name != nullptr ? made(analysis.inLoop) : nullptr;
    for (size_t i = 0; name != nullptr && found == nullptr && i < analysis.after.size(); i++)
        found = made(analysis.after[i]);
    return found;
}

/* CALL is given a communicator: it may well put together what all processes have. */
static bool isGivenWorld(const CallExpr *call)
{
    return std::any_of(call->arg_begin(), call->arg_end(), [](const Expr *argument) {
        const auto *type = argument->IgnoreParenImpCasts()->getType()->getAs<TypedefType>();
        return type != nullptr && type->getDecl()->getName() == "MPI_Comm";
    });
}

/* VALUE is made of an index that counts own rows from the begin of the block. */
static bool isPlaceInBlock(const Form &value)
{
    return value.isLocal() && value.follows(Form::Own) && !value.agreed;
}

bool RankValues::notePutOut(const Expr *expression, const Form &value, bool ofProcess)
{
    const bool told = isMadeOfLayout(value) || (value.data && isOfBlocks(value)) ||
                      (!ofProcess && isPlaceInBlock(value));
    const CallExpr *maker = told ? unseenMaker(analysis, expression) : nullptr;
    if (!told || (maker != nullptr && isGivenWorld(maker)))
        return false; /* or nobody knows */
    const std::string what = analysis.source.spelled(expression);
    const bool same = value.cause.empty() || value.cause == what;
    printed.push_back(
        {Problem::PrintedValue, expression->getExprLoc(), what,
         same ? "" : " (through '" + value.cause + "')",
         maker == nullptr
             ? ""
             : "; where '" + calleeName(maker).str() +
                   "', of another file, makes it of the rows of all processes, declare '" + what +
                   "' before the loop and say so there: '#pragma xmpi data replicated(" + what +
                   ")'"});
    return true;
}

void RankValues::notePrinted(const CallExpr *call, const std::vector<Form> &arguments)
{
    if (!watched || !inLoop || isOfRowFile(analysis, call) ||
        !(putsOut(analysis.source, call) || deedOf(call) == Deed::Exits))
        return;
    const bool ofProcess = std::any_of(arguments.begin(), arguments.end(),
                                       [](const Form &form) { return form.isOfRanks(); });
    for (unsigned i = 0; i < arguments.size(); i++) {
        const Expr *argument = call->getArg(i)->IgnoreParenCasts();
        const QualType type = argument->getType();
        const bool leads = type->isPointerType() || type->isArrayType();
        if (notePutOut(argument, leads ? contentOf(argument) : arguments[i], ofProcess))
            return;
    }
}

void RankValues::noteStatus(const ReturnStmt *back, const Form &value)
{
    const FunctionDecl *main = analysis.path.front().function;
    const SourceRange &body = main->getSourceRange();
    const bool own = main->isMain() && body.fullyContains(back->getSourceRange());
    if (watched && inLoop && own && back->getRetValue() != nullptr)
        notePutOut(back->getRetValue()->IgnoreParenCasts(), value, true);
}

} // namespace xmpi
