/* SPDX-License-Identifier: BSD-3-Clause
 * Sets and asks what differs from rank to rank. */
#include "ranks/rank_state.h"
#include "facts/first_use.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

void State::merge(const State &other)
{
    if (other.dead)
        return;
    if (dead) {
        *this = other;
        return;
    }
    ranked.insert(other.ranked.begin(), other.ranked.end());
    for (auto one = whole.begin(); one != whole.end();)
        one = other.whole.count(*one) != 0 ? std::next(one) : whole.erase(one);
    for (const auto &[holder, form] : other.forms) {
        auto [at, fresh] = forms.emplace(holder, form);
        if (!fresh)
            at->second = xmpi::merge(at->second, form);
    }
    for (const auto &[pointer, form] : other.offsets)
        offsets[pointer] = xmpi::merge(offsets[pointer], form);
    for (const auto &[array, more] : other.filled)
        for (const auto &[by, rows] : more)
            filled[array][by] = std::max(filled[array][by], rows);
    spoilt.insert(other.spoilt.begin(), other.spoilt.end());
    for (const auto &[array, one] : other.changed)
        if (Changed &known = changed[array]; known.at < one.at)
            known = one;
}

RankState::RankState(Analysis &analysis, const std::set<const VarDecl *> &distributed, Cause cause)
    : cause(cause), analysis(analysis), distributed(distributed)
{
    for (const Site &site : analysis.program.sites)
        addRows(site.what);
    addRows(analysis.program.loop.before);
}

void RankState::addRows(const Registrations &what)
{
    for (const Data &data : what.data)
        if (data.scheme != Scheme::Replicated)
            rows[data.name] = {nullptr, data.scheme == Scheme::Owned,
                               !data.halo.empty() || data.csr > 0,
                               data.at.empty() || data.halo.empty() ? data.halo : data.at};
}

bool RankState::holds(const VarDecl *variable, const FieldDecl *field) const
{
    for (auto at = state.ranked.lower_bound({variable, nullptr});
         at != state.ranked.end() && at->first.first == variable; ++at)
        if (field == nullptr || at->first.second == nullptr || at->first.second == field)
            return true;
    return false;
}

/* Rank, count and displ, and elements of distributed arrays, differ whatever happens. */
bool RankState::differsAlways(const Place &place, const VarDecl *variable, bool contents) const
{
    if (cause != Cause::Rank)
        return false;
    for (const RangeVariable &range : analysis.ranges)
        if (range.kind != RangeKind::Size && baseOf(range.place) == variable &&
            (place.field == nullptr || range.place.field == nullptr ||
             range.place.field == place.field))
            return true;
    return contents && distributed.count(variable) != 0;
}

/* The members of a struct, or of one member of it, that are variables of their own. */
std::vector<Place> RankState::membersOf(const Place &place) const
{
    std::vector<Place> found;
    if (!place.base->getType()->isRecordType() || place.behind)
        return found;
    for (const VarDecl *member : analysis.members.inside(place.base, place.field))
        found.push_back({member, nullptr, place.element, place.element,
                         place.element ? place.type : member->getType()});
    return found;
}

bool RankState::differs(const Place &place) const
{
    bool contents = place.element || place.behind;
    const std::vector<Place> members = membersOf(place);
    if (llvm::any_of(members, [&](const Place &member) { return differs(member); }))
        return true;
    if (!contents && analysis.members.isPointer(place.base))
        return false;
    if (!contents && analysis.members.isShared(baseOf(place))) {
        const std::set<const VarDecl *> &all = analysis.members.meaning(baseOf(place));
        return llvm::any_of(all, [&](const VarDecl *member) {
            return holds(member, place.field) || differsAlways(place, member, false);
        });
    }
    if (!contents)
        return holds(baseOf(place), place.field) || differsAlways(place, baseOf(place), false);
    return llvm::any_of(pointees(baseOf(place)), [&](const VarDecl *variable) {
        return holds(variable, fieldOf(place, variable)) || differsAlways(place, variable, true);
    });
}

void RankState::set(const Place &place, bool ranked, bool whole, SourceLocation where)
{
    const VarDecl *base = baseOf(place);
    bool contents = place.element || place.behind;
    if ((analysis.equal.count(base) && !base->getType()->isPointerType()) ||
        (!contents && analysis.members.isPointer(base)))
        return;
    for (const Place &member : membersOf(place))
        set(member, ranked, whole, where);
    if (!ranked) {
        if (whole && !analysis.members.isShared(base))
            clear(base, place.field);
        return;
    }
    if (!contents && analysis.members.isShared(base)) {
        for (const VarDecl *member : analysis.members.meaning(base))
            state.ranked.insert({{member, place.field}, where});
        return;
    }
    if (!contents) {
        state.ranked.insert({{base, place.field}, where});
        return;
    }
    for (const VarDecl *variable : pointees(base))
        state.ranked.insert({{variable, fieldOf(place, variable)}, where});
}

/* The variables that hold what PLACE is. */
std::set<const VarDecl *> RankState::meant(const Place &place) const
{
    if (place.element || place.behind)
        return reached(place);
    return analysis.members.isShared(baseOf(place)) ? analysis.members.meaning(baseOf(place))
                                                    : std::set<const VarDecl *>{baseOf(place)};
}

/* The member that PLACE is of VARIABLE, which it may mean; null: any, or there is none. */
const FieldDecl *RankState::fieldOf(const Place &place, const VarDecl *variable) const
{
    const bool number =
        analysis.context.getBaseElementType(variable->getType())->isArithmeticType();
    if (isHeld(place) && number && variable != baseOf(place))
        return nullptr; /* an element of an array that the member leads to */
    if (place.field != nullptr || variable == baseOf(place) || !variable->getType()->isRecordType())
        return place.field;
    std::set<const FieldDecl *> fields;
    for (const VarDecl *pointer : pointees(baseOf(place)))
        if (auto all = targets.find(pointer); all != targets.end())
            if (auto target = all->second.find(variable); target != all->second.end())
                fields.insert(target->second);
    return fields.size() == 1 ? *fields.begin() : nullptr;
}

/* What a reconfiguration writes. */
std::optional<Form> RankState::formOfRange(const Place &place) const
{
    for (const RangeVariable &range : analysis.ranges) {
        if (baseOf(range.place) != baseOf(place) || range.place.field != place.field ||
            place.element || range.place.element || range.place.behind != place.behind)
            continue;
        static const Form::Term terms[] = {Form::Rank,  Form::Size,  Form::Count, Form::First,
                                           Form::First, Form::First, Form::First, Form::Rank};
        Form form =
            Form::of(terms[static_cast<int>(range.kind)], place.text(), place.base->getLocation());
        if (range.kind == RangeKind::End || range.kind == RangeKind::Last)
            form.by[Form::Count] = "1";
        if (range.kind == RangeKind::Neighbour)
            form.by[Form::Rank] = "?";
        form.shift = range.kind == RangeKind::Begin  ? "1"
                     : range.kind == RangeKind::Last ? "-1"
                                                     : "";
        return form;
    }
    return std::nullopt;
}

std::optional<Form> RankState::formIn(const VarDecl *variable, const FieldDecl *field) const
{
    std::optional<Form> found;
    for (auto at = state.forms.lower_bound({variable, nullptr});
         at != state.forms.end() && at->first.first == variable; ++at)
        if (field == nullptr || at->first.second == nullptr || at->first.second == field ||
            field->getParent()->isUnion())
            found = found ? xmpi::merge(*found, at->second) : at->second;
    return found;
}

Form RankState::formOf(const Place &place) const
{
    if (std::optional<Form> range = formOfRange(place))
        return *range;
    std::optional<Form> found;
    auto add = [&](const Form &form) { found = found ? xmpi::merge(*found, form) : form; };
    for (const Place &member : membersOf(place))
        add(formOf(member));
    for (const VarDecl *variable : meant(place)) {
        const Place one{variable, place.field, false, false, place.type};
        std::optional<Form> range =
            variable != baseOf(place) && !place.element && !variable->getType()->isPointerType()
                ? formOfRange(one)
                : std::nullopt;
        if (std::optional<Form> form = range ? range : formIn(variable, fieldOf(place, variable)))
            add(*form);
    }
    return found.value_or(Form());
}

bool RankState::isKnown(const Place &place) const
{
    const std::set<const VarDecl *> all = meant(place);
    return llvm::any_of(all, [&](const VarDecl *variable) {
        return formIn(variable, fieldOf(place, variable)).has_value();
    });
}

void RankState::setForm(const Place &place, const Form &form, bool whole)
{
    if (analysis.equal.count(baseOf(place)) && !baseOf(place)->getType()->isPointerType())
        return;
    for (const Place &member : membersOf(place))
        setForm(member, form, whole);
    const std::set<const VarDecl *> all = meant(place);
    for (const VarDecl *variable : all) {
        bool over = whole && all.size() <= 2; /* perhaps a pointer, and what it points to */
        auto [at, fresh] = state.forms.emplace(Holder(variable, fieldOf(place, variable)), form);
        if (!fresh)
            at->second = over ? form : xmpi::merge(at->second, form);
    }
}

void RankState::forgetMembers(const Place &place)
{
    const std::set<const VarDecl *> all = meant(place);
    if (place.behind || place.element || place.field != nullptr || all.size() != 1)
        return;
    const VarDecl *variable = *all.begin();
    for (auto at = state.forms.lower_bound({variable, nullptr});
         at != state.forms.end() && at->first.first == variable;)
        at = state.forms.erase(at);
}

Form RankState::offsetOf(const VarDecl *pointer) const
{
    auto found = state.offsets.find(pointer->getCanonicalDecl());
    return found != state.offsets.end() ? found->second : Form();
}

/* What EFFECTS, of what follows the loop, name otherwise than to free it. */
static std::set<const VarDecl *> namedIn(const Analysis &analysis, const Effects &effects)
{
    std::set<SourceLocation> freed;
    std::set<const VarDecl *> named;
    for (const CallExpr *call : effects.calls)
        if (calleeName(call) == "free")
            for (const Mention &mention : analysis.finder.of(call).mentions)
                freed.insert(mention.where);
    for (const Mention &mention : effects.mentions)
        if (!freed.count(mention.where))
            named.insert(mention.place.base->getCanonicalDecl());
    return named;
}

const std::set<const VarDecl *> &RankState::namedAfter() const
{
    if (!after) {
        after.emplace();
        for (const Effects &effects : analysis.after)
            after->merge(namedIn(analysis, effects));
    }
    return *after;
}

/* The loop, or what follows it, comes to VARIABLE by a pointer that was led there elsewhere: an
 * element of a table, say. */
bool RankState::isReachedOtherwise(const VarDecl *variable) const
{
    if (!others) {
        others = namedAfter();
        for (const Mention &mention : analysis.inLoop.mentions)
            others->insert(mention.place.base->getCanonicalDecl());
    }
    return llvm::any_of(*others, [&](const VarDecl *other) {
        return other != variable && pointees(other).count(variable) != 0;
    });
}

/* Other pointers, or itself, lead somewhere else after an iteration: what it has held is held
 * elsewhere. */
static bool isExchanged(const Analysis &analysis, const VarDecl *variable)
{
    return llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
        return write.place.base->getCanonicalDecl() == variable &&
               write.place.type->isPointerType() && !write.place.element &&
               write.how == Write::How::Assigned;
    });
}

/* Nothing of what an iteration leaves in VARIABLE is read by the next one, or later. */
bool RankState::isScratch(const VarDecl *variable) const
{
    auto [at, fresh] = scratch.emplace(variable, false);
    if (fresh)
        at->second = namedAfter().count(variable) == 0 && !isExchanged(analysis, variable) &&
                     setsBeforeReading(analysis, variable, nullptr, false);
    return at->second && !isReachedOtherwise(variable);
}

void RankState::forget(const VarDecl *variable)
{
    if (variable->getType()->isRecordType())
        for (const VarDecl *member : analysis.members.inside(variable, nullptr))
            forget(member);
    for (auto at = state.forms.lower_bound({variable, nullptr});
         at != state.forms.end() && at->first.first == variable;)
        at = state.forms.erase(at);
    state.offsets.erase(variable);
}

/* Neither an iteration sets HOLDER, nor what is run again after each change. */
bool RankState::isOlder(const Holder &holder) const
{
    const auto &[variable, field] = holder;
    const Place place{variable, field, false, false,
                      field ? field->getType() : variable->getType()};
    return !analysis.isSetup(place) && !analysis.inLoop.changes(place);
}

/* HOLDER is an array of numbers, in all that it may stand for, of which REST reads elements that
 * were set before. (Arrays of characters are messages; tables of parts are gathered anew.) */
bool RankState::keepsElements(const Holder &holder, const std::vector<const Stmt *> &rest) const
{
    const auto &[variable, field] = holder;
    const QualType type = field ? field->getType() : variable->getType();
    const QualType element =
        type->isPointerType() ? type->getPointeeType() : analysis.context.getBaseElementType(type);
    if (!element->isArithmeticType() || element->isCharType())
        return false;
    const std::set<const VarDecl *> all =
        field != nullptr ? std::set<const VarDecl *>{variable} : pointees(variable);
    for (const VarDecl *meant : all)
        if (analysis.isData(meant) || !isOlder({meant, field}) ||
            analysis.renewed.count({meant, field}) != 0)
            return false;
    return readsBeforeSetting(analysis, rest, variable, field);
}

void RankState::ageBlocks(const std::map<Holder, Form> &behind,
                          const std::vector<const Stmt *> &rest)
{
    for (auto &[holder, form] : state.forms) {
        const auto &[variable, field] = holder;
        auto known = behind.find(holder);
        if (known != behind.end() && known->second == form)
            continue;
        const QualType type = field ? field->getType() : variable->getType();
        const bool ofBlock = form.kind == Form::Kind::Block || form.kind == Form::Kind::Edge;
        if (!ofBlock || form.parts || form.peer || analysis.isData(variable) ||
            analysis.own.count(variable) != 0 || !isOlder(holder) ||
            (!type->isArithmeticType() && !keepsElements(holder, rest)))
            continue;
        form.kind = Form::Kind::Local;
        form.terms |= 1u << Form::Count;
        form.gathered |= Form::Otherwise;
        form.message = form.any = false;
    }
}

/* PLACE is a pointer in a table, to what is in the array VARIABLE, and no part of that. */
static bool leadsToOne(const Place &place, const VarDecl *variable)
{
    const QualType type = variable->getType();
    return place.type->isPointerType() && variable != RankState::baseOf(place) &&
           type->isPointerType() && type->getPointeeType()->isArithmeticType();
}

std::optional<RankState::Rows> RankState::rowsAmong(const Place &place, bool handedOn) const
{
    if (!place.element && !place.behind && !place.base->getType()->isArrayType())
        return std::nullopt;
    const bool several = baseOf(place)->getType()->isConstantArrayType();
    if (several && place.type->isPointerType() && !analysis.isData(baseOf(place)))
        return std::nullopt; /* one of an array of pointers to them */
    for (const VarDecl *variable : reached(place)) {
        if (leadsToOne(place, variable))
            continue;
        auto name = analysis.data.find(variable);
        auto found = name != analysis.data.end() ? rows.find(name->second) : rows.end();
        if (found != rows.end() && distributed.count(variable) &&
            !(handedOn && found->second.halo.empty() && isScratch(variable)))
            return Rows{variable, found->second.global, found->second.ghosts, found->second.halo};
    }
    return std::nullopt;
}

std::optional<RankState::Rows> RankState::rowsOf(const Place &place) const
{
    return rowsAmong(place, true);
}

std::optional<RankState::Rows> RankState::anyRowsOf(const Place &place) const
{
    return rowsAmong(place, false);
}

std::optional<RankState::Rows> RankState::wholeRowsOf(const Place &place, bool fixed) const
{
    for (const VarDecl *variable : reached(place))
        if ((analysis.isData(variable) && !distributed.count(variable) && !isScratch(variable)) ||
            (fixed && analysis.isLiveArray(variable)))
            return Rows{variable, true, false, ""};
    return std::nullopt;
}

void RankState::noteOwnAmongAll(const Place &place, const Form &index)
{
    const std::set<const VarDecl *> all = pointees(baseOf(place));
    if ((index.has(Form::Own) && index.has(Form::First)) || index.isOnlyOf(Form::Rank))
        ownAmongAll.insert(all.begin(), all.end());
}

void RankState::makeWhole(const Place &place)
{
    const std::set<const VarDecl *> all = pointees(baseOf(place));
    state.whole.insert(all.begin(), all.end());
}

bool RankState::lacksOthers(const Place &place) const
{
    const std::set<const VarDecl *> all = pointees(baseOf(place));
    const auto hasAll =
        [&](const VarDecl *one) { /* after a change, too */
                                  auto name = analysis.data.find(one);
                                  auto found = name != analysis.data.end() ? rows.find(name->second)
                                                                           : rows.end();
                                  return name != analysis.data.end() &&
                                         (found == rows.end() || !found->second.global);
        };
    return llvm::none_of(all, hasAll) && llvm::any_of(all, [&](const VarDecl *one) {
               return ownAmongAll.count(one) != 0 && state.whole.count(one) == 0;
           });
}

RankState::Rows RankState::rowsOfFile(const VarDecl *file) const
{
    if (analysis.shared.count(file) != 0)
        return Rows{file, true, false, ""};
    Rows all{file, false, true, ""};
    for (const VarDecl *one : analysis.files) {
        auto name = analysis.data.find(one);
        auto found = name != analysis.data.end() ? rows.find(name->second) : rows.end();
        if (found == rows.end() || (analysis.isData(file) && one != file))
            continue;
        all.ghosts = all.ghosts && found->second.ghosts;
        all.halo = found->second.halo;
    }
    return all;
}

void RankState::clear(const VarDecl *variable, const FieldDecl *field)
{
    if (variable->getType()->isRecordType())
        for (const VarDecl *member : analysis.members.inside(variable, field))
            clear(member, nullptr);
    if (field != nullptr) {
        state.ranked.erase({variable, field});
        return;
    }
    for (auto at = state.ranked.lower_bound({variable, nullptr});
         at != state.ranked.end() && at->first.first == variable;)
        at = state.ranked.erase(at);
}

} // namespace xmpi
