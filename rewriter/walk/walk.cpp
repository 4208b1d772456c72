/* SPDX-License-Identifier: BSD-3-Clause
 * Statements. A loop is passed twice, the adaptive one three times: pointers that change places do
 * so with one, two or three of their kind. */
#include "walk/walk.h"
#include "analysis.h"
#include "cells/passing.h"
#include "source/loops.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

/* Of statements and expressions, with those of functions each time they are called: more is seen in
 * no program that somebody waits for. */
constexpr unsigned long tooMuch = 3000000;

Walk::Walk(ASTContext &context, const PointsTo &pointsTo, const Stmt *loop, const IfStmt *point,
           unsigned time, std::function<bool(const Expr *)> ignored, Other other)
    : context(context), pointsTo(pointsTo), loop(loop), point(point), time(time),
      ignored(std::move(ignored)), other(other)
{
}

bool Walk::from(const FunctionDecl *root)
{
    const bool whole = root->isMain();
    for (Decl *one : context.getTranslationUnitDecl()->decls())
        if (const auto *variable = dyn_cast<VarDecl>(one))
            if (variable->getInit() != nullptr)
                initialise(memory.variable(variable, 0), variable->getType(), variable->getInit());
    frames.push_back({root, nullptr, {}, {}, {}, {}, {}, false, false, false});
    frames.back().returns.ended = true;
    walk(root->getBody());
    join(now, frames.back().returns, memory);
    if (!whole && phase == Phase::After)
        readAllBehind();
    return phase == Phase::After && !isTooMuch();
}

bool Walk::isTooMuch() const
{
    return steps >= tooMuch;
}

/* Who called it may read what it has not made for itself, or hands back. */
void Walk::readAllBehind()
{
    Ids open = frames.back().value;
    for (Id id = 0; id < memory.size(); id++) {
        const Memory::Object &root = memory.rootOf(id);
        const bool global = root.variable != nullptr && root.variable->hasGlobalStorage();
        if (memory.at(id).whole == Memory::none && (global || root.holder != Memory::none))
            open.insert(id);
    }
    Ids seen;
    while (!open.empty()) {
        const Id id = *open.begin();
        open.erase(id);
        if (seen.count(id) != 0)
            continue;
        seen.insert(id);
        if (!isSet(id))
            exposed.insert(id);
        otherwise.insert(id);
        for (const auto &[pointer, to] : now.leads)
            if (memory.isWithin(pointer, id))
                open.insert(to.begin(), to.end());
    }
}

/* A place that a message was received at is a part of its array. */
Walk::Id Walk::known(Id part, const Moment &moment) const
{
    bool led = !memory.at(part).carved;
    for (const auto &[pointer, to] : moment.leads)
        led = led || to.count(part) != 0;
    return led ? part : memory.at(part).whole;
}

std::vector<Walk::Change> Walk::earlier() const
{
    std::vector<Change> all;
    for (const auto &[id, change] : others)
        if (!begins.empty() && holdsDivergent(begins.front(), id))
            all.push_back({known(id, begins.front()), change.type, change.where});
    return all;
}

void Walk::count(const std::vector<Change> &earlier)
{
    for (const Change &change : earlier)
        changed.emplace(change.object, change);
}

std::vector<Walk::Change> Walk::needed() const
{
    std::vector<Change> all;
    Ids readings = exposed;
    std::set_intersection(supposed.begin(), supposed.end(), stored.begin(), stored.end(),
                          std::inserter(readings, readings.end()));
    for (const auto &[id, change] : changed)
        if (llvm::any_of(readings, [&, id = id](Id read) {
                return memory.isWithin(read, id) || memory.isWithin(id, read);
            }))
            all.push_back(change);
    return all;
}

bool Walk::isReadFirst(Id object) const
{
    return llvm::any_of(untouched, [&](Id read) {
        return memory.isWithin(read, object) || memory.isWithin(object, read);
    });
}

bool Walk::isSummed(Id object) const
{
    const auto holds = [&](const Ids &all) {
        return llvm::any_of(all, [&](Id one) {
            return memory.isWithin(one, object) || memory.isWithin(object, one);
        });
    };
    bool sums = holds(summed);
    for (const auto &[from, to] : copies)
        if (holds(from)) {
            if (!isSummed(to))
                return false;
            sums = true;
        }
    return sums && !holds(otherwise);
}

std::vector<Walk::Change> Walk::strayed() const
{
    std::vector<Change> all;
    const auto ledBy = [](const Moment &moment, Id pointer) {
        auto at = moment.leads.find(pointer);
        return at != moment.leads.end() ? at->second : Ids();
    };
    const auto overlaps = [&](Id one, Id other) {
        return memory.isWithin(one, other) || memory.isWithin(other, one);
    };
    for (const auto &[pointer, change] : moved) {
        Ids later = ledBy(left, pointer);
        for (size_t i = 1; i < begins.size(); i++)
            later.merge(ledBy(begins[i], pointer));
        const bool same = later == ledBy(begins.front(), pointer) && stepped.count(pointer) == 0;
        if (aimed.count(pointer) == 0 || same)
            continue;
        if (advanced.count(pointer) != 0 || llvm::any_of(later, [&](Id target) {
                return llvm::any_of(seen, [&](Id one) { return overlaps(one, target); }) &&
                       llvm::none_of(changed,
                                     [&](const auto &one) { return overlaps(one.first, target); });
            }))
            all.push_back(change);
    }
    return all;
}

void Walk::walk(const Stmt *statement)
{
    if (statement == nullptr || ++steps > tooMuch)
        return;
    if (const auto *label = dyn_cast<LabelStmt>(statement)) { /* from wherever in the function */
        now.ended = false;
        now.set = frames.back().floor;
        now.touched.clear();
        now.anywhere.clear();
        return walk(label->getSubStmt());
    }
    if (now.ended && !isa<SwitchCase, CompoundStmt>(statement))
        return;
    if (statement == loop && phase == Phase::Before && met++ == time)
        return walkAdaptive();
    if (phase == Phase::Before && other == Other::ByTime && adaptive.count(statement) != 0)
        return walkBefore(statement);
    if (isLoop(statement))
        return walkLoop(statement);
    if (const auto *expression = dyn_cast<Expr>(statement)) {
        alone = expression->IgnoreParens();
        asks(expression);
    } else if (const auto *choice = dyn_cast<IfStmt>(statement)) {
        walkIf(choice);
    } else if (const auto *switched = dyn_cast<SwitchStmt>(statement)) {
        walkSwitch(switched);
    } else if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
        for (const VarDecl *variable : declaredBy(declaration))
            declare(variable);
    } else if (const auto *returned = dyn_cast<ReturnStmt>(statement)) {
        walkReturn(returned);
    } else if (isa<BreakStmt, ContinueStmt>(statement)) {
        leave(isa<ContinueStmt>(statement));
    } else if (isa<GotoStmt>(statement)) {
        now.ended = true;
    } else {
        for (const Stmt *child : statement->children())
            walk(child);
    }
}

void Walk::walkReturn(const ReturnStmt *statement)
{
    divergent = false;
    if (statement->getRetValue() != nullptr) {
        const Ids values = value(statement->getRetValue());
        frames.back().value.insert(values.begin(), values.end());
    }
    frames.back().divergent = frames.back().divergent || divergent || isApart();
    frames.back().parted = frames.back().parted || isApart();
    frames.back().unsteady = frames.back().unsteady || unsteady > 0;
    join(frames.back().returns, now, memory, unsteady == 0);
    now.ended = true;
}

void Walk::leave(bool again)
{
    auto &all = again ? frames.back().loops : frames.back().choices;
    if (!all.empty()) {
        join(again ? all.back()->again : all.back()->left, now, memory, unsteady == 0);
        all.back()->parted = all.back()->parted || isApart();
        all.back()->unsteady = all.back()->unsteady || unsteady > 0;
    }
    now.ended = true;
}

/* It may hold in some iterations alone, on all processes. */
bool Walk::isUnsteady(const Expr *condition) const
{
    return phase == Phase::Iterating && followsIterations(condition, frames.size());
}

void Walk::walkIf(const IfStmt *choice)
{
    if (choice == point)
        return walk(choice->getElse());
    Ids goesBy;
    const bool parts = askGuard(choice->getCond(), goesBy), some = isUnsteady(choice->getCond());
    apart += parts;
    unsteady += some;
    guards.push_back(goesBy);
    Moment other = now;
    walk(choice->getThen());
    std::swap(now, other);
    walk(choice->getElse());
    if (now.ended == other.ended) /* else it is around what follows, too */
        guards.pop_back();
    join(now, other, memory, !some, parts);
    apart -= parts;
    unsteady -= some;
}

void Walk::walkSwitch(const SwitchStmt *choice)
{
    Ids goesBy;
    const bool parts = askGuard(choice->getCond(), goesBy), some = isUnsteady(choice->getCond());
    apart += parts;
    unsteady += some;
    guards.push_back(goesBy);
    const Moment at = now;
    Exits exits;
    exits.left.ended = exits.again.ended = true;
    bool otherwise = false;
    frames.back().choices.push_back(&exits);
    const std::function<void(const Stmt *)> inside = [&](const Stmt *statement) {
        if (const auto *label = dyn_cast<SwitchCase>(statement)) {
            otherwise = otherwise || isa<DefaultStmt>(label);
            join(now, at, memory, !some, parts);
            return inside(label->getSubStmt());
        }
        const auto *block = dyn_cast<CompoundStmt>(statement);
        if (block == nullptr)
            return walk(statement);
        for (const Stmt *child : block->body())
            inside(child);
    };
    now.ended = true;
    const size_t around = guards.size();
    inside(choice->getBody());
    guards.resize(around - 1);
    frames.back().choices.pop_back();
    apart -= parts;
    unsteady -= some;
    join(now, exits.left, memory, !some, parts);
    if (!otherwise)
        join(now, at, memory, !some, parts);
}

void Walk::pass(const Stmt *loop, Exits &exits)
{
    exits.again.ended = true;
    frames.back().loops.push_back(&exits);
    frames.back().choices.push_back(&exits);
    const size_t around = guards.size();
    walk(bodyOf(loop));
    guards.resize(around);
    join(now, exits.again, memory, !exits.unsteady);
    const auto *counted = dyn_cast<ForStmt>(loop);
    const Expr *condition = conditionIn(loop);
    if (counted != nullptr && counted->getInc() != nullptr && !now.ended)
        asks(counted->getInc());
    if (condition != nullptr && !now.ended)
        exits.parted = (loop == this->loop ? asks(condition) : askTurn(condition)) || exits.parted;
    else if (condition == nullptr)
        now.ended = true; /* it is left otherwise */
    frames.back().loops.pop_back();
    frames.back().choices.pop_back();
}

/* What it sets is set behind it: that it may make no pass is nothing to rely on. */
void Walk::walkLoop(const Stmt *loop)
{
    const auto *counted = dyn_cast<ForStmt>(loop);
    if (counted != nullptr)
        walk(counted->getInit());
    const Expr *condition = conditionBefore(loop);
    Exits exits;
    if (condition != nullptr)
        exits.parted = askTurn(condition);
    Moment before = now;
    exits.left.ended = true;
    depth++;
    open.push_back(loop);
    if (phase == Phase::Before && other == Other::ByTime)
        passBefore(loop, exits);
    else
        pass(loop, exits);
    Moment after = now;
    if (now.ended && condition == nullptr)
        now = before;
    const Marks set = now.set, touched = now.touched, anywhere = now.anywhere;
    pass(loop, exits);
    open.pop_back();
    depth--;
    before.set = after.set = now.set = set;
    before.touched = after.touched = now.touched = touched;
    before.anywhere = after.anywhere = now.anywhere = anywhere;
    join(now, after, memory);
    if (condition != nullptr)
        join(now, before, memory);
    join(now, exits.left, memory, !exits.unsteady);
}

/* An earlier time, or another loop, whose iterations a start leaves out. */
void Walk::walkBefore(const Stmt *loop)
{
    apart++;
    walkLoop(loop);
    apart--;
}

/* The first pass of a loop. Where an adaptive one is in it, a start comes there in this pass, and
 * what one pass leaves to the next, a counter, is another value in a later one. */
void Walk::passBefore(const Stmt *loop, Exits &exits)
{
    const unsigned before = met;
    passes.emplace_back();
    if (const Expr *condition = conditionBefore(loop))
        asks(condition);
    pass(loop, exits);
    const Pass one = std::move(passes.back());
    passes.pop_back();
    if (met == before || phase != Phase::Before)
        return;
    for (const auto &[id, change] : one.touched)
        if (one.read.count(id) != 0) {
            now.divergent.insert(id);
            others.emplace(id, change);
        }
}

void Walk::walkAdaptive()
{
    if (const auto *counted = dyn_cast<ForStmt>(loop))
        walk(counted->getInit());
    Exits exits;
    if (const Expr *condition = conditionBefore(loop))
        exits.parted = asks(condition);
    wayThere = way;
    phase = Phase::Iterating;
    now.set.clear();
    now.touched.clear();
    now.anywhere.clear();
    now.brought.clear();
    for (Frame &frame : frames)
        frame.floor.clear();
    const unsigned outside = depth;
    depth = 0;
    std::vector<const Stmt *> around;
    std::swap(open, around);
    exits.left.ended = true;
    Moment left = exits.left;
    for (int i = 0; i < 3 && !now.ended; i++) {
        age();
        beginTrail();
        const Moment before = now;
        begins.push_back(now);
        pass(loop, exits);
        join(left, now, memory);
        if (now.ended && conditionBefore(loop) == nullptr && !isa<DoStmt>(loop))
            now = before;
    }
    begin = begins.front();
    std::swap(open, around);
    depth = outside;
    join(left, exits.left, memory);
    this->left = now = left;
    phase = Phase::After;
}

/* What the iterations so far have made is other memory than what the next one makes there. */
Walk::Id Walk::older(Id id)
{
    Id root = id;
    while (memory.at(root).whole != Memory::none)
        root = memory.at(root).whole;
    return fresh.count(root) != 0 ? memory.kept(id) : id;
}

/* Where an iteration begins, nothing of what those before have made has been set since. (What
 * messages brought in those before, they bring in this one.) */
void Walk::age()
{
    Leads leads;
    for (const auto &[pointer, to] : now.leads) {
        Ids &all = leads[older(pointer)];
        for (Id id : to)
            all.insert(older(id));
    }
    now.leads = leads;
    Marks set;
    for (const Id id : now.set)
        if (older(id) == id)
            set.insert(id);
    now.set = set;
    for (Marks *marks : {&now.touched, &now.anywhere}) {
        Marks kept;
        for (const Id id : *marks)
            if (older(id) == id)
                kept.insert(id);
        *marks = kept;
    }
    now.brought.clear();
    Marks divergent;
    for (const Id id : now.divergent)
        divergent.insert(older(id));
    now.divergent = divergent;
    const std::map<Id, Change> so_far = changed;
    for (const auto &[id, change] : so_far)
        if (const Id same = older(id); same != id)
            changed.emplace(same, Change{same, change.type, change.where});
}

void Walk::declare(const VarDecl *variable)
{
    const Id object = memory.variable(variable, way);
    divergent = false;
    if (variable->hasLocalStorage()) {
        setAnew(object);
        settle({object}, true);
    }
    if (variable->hasLocalStorage() && variable->getType()->isPointerType())
        store({object}, {}, false);
    if (variable->getInit() == nullptr)
        return;
    const bool known = variable->isStaticLocal() && now.leads.count(object) != 0;
    if (!known)
        initialise(object, variable->getType(), variable->getInit());
}

/* What LOOK finds where the loop begins. */
template <class Look> Walk::Ids Walk::atBegin(const Look &look)
{
    std::swap(now, begin);
    std::swap(way, wayThere);
    looking = true;
    const Ids found = look();
    looking = false;
    std::swap(way, wayThere);
    std::swap(now, begin);
    return found;
}

Walk::Ids Walk::placeAt(const Expr *lvalue)
{
    return atBegin([&] { return place(lvalue); });
}

Walk::Ids Walk::behind(const Expr *pointer)
{
    return atBegin([&] { return value(pointer); });
}

Walk::Ids Walk::led(Id pointer)
{
    auto at = begin.leads.find(pointer);
    return at != begin.leads.end() ? at->second : Ids();
}

} // namespace xmpi
