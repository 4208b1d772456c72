/* SPDX-License-Identifier: BSD-3-Clause
 * What a program that starts over reads from files and draws at random before the loop: the same in
 * every layout where all ranks do so alike, or one at an end of the world alone, with arguments
 * that do not follow the layout. */
#include "check/safety.h"
#include "handles/streams.h"
#include "compat.h"
#include "ranks/rank_expressions.h"
#include "library/library.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

bool isOfFile(Deed deed)
{
    return deed == Deed::Stream || deed == Deed::Descriptor || deed == Deed::File;
}

bool opens(llvm::StringRef name)
{
    name.consume_front("P");
    return name == "MPI_File_open" || name == "fopen" || name == "fopen64" || name == "open" ||
           name == "open64";
}

/* Of such a call: who is first gets what comes first. */
bool isShared(llvm::StringRef name)
{
    return name.contains("_shared") || name.contains("_ordered");
}

/* The variable that has the file of CALL: a stream, a descriptor, a handle of MPI. */
const VarDecl *holderOf(const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    if (name.contains("MPI_File_open") && call->getNumArgs() == 5)
        if (std::optional<Place> place = placeOf(call->getArg(4)))
            return place->field == nullptr ? place->base->getCanonicalDecl() : nullptr;
    for (const Expr *argument : call->arguments()) {
        const auto *named = dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts());
        const QualType type = argument->IgnoreParenCasts()->getType();
        const auto *variable = named ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
        const bool first = argument == call->getArg(0) && type->isIntegerType();
        if (first || isStream(type) || isMpiCall(call))
            return variable != nullptr ? variable->getCanonicalDecl() : nullptr;
    }
    return nullptr;
}

/* It prints, or is done with its file. */
bool isForPeople(const Analysis &analysis, const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    return name == "fclose" || name == "close" || name.contains("MPI_File_close") ||
           std::any_of(call->arg_begin(), call->arg_end(), [&](const Expr *argument) {
               return isStream(argument->getType()) && isStandardStream(analysis, argument);
           });
}

/* What goes on in an unknown way; else the end of the world, Form::AtFirst or Form::AtLast, at
 * which one rank has gone on alone, or 0: all ranks alike. */
enum : unsigned { Unknown = ~0u };

/* Who runs what stands under conditions. */
class Passing
{
  public:
    void add(const Form &condition)
    {
        if (condition.isUniform() && !condition.each && !condition.agreed && !condition.counted)
            return;
        const bool end = !condition.isAffine() && condition.kind == Form::Kind::Ends;
        other = other || !end;
        exact = exact || (end && !condition.others);
        ends |= end ? condition.ends & (Form::AtFirst | Form::AtLast) : 0;
    }
    unsigned who() const
    {
        const bool one = exact && (ends == Form::AtFirst || ends == Form::AtLast);
        return other || (ends != 0 && !one) ? Unknown : ends;
    }

  private:
    bool other = false, exact = false;
    unsigned ends = 0;
};

} // namespace

/* WRITE puts into a variable what such a call has opened, or nothing. */
static bool isOpening(const ASTContext &context, const Write &write)
{
    const Expr *value = write.value != nullptr ? write.value->IgnoreParenCasts() : nullptr;
    const auto *call = write.call != nullptr ? write.call : dyn_cast_or_null<CallExpr>(value);
    if (call != nullptr)
        return opens(calleeName(call)) || startsWith(calleeName(call), "MPI_File_");
    return value == nullptr ||
           value->isNullPointerConstant(const_cast<ASTContext &>(context),
                                        Expr::NPC_ValueDependentIsNull) != Expr::NPCK_NotNull;
}

/* VARIABLE only ever has what such calls have opened, and no other variable has that. */
bool RankExpressions::hasFilesOfItsOwn(const VarDecl *variable) const
{
    if (isa<ParmVarDecl>(variable) || variable->hasExternalFormalLinkage())
        return false;
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const Write &write : analysis.finder.of(function->getBody()).writes) {
            const std::optional<Place> from =
                write.value != nullptr ? placeOf(write.value->IgnoreParenCasts()) : std::nullopt;
            const bool own =
                write.place.base->getCanonicalDecl() == variable && !write.place.behind;
            if ((from && from->base->getCanonicalDecl() == variable) ||
                (own && !isOpening(analysis.context, write)))
                return false;
        }
    return true;
}

/* The variable that has what CALL opens; null: not known. */
const VarDecl *RankExpressions::openedBy(const CallExpr *call) const
{
    if (isMpiCall(call))
        return holderOf(call);
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const Write &write : analysis.finder.of(function->getBody()).writes)
            if (write.value != nullptr && write.value->IgnoreParenCasts() == call &&
                write.place.field == nullptr && !write.place.behind)
                return write.place.base->getCanonicalDecl();
    return nullptr;
}

/* Whether what has gone on as STOOD goes on here in a known way; how then. */
bool RankExpressions::standsAlike(unsigned &stood) const
{
    Passing passing;
    for (const Form &condition : conditions)
        passing.add(condition);
    for (const Form &condition : !loops.empty() ? loops.back().left : functions.back().left)
        passing.add(condition);
    const unsigned who = passing.who();
    const bool known = who != Unknown && following == 0 && (who != 0 || !isApart());
    const bool alike = known && (stood == 0 || stood == who);
    stood = alike ? who : Unknown;
    return alike;
}

void RankExpressions::noteDrawn(const CallExpr *call)
{
    if (inLoop)
        return;
    goings++;
    if (!standsAlike(drawnBy) && drawnApart == nullptr)
        drawnApart = call;
}

/* A loop ends by CONDITION behind its body, in which something may have gone on. */
void RankExpressions::endRepeated(const Form &condition, int before)
{
    if (inLoop || condition.isUniform() || goings == before)
        return;
    drawnBy = Unknown;
    standing[nullptr] = Unknown;
}

bool RankExpressions::reads(const CallExpr *call) const
{
    return !inLoop && analysis.startsOver && cause == Cause::Rank && isOfFile(deedOf(call)) &&
           !isForPeople(analysis, call);
}

/* Nothing of what CALL goes by follows the layout, but for what the one rank that makes it has. */
bool RankExpressions::readsAlike(const CallExpr *call, bool ranked,
                                 const std::vector<Form> &arguments)
{
    const VarDecl *holder = opens(calleeName(call)) ? openedBy(call) : holderOf(call);
    const bool own = holder != nullptr && hasFilesOfItsOwn(holder);
    unsigned stood = standing.count(nullptr) != 0 ? standing.at(nullptr) : 0;
    if (own && opens(calleeName(call)))
        standing.erase(holder); /* it is at its begin */
    for (const auto &[other, how] : standing)
        stood |= !own || other == holder ? how : 0;
    bool alike = standsAlike(stood);
    for (const Form &argument : arguments)
        if (!argument.isUniform() &&
            !(argument.kind == Form::Kind::Ends && !argument.isAffine() && stood != 0 &&
              (argument.ends & (Form::AtFirst | Form::AtLast)) == stood))
            alike = false;
    alike = alike && (stood != 0 || !ranked) && !isShared(calleeName(call));
    standing[own ? holder : nullptr] = alike ? stood : Unknown;
    return alike;
}

/* Of what CALL reads. */
Form RankExpressions::inputForm(const CallExpr *call, bool ranked,
                                const std::vector<Form> &arguments)
{
    goings++;
    if (readsAlike(call, ranked, arguments))
        return guarded(Form());
    elsewhere.insert(call);
    return Form::of(Form::Kind::Local, calleeName(call).str(), call->getExprLoc());
}

} // namespace xmpi
