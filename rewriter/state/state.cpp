/* SPDX-License-Identifier: BSD-3-Clause
 * Says what is registered as the state of the loop, by the names that it has there. */
#include "state/state.h"
#include "facts/pointer_targets.h"
#include "facts/uses.h"
#include "facts/first_use.h"
#include "ranks/rank_flow.h"
#include "infer/infer.h"
#include "infer/infer_tables.h"
#include "library/library.h"
#include "pragmas/state_clause.h"
#include "state/own.h"
#include "trial/numbering.h"
#include "cells/range_text.h"
#include "state/start.h"
#include "state/times.h"

namespace xmpi
{

using namespace clang;

namespace
{

class StateWriter
{
  public:
    StateWriter(Analysis &analysis, const Inference &inference)
        : analysis(analysis), division(*inference.division), survey(*inference.survey),
          uses(analysis), targets(analysis), clocks(analysis)
    {
        findLed();
    }

    std::set<const VarDecl *> written; /* values that all functions see */

    /* Empty: something of it has no name at the loop. */
    std::string write()
    {
        range = rangeText(analysis, division, survey);
        good = !exchangesHeld() && !changesRange() && !changesRoot() && !changesUnseen() &&
               !range.first.empty();
        for (const Site &site : analysis.program.sites)
            add(site.what, false);
        add(analysis.program.loop.before, true);
        add(analysis.program.loop.inside, true);
        addRoot();
        if (!good || (rows.empty() && sums.empty()))
            return "";
        const auto name = [&](const char *before, const std::string &one, const char *behind) {
            rows += (rows.empty() ? "" : ", ") + (before + one + behind);
        };
        for (const std::string &value : values)
            name("same(", value, ")");
        for (const std::string &sum : sums)
            name("own(", sum, ": +)");
        for (const std::string &value : roots)
            name("root(", value, ")");
        for (const std::string &time : times)
            name("scratch(", time, ")");
        return withoutCasts(rows);
    }

  private:
    /* What makes members of constants writable is of no use in a clause. */
    static std::string withoutCasts(std::string text)
    {
        static const std::string cast = " *)(__UINTPTR_TYPE__)&";
        for (size_t end; (end = text.find(cast)) != std::string::npos;) {
            const size_t begin = text.rfind("*(", end);
            text.erase(begin, end + cast.size() - begin);
        }
        return text;
    }

    Analysis &analysis;
    const Division &division;
    const Survey &survey;
    const LoopUses uses;
    const PointerTargets targets;
    const Times clocks;
    bool good = true;
    std::set<const VarDecl *> led;    /* what pointers of the loop may lead to */
    std::set<const VarDecl *> around; /* pointers of the functions on the way to it */
    bool leadsAnywhere = false;
    RangeText range;
    std::string rows;
    std::vector<std::string> values, sums, roots, times;

    bool isChanged(const VarDecl *variable) const
    {
        return analysis.changed.count(variable->getCanonicalDecl()) != 0;
    }

    /* The layout is the program's own in all iterations. */
    bool changesRange() const
    {
        return llvm::any_of(
                   analysis.ranges,
                   [&](const RangeVariable &range) { return isChanged(range.place.base); }) ||
               llvm::any_of(division.tables,
                            [&](const Place &table) { return isChanged(table.base); });
    }

    /* Memory that rank 0 has for itself would be lost with it. */
    bool changesRoot() const
    {
        return llvm::any_of(analysis.rootOnly, [&](const VarDecl *variable) {
            return isChanged(variable) && !isPlainValue(variable->getType());
        });
    }

    /* Values of rank 0 are those of whoever is that in the other layout. */
    void addRoot()
    {
        const Step &step = analysis.loopStep();
        for (const VarDecl *variable : analysis.rootOnly) {
            if (!isChanged(variable) || analysis.hasEnded(variable))
                continue;
            const bool seen = analysis.structure.visible(variable, step.function, step.anchor);
            addValue(variable->getNameAsString(), seen, roots);
        }
    }

    /* VARIABLE, a pointer, leads elsewhere after an iteration. */
    bool isExchanged(const VarDecl *variable) const
    {
        const auto &writes = analysis.inLoop.writes;
        return llvm::any_of(writes, [&](const Write &write) {
            return write.place.base->getCanonicalDecl() == variable &&
                   write.place.type->isPointerType() && !write.place.element;
        });
    }

    /* The memory that POINTER leads to when the loop is entered; null: none that is known. */
    const void *memoryOf(const VarDecl *pointer) const
    {
        const Value value = survey.samples.front().trial.valueAt(Cell{pointer});
        return value.kind == Value::Kind::Pointer ? value.target.base : nullptr;
    }

    /* Pointers that the loop, or what follows it, uses, and does not only free, where they lead
     * without an exchange. */
    std::set<const VarDecl *> steadyPointers() const
    {
        std::set<const VarDecl *> found;
        const auto add = [&](const Effects &effects) {
            for (const Mention &mention : effects.mentions) {
                const VarDecl *pointer = mention.place.base->getCanonicalDecl();
                if (pointer->getType()->isPointerType() && !isExchanged(pointer) &&
                    !isFreedBehind(analysis, mention))
                    found.insert(pointer);
            }
        };
        add(analysis.inLoop);
        for (const Effects &after : analysis.after)
            add(after);
        return found;
    }

    /* A pointer that stays where it is leads to what others change places with: these begin anew
     * with the start, and it leads to another array than before. */
    bool exchangesHeld() const
    {
        std::set<const void *> exchanged;
        for (const auto &[holder, name] : analysis.data)
            if (holder->getType()->isPointerType() && isExchanged(holder->getCanonicalDecl()))
                exchanged.insert(memoryOf(holder));
        exchanged.erase(nullptr);
        const std::set<const VarDecl *> steady = steadyPointers();
        return llvm::any_of(steady, [&](const VarDecl *pointer) {
            return exchanged.count(memoryOf(pointer)) != 0;
        });
    }

    /* Around the loop something is set by a pointer that is not known, or whose variable is none of
     * what has been looked at. */
    bool changesUnseen() const
    {
        const auto isLive = [&](const VarDecl *variable) {
            return llvm::any_of(analysis.liveVariables, [&](const auto &live) {
                return live.second->getCanonicalDecl() == variable;
            });
        };
        for (const Step &step : analysis.path)
            for (const Write &write : analysis.finder.of(step.function->getBody()).writes) {
                const Place &place = write.place;
                if (!analysis.framed || !place.base->getType()->isPointerType() ||
                    place.field != nullptr || !(place.element || place.behind) ||
                    analysis.isData(place.base))
                    continue;
                const std::optional<PointerTargets::Targets> found = targets.of(place.base);
                if (!found || llvm::any_of(*found, [&](const VarDecl *one) {
                        return !one->getType()->isPointerType() && !analysis.isData(one) &&
                               !isLive(one->getCanonicalDecl());
                    }))
                    return true;
            }
        return false;
    }

    void findLed()
    {
        for (const Mention &mention : analysis.inLoop.mentions) {
            const VarDecl *pointer = mention.place.base->getCanonicalDecl();
            if (!pointer->getType()->isPointerType() || analysis.isData(pointer))
                continue;
            const std::optional<PointerTargets::Targets> found = targets.of(pointer);
            leadsAnywhere = leadsAnywhere || !found;
            if (found)
                led.insert(found->begin(), found->end());
        }
        for (const Step &step : analysis.path)
            for (const Mention &mention : analysis.finder.of(step.function->getBody()).mentions)
                if (mention.place.base->getType()->isPointerType() &&
                    !analysis.isData(mention.place.base))
                    around.insert(mention.place.base->getCanonicalDecl());
    }

    /* -- what is registered */

    /* HERE: by the loop's function. */
    void add(const Registrations &what, bool here)
    {
        for (const Data &data : what.data)
            addArray(data, here);
        for (const Live &live : what.lives)
            if (const VarDecl *variable = analysis.liveVariables.at(live.name)->getCanonicalDecl();
                (isChanged(variable) || analysis.wanted.count(variable) != 0) &&
                analysis.rootOnly.count(variable) == 0 && !isMadeAnew(live)) {
                addLive(live, here);
                if (variable->hasGlobalStorage())
                    written.insert(variable);
            }
    }

    /* Of a struct with times the other members may be the same everywhere. */
    void addLive(const Live &live, bool here)
    {
        const Place &place = analysis.livePlaces.at(live.name);
        if (!here && isDoneWith(place))
            return;
        if (!clocks.areAmong(place)) {
            addValue(live.lvalue, here, listOf(place));
            return;
        }
        for (const Place &member : Times::membersOf(place)) {
            const std::string name = member.field->getName().str();
            good = good && !name.empty() && !member.field->isBitField() &&
                   !member.type->isPointerType();
            addValue(live.lvalue + "." + name, here, listOf(member));
        }
    }

    /* Something on the way to the loop may come to VARIABLE by a pointer, around the loop: of the
     * pointers that are used there one leads to it, or is not known and leads to its like. */
    bool isLedToAround(const VarDecl *variable) const
    {
        const ASTContext &context = analysis.context;
        const QualType element = context.getBaseElementType(variable->getType());
        return llvm::any_of(around, [&](const VarDecl *pointer) {
            const std::optional<PointerTargets::Targets> found = targets.of(pointer);
            const QualType to = context.getBaseElementType(pointer->getType()->getPointeeType());
            return found ? found->count(variable->getCanonicalDecl()) != 0
                         : to->isVoidType() || to->isAnyCharacterType() ||
                               context.hasSameUnqualifiedType(to, element);
        });
    }

    /* Of a caller's own: nobody reads what it is now. */
    bool isDoneWith(const Place &place) const
    {
        const VarDecl *variable = place.base;
        for (const Step &step : analysis.path)
            if (variable->hasLocalStorage() && variable->getDeclContext() == step.function)
                return !isLedToAround(variable) && !leadsAnywhere &&
                       led.count(variable->getCanonicalDecl()) == 0 &&
                       !readsBeforeSetting(analysis, analysis.structure.following(step.anchor),
                                           variable, place.field);
        return false;
    }

    /* Times are each process's own, and another iteration has others: they begin anew. (What goes
     * by a clock otherwise than in such values is no iteration that repeats.) */
    std::vector<std::string> &listOf(const Place &place)
    {
        const bool sum = analysis.own.count(place.base->getCanonicalDecl()) != 0;
        return sum ? sums : clocks.are(place) ? times : values;
    }

    /* Each iteration sets it before anybody reads it, so that it is of no earlier one; it may be
     * each process's own. What is done to it by a pointer is not seen there. */
    bool isMadeAnew(const Live &live) const
    {
        const Place &place = analysis.livePlaces.at(live.name);
        const VarDecl *variable = place.base->getCanonicalDecl();
        return !leadsAnywhere && led.count(variable) == 0 &&
               !(analysis.framed && isLedToAround(variable)) &&
               setsBeforeReading(analysis, variable, place.field, uses.isNamedAfter(variable));
    }

    void addValue(const std::string &lvalue, bool here, std::vector<std::string> &list)
    {
        good = good && here && !isHidden(lvalue);
        const std::string name = operandOf(lvalue);
        if (!llvm::is_contained(list, name))
            list.push_back(name);
    }

    /* The loop's head declares something else of the same name. */
    bool isHidden(const std::string &name) const
    {
        const auto &inside = analysis.program.loop.inside.lives;
        return llvm::any_of(inside, [&](const Live &live) {
            return name != live.lvalue && names(name, live.lvalue);
        });
    }

    /* WORD stands in TEXT, not as a part of another one, nor for a member. */
    static bool names(const std::string &text, const std::string &word)
    {
        auto within = [&](size_t at) {
            return at < text.size() && (isalnum(text[at]) || text[at] == '_');
        };
        auto joined = [&](size_t at) {
            return text[at] == '.' || (at > 0 && text[at] == '>' && text[at - 1] == '-');
        };
        for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at++)
            if (!(at > 0 && (within(at - 1) || joined(at - 1))) && !within(at + word.size()))
                return true;
        return false;
    }

    const VarDecl *holderOf(const std::string &data) const
    {
        for (const auto &[variable, name] : analysis.data)
            if (name == data)
                return variable;
        return nullptr;
    }

    void addArray(const Data &data, bool here)
    {
        const std::string plain = data.name.substr(0, data.name.find('['));
        const VarDecl *holder = holderOf(data.name);
        holder = holder != nullptr ? holder : holderOf(plain + "[0]");
        const bool changed = holder == nullptr || isChangedData(holder);
        if (!changed && (data.csr != 0 || data.scheme == Scheme::Replicated))
            return; /* the start makes it */
        if (!here || data.csr != 0 || isHidden(data.variable))
            good = false;
        else if (data.scheme == Scheme::Replicated && !isTable(holder))
            addWhole(data);
        else
            addRows(data);
    }

    /* One of the variables that hold the pointer, what it leads to, or a pointer that leads there,
     * is used to change it. */
    bool isChangedData(const VarDecl *holder) const
    {
        const std::string &name = analysis.data.at(holder);
        return llvm::any_of(analysis.data, [&](const auto &known) {
            return known.second == name && (isChanged(known.first) || leadsToChanged(known.first));
        });
    }

    bool leadsToChanged(const VarDecl *pointer) const
    {
        const std::optional<PointerTargets::Targets> found = targets.of(pointer);
        return !found ||
               llvm::any_of(*found, [&](const VarDecl *target) { return isChanged(target); });
    }

    static bool isTable(const VarDecl *holder)
    {
        QualType type = holder->getType();
        return type->isPointerType() && type->getPointeeType()->isPointerType();
    }

    void addWhole(const Data &data)
    {
        std::string text = operandOf(data.variable);
        if (data.fixed == 0)
            for (const std::string &extent : data.shape)
                text += "[" + extent + "]";
        values.push_back(text);
    }

    void addRows(const Data &data)
    {
        std::string text = operandOf(data.variable);
        for (const std::string &extent : data.shape)
            text += "[" + extent + "]";
        text = "rows(" + text + " from " + operandOf(range.first) + ", " + operandOf(range.count);
        if (!data.at.empty())
            text += (data.numbered    ? " at " + operandOf(range.first)
                     : data.at != "0" ? " at " + data.at
                                      : "") +
                    (data.halo.empty() ? "" : " halo " + data.halo + " : " + data.behind);
        else if (data.scheme != Scheme::Distributed) /* all rows are in all processes */
            text += " at " + operandOf(range.first) + " halo " + operandOf(data.shape.front());
        else if (!data.halo.empty())
            text += " at " + data.halo + " halo " + data.halo;
        rows += (rows.empty() ? "" : ", ") + text + ")";
    }
};

/* What is known of arrays all the same, where the state is not found. */
Shapes shapesOf(Analysis &analysis, const Inference &inference)
{
    if (inference.survey == nullptr)
        return {};
    if (inference.division)
        noteTables(analysis, inference);
    const RangeText range = inference.division
                                ? rangeText(analysis, *inference.division, *inference.survey)
                                : RangeText();
    return shapesAt(analysis, inference, range);
}

/* No clause. */
FoundState nothingFound(const std::string &numbered, const Shapes &shapes)
{
    FoundState none;
    none.numbered = numbered;
    none.shapes = shapes;
    return none;
}

/* A clause says which rows are own ones by where they begin. */
void refuseOtherBlocks(Analysis &analysis, const Inference &inference, FoundState &found)
{
    if (found.clause.empty() && found.shapes.empty())
        return;
    found.numbered = numberedOtherwise(analysis, inference);
    if (!found.numbered.empty())
        found = nothingFound(found.numbered, {});
}

bool arePlain(const Pragmas &pragmas)
{
    return !pragmas.list.empty() && llvm::all_of(pragmas.list, [](const auto &pragma) {
        return pragma->directive == Directive::Loop;
    });
}

using Way = std::vector<const CallExpr *>;

/* Each loop as if it were the only one, and on each way on which the program comes to it. */
class StateFinder
{
  public:
    StateFinder(ASTContext &context, const FixedArrays &arrays, const StructMembers &members,
                const Source &source, const Pragmas &pragmas)
        : context(context), arrays(arrays), members(members), source(source), pragmas(pragmas)
    {
    }

    /* The state is told by one clause, whichever way has led there: what is of it on one of them is
     * so on all. */
    FoundState find(const Pragma &loop)
    {
        const std::vector<Way> ways = waysTo(loop);
        FoundState found;
        bool same = findOnAll(loop, ways, found);
        if (!same && ways.size() > 1)
            same = findOnAll(loop, ways, found);
        return same ? found
                    : nothingFound(found.numbered, ways.size() > 1 ? Shapes() : found.shapes);
    }

  private:
    ASTContext &context;
    const FixedArrays &arrays;
    const StructMembers &members;
    const Source &source;
    const Pragmas &pragmas;

    std::set<const VarDecl *> stored; /* arrays, and variables for all, of the state on any way */

    bool findOnAll(const Pragma &loop, const std::vector<Way> &ways, FoundState &found)
    {
        const std::set<const VarDecl *> wanted = stored;
        for (size_t i = 0; i < ways.size(); i++) {
            const FoundState one = findOn(loop, ways.size() > 1 ? ways[i] : Way(), wanted);
            if (i > 0 && one.clause != found.clause) {
                found.clause.clear();
                continue;
            }
            found.clause = one.clause;
            found.shapes = one.shapes;
            found.numbered = one.numbered;
            found.bound = ways.size() > 1 ? "" : one.bound; /* else it may be entered again */
            found.doubt = i > 0 && !found.doubt.empty() ? found.doubt : one.doubt;
            found.warnings = one.warnings;
        }
        return !found.clause.empty();
    }

    Pragmas only(const Pragma &loop) const
    {
        Pragmas part;
        part.list.push_back(std::make_unique<Pragma>(loop));
        part.whole = pragmas.list.size() > 1 ? &pragmas : nullptr;
        return part;
    }

    std::vector<Way> waysTo(const Pragma &loop) const
    {
        Diagnostics held(context.getDiagnostics());
        held.hold();
        Program program;
        Pragmas part = only(loop);
        const Analysis analysis(context, arrays, members, source, part, held, program);
        return xmpi::waysTo(analysis, loop.function);
    }

    FoundState findOn(const Pragma &loop, const Way &way, const std::set<const VarDecl *> &wanted)
    {
        std::set<const VarDecl *> own; /* sums of each process, as they come up */
        FoundState found;
        Pragmas part = only(loop);
        for (bool more = true; more;) {
            const auto held = std::make_shared<Diagnostics>(context.getDiagnostics());
            held->hold();
            Program program;
            Inference inference;
            Analysis analysis(context, arrays, members, source, part, *held, program);
            analysis.own = own;
            analysis.calledBy = way;
            analysis.wanted = wanted;
            analysis.several = part.whole != nullptr;
            const StateFacts facts = analyseState(analysis, inference);
            if (facts != StateFacts::None) {
                StateWriter writer(analysis, inference);
                found.clause = writer.write();
                stored.insert(writer.written.begin(), writer.written.end());
                found.bound = program.loop.bound;
                found.doubt = facts == StateFacts::Shown ? whyStartDiffers(analysis)
                                                         : held->whyLayoutMatters();
                if (!parseState(found.clause).error.empty() ||
                    (facts != StateFacts::Shown &&
                     (found.doubt.empty() || !whyStartDiffers(analysis).empty())))
                    found.clause.clear();
                found.warnings = facts == StateFacts::Shown ? held : nullptr;
            }
            if (found.clause.empty() || !found.doubt.empty())
                found.shapes = shapesOf(analysis, inference);
            refuseOtherBlocks(analysis, inference, found);
            for (const auto &[variable, name] : analysis.data)
                stored.insert(variable);
            more = facts != StateFacts::Shown && !analysis.framed && analysis.lacking != nullptr &&
                   isOwnSum(analysis, analysis.lacking) && own.insert(analysis.lacking).second;
        }
        return found;
    }
};

} // namespace

FoundStates findStates(ASTContext &context, const FixedArrays &arrays, const StructMembers &members,
                       const Source &source, const Pragmas &pragmas)
{
    FoundStates found;
    if (arePlain(pragmas))
        for (const auto &loop : pragmas.list)
            found[loop.get()] = StateFinder(context, arrays, members, source, pragmas).find(*loop);
    return found;
}

} // namespace xmpi
