/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the heads of loops, and finds variables that follow their counters. */
#include "rows/own_loops.h"
#include "compat.h"
#include "facts/computed.h"
#include "source/integer.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

/* An expression that steps a variable. */
struct Stepped {
    const VarDecl *variable = nullptr;
    const Expr *by = nullptr; /* null: 1 */
    bool negative = false;
};

static Stepped steppedBy(const Stmt *statement)
{
    if (const auto *unary = dyn_cast<UnaryOperator>(statement))
        if (unary->isIncrementDecrementOp())
            return {variableIn(unary->getSubExpr()), nullptr, unary->isDecrementOp()};
    const auto *binary = dyn_cast<BinaryOperator>(statement);
    if (binary == nullptr)
        return {};
    if (binary->getOpcode() == BO_AddAssign || binary->getOpcode() == BO_SubAssign)
        return {variableIn(binary->getLHS()), binary->getRHS(),
                binary->getOpcode() == BO_SubAssign};
    const auto *sum = binary->getOpcode() == BO_Assign
                          ? dyn_cast<BinaryOperator>(binary->getRHS()->IgnoreParenCasts())
                          : nullptr;
    const VarDecl *variable = sum != nullptr ? variableIn(binary->getLHS()) : nullptr;
    if (variable != nullptr && sum->isAdditiveOp() && variableIn(sum->getLHS()) == variable)
        return {variable, sum->getRHS(), sum->getOpcode() == BO_Sub};
    if (variable != nullptr && sum->getOpcode() == BO_Add && variableIn(sum->getRHS()) == variable)
        return {variable, sum->getLHS(), false};
    return {};
}

static void findSteps(const Stmt *statement, std::vector<std::pair<Stepped, const Stmt *>> &steps)
{
    eachWithin(statement, [&](const Stmt *one) {
        if (Stepped step = steppedBy(one); step.variable != nullptr)
            steps.emplace_back(step, one);
    });
}

/* EXPRESSION is VARIABLE, or a constant more or less. */
static bool isVariable(const Expr *expression, const VarDecl *variable)
{
    const auto *sum = dyn_cast<BinaryOperator>(expression->IgnoreParenCasts());
    return variableIn(expression) == variable ||
           (sum != nullptr && sum->isAdditiveOp() && variableIn(sum->getLHS()) == variable &&
            isa<IntegerLiteral>(sum->getRHS()->IgnoreParenCasts()));
}

/* The bound that EXPRESSION compares VARIABLE with; of several conditions, the first. */
static const Expr *boundOf(const Expr *expression, const VarDecl *variable)
{
    const auto *binary =
        expression ? dyn_cast<BinaryOperator>(expression->IgnoreParenImpCasts()) : nullptr;
    if (binary == nullptr)
        return nullptr;
    if (binary->getOpcode() == BO_LAnd) {
        const Expr *first = boundOf(binary->getLHS(), variable);
        return first != nullptr ? first : boundOf(binary->getRHS(), variable);
    }
    if (!binary->isComparisonOp())
        return nullptr;
    if (isVariable(binary->getLHS(), variable))
        return binary->getRHS();
    return isVariable(binary->getRHS(), variable) ? binary->getLHS() : nullptr;
}

/* What EXPRESSION is more than VARIABLE; nothing where it is not that and a constant. */
static std::optional<long long> beyondVariable(const Expr *expression, const VarDecl *variable,
                                               const ASTContext &context)
{
    const auto *sum = dyn_cast<BinaryOperator>(expression->IgnoreParenCasts());
    if (variableIn(expression) == variable)
        return 0;
    if (sum == nullptr || !sum->isAdditiveOp() || variableIn(sum->getLHS()) != variable)
        return std::nullopt;
    const std::optional<long long> more = constantInteger(sum->getRHS(), context);
    return more && sum->getOpcode() == BO_Sub ? -*more : more;
}

/* How far a loop goes that runs while COMPARED holds. */
static void measure(Counting &counting, const BinaryOperator *compared, const ASTContext &context)
{
    const bool strict = compared->getOpcode() == BO_LT;
    const Expr *bound = counting.bound->IgnoreParenCasts();
    const std::optional<long long> ahead =
        beyondVariable(compared->getLHS(), counting.counter, context);
    if ((!strict && compared->getOpcode() != BO_LE) || compared->getRHS() != counting.bound ||
        !ahead)
        return;
    const auto *sum = dyn_cast<BinaryOperator>(bound);
    std::optional<long long> more = sum != nullptr && sum->isAdditiveOp()
                                        ? constantInteger(sum->getRHS(), context)
                                        : std::nullopt;
    const Expr *without = more ? sum->getLHS() : bound;
    counting.plain = variableIn(without) != nullptr && *ahead == 0;
    counting.bare = without;
    counting.most =
        (more ? sum->getOpcode() == BO_Add ? *more : -*more : 0) - (strict ? 1 : 0) - *ahead;
}

/* WRITE, by a pointer, may change VARIABLE, of which something has the address. */
static bool mayReach(const Write &write, const VarDecl *variable)
{
    const auto *function = dyn_cast<FunctionDecl>(variable->getDeclContext());
    if ((!write.place.behind && !write.place.element) || function == nullptr ||
        !write.place.base->getType()->isPointerType() ||
        write.place.type.getCanonicalType().getUnqualifiedType() !=
            variable->getType().getCanonicalType().getUnqualifiedType())
        return false;
    return anyWithin(function->getBody(), [&](const Stmt *one) {
        return variableIn(addressedBy(dyn_cast<Expr>(one))) == variable;
    });
}

/* The body of LOOP sets VARIABLE otherwise than by steps: it does not count. */
static bool setsOtherwise(const Analysis &analysis, const Stmt *loop, const VarDecl *variable)
{
    std::vector<std::pair<Stepped, const Stmt *>> steps;
    std::set<SourceLocation> places;
    findSteps(bodyOf(loop), steps);
    const auto own =
        llvm::count_if(steps, [&](const auto &one) { return one.first.variable == variable; });
    for (const Write &write : analysis.finder.withCallees(bodyOf(loop)).writes)
        if (write.place.base->getCanonicalDecl() == variable && !write.place.element &&
            !write.place.behind)
            places.insert(write.where);
        else if (mayReach(write, variable))
            return true;
    return static_cast<std::ptrdiff_t>(places.size()) != own;
}

Counting countingOf(const Analysis &analysis, const Stmt *loop)
{
    const auto *counted = dyn_cast<ForStmt>(loop);
    std::vector<std::pair<Stepped, const Stmt *>> steps;
    if (counted != nullptr)
        findSteps(counted->getInc(), steps);
    if (steps.empty())
        findSteps(bodyOf(loop), steps);
    for (const auto &[step, statement] : steps) {
        const Expr *bound = boundOf(conditionBefore(loop), step.variable);
        if (bound == nullptr || setsOtherwise(analysis, loop, step.variable))
            continue;
        std::optional<long long> by =
            step.by != nullptr ? constantInteger(step.by, analysis.context) : 1;
        Counting counting = {step.variable, bound, step.by, by && (*by == 1 || *by == -1),
                             step.negative != (by && *by < 0)};
        if (const auto *compared =
                dyn_cast<BinaryOperator>(conditionBefore(loop)->IgnoreParenImpCasts()))
            measure(counting, compared, analysis.context);
        return counting;
    }
    return {};
}

/* STATEMENT runs exactly once in an iteration of LOOP. */
static bool isDirect(const Analysis &analysis, const Stmt *statement, const Stmt *loop)
{
    const Stmt *outer = analysis.structure.parent(statement);
    while (outer != nullptr && outer != loop && isa<CompoundStmt, Expr, DeclStmt>(outer))
        outer = analysis.structure.parent(outer);
    return outer == loop;
}

/* Whether STATEMENT runs in an iteration of LOOP follows something. */
static bool isSometimes(const Analysis &analysis, const Stmt *statement, const Stmt *loop)
{
    bool some = false;
    for (const Stmt *outer = analysis.structure.parent(statement); outer && outer != loop;
         outer = analysis.structure.parent(outer)) {
        const auto *binary = dyn_cast<BinaryOperator>(outer);
        some = some || isa<IfStmt, SwitchStmt, ConditionalOperator>(outer) ||
               (binary != nullptr && binary->isLogicalOp());
    }
    return some;
}

/* WRITE, of a pointer, makes it lead to VARIABLE. */
static bool leadsTo(const Write &write, const VarDecl *variable)
{
    const Expr *address = addressedBy(write.value);
    const std::optional<Place> target = address != nullptr ? placeOf(address) : std::nullopt;
    return target && target->base->getCanonicalDecl() == variable;
}

/* EFFECTS may change VARIABLE by a pointer to it. */
static bool changesBehind(const Analysis &analysis, const Effects &effects, const VarDecl *variable)
{
    std::set<const VarDecl *> pointers;
    for (const Write &write : effects.writes)
        if ((write.place.behind || write.place.element) && write.place.base != variable)
            pointers.insert(write.place.base->getCanonicalDecl());
    const auto &functions = analysis.structure.functions;
    return !pointers.empty() && llvm::any_of(functions, [&](const FunctionDecl *function) {
        const Effects all = analysis.finder.of(function->getBody());
        return llvm::any_of(all.writes, [&](const Write &write) {
            return pointers.count(write.place.base->getCanonicalDecl()) != 0 &&
                   leadsTo(write, variable);
        });
    });
}

/* One of WRITES puts the whole number VARIABLE, as it is, into an element of an array. */
static bool isKeptBy(const std::vector<Write> &writes, const VarDecl *variable)
{
    return variable->getType()->isIntegerType() && llvm::any_of(writes, [&](const Write &write) {
               const auto *value = write.value != nullptr
                                       ? dyn_cast<DeclRefExpr>(write.value->IgnoreParenCasts())
                                       : nullptr;
               return write.place.element && value != nullptr &&
                      value->getDecl()->getCanonicalDecl() == variable;
           });
}

std::vector<Induced> inducedBy(const Analysis &analysis, const Stmt *loop, const VarDecl *counter)
{
    Effects inside = analysis.finder.withCallees(bodyOf(loop));
    if (const auto *counted = dyn_cast<ForStmt>(loop); counted && counted->getInc()) {
        const Effects last = analysis.finder.of(counted->getInc());
        inside.writes.insert(inside.writes.end(), last.writes.begin(), last.writes.end());
    }
    auto writes = [&](const VarDecl *variable) {
        std::set<SourceLocation> places;
        for (const Write &write : inside.writes)
            if (write.place.base->getCanonicalDecl() == variable && !write.place.element &&
                !write.place.behind)
                places.insert(write.where);
        return static_cast<std::ptrdiff_t>(places.size());
    };
    std::vector<std::pair<Stepped, const Stmt *>> steps;
    findSteps(bodyOf(loop), steps);
    if (const auto *counted = dyn_cast<ForStmt>(loop))
        findSteps(counted->getInc(), steps);
    std::vector<Induced> found;
    for (const auto &[step, statement] : steps) {
        const VarDecl *variable = step.variable;
        auto own = llvm::count_if(
            steps, [&](const auto &other) { return other.first.variable == variable; });
        Effects by = step.by != nullptr ? analysis.finder.of(step.by) : Effects();
        bool same = llvm::none_of(by.mentions, [&](const Mention &one) {
            const VarDecl *base = one.place.base->getCanonicalDecl();
            return one.place.element || one.place.behind || writes(base) > 0 ||
                   changesBehind(analysis, inside, base);
        });
        bool within = llvm::find(inside.declared, variable) != inside.declared.end();
        same = same && by.calls.empty();
        const bool varied = !same && isKeptBy(inside.writes, variable);
        if (variable == counter || within || (!same && !varied) || writes(variable) != own)
            continue;
        found.push_back({variable, varied ? nullptr : step.by, step.negative,
                         same && own == 1 && isDirect(analysis, statement, loop),
                         isSometimes(analysis, statement, loop), varied});
    }
    return found;
}

/* An entry of a table of where blocks begin, in a unit, or from a number, that is not known. */
static bool isBeginInTable(const Form &form)
{
    return form.isPlain() && form.isOnlyOf(Form::First) &&
           startsWith(form.by[Form::First], Form::some);
}

/* From ONE to OTHER: own rows, or a part of them; UP: from ONE on, in so many at a time. */
static std::optional<Form> countedRows(const Form &one, const Form &other, bool single, int up)
{
    const bool first = other.has(Form::First), count = other.has(Form::Count);
    Form form = one;
    if (!other.isPlain() && !(one.has(Form::Own) && one.isPlain()))
        return std::nullopt;
    if (one.has(Form::Own) && one.isPlain()) {
        form.strided = false; /* a part of what another loop goes through */
        return form;
    }
    const bool tabled = first && single && up == 1 && isBeginInTable(one);
    if (count && !other.has(Form::Own) && (one.isBare() || one.isPhaseOf(up) || tabled)) {
        Form::Term term = first ? Form::First : Form::Count;
        form = other;
        form.by = {};
        form.by[Form::Own] = other.by[term];
        if (first)
            form.by[Form::First] = other.by[Form::First];
        form.strided = !single && one.isBare();
        form.shift.clear();
        return form;
    }
    if (one.isOnlyOf(Form::First) && one.isPlain() && (other.isUniform() || (first && count))) {
        form.by[Form::Own] = one.by[Form::First];
        form.strided = !single;
        form.shift.clear();
        return form;
    }
    return std::nullopt;
}

/* From BEGIN on as many as a piece has rows, or rows have elements. */
static std::optional<Form> countedInPiece(const Form &begin, const Form &end, bool single)
{
    const Form many = add(end, begin, true);
    if (!single || !many.isPlain() || !many.isOnlyOf(Form::Length))
        return std::nullopt;
    Form in;
    in.by[Form::Own] = "1";
    in.by[Form::Piece] = "-1";
    return add(begin, scale(in, many.by[Form::Length]));
}

Form countedForm(const Form &begin, const Form &end, const Form &step, bool single, int up)
{
    if (begin.isOfRanks() &&
        ((end.isUniform() && step.isOnlyOf(Form::Size)) || (end.isOfRanks() && step.isUniform())))
        return Form::of(Form::Kind::Row); /* a part of something else: ranks share it */
    if (std::optional<Form> form = countedInPiece(begin, end, single))
        return *form;
    for (const bool back : {false, true})
        if (std::optional<Form> form =
                countedRows(back ? end : begin, back ? begin : end, single, back ? 0 : up))
            return *form;
    Form form = join(begin, end);
    if (form.kind == Form::Kind::Block && begin.isUniform())
        form.kind = Form::Kind::Row; /* as many as there are */
    return form;
}

/* EXPRESSION without the constant, MORE, that it adds last: null where it is a constant. */
static const Expr *withoutConstant(const Expr *expression, const ASTContext &context,
                                   long long &more)
{
    const Expr *bare = expression->IgnoreParenCasts();
    if (std::optional<long long> all = constantInteger(bare, context)) {
        more = *all;
        return nullptr;
    }
    const auto *sum = dyn_cast<BinaryOperator>(bare);
    const std::optional<long long> last = sum != nullptr && sum->isAdditiveOp()
                                              ? constantInteger(sum->getRHS(), context)
                                              : std::nullopt;
    more = !last ? 0 : sum->getOpcode() == BO_Sub ? -*last : *last;
    return last ? sum->getLHS()->IgnoreParenCasts() : bare;
}

/* What LOOP sets its counter to before it begins, or null. */
static const Expr *beginOf(const Stmt *loop)
{
    const auto *statement = dyn_cast<ForStmt>(loop);
    const auto *declared = statement ? dyn_cast_or_null<DeclStmt>(statement->getInit()) : nullptr;
    const auto *assigned =
        statement ? dyn_cast_or_null<BinaryOperator>(statement->getInit()) : nullptr;
    const auto *variable = declared && declared->isSingleDecl()
                               ? dyn_cast<VarDecl>(declared->getSingleDecl())
                               : nullptr;
    if (variable != nullptr)
        return variable->getInit();
    return assigned && assigned->getOpcode() == BO_Assign ? assigned->getRHS() : nullptr;
}

/* BOUND is FIRST and as many as a variable says. */
static bool isBehind(const Analysis &analysis, const Expr *bound, const Expr *first)
{
    const auto *sum = dyn_cast<BinaryOperator>(bound->IgnoreParenCasts());
    if (sum == nullptr || sum->getOpcode() != BO_Add)
        return false;
    const std::string begin = analysis.source.spelled(first);
    return (analysis.source.spelled(sum->getLHS()->IgnoreParenCasts()) == begin &&
            variableIn(sum->getRHS()) != nullptr) ||
           (analysis.source.spelled(sum->getRHS()->IgnoreParenCasts()) == begin &&
            variableIn(sum->getLHS()) != nullptr);
}

bool leavesOut(const Analysis &analysis, const Counting &counting, const Form &end,
               const Stmt *loop)
{
    const Expr *begin = beginOf(loop);
    if (begin == nullptr || counting.bare == nullptr || !counting.single || counting.falls ||
        !end.isPlain() || end.by[Form::Count] != "1")
        return false;
    long long more = 0;
    const Expr *first = withoutConstant(begin, analysis.context, more);
    const bool within =
        first == nullptr ? (variableIn(counting.bare) || computedAt(analysis, counting.bare)) &&
                               end.isOnlyOf(Form::Count)
                         : end.by[Form::First] == "1" && isBehind(analysis, counting.bare, first);
    return within && counting.most + 1 < more;
}

bool beginsLate(const Analysis &analysis, const Counting &counting, const Form &begin,
                const Form &end)
{
    const std::optional<int> before = rowsOfShift(begin.shift), behind = rowsOfShift(end.shift);
    long long to = 0;
    withoutConstant(counting.bound, analysis.context, to);
    return !before || !behind || *before > counting.most - to + *behind + 1;
}

std::optional<std::pair<long long, long long>> spanOf(const Analysis &analysis,
                                                      const Counting &counting, const Form &begin,
                                                      const Form &end, const Stmt *loop)
{
    const Form many = add(end, begin, true);
    const Expr *first = beginOf(loop);
    const std::optional<int> before = rowsOfShift(begin.shift), behind = rowsOfShift(end.shift);
    if (first == nullptr || counting.bare == nullptr || counting.falls || !many.isPlain() ||
        !many.isOnlyOf(Form::Count) || many.by[Form::Count] != "1" || !before || !behind)
        return std::nullopt;
    long long from = *before, to = 0;
    const bool bare = begin.isAffine() || first->getType()->isPointerType();
    withoutConstant(counting.bound, analysis.context, to);
    if (!bare && withoutConstant(first, analysis.context, from) != nullptr)
        return std::nullopt;
    return std::pair{from, counting.most - to + *behind};
}

std::set<const VarDecl *> setAlong(const Stmt *loop, const VarDecl *counter,
                                   const std::vector<Induced> &induced)
{
    std::set<const VarDecl *> along = {counter}, arrays;
    for (const Induced &one : induced)
        along.insert(one.variable);
    const auto follows = [&](const Stmt *statement) {
        return llvm::any_of(along,
                            [&](const VarDecl *one) { return namesOf(statement, one) != 0; });
    };
    eachWithin(loop, [&](const Stmt *one) {
        for (const VarDecl *variable : declaredBy(one))
            if (follows(variable->getInit()))
                along.insert(variable->getCanonicalDecl());
        const auto *set = dyn_cast<BinaryOperator>(one);
        if (set == nullptr || !set->isAssignmentOp() || variableIn(set->getLHS()) != nullptr ||
            !follows(set->getLHS()))
            return;
        if (const std::optional<Place> place = placeOf(set->getLHS()))
            arrays.insert(place->base->getCanonicalDecl());
    });
    return arrays;
}

} // namespace xmpi
