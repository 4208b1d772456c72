/* SPDX-License-Identifier: BSD-3-Clause
 * What happens to an array of the loop from where it is made to where it is used last. */
#include "arrays/array_facts.h"
#include "check/safety.h"
#include "facts/first_use.h"
#include "facts/storage.h"
#include "handles/streams.h"
#include "loop/unsteady.h"

namespace xmpi
{

using namespace clang;

ArrayFacts::ArrayFacts(Analysis &analysis, const Inference &inference)
    : uses(analysis), analysis(analysis), survey(*inference.survey)
{
    if (inference.division)
        own = std::make_unique<OwnRows>(analysis, survey, *inference.division, uses);
}

bool ArrayFacts::isCandidate(const VarDecl *variable) const
{
    return isCandidateAt(variable, analysis.loopStep());
}

bool ArrayFacts::isCandidateAt(const VarDecl *variable, const Step &step) const
{
    QualType type = variable->getType();
    QualType element = type->isPointerType() ? type->getPointeeType() : QualType();
    return !element.isNull() && element->isObjectType() && !element->isIncompleteType() &&
           !isStream(type) && !isHandle(type) && !analysis.requests.holds(variable) &&
           !(analysis.startsOver && isScratchHandle(element)) && /* none is open at the loop */
           !type.isConstQualified() && !analysis.isData(variable) &&
           analysis.rootOnly.count(variable->getCanonicalDecl()) == 0 && !isMarked(variable) &&
           !isMainParameter(analysis, variable) &&
           !analysis.context.getSourceManager().isInSystemHeader(variable->getLocation()) &&
           analysis.structure.alive(variable, step.function, step.anchor) &&
           analysis.structure.visible(variable, step.function, step.anchor);
}

/* Named in a data pragma, or assigned in a statement marked setup by the user. */
bool ArrayFacts::isMarked(const VarDecl *variable) const
{
    for (const auto &pragma : analysis.pragmas.list)
        for (const ArrayOperand &array : pragma->arrays)
            if (const auto *named = dyn_cast<DeclRefExpr>(array.variable.expression))
                if (named->getDecl()->getCanonicalDecl() == variable)
                    return true;
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes)
            if (item.kind == Class::Setup && !write.place.element &&
                write.place.base->getCanonicalDecl() == variable)
                return true;
    return false;
}

bool ArrayFacts::isResized(const VarDecl *variable) const
{
    return llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
        return callsOneOf(write.value, {"realloc"}) && !write.place.element &&
               uses.means(write.place.base, variable);
    });
}

bool ArrayFacts::isMadeByStart(const VarDecl *variable)
{
    return analysis.startsOver && isScratch(variable) && !isUsedAfter(variable) &&
           analysis.wanted.count(variable) == 0 && !isExchanged(variable);
}

bool ArrayFacts::isExchanged(const VarDecl *variable) const
{
    return uses.exchangedWith(variable).size() > 1;
}

bool ArrayFacts::isScratch(const VarDecl *variable)
{
    return setsBeforeReading(analysis, variable, nullptr, false);
}

bool ArrayFacts::isAccessed(const VarDecl *variable) const
{
    return llvm::any_of(uses.accesses,
                        [&](const Access &access) { return uses.touches(access, variable); });
}

bool ArrayFacts::isMadeInIteration(const VarDecl *variable)
{
    return isScratch(variable) && own->setsAllFirst(variable) && !isUsedAfter(variable) &&
           !isFilledInitially(variable) && variable->hasLocalStorage() &&
           variable->getDeclContext() == analysis.loopStep().function;
}

bool ArrayFacts::isFilledInitially(const VarDecl *variable) const
{
    return llvm::any_of(analysis.prologue, [&](const Item &item) {
        return isBeyondJoiners(analysis, item) &&
               llvm::any_of(item.effects.writes, [&](const Write &write) {
                   return write.place.element && isSame(write.place.base, variable);
               });
    });
}

bool ArrayFacts::isSameAsAny(const std::set<const VarDecl *> &others, const VarDecl *variable) const
{
    return llvm::any_of(others, [&](const VarDecl *other) { return isSame(other, variable); });
}

bool ArrayFacts::isSame(const VarDecl *other, const VarDecl *variable) const
{
    if (other->getCanonicalDecl() == variable->getCanonicalDecl())
        return true;
    const void *block = blockOf(survey, variable);
    return block != nullptr && blockOf(survey, other->getCanonicalDecl()) == block;
}

bool ArrayFacts::isReceived(const VarDecl *variable) const
{
    return !isUsedAfter(variable) && !isFilledInitially(variable) &&
           receivesBeforeReading(analysis, variable);
}

bool ArrayFacts::isUsedAfter(const VarDecl *variable) const
{
    for (const Effects &after : analysis.after)
        for (const Mention &mention : after.mentions)
            if (isSame(mention.place.base, variable) && !isFreedBehind(analysis, mention))
                return true;
    return false;
}

bool ArrayFacts::isSetBy(const Stmt *statement, const VarDecl *variable) const
{
    const Effects effects = analysis.finder.withCallees(statement);
    return llvm::any_of(effects.writes, [&](const Write &write) {
        return (write.place.element || write.place.behind) && isSame(write.place.base, variable) &&
               (write.call == nullptr || calleeName(write.call) != "free");
    });
}

/* What follows the loop OUTER reads VARIABLE. */
bool ArrayFacts::isReadBehind(const Stmt *outer, const VarDecl *variable) const
{
    for (const Step &step : analysis.path) {
        const bool around = analysis.structure.encloses(outer, step.anchor);
        for (const Stmt *statement : analysis.structure.following(around ? outer : step.anchor))
            for (const Mention &mention : analysis.finder.withCallees(statement).mentions)
                if (isSame(mention.place.base, variable) && !isFreedBehind(analysis, mention))
                    return true;
        if (around)
            return false;
    }
    return false;
}

bool ArrayFacts::isKeptAround(const VarDecl *variable) const
{
    for (size_t step = 0; step < analysis.path.size(); step++) {
        const Stmt *outer = analysis.structure.loopAround(analysis.path[step].anchor);
        if (outer == nullptr)
            continue;
        bool set = false;
        for (size_t inner = step; inner < analysis.path.size() && !set; inner++)
            for (const Stmt *statement : analysis.structure.following(analysis.path[inner].anchor))
                set = set || (analysis.runsAgain(inner, statement) && isSetBy(statement, variable));
        return set &&
               (keepsFromOneToNext(analysis, outer, variable) || isReadBehind(outer, variable));
    }
    return false;
}

bool ArrayFacts::isChanged(const VarDecl *variable) const
{
    return uses.isWritten(variable) || isKeptAround(variable) || isSetApart(variable);
}

bool ArrayFacts::isSetApart(const VarDecl *variable) const
{
    if (!analysis.startsOver || !analysis.framed)
        return false;
    const std::vector<const Stmt *> apart = statementsApart(analysis);
    return llvm::any_of(apart, [&](const Stmt *statement) { return isSetBy(statement, variable); });
}

} // namespace xmpi
