/* SPDX-License-Identifier: BSD-3-Clause
 * What pointers lead to: variables, parameters, and members of structs; what structs take over.
 * And expressions of which parts run on some ways alone, or of which nothing is known. */
#include "ranks/rank_expressions.h"
#include "check/safety.h"
#include "facts/effects.h"
#include "flow/gathered.h"
#include "library/library.h"
#include "rows/own_loops.h"
#include "source/loops.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

std::set<const VarDecl *> RankState::pointees(const VarDecl *variable) const
{
    std::set<const VarDecl *> seen;
    std::vector<const VarDecl *> open = {variable};
    while (!open.empty()) {
        const VarDecl *next = open.back();
        open.pop_back();
        auto found = targets.find(next);
        const std::set<const VarDecl *> &members = analysis.members.meaning(next);
        open.insert(open.end(), members.begin(), members.end());
        if (seen.insert(next).second && found != targets.end())
            for (const auto &target : found->second)
                open.push_back(target.first);
    }
    return seen;
}

/* What functions of the file hand back leads where it led there, but not to memory that each call
 * makes anew. */
void RankState::pointReturned(const VarDecl *pointer, const CallExpr *call)
{
    for (const FunctionDecl *callee : analysis.finder.callees(call))
        for (const Expr *value : returnedIn(callee->getBody()))
            if (std::optional<Place> target = placeGiven(value))
                for (const VarDecl *one : pointees(baseOf(*target)))
                    if (one != pointer && one->getDeclContext() != callee)
                        targets[pointer].emplace(one, nullptr);
}

/* POINTER leads where VALUE leads, and what is known of rows there is known of its own then. */
void RankState::followChanged(const VarDecl *pointer, const Expr *value)
{
    const std::optional<Place> from = placeGiven(value);
    auto known = from ? state.changed.find(baseOf(*from)) : state.changed.end();
    if (known != state.changed.end())
        state.changed[pointer] = Changed(known->second);
    else
        state.changed.erase(pointer);
}

void RankState::point(const VarDecl *pointer, const Expr *value)
{
    followChanged(pointer, value);
    const QualType element = analysis.context.getBaseElementType(pointer->getType());
    if (!element->isPointerType() || analysis.isData(pointer))
        return;
    const Expr *inner = value->IgnoreParenCasts();
    if (isa<CallExpr>(inner)) /* memory of its own */
        makeWhole(Place::of(pointer));
    if (const auto *list = dyn_cast<InitListExpr>(inner)) { /* of an array of pointers */
        for (const Expr *one : list->inits())
            point(pointer, one);
        return;
    }
    if (const auto *choice = dyn_cast<ConditionalOperator>(inner)) {
        point(pointer, choice->getTrueExpr());
        return point(pointer, choice->getFalseExpr());
    }
    if (const auto *call = dyn_cast<CallExpr>(inner))
        return pointReturned(pointer, call);
    if (const std::optional<Place> target = placeGiven(inner))
        return pointTo(pointer, *target);
    for (const Place &target : placesBehind(inner))
        pointTo(pointer, target);
}

void RankState::pointTo(const VarDecl *pointer, const Place &target)
{
    if (baseOf(target) == pointer)
        return;
    const FieldDecl *field = target.behind ? nullptr : target.field;
    for (const VarDecl *one : keptOf(baseOf(target), pointer)) {
        auto [known, fresh] = targets[pointer].emplace(one, field);
        if (!fresh && known->second != field)
            known->second = nullptr;
    }
}

/* What TARGET is for POINTER, which may outlive the call that it is a parameter of: what was handed
 * over, as the next call hands over something else. */
std::set<const VarDecl *> RankState::keptOf(const VarDecl *target, const VarDecl *pointer) const
{
    const bool within =
        pointer->getDeclContext() == target->getDeclContext() && !pointer->isStaticLocal();
    std::set<const VarDecl *> kept;
    if (isa<ParmVarDecl>(target) && !within)
        for (const VarDecl *one : pointees(target))
            if (one != pointer && (!isa<ParmVarDecl>(one) || !points(one)))
                kept.insert(one);
    return kept.empty() ? std::set<const VarDecl *>{target} : kept;
}

/* -- pointers that are members of structs */

bool RankState::isHeld(const Place &place)
{
    return place.element && place.field != nullptr &&
           (place.field->getType()->isPointerType() || place.field->getType()->isRecordType());
}

std::set<const VarDecl *> RankState::reached(const Place &place) const
{
    std::set<const VarDecl *> all = pointees(baseOf(place));
    if (isHeld(place))
        for (const VarDecl *owner : std::set<const VarDecl *>(all))
            if (auto known = held.find({owner, place.field}); known != held.end())
                for (const VarDecl *one : known->second)
                    all.merge(pointees(one));
    return all;
}

void RankState::hold(const Place &owner, const FieldDecl *field, const Expr *value,
                     const Form &offset)
{
    const Expr *inner = value->IgnoreParenCasts();
    if (const auto *list = dyn_cast<InitListExpr>(inner); list && field->getType()->isRecordType())
        return holdAll(owner, field, list);
    if (!field->getType()->isPointerType())
        return;
    const std::optional<Place> target = placeGiven(inner);
    for (const VarDecl *one : pointees(baseOf(owner))) {
        if (const VarDecl *member = analysis.members.at(one, field)) {
            point(member, value);
            state.offsets[member] = offset;
        } else if (target) {
            held[{one, field}].merge(keptOf(baseOf(*target), one));
        }
    }
}

/* The same of FIELD, a struct within OWNER, with the values in LIST. */
void RankState::holdAll(const Place &owner, const FieldDecl *field, const InitListExpr *list)
{
    for (const Expr *value : list->inits()) {
        const std::optional<Place> target = placeOf(value->IgnoreParenCasts());
        if (!value->getType()->isPointerType() || !target)
            continue;
        for (const VarDecl *member : analysis.members.inside(baseOf(owner), field))
            if (analysis.context.hasSameUnqualifiedType(member->getType(), value->getType()))
                point(member, value);
        held[{baseOf(owner), field}].insert(baseOf(*target));
    }
}

void RankState::holdSame(const Place &owner, const FieldDecl *field, const Place &from)
{
    const VarDecl *to = analysis.members.at(baseOf(owner), field),
                  *source = analysis.members.at(baseOf(from), field);
    if (!field->getType()->isPointerType())
        return;
    if (to != nullptr && source != nullptr) {
        targets[to].emplace(source, nullptr);
        state.offsets[to] = offsetOf(source);
    } else if (auto known = held.find({baseOf(from), field}); known != held.end()) {
        held[{baseOf(owner), field}] = std::set<const VarDecl *>(known->second);
    }
}

/* -- structs */

/* The values of the members of a struct, without anything else that happens; or null. */
static const InitListExpr *membersIn(const ASTContext &context, const Expr *value)
{
    value = value->IgnoreParenCasts();
    if (const auto *literal = dyn_cast<CompoundLiteralExpr>(value))
        value = literal->getInitializer()->IgnoreParenCasts();
    const auto *list = dyn_cast<InitListExpr>(value);
    const RecordDecl *record = list != nullptr ? list->getType()->getAsRecordDecl() : nullptr;
    return record != nullptr && !record->isUnion() && !list->HasSideEffects(context) ? list
                                                                                     : nullptr;
}

bool RankExpressions::copyList(const Place &place, const InitListExpr *list,
                               std::set<const FieldDecl *> &fields,
                               std::map<const FieldDecl *, Form> &forms)
{
    for (const FieldDecl *field : list->getType()->getAsRecordDecl()->fields()) {
        if (field->getFieldIndex() >= list->getNumInits())
            return false;
        const Expr *init = list->getInit(field->getFieldIndex());
        const Followed one = evaluate(init);
        hold(place, field, init, one.form);
        if (!field->getType()->isPointerType())
            forms[field] = one.form;
        if (one.ranked)
            fields.insert(field);
    }
    return true;
}

void RankExpressions::setMembers(const Place &place, const std::set<const FieldDecl *> &fields,
                                 const std::map<const FieldDecl *, Form> &forms,
                                 SourceLocation where)
{
    if (!place.behind)
        clear(baseOf(place), nullptr);
    for (const FieldDecl *field : fields) {
        Place member = place;
        member.field = field;
        set(member, true, false, where);
    }
    for (const auto &[field, form] : forms) {
        Place member = place;
        member.field = field;
        setForm(member, form, true);
    }
}

/* A struct takes over member by member what differs in VALUE. */
bool RankExpressions::copyStruct(const Place &place, const Expr *value, SourceLocation where)
{
    if (!place.type->isRecordType() || place.field != nullptr || place.element)
        return false;
    std::set<const FieldDecl *> fields;
    std::map<const FieldDecl *, Form> forms;
    if (const InitListExpr *list = membersIn(analysis.context, value)) {
        if (!copyList(place, list, fields, forms))
            return false;
    } else if (isa<CallExpr>(bare(value)) && (!returned.empty() || !returnedForms.empty())) {
        fields = returned;
        forms = returnedForms;
        holdReturned(place, cast<CallExpr>(bare(value)));
    } else {
        std::optional<Place> from = placeOf(bare(value));
        if (!from || from->field != nullptr || from->element || from->behind)
            return false;
        for (const FieldDecl *field : place.type->getAsRecordDecl()->fields()) {
            Place member = *from;
            member.field = field;
            member.type = field->getType();
            if (differs(member))
                fields.insert(field);
            forms[field] = formOf(member);
            holdSame(place, field, *from);
        }
    }
    setMembers(place, fields, forms, where);
    return true;
}

/* OWNER is what CALL, of a function of the file, hands back: its pointers lead where they led. */
void RankExpressions::holdReturned(const Place &owner, const CallExpr *call)
{
    for (const FunctionDecl *callee : analysis.finder.callees(call))
        for (const Expr *value : returnedIn(callee->getBody()))
            if (std::optional<Place> from = placeOf(bare(value)))
                for (const FieldDecl *field : owner.type->getAsRecordDecl()->fields())
                    holdSame(owner, field, *from);
}

/* -- what runs on some ways alone, or nobody knows how */

Followed RankExpressions::decides(const Stmt *condition)
{
    Followed value = evaluate(condition);
    if (value.ranked && inLoop && steered == nullptr)
        steered = condition;
    return value;
}

/* Both are of all own rows together: so is the larger one. */
static bool areOfBlocks(const Form &one, const Form &other)
{
    return one.kind == Form::Kind::Block && other.kind == Form::Kind::Block && !one.isAffine() &&
           !other.isAffine();
}

Followed RankExpressions::evaluateChoice(const ConditionalOperator *choice)
{
    Followed condition = decides(choice->getCond());
    controls += condition.ranked;
    conditions.push_back(condition.form.asTest());
    Followed one = evaluate(choice->getTrueExpr());
    conditions.back() = conditions.back().negated();
    Followed other = evaluate(choice->getFalseExpr());
    conditions.pop_back();
    controls -= condition.ranked;
    const bool ranked = condition.ranked || one.ranked || other.ranked;
    const unsigned picked = pickedBy(analysis.context, choice);
    if (picked != 0 && areOfBlocks(one.form, other.form)) {
        Form form = merge(one.form, other.form);
        form.gathered |= picked;
        return {ranked, form};
    }
    return {ranked, choose(condition.form.asTest(), choice, one.form, other.form)};
}

Followed RankExpressions::evaluateWays(const AbstractConditionalOperator *choice)
{
    if (const auto *both = dyn_cast<ConditionalOperator>(choice))
        return evaluateChoice(both);
    const Followed one = decides(cast<BinaryConditionalOperator>(choice)->getCommon());
    controls += one.ranked;
    conditions.push_back(one.form.asTest().negated());
    const Followed other = evaluate(choice->getFalseExpr());
    conditions.pop_back();
    controls -= one.ranked;
    return {one.ranked || other.ranked, join(join(one.form, other.form), one.form.asTest())};
}

/* TEST calls MPI, or asks what that has handed back: it has succeeded. */
static bool asksForSuccess(const Expr *test)
{
    test = test->IgnoreParenCasts();
    if (const auto *call = dyn_cast<CallExpr>(test))
        return isMpiCall(call);
    const auto *unary = dyn_cast<UnaryOperator>(test);
    if (unary != nullptr)
        return unary->getOpcode() == UO_LNot && asksForSuccess(unary->getSubExpr());
    const auto *binary = dyn_cast<BinaryOperator>(test);
    if (binary == nullptr || (!binary->isLogicalOp() && !binary->isEqualityOp()))
        return false;
    const bool one = asksForSuccess(binary->getLHS()), other = asksForSuccess(binary->getRHS());
    return binary->isLogicalOp() ? one && other : one || other;
}

/* EXPRESSION does more than to have a value. */
static bool acts(const Analysis &analysis, const Expr *expression)
{
    const Effects effects = analysis.finder.of(expression);
    return !effects.writes.empty() || llvm::any_of(effects.calls, [](const CallExpr *call) {
        return deedOf(call) != Deed::Computes;
    });
}

/* -- the process that has one row */

/* What a test compares, the smaller one first: NUMBER <= or < another expression, or behind it. */
struct Bounds {
    const Expr *smaller = nullptr, *larger = nullptr;
    bool equal = false; /* they may be equal */
};

static Bounds boundsIn(const Expr *test)
{
    const auto *binary = dyn_cast<BinaryOperator>(test->IgnoreParenImpCasts());
    if (binary == nullptr || !binary->isRelationalOp())
        return {};
    const BinaryOperatorKind kind = binary->getOpcode();
    const bool less = kind == BO_LT || kind == BO_LE;
    return {less ? binary->getLHS() : binary->getRHS(), less ? binary->getRHS() : binary->getLHS(),
            kind == BO_LE || kind == BO_GE};
}

/* FORM is FIRST * the first own row + COUNT * their number, and nothing more. */
static bool isPlainOf(const Form &form, llvm::StringRef first, llvm::StringRef count)
{
    for (unsigned term = 0; term < Form::Terms; term++)
        if (form.by[term] != (term == Form::First ? first : term == Form::Count ? count : ""))
            return false;
    return form.isPlain() && form.ends == 0;
}

/* BOTH, `first <= row && row < first + count`, tells whether the process has a row that is the same
 * on all; or the same of the row's place in the block, `0 <= place && place < count`. */
bool RankExpressions::tellsOwner(const BinaryOperator *both)
{
    Bounds from = boundsIn(both->getLHS()), to = boundsIn(both->getRHS());
    if (from.smaller == nullptr || to.smaller == nullptr)
        return false;
    if (!isSame(analysis.context, from.larger, to.smaller))
        std::swap(from, to);
    if (!isSame(analysis.context, from.larger, to.smaller) || !from.equal || to.equal ||
        acts(analysis, both))
        return false;
    const Form row = evaluate(from.larger).form, first = evaluate(from.smaller).form,
               end = evaluate(to.larger).form;
    const bool number = row.isUniform() && !row.agreed && isPlainOf(first, "1", "") &&
                        isPlainOf(end, "1", "1"),
               place = isPlainOf(row, "-1", "") && first.isUniform() && first.zero &&
                       isPlainOf(end, "", "1");
    return (number || place) && first.shift.empty() && end.shift.empty();
}

/* One process alone comes here: the one that has a row that is the same on all. */
bool RankValues::isUnderOwner() const
{
    const auto owners = llvm::count_if(conditions, [](const Form &one) { return one.owner; });
    return rowLoops.empty() && owners == 1 && llvm::all_of(conditions, [](const Form &one) {
               return one.owner || (one.isUniform() && !one.each && !one.agreed && !one.counted);
           });
}

/* VARIABLE is one more, or less, in each iteration of LOOP, whichever way that takes. */
static bool isStepped(const Analysis &analysis, const Stmt *loop, const VarDecl *variable)
{
    const Stmt *body = bodyOf(loop);
    const Effects within = analysis.finder.of(body);
    const auto many = llvm::count_if(within.writes, [&](const Write &write) {
        return write.place.base->getCanonicalDecl() == variable;
    });
    if (many == 0)
        return countingOf(analysis, loop).counter == variable;
    const bool leaves =
        anyWithin(body, [](const Stmt *one) { return isa<ContinueStmt, GotoStmt>(one); });
    return many == 1 && !leaves && llvm::any_of(body->children(), [&](const Stmt *one) {
               const auto *step = dyn_cast_or_null<UnaryOperator>(one);
               return step != nullptr && step->isIncrementDecrementOp() &&
                      variableIn(step->getSubExpr()) == variable;
           });
}

/* VARIABLE is declared, and not again and again, in what runs LOOP: it is as new there. */
static bool isNewFor(const Analysis &analysis, const VarDecl *variable, const Stmt *loop)
{
    const Stmt *outer = analysis.structure.enclosingLoop(loop);
    const FunctionDecl *function = analysis.structure.functionOf(loop);
    return anyWithin(function->getBody(), [&](const Stmt *one) {
        return declares(one, variable) && analysis.structure.enclosingLoop(one) == outer &&
               variable->hasLocalStorage();
    });
}

/* TARGET is an element of PLACE that is set once, in one iteration: of the adaptive loop; or of one
 * in it for which PLACE is as new. */
bool RankValues::isOfNext(const Place &place, const Expr *target) const
{
    const auto *element = dyn_cast<ArraySubscriptExpr>(target->IgnoreParenCasts());
    const VarDecl *number = element != nullptr ? variableIn(element->getIdx()) : nullptr;
    const Stmt *loop = analysis.structure.enclosingLoop(target);
    const auto sets = [&](const Write &write) {
        return write.how != Write::How::Declared &&
               pointees(baseOf(write.place)).count(baseOf(place)) != 0;
    };
    const auto isOnce = [&](const Step &step) {
        return analysis.structure.enclosingLoop(step.anchor) == nullptr;
    };
    const bool once = loop == analysis.loop
                          ? llvm::all_of(analysis.path, isOnce)
                          : loop != nullptr && isNewFor(analysis, baseOf(place), loop);
    return number != nullptr && once && llvm::count_if(analysis.inLoop.writes, sets) == 1 &&
           isStepped(analysis, loop, number);
}

/* The others have 0 there: so the sum of all processes is what it puts there. What was there before
 * is gone on this one alone, but where that was 0. */
std::optional<Form> RankValues::ofOwner(const Place &place, const Expr *target, const Form &value,
                                        bool compound) const
{
    const Form given = compound ? taken : value, before = formOf(place);
    const bool row = given.kind == Form::Kind::Row || given.isUniform();
    const bool adds = (gathering & ~(Form::Added | Form::Counted)) == 0;
    const bool first = before.kind == Form::Kind::Uniform && !before.isAffine() && !before.agreed,
               sum = before.kind == Form::Kind::Block && !before.isOfLayout();
    if (!isUnderOwner() || !row || given.isAffine() || given.neighbour || given.message ||
        given.peer || given.agreed || (compound && !adds) || (!first && !sum))
        return std::nullopt;
    const bool empty = first && (before.zero || !isKnown(place));
    Form form = Form::of(Form::Kind::Block, baseOf(place)->getNameAsString(), value.where);
    form.begun = sum ? before.begun : compound && !empty;
    form.data = true;
    form.gathered = before.gathered | (compound ? gathering : 0);
    if (!compound)
        form.gathered |= empty || (sum && isOfNext(place, target)) ? Form::Added
                         : first                                   ? Form::Picked
                                                                   : Form::Otherwise;
    return form;
}

/* -- two operands, of which the first may tell all */

/* The second operand is come to where the first has not told the result. */
Followed RankExpressions::evaluateLogical(const BinaryOperator *binary)
{
    const bool guards = acts(analysis, binary->getRHS());
    const Followed left = guards ? decides(binary->getLHS()) : evaluate(binary->getLHS());
    const Form test = left.form.asTest();
    const State before = guards ? state : State();
    controls += guards && left.ranked;
    conditions.push_back(binary->getOpcode() == BO_LAnd ? test : test.negated());
    const Followed right = evaluate(binary->getRHS());
    conditions.pop_back();
    controls -= guards && left.ranked;
    if (guards && !asksForSuccess(binary->getLHS()))
        state.merge(before);
    Form form = combine(binary, left.form, right.form);
    form.owner = binary->getOpcode() == BO_LAnd &&
                 (tellsOwner(binary) || (left.form.owner && right.form.isUniform()) ||
                  (right.form.owner && left.form.isUniform()));
    return {left.ranked || right.ranked, form};
}

/* What EXPRESSION, of which nothing is known, has the address of may be changed for each own row.
 */
Followed RankExpressions::evaluateUnknown(const Expr *expression)
{
    bool ranked = cause == Cause::Rank;
    for (const Stmt *child : expression->children())
        ranked = evaluate(child).ranked || ranked;
    const std::string by = analysis.source.spelled(expression);
    const Form form = Form::of(Form::Kind::Local, by, expression->getExprLoc());
    for (const Write &write : analysis.finder.of(expression).writes) {
        if (write.value != expression)
            continue;
        set(write.place, ranked, false, write.where);
        if (std::optional<Rows> rows = rowsOf(write.place))
            misuse(Problem::LocalRows, write.where, rows->variable->getNameAsString(), by);
        else
            setForm(write.place, form, false);
    }
    return {ranked, form};
}

/* CAST leaves less of a real number than there may be. */
static bool rounds(const CastExpr *cast, const ASTContext &context)
{
    return cast->getCastKind() == CK_FloatingCast &&
           context.getTypeSize(cast->getType()) <
               context.getTypeSize(cast->getSubExpr()->getType());
}

Followed RankExpressions::evaluateCast(const CastExpr *cast)
{
    Followed value = evaluate(cast->getSubExpr());
    if (rounds(cast, analysis.context))
        value.form.stands = nullptr;
    if (cast->getCastKind() == CK_IntegralToBoolean && value.form.isAffine())
        value.form = value.form.asTest();
    return value;
}

} // namespace xmpi
