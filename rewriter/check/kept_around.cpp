/* SPDX-License-Identifier: BSD-3-Clause
 * A process that is woken goes on in the adaptive loop where it has left it, in an earlier turn of
 * the loops around; one that is new runs what these do before it once. So what they set, before the
 * adaptive loop or behind it, is right in both only where it is registered, a value that travels,
 * or run again as setup. The check of a change compares iterations of the adaptive loop and sees
 * nothing of this. */
#include "check/kept_around.h"
#include "facts/first_use.h"
#include "facts/pointer_targets.h"

namespace xmpi
{

using namespace clang;

namespace
{

class KeptAround
{
  public:
    explicit KeptAround(Analysis &analysis) : analysis(analysis)
    {
    }

    bool check()
    {
        collect();
        for (const Stmt *statement : again)
            for (const Write &write : analysis.finder.withCallees(statement).writes)
                if (!checkWrite(write))
                    return false;
        return true;
    }

  private:
    Analysis &analysis;
    std::optional<PointerTargets> targets;
    std::vector<const Stmt *> again; /* what loops around do beside the adaptive one */
    std::vector<const Stmt *> rest;  /* what runs once a process has joined */
    std::set<std::pair<const VarDecl *, bool>> judged;

    void collect()
    {
        rest.push_back(analysis.loop);
        for (size_t step = analysis.path.size(); step-- > 0;)
            for (const Stmt *statement : analysis.structure.following(analysis.path[step].anchor)) {
                rest.push_back(statement);
                if (analysis.runsAgain(step, statement))
                    again.push_back(statement);
            }
    }

    const PointerTargets &whereTo()
    {
        if (!targets)
            targets.emplace(analysis);
        return *targets;
    }

    bool checkWrite(const Write &write)
    {
        const VarDecl *base = write.place.base->getCanonicalDecl();
        if (write.call != nullptr && calleeName(write.call) == "free")
            return true;
        if (!(write.place.element || write.place.behind) || !base->getType()->isPointerType())
            return checkVariable(base, write.where, false);
        if (analysis.isData(base))
            return true;
        const std::optional<PointerTargets::Targets> found = whereTo().of(base);
        if (!found)
            return checkUnknown(base, write.where);
        return llvm::all_of(*found, [&](const VarDecl *target) {
            return checkVariable(target, write.where, target->getType()->isPointerType());
        });
    }

    /* Nobody knows what is changed behind POINTER: it may be what iterations find again. */
    bool checkUnknown(const VarDecl *pointer, SourceLocation where)
    {
        if (!judged.insert({pointer, true}).second || isKnown(pointer))
            return true;
        return analysis.diagnostics.report(where, Problem::ChangedAround, {pointer->getName()});
    }

    /* MEMORY: what the pointer VARIABLE has is changed, not where it leads. */
    bool checkVariable(const VarDecl *variable, SourceLocation where, bool memory)
    {
        variable = variable->getCanonicalDecl();
        const std::vector<const VarDecl *> inside = analysis.members.inside(variable);
        if (!memory && variable->getType()->isRecordType() && !inside.empty())
            return llvm::all_of(
                inside, [&](const VarDecl *member) { return checkVariable(member, where, false); });
        if (!judged.insert({variable, memory}).second || isPlainValue(variable->getType()) ||
            isKnown(variable) || !outlivesTurn(variable) || (!memory && isSameInTurns(variable)) ||
            !readsBeforeSetting(analysis, rest, variable, nullptr))
            return true;
        return analysis.diagnostics.report(where, Problem::ChangedAround, {variable->getName()});
    }

    /* It is right after a change, or of no process alone. */
    bool isKnown(const VarDecl *variable) const
    {
        const Place place = Place::of(variable);
        const bool travels = llvm::any_of(analysis.livePlaces, [&](const auto &known) {
            return known.second.base->getCanonicalDecl() == variable &&
                   known.second.field == nullptr;
        });
        return travels || analysis.isData(variable) || analysis.rangeAt(place) != nullptr ||
               analysis.isSetup(place) || analysis.rootOnly.count(variable) != 0 ||
               analysis.renewed.count({variable, nullptr}) != 0 ||
               isScratchHandle(variable->getType()) || analysis.members.isShared(variable) ||
               analysis.context.getSourceManager().isInSystemHeader(variable->getLocation());
    }

    /* (Static variables of functions are looked at by themselves.) */
    bool outlivesTurn(const VarDecl *variable) const
    {
        if (analysis.members.contains(variable)) {
            variable = analysis.members.owner(variable);
            if (variable == nullptr)
                return true; /* on the heap */
        }
        if (!variable->hasLocalStorage())
            return !variable->isStaticLocal();
        return llvm::any_of(analysis.path, [&](const Step &step) {
            return variable->getDeclContext() == step.function &&
                   analysis.structure.alive(variable, step.function, step.anchor);
        });
    }

    /* The file only ever lets POINTER lead to the same place, or to memory that is made for it. */
    bool isSameInTurns(const VarDecl *pointer)
    {
        std::set<std::string> places;
        const VarDecl *owner =
            analysis.members.contains(pointer) ? analysis.members.owner(pointer) : nullptr;
        bool same = addPlace(owner ? owner->getInit() : pointer->getInit(), places);
        for (const FunctionDecl *function : analysis.structure.functions)
            for (const Write &write : EffectsFinder().of(function->getBody()).writes)
                if (write.place.base->getCanonicalDecl() == pointer && !write.place.element &&
                    !write.place.behind && write.how != Write::How::Declared)
                    same = same && write.value != nullptr && addPlace(write.value, places);
        return same && places.size() <= 1;
    }

    /* False: VALUE (null: none) may be another one in another turn. */
    bool addPlace(const Expr *value, std::set<std::string> &places)
    {
        const Expr *bare = value ? value->IgnoreParenCasts() : nullptr;
        if (bare == nullptr ||
            bare->isNullPointerConstant(analysis.context, Expr::NPC_ValueDependentIsNull))
            return true;
        if (isa<CallExpr>(bare)) {
            const std::optional<PointerTargets::Targets> found = whereTo().of(bare);
            return found && found->empty();
        }
        if (const Expr *target = addressedBy(bare))
            bare = target->IgnoreParens();
        const auto *list = dyn_cast<InitListExpr>(bare);
        places.insert(analysis.source.spelled(value));
        return isa<DeclRefExpr, StringLiteral>(bare) ||
               (list != nullptr && list->isConstantInitializer(analysis.context, false));
    }
};

} // namespace

bool checkKeptAround(Analysis &analysis)
{
    return KeptAround(analysis).check();
}

} // namespace xmpi
