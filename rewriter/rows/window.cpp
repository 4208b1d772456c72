/* SPDX-License-Identifier: BSD-3-Clause
 * Loops over those of the own rows that are within a window of all. */
#include "rows/own_rows.h"
#include "compat.h"
#include "library/constants.h"
#include "library/message.h"
#include "source/loops.h"
#include "source/variable.h"
#include "source/within.h"
#include <algorithm>
#include <map>
#include <set>

namespace xmpi
{

using namespace clang;

/* Rows that are left out, and that a block has; calls that are in one another. */
enum { Few = 3, Enough = 8, MostCalls = 8 };

namespace
{

Reach shifted(const Reach &reach, long long by)
{
    return reach.empty() ? reach : Reach{reach.low + by, reach.high + by};
}

} // namespace

/* The windows of rows that processes set of storages in which the own ones begin at FROM (nothing:
 * at their numbers among all), by the round and size of the division. */
OwnRows::Windows OwnRows::windowsOf(const Rows &rows, std::optional<long long> from) const
{
    Windows windows;
    for (size_t i = 0; i < rows.size(); i++)
        if (!rows[i].empty())
            windows[{survey.samples[i].round, survey.samples[i].size}].add(
                shifted(rows[i], from ? division.first[i] - *from : 0));
    return windows;
}

/* As COVERS, or of these rows those between two numbers among all, the same for all processes: `for
 * (i = max(first, 1); i < min(end, n - 1); i++)`. Where blocks meet within them it is seen that own
 * rows begin at FROM, and nowhere else. */
bool OwnRows::coversWindow(const Rows &rows, long long from) const
{
    bool begins = false, ends = false; /* a block, within its window */
    Windows windows = windowsOf(rows, from);
    for (size_t i = 0; i < rows.size(); i++) {
        const Reach &window = windows[{survey.samples[i].round, survey.samples[i].size}];
        const long long first = division.first[i], last = first + division.count[i] - 1;
        const Reach set = shifted(rows[i], first - from);
        const Reach own = {std::max(first, window.low), std::min(last, window.high)};
        if (own.empty() != set.empty() ||
            (!own.empty() && (own.low != set.low || own.high != set.high)))
            return covers(rows, from);
        begins = begins || (!own.empty() && first > window.low);
        ends = ends || (!own.empty() && last < window.high);
    }
    return (begins && ends) || covers(rows, from);
}

/* How many rows from FIRST on SETS go through; 0 where they leave out rows between, or go through
 * others in front. */
static long long joinedFrom(long long first, std::vector<Reach> sets)
{
    long long end = first;
    std::sort(sets.begin(), sets.end(),
              [](const Reach &one, const Reach &other) { return one.low < other.low; });
    for (const Reach &set : sets) {
        if (set.low < first || set.low > end)
            return 0;
        end = std::max(end, set.high + 1);
    }
    return end - first;
}

bool OwnRows::coverTogether(const Group &group, const Values &length, long long from) const
{
    std::vector<std::vector<Reach>> sets(division.count.size());
    for (const Store &store : reaches.stores) {
        std::optional<Rows> rows = isOf(store, group) ? rowsOf(store, group, length) : std::nullopt;
        for (size_t i = 0; rows && i < rows->size(); i++)
            if (!(*rows)[i].empty())
                sets[i].push_back((*rows)[i]);
    }
    for (size_t i = 0; i < sets.size(); i++)
        if (division.count[i] > 0 && joinedFrom(from, sets[i]) != division.count[i])
            return false;
    return true;
}

/* The same number in all of NUMBERS, of blocks that are not all as long: nothing otherwise. */
static std::optional<long long> sameIn(const std::map<long long, std::set<long long>> &numbers)
{
    std::set<long long> all;
    for (const auto &[count, found] : numbers)
        all.insert(found.begin(), found.end());
    return numbers.size() > 1 && all.size() == 1 ? std::optional(*all.begin()) : std::nullopt;
}

/* Of rows that all lie at the same place from one edge of the block, whatever its length. */
long long OwnRows::leastFor(const Rows &rows, int width, bool whole) const
{
    std::map<long long, std::set<long long>> first, last, fromEnd,
        toEnd; /* by the block's length */
    for (size_t i = 0; i < rows.size(); i++) {
        const long long count = division.count[i];
        if (count <= 0 || rows[i].empty())
            continue;
        const long long begin = whole ? division.first[i] : width, end = begin + count - 1;
        first[count].insert(rows[i].low - begin);
        last[count].insert(rows[i].high - begin);
        fromEnd[count].insert(end - rows[i].low);
        toEnd[count].insert(end - rows[i].high);
    }
    const std::optional<long long> begins = sameIn(first), ends = sameIn(last);
    if (begins && ends)
        return *ends + 1;
    const std::optional<long long> behind = sameIn(fromEnd);
    return behind && sameIn(toEnd) ? *behind + 1 : 0;
}

/* ROWS are those of the blocks at one end of the domain alone, and some lie as far from its edge as
 * a number says that is another one with other input. */
bool OwnRows::areAtAnyPlace(const Rows &rows, const Edge &edge) const
{
    std::map<size_t, std::set<long long>> near, far; /* by round: from the edge */
    bool others = false;
    const std::vector<AtEdge> all = atEdge(rows, edge);
    for (size_t i = 0, at = 0; i < rows.size(); i++) {
        if (division.count[i] <= 0)
            continue;
        const AtEdge &block = all[at++];
        others = others || block.away > 0;
        if (rows[i].empty())
            continue;
        if (block.away > 0)
            return false;
        const Reach own = ownAt(edge, i);
        const size_t round = survey.samples[i].round;
        near[round].insert(edge.first ? rows[i].low - own.low : own.high - rows[i].high);
        far[round].insert(edge.first ? rows[i].high - own.low : own.high - rows[i].low);
    }
    const auto follows = [](const std::map<size_t, std::set<long long>> &places) {
        std::set<long long> found;
        for (const auto &[round, one] : places) {
            if (one.size() != 1)
                return false; /* it follows the block */
            found.insert(*one.begin());
        }
        return found.size() > 1;
    };
    return others && (follows(near) || follows(far));
}

/* What ROWS leave out of each block at one edge, the first or the last; all of it where they are
 * none of its rows. */
std::vector<OwnRows::AtEdge> OwnRows::atEdge(const Rows &rows, const Edge &edge) const
{
    std::map<std::pair<size_t, long long>, long long> ends; /* of the domain, by round and size */
    auto endOf = [&](size_t i) -> long long & {
        return ends.emplace(std::pair(survey.samples[i].round, survey.samples[i].size), LLONG_MIN)
            .first->second;
    };
    auto edgeOf = [&](size_t i) { /* outwards */
                                  return edge.first ? -division.first[i]
                                                    : division.first[i] + division.count[i];
    };
    for (size_t i = 0; i < rows.size(); i++)
        if (division.count[i] > 0)
            endOf(i) = std::max(endOf(i), edgeOf(i));
    std::vector<AtEdge> all;
    for (size_t i = 0; i < rows.size(); i++) {
        if (division.count[i] <= 0)
            continue;
        const Reach own = ownAt(edge, i);
        const long long out = edge.first ? rows[i].low - own.low : own.high - rows[i].high;
        const bool none = rows[i].empty() || out >= division.count[i];
        const long long beyond = edge.first ? own.high - rows[i].high : rows[i].low - own.low;
        all.push_back({division.count[i], endOf(i) - edgeOf(i), none ? division.count[i] : out,
                       rows[i].empty() ? division.count[i] : beyond});
    }
    return all;
}

/* How many rows at an end of the domain ROWS leave out in the block that has the end, and in no
 * other: `int from = first == 0 ? 3 : 1;`. 0 where it is seen that they are left out by their
 * numbers among all, in whichever block they are; nothing where they are as many as something says
 * that is not known. */
std::optional<long long> OwnRows::leftAtEnd(const Rows &rows, const Edge &edge) const
{
    const std::vector<AtEdge> all = atEdge(rows, edge);
    long long left = 0;
    bool none = false, others = false; /* of its rows; others leave out few, if any */
    for (const AtEdge &block : all) {
        const bool some = block.out < block.count;
        if (block.away == 0 && some)
            left = std::max(left, block.out);
        none = none || (block.away == 0 && !some);
        if (block.away > 0 && (block.out > Few || block.beyond > Few))
            return 0;
        others = others || block.away > 0;
    }
    bool numbered = false, whole = false; /* a block near the end, one that is far from it */
    for (const AtEdge &block : all) {
        const bool near = block.away > 0 && block.away < left;
        if (block.away == 0 && block.out != std::min(left, block.count))
            return none && others && !edge.whole ? std::nullopt : std::optional<long long>(0);
        if (near && block.out != std::min(left - block.away, block.count))
            return left;
        numbered = numbered || near;
        whole = whole || (block.away >= left && block.out < std::min(left, block.count));
    }
    return whole && !numbered ? left : 0;
}

/* Of ROWS, with the first EDGE of blocks; nothing where it is not known. */
std::optional<long long> OwnRows::leastOf(const Rows &rows, const Edge &edge) const
{
    const Edge last = {false, edge.width, edge.whole};
    const std::optional<long long> before = leftAtEnd(rows, edge), behind = leftAtEnd(rows, last);
    const bool open = !edge.whole && (areAtAnyPlace(rows, edge) || areAtAnyPlace(rows, last));
    if (!before || !behind || open)
        return std::nullopt;
    return std::max({leastFor(rows, edge.width, edge.whole), *before, *behind});
}

/* Both sides of PART, where it compares integers; else null. */
static std::pair<const Expr *, const Expr *> compared(const Stmt *part)
{
    const auto *binary = dyn_cast<BinaryOperator>(part);
    if (binary == nullptr || !binary->isComparisonOp() ||
        !binary->getLHS()->getType()->isIntegerType() ||
        !binary->getRHS()->getType()->isIntegerType())
        return {nullptr, nullptr};
    return {binary->getLHS(), binary->getRHS()};
}

/* Something that EXPRESSION, in BODY, goes by is chosen by the rank. */
bool OwnRows::goesByRank(const Expr *expression, const Stmt *body,
                         std::set<const VarDecl *> &seen) const
{
    return anyWithin(expression, [&](const Stmt *one) {
        const auto *choice = dyn_cast<ConditionalOperator>(one);
        if ((choice != nullptr && hasRank(choice->getCond(), nullptr)) ||
            (compared(one).first != nullptr && isByRank(cast<Expr>(one))))
            return true;
        const auto *name = dyn_cast<DeclRefExpr>(one);
        const VarDecl *variable = name ? variableIn(name) : nullptr;
        if (variable == nullptr || !variable->getType()->isIntegerType() ||
            !seen.insert(variable).second)
            return false;
        return anyWithin(body, [&](const Stmt *setting) {
            const Expr *value = valueFor(variable, setting);
            return value != nullptr &&
                   (goesByRank(value, body, seen) || isUnderRank(setting, body, MostCalls));
        });
    });
}

/* It is the number of the first own row. */
bool OwnRows::isFirst(const Expr *number) const
{
    const std::optional<Reaches::Ways> ways = reaches.onEachWay(nullptr, number);
    bool first = ways && !ways->empty();
    for (size_t way = 0; first && way < ways->size(); way++)
        for (size_t i = 0; i < (*ways)[way].size(); i++) {
            const Reach &value = (*ways)[way][i];
            first = first && value.low == division.first[i] && value.high == division.first[i];
        }
    return first;
}

/* EXPRESSION, in BODY, is a number among all rows, seen from the first own one. */
bool OwnRows::isNumbered(const Expr *expression, const Stmt *body, int depth) const
{
    return anyWithin(expression, [&](const Stmt *one) {
        const auto *binary = dyn_cast<BinaryOperator>(one);
        if (binary != nullptr && binary->getOpcode() == BO_Sub && isFirst(binary->getRHS()))
            return true;
        const VarDecl *variable = isa<DeclRefExpr>(one) ? variableIn(cast<Expr>(one)) : nullptr;
        if (variable == nullptr || depth == 0 || !variable->getType()->isIntegerType())
            return false;
        return anyWithin(body, [&](const Stmt *setting) {
            const Expr *value = valueFor(variable, setting);
            return value != nullptr && isNumbered(value, body, depth - 1);
        });
    });
}

/* Of an access of which it is not known where it is: whether the rank decides that. */
bool OwnRows::isAnywhere(const Access &access) const
{
    for (const Stmt *body : uses.bodies) {
        if (!holds(body, access.base) ||
            isNumbered(access.index != nullptr ? access.index : access.base, body, MostCalls))
            continue;
        std::set<const VarDecl *> seen;
        if (isUnderRank(access.base, body, MostCalls) ||
            (access.index != nullptr && goesByRank(access.index, body, seen)))
            return true;
    }
    return false;
}

/* What a call is handed: a pointer, and how many elements, or bytes, it takes from there. */
struct Handed {
    const Expr *pointer, *many;
    bool bytes;
};

/* Messages of CALL are of bytes, whatever the elements are. */
static bool isOfBytes(const CallExpr *call, const std::optional<Envelope> &envelope,
                      const ASTContext &context)
{
    const unsigned at = envelope ? static_cast<unsigned>(envelope->type) : UINT_MAX;
    const std::string type =
        at < call->getNumArgs() ? constantOfMpi(call->getArg(at), context) : "";
    return type == "MPI_BYTE" || type == "MPI_CHAR" || type == "MPI_PACKED";
}

static std::vector<Handed> handedTo(const CallExpr *call, const ASTContext &context)
{
    if (isCopy(call) && calleeName(call) == "memset")
        return {{call->getArg(0), call->getArg(2), true}};
    if (isCopy(call))
        return {{call->getArg(0), call->getArg(2), true}, {call->getArg(1), call->getArg(2), true}};
    const llvm::StringRef name = calleeName(call);
    if (!startsWith(name, "MPI_"))
        return {};
    const Message message = messageOf(call);
    return {{message.sent, message.manySent, isOfBytes(call, sentBy(name), context)},
            {message.received, message.manyReceived, isOfBytes(call, receivedBy(name), context)}};
}

/* Rows of GROUP that CALL, in BODY, takes from one place on. */
void OwnRows::addHanded(const CallExpr *call, const Stmt *body, const Group &group,
                        const Values &length, const Edge &edge, Least &least) const
{
    for (const auto &[pointer, many, bytes] : handedTo(call, analysis.context)) {
        if (pointer == nullptr || many == nullptr || !many->getType()->isIntegerType() ||
            !leadsTo(pointer, group))
            continue;
        const std::optional<Reaches::Ways> ways = stretchOf(pointer, many, bytes, group);
        for (size_t way = 0; ways && way < ways->size(); way++)
            if (const std::optional<Rows> rows = inRows((*ways)[way], length))
                least.rows = std::max(least.rows, leastFor(*rows, edge.width, edge.whole));
        if (!ways && !edge.whole && isUnderRank(call, body, MostCalls))
            least.open = pointer;
    }
}

/* PART is in a loop, of BODY, over as many rows as a process has, or over what pointers compare. */
bool OwnRows::isInRows(const Stmt *part, const Stmt *body) const
{
    return anyWithin(body, [&](const Stmt *loop) {
        const Expr *condition = isLoop(loop) && holds(loop, part) ? conditionIn(loop) : nullptr;
        return condition != nullptr && anyWithin(condition, [&](const Stmt *one) {
                   const auto *name = dyn_cast<Expr>(one);
                   if (name == nullptr || variableIn(name) == nullptr)
                       return false;
                   if (name->getType()->isPointerType())
                       return true;
                   const std::optional<Reaches::Ways> ways = reaches.onEachWay(nullptr, name);
                   bool rows = ways && !ways->empty();
                   for (size_t i = 0; rows && i < division.count.size(); i++) {
                       const Reach &reach = ways->front()[i];
                       const long long many = reach.empty() ? 0 : reach.high - reach.low + 1;
                       rows = std::abs(many - division.count[i]) <= Few;
                   }
                   return rows;
               });
    });
}

/* A pointer to VARIABLE that is stepped elsewhere than with the rows leads as many rows into it as
 * nobody has counted. */
void OwnRows::addStepped(const Stmt *body, const VarDecl *variable, Least &least) const
{
    eachWithin(body, [&](const Stmt *one) {
        const auto *step = dyn_cast<UnaryOperator>(one);
        const VarDecl *pointer =
            step != nullptr && step->isIncrementDecrementOp() && step->getType()->isPointerType()
                ? variableIn(step->getSubExpr())
                : nullptr;
        if (pointer != nullptr && uses.means(pointer, variable) && !isInRows(step, body))
            least.open = step;
    });
}

OwnRows::Least OwnRows::least(const VarDecl *variable, const Values &length, int width,
                              bool whole) const
{
    const Group same = group(variable);
    const Edge first = {true, width, whole};
    Least least;
    for (const Access &access : uses.accesses) {
        if (!isOf(access, same))
            continue;
        const std::optional<Rows> rows = rowsOf(access, same, length);
        const std::optional<long long> needed = rows ? leastOf(*rows, first)
                                                : !whole && isAnywhere(access)
                                                    ? std::nullopt
                                                    : std::optional<long long>(0);
        least.rows = std::max(least.rows, needed.value_or(0));
        const std::optional<Reaches::Ways> ways =
            reaches.onEachWay(access.base, access.index, &same);
        for (size_t way = 0; ways && ways->size() > 1 && way < ways->size(); way++)
            if (const std::optional<Rows> one = inRows((*ways)[way], length))
                least.rows = std::max(least.rows, leastFor(*one, width, whole));
        if (!needed)
            least.open = access.index != nullptr ? access.index : access.base;
    }
    for (const Stmt *body : uses.bodies) {
        for (const CallExpr *call : analysis.finder.of(body).calls)
            addHanded(call, body, same, length, first, least);
        if (!whole)
            addStepped(body, variable, least);
    }
    return least;
}

/* How many rows of a block a comparison tells from the others, of those that NUMBERS go through:
 * those up to the one that BOUNDS are, from one edge of the block, whatever its length. */
long long OwnRows::leastTold(const Rows &numbers, const Rows &bounds) const
{
    std::map<long long, std::set<long long>> fromFirst, fromLast; /* by the block's length */
    for (size_t i = 0; i < numbers.size(); i++) {
        const long long count = division.count[i];
        if (count <= 0 || numbers[i].empty())
            continue;
        const long long length = numbers[i].high - numbers[i].low + 1;
        if (std::abs(length - count) > Few || bounds[i].low != bounds[i].high)
            return 0; /* these are not the own rows, or it is no bound */
        if (length != count)
            continue;
        fromFirst[count].insert(bounds[i].low - numbers[i].low);
        fromLast[count].insert(numbers[i].high - bounds[i].low);
    }
    const long long first = sameIn(fromFirst).value_or(-1), last = sameIn(fromLast).value_or(-1);
    return std::max({first + 1, last + 1, 0LL});
}

long long OwnRows::leastTold(const Expr *number, const Expr *bound) const
{
    const std::optional<Reaches::Ways> numbers = reaches.onEachWay(nullptr, number),
                                       bounds = reaches.onEachWay(nullptr, bound);
    long long most = 0;
    for (size_t way = 0; numbers && bounds && way < numbers->size(); way++)
        if (bounds->size() == numbers->size())
            most = std::max(most, leastTold((*numbers)[way], (*bounds)[way]));
    return most;
}

/* It is another number on each process, whatever row is looked at. */
bool OwnRows::isByRank(const Expr *condition) const
{
    const std::optional<Reaches::Ways> ways = reaches.onEachWay(nullptr, condition);
    for (size_t way = 0; ways && way < ways->size(); way++) {
        std::map<std::pair<size_t, long long>, std::set<long long>> all; /* by round and size */
        for (size_t i = 0; i < (*ways)[way].size(); i++) {
            const Reach &value = (*ways)[way][i];
            if (value.low == value.high)
                all[{survey.samples[i].round, survey.samples[i].size}].insert(value.low);
        }
        if (llvm::any_of(all, [](const auto &one) { return one.second.size() > 1; }))
            return true;
    }
    return false;
}

/* Some part of CONDITION, but for PART, is so. */
bool OwnRows::hasRank(const Expr *condition, const Stmt *part) const
{
    condition = condition->IgnoreParenImpCasts();
    if (condition == part)
        return false;
    const auto *binary = dyn_cast<BinaryOperator>(condition);
    const auto *unary = dyn_cast<UnaryOperator>(condition);
    if (binary != nullptr && binary->isLogicalOp())
        return hasRank(binary->getLHS(), part) || hasRank(binary->getRHS(), part);
    if (unary != nullptr && unary->getOpcode() == UO_LNot)
        return hasRank(unary->getSubExpr(), part);
    return isByRank(condition);
}

static bool isJump(const Stmt *statement)
{
    return isa<ContinueStmt, BreakStmt, ReturnStmt, GotoStmt>(statement);
}

/* Conditions decide by the rank whether PART, in BODY, is come to, or what comes of it. */
bool OwnRows::isUnderRank(const Stmt *part, const Stmt *body, int calls) const
{
    bool found = false;
    eachWithin(body, [&](const Stmt *one) {
        const Expr *condition = conditionIn(one);
        const bool around = holds(one, part);
        found = found ||
                (condition != nullptr && (around || (!isLoop(one) && anyWithin(one, isJump))) &&
                 hasRank(condition, part)) ||
                (around && isa<BinaryOperator>(one) && anyWithin(one, [&](const Stmt *beside) {
                     return beside != part && compared(beside).first != nullptr &&
                            isByRank(cast<Expr>(beside));
                 }));
    });
    for (const Stmt *caller : uses.bodies)
        eachWithin(caller, [&](const Stmt *one) {
            const auto *call = dyn_cast<CallExpr>(one);
            const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
            if (!found && calls > 0 && callee != nullptr && callee->getBody() == body)
                found = isUnderRank(call, caller, calls - 1);
        });
    return found;
}

long long OwnRows::leastTold() const
{
    std::set<const Stmt *> heads; /* of loops: how far they go is known by what they touch */
    long long most = 0;
    for (const Stmt *body : uses.bodies)
        eachWithin(body, [&](const Stmt *part) {
            if (const Expr *head = isLoop(part) ? conditionIn(part) : nullptr)
                eachWithin(head, [&](const Stmt *one) { heads.insert(one); });
            const auto [one, other] = compared(part);
            const long long told = one != nullptr && heads.count(part) == 0
                                       ? std::max(leastTold(one, other), leastTold(other, one))
                                       : 0;
            if (told > most && isUnderRank(part, body, MostCalls))
                most = told;
        });
    return most;
}

/* How many of the own rows ROWS leave out before them and behind them: as many in each block that
 * has enough; else -1. The own rows begin in row WIDTH, or with WHOLE at their numbers. */
OwnRows::Left OwnRows::leftOut(const Rows &rows, int width, bool whole) const
{
    Left left;
    for (size_t i = 0; i < rows.size(); i++) {
        if (division.count[i] < Enough)
            continue;
        const long long begin = whole ? division.first[i] : width;
        const Left one = {rows[i].low - begin, begin + division.count[i] - 1 - rows[i].high};
        const bool other =
            left.before >= 0 && (left.before != one.before || left.behind != one.behind);
        if (rows[i].empty() || other || one.before < 0 || one.behind < 0 || one.before > Few ||
            one.behind > Few)
            return leftOutWithin(rows, whole ? std::nullopt : std::optional<long long>(width));
        left = one;
    }
    return left;
}

/* The same, where a window leaves out others: in each block that begins, or ends, within it. */
OwnRows::Left OwnRows::leftOutWithin(const Rows &rows, std::optional<long long> from) const
{
    Left left;
    Windows windows = windowsOf(rows, from);
    auto note = [&](long long &known, long long one) {
        const bool same = known < 0 || known == one;
        known = one;
        return same && one >= 0 && one <= Few;
    };
    for (size_t i = 0; i < rows.size(); i++) {
        const Reach &window = windows[{survey.samples[i].round, survey.samples[i].size}];
        const long long first = division.first[i], last = first + division.count[i] - 1;
        const Reach set = shifted(rows[i], from ? first - *from : 0);
        if (division.count[i] < Enough || set.empty())
            continue;
        if ((first > window.low && !note(left.before, set.low - first)) ||
            (last < window.high && !note(left.behind, last - set.high)))
            return {};
    }
    return left;
}

} // namespace xmpi
