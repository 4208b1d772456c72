/* SPDX-License-Identifier: BSD-3-Clause
 * What travels to joining processes, or stays with members, must be right for the layout to come.
 */
#include "check/travelling.h"
#include "facts/uses.h"
#include "report/advice.h"
#include "report/marks.h"

namespace xmpi
{

using namespace clang;

namespace
{

const char byLayout[] = "a condition, an index or a number of rows";

class Travelling
{
  public:
    Travelling(Analysis &analysis, const RankFlow &ranks) : analysis(analysis), ranks(ranks)
    {
    }

    bool check()
    {
        bool good = true;
        for (const auto &[name, variable] : analysis.liveVariables)
            for (const auto &[holder, where] : ranks.atEntry)
                if (holder.first == variable->getCanonicalDecl())
                    good = checkCarried(holder, where) && good;
        for (const auto &[holder, where] : ranks.atEntry)
            good = good && checkBeside(holder, where);
        for (const auto &[holder, form] : ranks.agreed)
            good = good && checkAgreed(holder, form);
        return good;
    }

  private:
    Analysis &analysis;
    const RankFlow &ranks;
    std::optional<LoopUses> uses; /* once they have been asked for */

    bool refuse(SourceLocation where, const Place &place, llvm::StringRef cause,
                llvm::StringRef use, const Fix &fix = Fix())
    {
        return analysis.diagnostics.report(
            where, Problem::RankDependent,
            {place.text(), cause, use, followerAdvice(analysis, place)}, fix);
    }

    /* The loop looks at what the pointer VARIABLE leads to, or has others do so. */
    bool isTouched(const VarDecl *variable) const
    {
        auto isMeant = [&](const VarDecl *named) { return uses->means(named, variable); };
        if (llvm::any_of(uses->accesses,
                         [&](const Access &access) { return isMeant(access.variable); }))
            return true;
        for (const Stmt *body : uses->bodies)
            for (const CallExpr *call : analysis.finder.of(body).calls)
                if (analysis.finder.callees(call).empty())
                    for (const Mention &mention : analysis.finder.of(call).mentions)
                        if (isMeant(mention.place.base))
                            return true;
        return false;
    }

    /* (A pointer that is only handed on to functions of this file is none that the loop uses.) */
    bool isInLoop(const VarDecl *variable)
    {
        if (!uses)
            uses.emplace(analysis);
        if (variable->getType()->isPointerType() && !isTouched(variable))
            return false;
        return llvm::any_of(analysis.inLoop.mentions, [&](const Mention &mention) {
            return mention.place.base->getCanonicalDecl() == variable->getCanonicalDecl();
        });
    }

    /* The adaptive loop does not name HOLDER, and so nothing that is asked of the loop says what it
     * is: a static variable of a function, memory, an array. What stands behind the loop, or around
     * it, finds the values of the layout that was there. */
    bool checkBeside(const Holder &holder, SourceLocation where)
    {
        const auto &[variable, field] = holder;
        const Step &step = analysis.loopStep();
        const QualType type = field != nullptr ? field->getType() : variable->getType();
        const QualType element = type->isPointerType() ? type->getPointeeType()
                                                       : analysis.context.getBaseElementType(type);
        const Place place{variable, field, false, false, type};
        const bool alive = variable->hasGlobalStorage() ||
                           analysis.structure.alive(variable, step.function, step.anchor);
        SourceLocation used;
        const bool message = element->isCharType() && type->isArrayType();
        const std::string use =
            isAskedAfter(variable) ? "after the loop" : analysis.laterUse(place, used);
        if (isa<ParmVarDecl>(variable) || !alive || !element->isArithmeticType() || message ||
            isInLoop(variable) || analysis.isData(variable) ||
            analysis.rootOnly.count(variable->getCanonicalDecl()) != 0 ||
            analysis.equal.count(variable) != 0 || analysis.own.count(variable) != 0 ||
            analysis.rangeAt(place) != nullptr || analysis.isSetup(place) || use.empty())
            return true;
        return refuse(where, place, byLayout, use);
    }

    /* HOLDER is the same on all ranks, but another one in another layout. */
    bool checkAgreed(const Holder &holder, const Form &form)
    {
        const auto &[variable, field] = holder;
        const QualType type = field != nullptr ? field->getType() : variable->getType();
        const Place place{variable, field, false, false, type};
        SourceLocation used;
        const std::string use = analysis.laterUse(place, used);
        if (isa<ParmVarDecl>(variable) || use.empty() || analysis.rangeAt(place) != nullptr ||
            analysis.isSetup(place) || analysis.equal.count(variable) != 0 ||
            analysis.renewed.count({variable, field}) != 0 ||
            analysis.rootOnly.count(variable->getCanonicalDecl()) != 0)
            return true;
        return refuse(form.where.isValid() ? form.where : variable->getLocation(), place,
                      form.cause.empty() ? byLayout : "'" + form.cause + "'", use);
    }

    /* It is of a function that what follows the loop calls, or that one which it calls does. */
    bool isAskedAfter(const VarDecl *variable) const
    {
        const auto *function = dyn_cast<FunctionDecl>(variable->getDeclContext());
        if (!variable->isStaticLocal() || function == nullptr)
            return false;
        return llvm::any_of(analysis.after, [&](const Effects &after) {
            const std::vector<const FunctionDecl *> called = analysis.finder.reachable(after);
            return llvm::any_of(called, [&](const FunctionDecl *one) {
                return one->getCanonicalDecl() == function->getCanonicalDecl();
            });
        });
    }

    bool checkCarried(const Holder &holder, SourceLocation where)
    {
        const auto &[variable, field] = holder;
        Place place{variable, field, false, false, field ? field->getType() : variable->getType()};
        SourceLocation used;
        bool initial = llvm::any_of(analysis.prologue, [&](const Item &item) {
            return item.kind == Class::Initial && item.effects.changes(place);
        }); /* the layout's checks know of it */
        bool known = initial || analysis.rootOnly.count(variable->getCanonicalDecl()) != 0 ||
                     analysis.rangeAt(place) != nullptr || analysis.isSetup(place) ||
                     analysis.equal.count(variable) != 0 || analysis.isData(variable) ||
                     !isPlainValue(place.type) || (field == nullptr && place.type->isRecordType());
        if (known || analysis.laterUse(place, used).empty())
            return true;
        return refuse(where, place, byLayout, analysis.laterUse(place, used),
                      isCarriedOn(analysis, place) ? Fix()
                                                   : markAt(analysis, where, place, "setup"));
    }
};

} // namespace

bool checkTravelling(Analysis &analysis, const RankFlow &ranks)
{
    return Travelling(analysis, ranks).check();
}

} // namespace xmpi
