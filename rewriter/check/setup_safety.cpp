/* SPDX-License-Identifier: BSD-3-Clause
 * Refuses setup statements that come to something else when they are run again after a
 * reconfiguration, or that replace what it has delivered. */
#include "facts/pointer_targets.h"
#include "flow/derived.h"
#include "facts/first_use.h"
#include "check/safety.h"
#include "facts/uses.h"
#include "report/advice.h"

namespace xmpi
{

using namespace clang;

namespace
{

/* A function of another file of the program hands back what WRITE assigns. */
bool isFromOtherFile(const Analysis &analysis, const Write &write)
{
    const CallExpr *call = callIn(write.value);
    const FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr;
    return callee != nullptr && callee->getDefinition() == nullptr &&
           !analysis.context.getSourceManager().isInSystemHeader(callee->getLocation());
}

/* A statement that sets ASSIGNED is run again as that follows the rank, size or range, and no
 * function of another file may have made it the same on all ranks. */
bool isSetupByItself(const Analysis &analysis, const Place &assigned)
{
    return llvm::any_of(analysis.prologue, [&](const Item &item) {
        return item.kind == Class::Setup && item.pragma->inferred &&
               llvm::any_of(item.effects.writes, [&](const Write &write) {
                   return overlap(write.place, assigned) && !isFromOtherFile(analysis, write);
               });
    });
}

/* Points to the setup statement that sets ASSIGNED, and says what else could be meant. */
void noteSetup(Analysis &analysis, const Place &assigned)
{
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes) {
            if (item.kind != Class::Setup || !overlap(write.place, assigned))
                continue;
            analysis.diagnostics.note(write.where,
                                      "this is the statement that is run again" +
                                          std::string(item.pragma->inferred
                                                          ? ", as it depends on the rank, size or "
                                                            "range"
                                                          : ""));
            if (isFromOtherFile(analysis, write))
                analysis.diagnostics.note(
                    write.where, "where that function of another file makes it the same on all "
                                 "ranks, write '#pragma xmpi data replicated(" +
                                     assigned.text() + ")' after it");
            return;
        }
}

/* Rows are moved from one piece of memory to another. */
void noteFixed(Analysis &analysis, const Place &assigned)
{
    const auto *array = analysis.context.getAsConstantArrayType(assigned.type);
    if (array != nullptr && assigned.field == nullptr)
        analysis.diagnostics.note(
            assigned.base->getLocation(),
            "if it holds rows of the process, that is not seen in this array of fixed size: "
            "let a pointer lead to memory for them, from malloc(count * sizeof *" +
                assigned.base->getNameAsString() + ")");
}

/* A copy of a setup statement runs first in the body: it must not disturb what the loop carries. */
bool checkSetupChanges(Analysis &analysis)
{
    bool good = true;
    std::set<std::pair<const VarDecl *, const FieldDecl *>> seen;
    for (const Place &assigned : analysis.setup) {
        if (assigned.type->isPointerType() || !seen.insert({assigned.base, assigned.field}).second)
            continue;
        for (const Write &write : analysis.inLoop.writes) {
            SourceLocation use;
            if (!overlap(write.place, assigned) || analysis.laterUse(assigned, use).empty())
                continue;
            analysis.diagnostics.report(
                write.where, Problem::SetupChanges,
                {assigned.text(), carriedAdvice(assigned, isSetupByItself(analysis, assigned))});
            noteSetup(analysis, assigned);
            noteFixed(analysis, assigned);
            good = false;
            break;
        }
    }
    return good;
}

/* Something in EXPRESSION that is a pointer, but for what it is subtracted from. */
bool namesData(const Analysis &analysis, const Expr *expression)
{
    const Expr *bare = expression->IgnoreParenCasts();
    if (const auto *binary = dyn_cast<BinaryOperator>(bare))
        return binary->getType()->isPointerType() &&
               (namesData(analysis, binary->getLHS()) || namesData(analysis, binary->getRHS()));
    if (const auto *choice = dyn_cast<ConditionalOperator>(bare))
        return namesData(analysis, choice->getTrueExpr()) ||
               namesData(analysis, choice->getFalseExpr());
    std::optional<Place> place = placeGiven(bare);
    return place && analysis.isData(place->base) &&
           (place->type->isPointerType() || isa<UnaryOperator>(bare));
}

/* The loop changes the number, or array of numbers, PLACE, itself or by a pointer. */
bool isChangedNumber(const Analysis &analysis, const PointerTargets &targets, const Place &place)
{
    QualType type = analysis.context.getBaseElementType(place.type);
    if (!type->isArithmeticType() || place.behind)
        return false;
    const auto byPointer = [&](const Write &write) {
        const VarDecl *pointer = write.place.base;
        if (!(write.place.element || write.place.behind) || !pointer->getType()->isPointerType())
            return false;
        const std::optional<PointerTargets::Targets> found = targets.of(pointer);
        return found && found->count(place.base->getCanonicalDecl()) != 0;
    };
    return (!place.element && analysis.inLoop.changes(place)) ||
           llvm::any_of(analysis.inLoop.writes, byPointer);
}

bool isSetBefore(const Analysis &analysis, const Item &reader, const Place &place)
{
    for (const Item &item : analysis.prologue) {
        if (&item == &reader)
            return false;
        for (const Write &write : item.effects.writes)
            if (item.kind == Class::Setup && overlap(write.place, place))
                return true;
    }
    return false;
}

/* Of a number that READER, setup, looks at and does not set: a statement behind it that is not run
 * again changes that before the loop. */
bool isChangedBehind(const Analysis &analysis, const Item &reader, const Place &place)
{
    if (!place.type->isArithmeticType() || place.behind || reader.effects.changes(place))
        return false;
    bool behind = false;
    for (const Item &item : analysis.prologue) {
        if (behind && item.kind != Class::Setup && item.effects.changes(place))
            return true;
        behind = behind || &item == &reader;
    }
    return false;
}

/* What number that the setup statement READER looks at, by PLACE, is another one when it is run
 * again, and why; or "". */
std::string changedBy(const Analysis &analysis, const PointerTargets &targets, const Item &reader,
                      const Place &place)
{
    std::vector<Place> all = {place};
    const std::optional<PointerTargets::Targets> led =
        place.base->getType()->isPointerType() ? targets.of(place.base) : std::nullopt;
    for (const VarDecl *one : led ? *led : PointerTargets::Targets())
        if (one->getType()->isArithmeticType())
            all.push_back(Place::of(one));
    for (const Place &one : all) {
        if (isChangedNumber(analysis, targets, one))
            return "'" + one.text() + "', which the loop changes";
        if (isChangedBehind(analysis, reader, one))
            return "'" + one.text() + "', which a statement behind it changes";
    }
    return "";
}

/* Run again, setup finds numbers as the loop, or what is behind it, has changed them. */
bool checkSetupReads(Analysis &analysis)
{
    const PointerTargets targets(analysis);
    for (const Item &item : analysis.prologue)
        for (const Mention &mention : item.effects.mentions) {
            const Place &place = mention.place;
            bool own = llvm::is_contained(item.effects.declared, place.base);
            if (item.kind != Class::Setup || own || mention.assigned ||
                analysis.isData(place.base) || analysis.rangeAt(place) != nullptr ||
                isSetBefore(analysis, item, place) ||
                !readsBeforeSetting(analysis, item.statement, place.base, place.field))
                continue;
            std::string by = changedBy(analysis, targets, item, place);
            if (by.empty())
                continue;
            return analysis.diagnostics.report(mention.where, Problem::SetupReads,
                                               {by,
                                                "use the value that it has before the loop, kept "
                                                "in a variable of its own that the loop does not "
                                                "change"});
        }
    return true;
}

/* A pointer of a function that ITEM calls, through which it sets registered data; or null. */
const Write *dataByOwnPointer(const Analysis &analysis, const PointerTargets &targets,
                              const Item &item, Effects &inside)
{
    for (const FunctionDecl *function : analysis.finder.reachable(item.effects)) {
        inside = analysis.finder.of(function->getBody());
        for (const Write &write : inside.writes) {
            const VarDecl *pointer = write.place.base;
            if (!(write.place.element || write.place.behind) || !pointer->isLocalVarDecl() ||
                !pointer->getType()->isPointerType() || analysis.isData(pointer))
                continue;
            const std::optional<PointerTargets::Targets> found = targets.of(pointer);
            if (found &&
                llvm::any_of(*found, [&](const VarDecl *one) { return analysis.isData(one); }))
                return &write;
        }
    }
    return nullptr;
}

/* Run again, setup would replace what a reconfiguration has just delivered. */
bool checkSetupData(Analysis &analysis)
{
    const PointerTargets targets(analysis);
    for (const Item &item : analysis.prologue) {
        Effects inside;
        const Write *write =
            item.kind == Class::Setup ? dataByOwnPointer(analysis, targets, item, inside) : nullptr;
        if (write != nullptr)
            return analysis.diagnostics.report(item.statement->getBeginLoc(), Problem::SetupData,
                                               {write->place.base->getNameAsString()});
    }
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes)
            if (item.kind == Class::Setup &&
                (analysis.isData(write.place.base) || isOfData(analysis, write.place)))
                return analysis.diagnostics.report(write.where, Problem::SetupData,
                                                   {write.place.base->getNameAsString()});
    return true;
}

/* The loop changes elements through a pointer that a statement before it set to BASE. */
bool isChangedElsewhere(const Analysis &analysis, const LoopUses &uses, const VarDecl *base)
{
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes) {
            std::optional<Place> from =
                write.value != nullptr && write.value->getType()->isPointerType()
                    ? placeOf(write.value->IgnoreParenCasts())
                    : std::nullopt;
            if (from && from->base->getCanonicalDecl() == base->getCanonicalDecl() &&
                write.place.base != from->base && uses.isWritten(write.place.base))
                return true;
        }
    return false;
}

/* The loop changes the memory behind PLACE. */
bool isChanged(const Analysis &analysis, const LoopUses &uses, const Place &place)
{
    if (place.field == nullptr)
        return uses.isWritten(place.base) || isChangedElsewhere(analysis, uses, place.base);
    for (const auto &[pointer, set] : uses.pointers)
        for (const Expr *value : set.values)
            if (std::optional<Place> from = placeOf(value);
                from && overlap(*from, place) && uses.isWritten(pointer))
                return true;
    return llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
        return (write.place.element || write.place.behind) && overlap(write.place, place);
    });
}

/* A statement that the user has marked leads a pointer to structs it has made, and the loop changes
 * those: a list, or a tree. */
bool isLedTo(const Analysis &analysis, const Item &item, const LoopUses &uses, const Write &write)
{
    QualType type = write.place.type;
    if (item.pragma->inferred || write.place.element || write.place.field != nullptr ||
        !type->isPointerType() || !type->getPointeeType()->isStructureType())
        return false;
    return llvm::any_of(analysis.inLoop.writes, [&](const Write &inside) {
        return inside.place.behind && uses.means(inside.place.base, write.place.base);
    });
}

/* A registered array that a statement has by a pointer which setup makes anew: both would be freed,
 * and the other pointer would lead to something else. */
bool checkSharedArrays(Analysis &analysis)
{
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes) {
            std::optional<Place> from = write.value != nullptr && !write.place.element &&
                                                write.place.type->isPointerType() &&
                                                analysis.isData(write.place.base)
                                            ? placeOf(write.value->IgnoreParenCasts())
                                            : std::nullopt;
            if (!from || !from->type->isPointerType() || analysis.isData(from->base) ||
                !analysis.isSetup(*from))
                continue;
            return analysis.diagnostics.report(write.where, Problem::SharedArray,
                                               {write.place.text(), from->text()});
        }
    return true;
}

/* Something other than free names PLACE after the loop. */
bool isReadAfter(const Analysis &analysis, const Place &place)
{
    for (const Effects &after : analysis.after)
        for (const Mention &mention : after.mentions) {
            bool freed = llvm::any_of(after.writes, [&](const Write &write) {
                return write.call != nullptr && calleeName(write.call) == "free" &&
                       write.where == mention.where;
            });
            if (!freed && !mention.assigned && overlap(mention.place, place))
                return true;
        }
    return false;
}

/* Each iteration sets further elements: the index goes on from one to the next. */
bool isCollected(Analysis &analysis, const LoopUses &uses, const VarDecl *array)
{
    auto goesOn = [&](const Mention &mention) {
        const Place &place = mention.place;
        return place.field == nullptr && place.type->isIntegerType() &&
               analysis.liveAtLoop(place.base) && analysis.inLoop.changes(place);
    };
    return llvm::any_of(uses.accesses, [&](const Access &access) {
        const Effects effects = analysis.finder.of(access.index);
        return uses.touches(access, array) && llvm::any_of(effects.mentions, goesOn);
    });
}

/* Memory that is allocated anew, without what the loop has put there until then. */
bool losesResults(Analysis &analysis, const LoopUses &uses, const Item &item, const Write &write)
{
    return !item.pragma->inferred && callsOneOf(write.value, {"malloc", "calloc"}) &&
           !write.place.element && isChanged(analysis, uses, write.place) &&
           isReadAfter(analysis, write.place) && isCollected(analysis, uses, write.place.base);
}

/* Nor may it fill memory that the loop changes and reads, or take something from data that it
 * changes: run again, it would come to something else. */
bool checkSetupMemory(Analysis &analysis)
{
    LoopUses uses(analysis);
    DerivedValues values(analysis, uses);
    for (size_t i = 0; i < analysis.prologue.size(); i++) {
        const Item &item = analysis.prologue[i];
        if (item.kind != Class::Setup)
            continue;
        if (!item.pragma->inferred && values.areSetForGood(item.effects, i))
            return analysis.diagnostics.report(
                item.statement->getBeginLoc(), Problem::SetupReads,
                {"data that the loop changes",
                 "compute it in the loop, from the data that are there; "
                 "or, where it is the same on all ranks and is to stay as "
                 "it is, mark the statement initial"});
        for (const Write &write : item.effects.writes) {
            const Place &place = write.place;
            bool freed = write.call != nullptr && calleeName(write.call) == "free";
            bool led = isLedTo(analysis, item, uses, write);
            bool lost = losesResults(analysis, uses, item, write);
            if ((!lost && !led && (!place.element || freed || place.type->isPointerType())) ||
                analysis.isData(place.base) ||
                analysis.buffers.count(place.base->getCanonicalDecl()) != 0 ||
                (!lost && !led && !isChanged(analysis, uses, place)) ||
                (!lost && setsBeforeReading(analysis, place.base, place.field, false)))
                continue;
            const Place whole = Place::of(place.base);
            return analysis.diagnostics.report(
                write.where, Problem::SetupChanges,
                {place.base->getNameAsString(), carriedAdvice(whole, item.pragma->inferred)});
        }
    }
    return true;
}

} // namespace

/* The pointer VARIABLE, or the elements of a table of ROWS, are set to somewhere in such an array.
 */
static bool leadsToData(const Analysis &analysis, const VarDecl *variable, bool rows)
{
    return (variable->getType()->isPointerType() || (rows && variable->getType()->isArrayType())) &&
           !analysis.isData(variable) && llvm::any_of(analysis.prologue, [&](const Item &item) {
               return llvm::any_of(item.effects.writes, [&](const Write &write) {
                   const bool whole = !write.place.element && !write.place.behind;
                   return write.place.base == variable && whole != rows && write.value != nullptr &&
                          write.value->getType()->isPointerType() &&
                          namesData(analysis, write.value);
               });
           });
}

bool isOfData(const Analysis &analysis, const Place &place)
{
    if (!place.element && !place.behind)
        return false;
    return leadsToData(analysis, place.base, false) ||
           (!place.type->isPointerType() && leadsToData(analysis, place.base, true));
}

bool checkSetup(Analysis &analysis)
{
    bool good = checkSharedArrays(analysis) && checkSetupChanges(analysis) &&
                checkSetupReads(analysis) && checkSetupMemory(analysis);
    return checkSetupData(analysis) && good;
}

} // namespace xmpi
