/* SPDX-License-Identifier: BSD-3-Clause
 * Liveness (Aho et al., Compilers, 9.2.5) over clang's graph of a function, with what is sure to be
 * read and what may be set. */
#include "cells/passing.h"
#include "cells/clause_pointers.h"
#include "analysis.h"
#include "compat.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "library/traits.h"
#include "source/loops.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;
using Kind = Touch::Kind;

std::vector<const Stmt *> partsOf(const Stmt *statement)
{
    std::vector<const Stmt *> parts;
    eachWithin(statement, [&](const Stmt *one) { parts.push_back(one); });
    return parts;
}

static std::set<const Stmt *> setOfParts(const Stmt *statement)
{
    const auto parts = partsOf(statement);
    return {parts.begin(), parts.end()};
}

Passing::Passing(ASTContext &context, Cells &cells) : context(context), cells(cells)
{
    readFile();
}

/* What persistent requests receive into, and what clocks have told, however far about. */
void Passing::readFile()
{
    std::vector<std::pair<Cells::Cell, const Expr *>> set;
    for (const FunctionDecl *function : cells.functions)
        for (const Stmt *part : partsOf(function->getBody())) {
            const auto *binary = dyn_cast<BinaryOperator>(part);
            const auto *call = dyn_cast<CallExpr>(part);
            const auto *declaration = dyn_cast<DeclStmt>(part);
            if (binary != nullptr && binary->isAssignmentOp())
                set.emplace_back(cells.of(binary->getLHS()), binary->getRHS());
            if (declaration != nullptr)
                for (const VarDecl *variable : declaredBy(declaration))
                    if (variable->getInit() != nullptr)
                        set.emplace_back(cells.of(variable), variable->getInit());
            if (call != nullptr && deedOf(call) == Deed::Clock)
                for (const Expr *argument : call->arguments())
                    if (argument->getType()->isPointerType())
                        clocked.insert(cells.found(cells.behind(argument)));
            if (call != nullptr && call->getNumArgs() > 0 &&
                (calleeName(call) == "MPI_Recv_init" || calleeName(call) == "MPI_Bcast_init" ||
                 endsWith(calleeName(call), "_init")))
                for (const Expr *argument : call->arguments())
                    if (argument->getType()->isPointerType())
                        requested.insert(cells.behind(argument));
        }
    for (size_t before = SIZE_MAX; before != clocked.size();) {
        before = clocked.size();
        for (const auto &[cell, value] : set)
            if (cell != Cells::none && hasClock(value))
                clocked.insert(cells.found(cell));
    }
}

bool Passing::followsClock(Cells::Cell cell)
{
    return clocked.count(cells.found(cell)) != 0;
}

/* CALL is one of a function of the program that hands back a time. */
bool Passing::handsBackClock(const CallExpr *call)
{
    const FunctionDecl *callee = definitionOf(call);
    if (callee == nullptr || !asked.insert(callee).second)
        return false;
    const bool found = llvm::any_of(returnedIn(callee->getBody()),
                                    [&](const Expr *value) { return hasClock(value); });
    asked.erase(callee);
    return found;
}

bool Passing::hasClock(const Expr *value)
{
    return anyWithin(value, [&](const Stmt *part) {
        const auto *call = dyn_cast<CallExpr>(part);
        const auto *place = dyn_cast<Expr>(part);
        return (call != nullptr && (deedOf(call) == Deed::Clock || handsBackClock(call))) ||
               (place != nullptr && place->isLValue() && cells.of(place) != Cells::none &&
                followsClock(cells.of(place)));
    });
}

/* -- what one element of the graph does */

/* Pointers and handles mean something in one process only: the start makes them. Of structs with
 * some in them only the other members are values. */
static bool isValue(const ASTContext &context, QualType type)
{
    return !type->isPointerType() && !isHandle(type) && !type->isFunctionType() &&
           (type->isUnionType() || leadingMember(context, type) == nullptr);
}

void Passing::add(Kind kind, Cells::Cell cell, QualType type, const Stmt *by, const Expr *place,
                  bool sums, std::vector<Touch> &touches)
{
    for (Cells::Cell member : cells.membersOf(type))
        touches.push_back({kind == Kind::Write ? Kind::Part : kind, member, by, place, false});
    if (cell != Cells::none && isValue(context, type))
        touches.push_back({kind, cell, by, place, sums});
}

void Passing::assign(const Expr *place, const Stmt *by, bool reads, bool sums,
                     std::vector<Touch> &touches)
{
    const Cells::Cell cell = cells.of(place);
    if (reads)
        add(Kind::Read, cell, place->getType(), by, nullptr, sums, touches);
    add(Kind::Write, cell, place->getType(), by, place, sums, touches);
}

/* a[2]: what is there may be what the start puts there, while the loop sets others. */
static bool isOneOfMany(const Expr *place)
{
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(place->IgnoreParens());
    return subscript != nullptr && isa<IntegerLiteral>(subscript->getIdx()->IgnoreParenImpCasts());
}

void Passing::collect(const Stmt *element, std::vector<Touch> &touches)
{
    if (const auto *cast = dyn_cast<CastExpr>(element)) {
        const Expr *place = cast->getSubExpr();
        if (cast->getCastKind() == CK_LValueToRValue && !isOneOfMany(place))
            add(Kind::Read, cells.of(place), place->getType(), cast, place, false, touches);
    } else if (const auto *binary = dyn_cast<BinaryOperator>(element)) {
        if (binary->isAssignmentOp())
            assign(binary->getLHS(), binary, binary->isCompoundAssignmentOp(),
                   binary->getOpcode() == BO_AddAssign || binary->getOpcode() == BO_SubAssign,
                   touches);
    } else if (const auto *unary = dyn_cast<UnaryOperator>(element)) {
        if (unary->isIncrementDecrementOp())
            assign(unary->getSubExpr(), unary, true, true, touches);
    } else if (const auto *declaration = dyn_cast<DeclStmt>(element)) {
        for (const VarDecl *variable : declaredBy(declaration))
            if (variable->hasLocalStorage())
                touches.push_back({Kind::Write, cells.of(variable), element});
    } else if (const auto *call = dyn_cast<CallExpr>(element)) {
        collectCall(call, touches);
    }
}

/* A function of a library. */
void Passing::collectArgument(const CallExpr *call, unsigned index, std::vector<Touch> &touches)
{
    const FunctionDecl *callee = call->getDirectCallee();
    const Expr *argument = call->getArg(index), *bare = argument->IgnoreParenCasts();
    const QualType type = bare->getType();
    const QualType behind = type->isPointerType() ? type->getPointeeType()
                            : type->isArrayType() ? context.getBaseElementType(type)
                                                  : QualType();
    const Cells::Cell cell = behind.isNull() ? Cells::none : cells.behind(argument);
    if (cell == Cells::none)
        return;
    const bool extra = index >= callee->getNumParams();
    const QualType taken = extra ? type : callee->getParamDecl(index)->getType();
    const bool reads = extra ? deedOf(call) == Deed::Prints ||
                                   (deedOf(call) == Deed::Stream && calleeName(call) == "fprintf")
                             : taken->isPointerType() && taken->getPointeeType().isConstQualified();
    const bool both = has(calleeName(call), Trait::ReadsTarget) || calleeName(call) == "realloc" ||
                      worksInPlace(call, context);
    if (reads || both)
        add(Kind::Read, cell, behind, call, nullptr, false, touches);
    if (!reads && (extra || endsWith(calleeName(call), "Bcast") || calleeName(call) == "free"))
        add(Kind::Hidden, cell, behind, call, nullptr, false, touches);
    else if (!reads)
        add(Kind::Write, cell, behind, call, nullptr, false, touches);
}

/* What a function that is not seen may set. */
void Passing::hide(const CallExpr *call, std::vector<Touch> &touches)
{
    for (const Expr *argument : call->arguments())
        if (argument->getType()->isPointerType())
            touches.push_back({Kind::Hidden, cells.behind(argument), call});
    touches.push_back({Kind::Hidden, Cells::none, call});
}

void Passing::collectCall(const CallExpr *call, std::vector<Touch> &touches)
{
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee == nullptr || isForeign(callee))
        return hide(call, touches);
    if (callee->getDefinition() != nullptr) {
        const Summary &summary = summaryOf(callee->getDefinition());
        for (Cells::Cell cell : summary.reads)
            touches.push_back({Kind::Read, cell, call});
        for (Cells::Cell cell : summary.writes)
            touches.push_back({Kind::Write, cell, call});
        for (Cells::Cell cell : summary.hidden)
            touches.push_back({Kind::Hidden, cell, call});
        if (!summary.known)
            touches.push_back({Kind::Hidden, Cells::none, call});
        return;
    }
    if (startsWith(calleeName(call), "MPI_Start"))
        for (Cells::Cell cell : requested)
            touches.push_back({Kind::Hidden, cell, call});
    if (startsWith(calleeName(call), "MPI_") && endsWith(calleeName(call), "_init"))
        return;
    collectArguments(call, touches);
}

/* One argument is read while another is set. */
void Passing::collectArguments(const CallExpr *call, std::vector<Touch> &touches)
{
    for (unsigned i = 0; i < call->getNumArgs(); i++) {
        const size_t first = touches.size();
        collectArgument(call, i, touches);
        for (size_t k = first; k < touches.size(); k++)
            touches[k].argument = call->getArg(i);
    }
}

/* -- functions */

const Passing::Flow &Passing::flowOf(const FunctionDecl *function)
{
    auto known = flows.find(function);
    if (known != flows.end())
        return known->second;
    CFG::BuildOptions options;
    options.setAllAlwaysAdd();
    Flow flow;
    flow.graph = CFG::buildCFG(function, function->getBody(), &context, options);
    if (flow.graph == nullptr)
        return flows[function] = std::move(flow);
    flow.blocks.resize(flow.graph->getNumBlockIDs());
    for (const CFGBlock *block : *flow.graph) {
        Block &into = flow.blocks[block->getBlockID()];
        for (const CFGElement &element : *block)
            if (auto statement = element.getAs<CFGStmt>())
                if (skipped.count(statement->getStmt()) == 0)
                    collect(statement->getStmt(), into.touches);
        const Stmt *last = block->getTerminatorStmt();
        if (last != nullptr && isa<ForStmt, WhileStmt>(last) && block->succ_size() == 2 &&
            (block->succ_begin() + 1)->getReachableBlock() != nullptr && !holds(last, point))
            into.loop = last;
        for (const auto &next : block->succs())
            if (next.getReachableBlock() != nullptr)
                into.next.push_back(next.getReachableBlock()->getBlockID());
    }
    return flows[function] = std::move(flow);
}

const Passing::Summary &Passing::summaryOf(const FunctionDecl *function)
{
    auto [at, fresh] = summaries.emplace(function, Summary());
    if (!fresh)
        return at->second; /* of a function that calls itself nothing is known */
    const Flow &flow = flowOf(function);
    if (flow.graph == nullptr)
        return at->second;
    std::vector<Block> blocks = flow.blocks;
    Summary summary;
    solve(blocks, {}, {});
    summary.reads = blocks[flow.graph->getEntry().getBlockID()].live;
    summary.known = true;
    for (const Block &block : blocks)
        for (const Touch &touch : block.touches) {
            if (touch.kind == Kind::Write || touch.kind == Kind::Part)
                summary.writes.insert(cells.found(touch.cell));
            if (touch.kind == Kind::Hidden && touch.cell != Cells::none)
                summary.hidden.insert(cells.found(touch.cell));
            summary.known =
                summary.known && (touch.kind != Kind::Hidden || touch.cell != Cells::none);
        }
    return summaries[function] = summary;
}

/* A single element, at a place that another iteration does not have. */
bool Passing::isPart(const Touch &touch)
{
    if (touch.kind == Kind::Part)
        return true;
    const auto *subscript =
        touch.place ? dyn_cast<ArraySubscriptExpr>(touch.place->IgnoreParens()) : nullptr;
    if (touch.kind != Kind::Write || subscript == nullptr || once.count(touch.by) == 0)
        return false;
    return anyWithin(subscript->getIdx(), [&](const Stmt *part) {
        const auto *name = dyn_cast<DeclRefExpr>(part);
        return name != nullptr && carried.count(cells.of(name)) != 0;
    });
}

void Passing::backward(const std::vector<Touch> &touches, CellSet &live,
                       const std::set<const Stmt *> &without)
{
    for (auto touch = touches.rbegin(); touch != touches.rend(); ++touch) {
        const Cells::Cell cell = cells.found(touch->cell);
        if (touch->kind == Kind::Hidden && cell == Cells::none) {
            for (auto one = live.begin(); one != live.end();)
                one = cells.isOpen(*one) ? live.erase(one) : std::next(one);
        } else if (touch->kind == Kind::Read) {
            if (without.count(touch->what()) == 0)
                live.insert(cell);
        } else if (!isPart(*touch) && without.count(touch->what()) == 0) {
            live.erase(cell);
        }
    }
}

const CellSet &Passing::setIn(const Stmt *loop, const std::vector<Block> &blocks)
{
    auto [at, fresh] = settings.emplace(loop, CellSet());
    if (!fresh)
        return at->second;
    const auto parts = setOfParts(loop);
    for (const Block &block : blocks)
        for (const Touch &touch : block.touches)
            if (touch.kind != Kind::Read && touch.cell != Cells::none &&
                parts.count(touch.by) != 0 && aside.count(touch.what()) == 0)
                at->second.insert(cells.found(touch.cell));
    return at->second;
}

/* A loop that sets something does so before its end: that it may make no pass is nothing to rely
 * on. */
void Passing::addLive(const Block &block, const std::vector<Block> &blocks, CellSet &live)
{
    for (unsigned next : block.next) {
        const CellSet &there = blocks[next].live;
        if (block.loop == nullptr || next != block.next.back()) {
            live.insert(there.begin(), there.end());
            continue;
        }
        const CellSet &set = setIn(block.loop, blocks);
        for (Cells::Cell cell : there)
            if (set.count(cell) == 0)
                live.insert(cell);
    }
}

void Passing::solve(std::vector<Block> &blocks, const CellSet &atEnd,
                    const std::set<const Stmt *> &without)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (Block &block : blocks) {
            CellSet live = block.next.empty() ? atEnd : CellSet();
            addLive(block, blocks, live);
            backward(block.touches, live, without);
            changed = changed || live != block.live;
            block.live = live;
        }
    }
}

std::set<unsigned> Passing::from(const std::vector<Block> &blocks, unsigned start, bool back)
{
    std::set<unsigned> seen;
    std::vector<unsigned> open = {start};
    while (!open.empty()) {
        const unsigned at = open.back();
        open.pop_back();
        for (unsigned other = 0; other < blocks.size(); other++) {
            const std::vector<unsigned> &next = blocks[back ? other : at].next;
            if (llvm::find(next, back ? at : other) != next.end() && seen.insert(other).second)
                open.push_back(other);
        }
    }
    return seen;
}

void Passing::addCallers(const FunctionDecl *function, std::set<const void *> &seen, CellSet &live,
                         CellSet &changed)
{
    if (!seen.insert(function).second)
        return;
    for (const FunctionDecl *caller : cells.functions) {
        const Flow &flow = flowOf(caller);
        if (flow.graph == nullptr)
            continue;
        for (const CFGBlock *block : *flow.graph)
            for (size_t i = 0; i < block->size(); i++) {
                auto element = (*block)[i].getAs<CFGStmt>();
                const auto *call = element ? dyn_cast<CallExpr>(element->getStmt()) : nullptr;
                const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
                if (callee == nullptr || callee->getDefinition() != function)
                    continue;
                CellSet beyond;
                addCallers(caller, seen, beyond, changed);
                std::vector<Block> blocks = flow.blocks;
                solve(blocks, beyond, {});
                CellSet behind;
                for (unsigned next : blocks[block->getBlockID()].next)
                    behind.insert(blocks[next].live.begin(), blocks[next].live.end());
                std::vector<Touch> rest;
                for (size_t k = i + 1; k < block->size(); k++)
                    if (auto later = (*block)[k].getAs<CFGStmt>())
                        collect(later->getStmt(), rest);
                backward(rest, behind, {});
                const auto reached = from(blocks, block->getBlockID(), false);
                const auto leading = from(blocks, block->getBlockID(), true);
                for (unsigned at = 0; at < blocks.size(); at++)
                    for (const Touch &touch : blocks[at].touches)
                        if (touch.sums && touch.kind == Kind::Write && reached.count(at) &&
                            leading.count(at) && behind.count(cells.found(touch.cell)))
                            changed.insert(cells.found(touch.cell));
                live.insert(behind.begin(), behind.end());
            }
    }
}

/* -- the loop */

/* The block of GRAPH that ends with AT, and the one that an iteration begins with; or null. */
static std::pair<const CFGBlock *, const CFGBlock *> pointIn(const CFG &graph, const IfStmt *at)
{
    std::pair<const CFGBlock *, const CFGBlock *> found;
    for (const CFGBlock *block : graph)
        if (block->getTerminatorStmt() == at && block->succ_size() == 2)
            found = {block, (block->succ_begin() + 1)->getReachableBlock()};
    return found;
}

void Passing::restart(const Expr *condition, const Stmt *loop)
{
    point = condition;
    skipped = setOfParts(point);
    carried.clear();
    settings.clear();
    flows.clear();
    summaries.clear();
    once = setOfParts(bodyOf(loop));
    for (const Stmt *part : partsOf(bodyOf(loop)))
        if (isLoop(part))
            for (const Stmt *inner : partsOf(part))
                once.erase(inner);
}

Passing::Handed Passing::over(const FunctionDecl *function, const Stmt *loop, const IfStmt *at)
{
    Handed handed;
    restart(at->getCond(), loop);
    const Flow &flow = flowOf(function);
    const auto [due, start] =
        flow.graph ? pointIn(*flow.graph, at) : std::pair<const CFGBlock *, const CFGBlock *>();
    if (start == nullptr)
        return handed;
    const auto inside = setOfParts(loop);
    std::set<const void *> seen;
    CellSet outer;
    beyond.clear();
    begin = start->getBlockID();
    addCallers(function, seen, beyond, outer);
    std::vector<Block> after = flow.blocks;
    solve(after, beyond, inside);
    const CellSet left = after[start->getBlockID()].live;
    const auto reached = from(flow.blocks, due->getBlockID(), false);
    const auto leading = from(flow.blocks, due->getBlockID(), true);
    handed.changed = outer;
    for (unsigned at = 0; at < flow.blocks.size(); at++)
        for (const Touch &touch : flow.blocks[at].touches) {
            const Cells::Cell cell = cells.found(touch.cell);
            const bool own = inside.count(touch.by) != 0;
            if (own)
                handed.touches.push_back(touch);
            if ((touch.kind == Kind::Write || touch.kind == Kind::Part) && reached.count(at) &&
                leading.count(at) && (own || (touch.sums && left.count(cell) != 0)))
                handed.changed.insert(cell);
        }
    for (int pass = 0; pass < 2; pass++) { /* then with what the first has found */
        std::vector<Block> blocks = flow.blocks;
        solve(blocks, beyond, {});
        handed.live = blocks[start->getBlockID()].live;
        for (Cells::Cell cell : handed.live)
            if (handed.changed.count(cell) != 0)
                carried.insert(cell);
    }
    return handed;
}

/* Sets the struct as a whole: an assignment, or a function of a library. */
static bool setsWhole(const Touch &touch)
{
    const auto *call = dyn_cast<CallExpr>(touch.by);
    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    return touch.kind == Kind::Part && !(touch.place && isa<ArraySubscriptExpr>(touch.place)) &&
           (call == nullptr || (callee != nullptr && callee->getDefinition() == nullptr));
}

bool Passing::handsOn(const FunctionDecl *function, Cells::Cell cell, bool local,
                      const Handed &handed, const Concerned &concerned)
{
    const auto changes = [&](const Touch &touch) {
        return (touch.kind == Kind::Write || touch.kind == Kind::Part) &&
               cells.found(touch.cell) == cell && concerned(touch.what());
    };
    if (llvm::none_of(handed.touches, changes))
        return false;
    std::vector<Block> blocks = flowOf(function).blocks;
    aside.clear();
    for (Block &block : blocks)
        for (Touch &touch : block.touches)
            if (touch.cell != Cells::none && cells.found(touch.cell) == cell) {
                if (!concerned(touch.what()))
                    aside.insert(touch.what());
                else if (setsWhole(touch))
                    touch.kind = Kind::Write;
            }
    CellSet after = beyond;
    if (local)
        after.erase(cell);
    settings.clear();
    solve(blocks, after, aside);
    settings.clear();
    aside.clear();
    return blocks[begin].live.count(cell) != 0;
}

} // namespace xmpi
