/* SPDX-License-Identifier: BSD-3-Clause
 * Loops in a trial: which are worth it, and running them. */
#include "trial/idle.h"
#include "source/loops.h"
#include "trial/nests.h"
#include "trial/trial.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

/* Of one loop, without those of loops in it that have been run to their end. */
enum { MaxLoopSteps = 8000 };

static void addCounters(const Stmt *statement, const EffectsFinder &finder,
                        std::set<const VarDecl *> &counters)
{
    eachWithin(statement, [&](const Stmt *one) {
        if (const auto *loop = dyn_cast<ForStmt>(one))
            for (const Stmt *part : {loop->getInit(), static_cast<const Stmt *>(loop->getInc())})
                if (part != nullptr)
                    for (const Write &write : finder.of(part).writes)
                        counters.insert(write.place.base);
    });
}

static void addDeclared(const Stmt *statement, std::set<const VarDecl *> &variables)
{
    eachWithin(statement, [&](const Stmt *part) {
        for (const VarDecl *variable : declaredBy(part))
            if (variable->hasLocalStorage())
                variables.insert(variable);
    });
}

/* Loops that only fill arrays of numbers with a point are not worth the time, whatever integers of
 * their own they do it with. (Those that may be left tell where, or what their function hands
 * back.) */
bool Trial::computesIntegers(const Stmt *loop)
{
    auto [found, isNew] = lookups.integerLoops.try_emplace(loop);
    if (isNew)
        found->second = writesIntegers(loop) || jumpsIn(loop).returns ||
                        (isLoop(loop) && jumpsIn(bodyOf(loop)).breaks);
    return found->second;
}

/* TYPE is made of nothing but numbers with a point, also in structs. */
static bool isOfReals(const ASTContext &context, QualType type)
{
    while (type->isArrayType())
        type = context.getAsArrayType(type)->getElementType();
    const RecordDecl *record = type->getAsRecordDecl();
    if (record == nullptr || record->getDefinition() == nullptr)
        return type->isFloatingType();
    const auto fields = record->getDefinition()->fields();
    return !fields.empty() && llvm::all_of(fields, [&](const FieldDecl *field) {
        return isOfReals(context, field->getType());
    });
}

/* What LOOP sets, as whole variables, beside numbers with a point, what is its own and elements of
 * arrays, where these are FILLED; nothing where it sets anything else, or may be left. */
static std::optional<Variables> variablesSet(const Analysis &analysis, const Stmt *loop,
                                             bool filled = false)
{
    Variables set;
    std::set<const VarDecl *> counters, declared;
    addCounters(loop, analysis.finder, counters);
    addDeclared(loop, declared);
    for (const Write &write : analysis.finder.withCallees(loop).writes) {
        const bool whole = !write.place.behind && !write.place.element;
        if (isOfReals(analysis.context, write.place.type) || (filled && write.place.element) ||
            counters.count(write.place.base) != 0 ||
            (declared.count(write.place.base) != 0 && whole))
            continue;
        if (!whole || write.place.field != nullptr || write.place.type->isArrayType() ||
            jumps(loop))
            return std::nullopt;
        set.insert(write.place.base);
    }
    return set;
}

std::vector<const Stmt *> nestsThatFill(const Analysis &analysis)
{
    std::vector<const Stmt *> found;
    for (const FunctionDecl *function : analysis.structure.functions)
        eachWithin(function->getBody(), [&](const Stmt *loop) {
            if (!isLoop(loop) || loop == analysis.loop ||
                !anyWithin(bodyOf(loop), [](const Stmt *one) { return isLoop(one); }))
                return;
            const std::optional<Variables> set = variablesSet(analysis, loop, true);
            if (set && set->empty())
                found.push_back(loop);
        });
    return found;
}

bool fillsArrays(const Analysis &analysis, const Stmt *loop)
{
    const std::optional<Variables> set = variablesSet(analysis, loop, true);
    return set && set->empty() &&
           llvm::none_of(analysis.finder.withCallees(loop).writes, [](const Write &write) {
               return write.place.element && !write.place.type->isArithmeticType();
           });
}

const Variables &Trial::idleIn(const FunctionDecl *function)
{
    auto [found, isNew] = lookups.idle.try_emplace(function);
    if (!isNew)
        return found->second;
    std::map<const Stmt *, std::optional<Variables>> known;
    return found->second = idleIntegers(function, [&](const Stmt *loop) {
               auto [at, isFirst] = known.try_emplace(loop);
               if (isFirst)
                   at->second = variablesSet(analysis, loop);
               return at->second;
           });
}

/* (On the way to the loop somebody may ask for any of them.) */
bool Trial::writesIntegers(const Stmt *loop)
{
    const std::optional<Variables> set = variablesSet(analysis, loop);
    if (!set || set->empty())
        return !set;
    const auto &functions = analysis.structure.functions;
    const auto in = llvm::find_if(functions, [&](const FunctionDecl *one) {
        return analysis.structure.encloses(one->getBody(), loop);
    });
    if (in == functions.end() ||
        llvm::any_of(analysis.path, [&](const Step &step) { return step.function == *in; }))
        return true;
    const Variables &idle = idleIn(*in);
    return !std::includes(idle.begin(), idle.end(), set->begin(), set->end());
}

void Trial::runLoop(const Stmt *loop)
{
    const auto *counted = dyn_cast<ForStmt>(loop);
    const Expr *condition = conditionIn(loop);
    const Stmt *body = bodyOf(loop);
    if (!computesIntegers(loop))
        return passOver(loop);
    if (counted != nullptr && runPointers(counted))
        return;
    int before = steps;
    if (counted != nullptr)
        runStatement(counted->getInit());
    for (bool first = isa<DoStmt>(loop); spend(); first = false) {
        Value value = first || condition == nullptr ? Value::of(1LL) : evaluate(condition);
        if (value.isNumber() && condition != nullptr)
            lookups.sides[condition] |= value.asReal() != 0 ? 2U : 1U;
        if (!value.isNumber() || steps > before + MaxLoopSteps)
            break;
        if (value.asReal() == 0) {
            steps = before;
            return;
        }
        runStatement(body);
        if (flow.isDoubtful())
            break;
        if (flow.jump == Flow::Jump::Continue)
            flow.jump = Flow::Jump::None;
        if (flow.jump != Flow::Jump::None) {
            steps = before;
            if (flow.jump == Flow::Jump::Break)
                flow.jump = Flow::Jump::None;
            return;
        }
        if (counted != nullptr && counted->getInc() != nullptr)
            evaluate(counted->getInc());
    }
    steps = before;
    passOver(loop);
    flow.mayBreak = flow.mayContinue = false;
}

} // namespace xmpi
