/* SPDX-License-Identifier: BSD-3-Clause
 * Sweeps over own rows in place: what a row is made of where the one before it, of the same block,
 * has been set by the same sweep. At the edge of a block another row stands there: the one that
 * messages have brought before. So the result follows the blocks, but where each process waits for
 * the one before it, sweeps, and hands on what it has made. */
#include "ranks/rank_values.h"
#include "library/message.h"
#include "check/safety.h"
#include "facts/effects.h"
#include "library/library.h"
#include "facts/storage.h"
#include "source/integer.h"
#include "source/variable.h"
#include <algorithm>
#include <numeric>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

/* Adds EXPRESSION up: numbers to SUM, all else, as it is written, to TERMS. */
static void addUp(const Analysis &analysis, const Expr *expression, bool negative, int &sum,
                  std::multiset<std::string> &terms)
{
    const Expr *bare = expression->IgnoreParenCasts();
    const auto *binary = dyn_cast<BinaryOperator>(bare);
    if (std::optional<long long> number = constantInteger(bare, analysis.context)) {
        sum += static_cast<int>(negative ? -*number : *number);
    } else if (binary != nullptr && binary->isAdditiveOp()) {
        addUp(analysis, binary->getLHS(), negative, sum, terms);
        addUp(analysis, binary->getRHS(), negative != (binary->getOpcode() == BO_Sub), sum, terms);
    } else {
        terms.insert((negative ? "-" : "+") + analysis.source.spelled(bare));
    }
}

/* The array in which PLACE, an element at INDEX by its row, stands beside what others have set:
 * with ghost rows, or with all rows; null: there is none. */
const VarDecl *RankValues::sweptAt(const Place &place, const Form &index) const
{
    const std::optional<Rows> rows = rowsOf(place);
    if (rows && !rows->global)
        return rows->halo.empty() ? nullptr : rows->variable;
    if (!index.has(Form::First))
        return nullptr;
    if (rows)
        return rows->variable;
    const std::set<const VarDecl *> all = pointees(baseOf(place));
    auto whole = llvm::find_if(all, [&](const VarDecl *one) { return analysis.isData(one); });
    return whole != all.end() ? *whole : nullptr;
}

/* The indices in ELEMENT that something which counts own rows is in. */
std::set<const Expr *> RankValues::indicesByRow(const Expr *element) const
{
    std::set<const Expr *> all;
    for (element = element->IgnoreParenCasts();;) {
        if (const auto *member = dyn_cast<MemberExpr>(element)) {
            element = member->getBase()->IgnoreParenCasts();
            continue;
        }
        const auto *subscript = dyn_cast<ArraySubscriptExpr>(element);
        if (subscript == nullptr)
            return all;
        const Effects effects = analysis.finder.of(subscript->getIdx());
        if (llvm::any_of(effects.mentions, [&](const Mention &mention) {
                return formOf(mention.place).has(Form::Own);
            }))
            all.insert(subscript->getIdx());
        element = subscript->getBase()->IgnoreParenCasts();
    }
}

/* The array of rows that PLACE is of, and no other one; or null. */
const VarDecl *RankValues::onlyArray(const Place &place) const
{
    const VarDecl *found = nullptr;
    for (const VarDecl *one : pointees(baseOf(place)))
        if (analysis.isData(one)) {
            if (pointersIn(one) != 0 || found != nullptr)
                return nullptr;
            found = one;
        }
    return found;
}

void RankValues::noteSwept(const Place &place, const Expr *element, const Form &index,
                           bool set) const
{
    if (!inLoop || rowLoops.empty() || index.strided || !index.isPlain() || !index.has(Form::Own) ||
        index.by[Form::Own][0] == '-')
        return;
    const VarDecl *rows = sweptAt(place, index);
    std::optional<int> shift = rowsOfShift(index.shift);
    std::multiset<std::string> from;
    const RowLoop &around = rowLoops.back();
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(element->IgnoreParenCasts());
    if (index.has(Form::First) && subscript != nullptr) { /* of an array with all rows */
        shift = 0;
        addUp(analysis, subscript->getIdx(), false, *shift, from);
    }
    if (rows == nullptr || !shift)
        return;
    int every = 1;
    for (size_t i = around.around; i < conditions.size(); i++) {
        if (!picksRows(conditions[i]))
            continue;
        if (conditions[i].every != 0) /* else who knows which rows are beside one another */
            every = std::lcm(every, conditions[i].every);
        else if (conditions[i].spread == Form::Spread::Some)
            return;
    }
    std::vector<Swept> &noted = set ? around.set : around.read;
    const bool known =
        llvm::any_of(noted, [&](const Swept &one) { return one.element == element; });
    if (!known)
        noted.push_back({rows, *shift, index.by[Form::Own] == "1", every, from, element,
                         indicesByRow(element), onlyArray(place)});
}

/* TRANSFER, of FILE, is of one row, or of a piece of them. */
void RankValues::noteFiled(const FileTransfer &transfer, const Expr *file)
{
    if (!inLoop || rowLoops.empty() || !transfer.place)
        return;
    const bool piece = transfer.isWholePiece() ||
                       transfer.isPieceWithin(rowsOfFile(transfer.file).halo),
               row = transfer.place->has(Form::Own);
    const std::optional<int> shift = rowsOfShift(transfer.place->shift);
    std::vector<RowLoop::Filed> &filed = rowLoops.back().filed;
    const SourceLocation where = transfer.call->getExprLoc();
    const bool known = llvm::any_of(filed, [&](const RowLoop::Filed &one) {
        return one.where == where && one.file == textOf(file);
    });
    if ((piece || row) && shift && !known)
        filed.push_back({textOf(file), transfer.file->getNameAsString(),
                         analysis.source.spelled(transfer.call), *shift, transfer.writes,
                         transfer.shared, where});
}

/* ROWS is over; FALLS: from the last row to the first. What it has read of rows that it had written
 * was another one at the edge of each block, where it has not written them; of a file that all
 * processes share others may have written the rest, or not yet. */
void RankValues::endFiled(const RowLoop &rows, bool falls)
{
    for (const RowLoop::Filed &set : rows.filed)
        for (const RowLoop::Filed &read : rows.filed)
            if (set.set && !read.set && set.file == read.file &&
                (set.shared ? read.shift != set.shift
                 : falls    ? read.shift > set.shift
                            : read.shift < set.shift))
                misuse(Problem::Sweep, read.where, read.name, read.by);
}

/* -- elements that are the same but for their row */

static std::set<const VarDecl *> namedIn(const Analysis &analysis, const Expr *expression)
{
    std::set<const VarDecl *> named;
    for (const Mention &mention : analysis.finder.of(expression).mentions)
        named.insert(mention.place.base->getCanonicalDecl());
    return named;
}

/* What an index names, but for the number of the row, the loop goes through. */
static bool goesThrough(const Analysis &analysis, const std::set<const VarDecl *> &named)
{
    return llvm::count_if(named, [&](const VarDecl *variable) {
               const auto &writes = analysis.inLoop.writes;
               return llvm::any_of(writes, [&](const Write &write) {
                   return write.place.base->getCanonicalDecl() == variable;
               });
           }) > 1;
}

/* ONE and OTHER, indices, are computed in the same way, but for the number of the row, in place of
 * which they name the same variable. */
static bool differByCounter(const Analysis &analysis, const Expr *one, const Expr *other)
{
    one = one->IgnoreParenCasts();
    other = other->IgnoreParenCasts();
    if (analysis.source.spelled(one) == analysis.source.spelled(other))
        return true;
    const auto *call = dyn_cast<CallExpr>(one), *second = dyn_cast<CallExpr>(other);
    if (call != nullptr && second != nullptr && call->getNumArgs() == second->getNumArgs()) {
        bool all = calleeName(call) == calleeName(second);
        for (unsigned i = 0; all && i < call->getNumArgs(); i++)
            all = differByCounter(analysis, call->getArg(i), second->getArg(i));
        return all;
    }
    const auto *binary = dyn_cast<BinaryOperator>(one), *also = dyn_cast<BinaryOperator>(other);
    if (binary != nullptr && also != nullptr && binary->getOpcode() == also->getOpcode() &&
        differByCounter(analysis, binary->getLHS(), also->getLHS()) &&
        differByCounter(analysis, binary->getRHS(), also->getRHS()))
        return true;
    const auto multiplies = [](const BinaryOperator *operation) {
        return operation != nullptr && !operation->isAdditiveOp();
    };
    const std::set<const VarDecl *> named = namedIn(analysis, one);
    return named.size() == 1 && named == namedIn(analysis, other) && call == nullptr &&
           second == nullptr && !multiplies(binary) && !multiplies(also);
}

/* A number that goes to and fro, as the index of two levels of time: by what it is named, and
 * whether it is the other one of the two: 1 - i, !i, i ^ 1, (i + 1) % 2. */
struct Alternating {
    std::string of;
    bool other;
};

static Alternating alternating(const Analysis &analysis, const Expr *index)
{
    index = index->IgnoreParenCasts();
    const auto numberIn = [&](const Expr *part) { return constantInteger(part, analysis.context); };
    const auto *unary = dyn_cast<UnaryOperator>(index);
    const auto *binary = dyn_cast<BinaryOperator>(index);
    const Expr *of =
        unary != nullptr && unary->getOpcode() == UO_LNot                  ? unary->getSubExpr()
        : binary == nullptr                                                ? nullptr
        : binary->getOpcode() == BO_Sub && numberIn(binary->getLHS()) == 1 ? binary->getRHS()
        : binary->getOpcode() == BO_Xor && numberIn(binary->getRHS()) == 1 ? binary->getLHS()
                                                                           : nullptr;
    if (of != nullptr) {
        const Alternating inner = alternating(analysis, of);
        return {inner.of, !inner.other};
    }
    const bool parity =
        binary != nullptr && ((binary->getOpcode() == BO_Rem && numberIn(binary->getRHS()) == 2) ||
                              (binary->getOpcode() == BO_And && numberIn(binary->getRHS()) == 1));
    if (!parity)
        return {analysis.source.spelled(index), false};
    int sum = 0;
    std::multiset<std::string> terms;
    addUp(analysis, binary->getLHS(), false, sum, terms);
    std::string text = "parity:";
    for (const std::string &term : terms)
        text += term;
    return {text, sum % 2 != 0};
}

/* ONE and OTHER pick two of the pointers of an array, which lead to memory of their own, by numbers
 * that are none of those that the sweep has ASSIGNED. */
static bool pickOthers(const Analysis &analysis, const ArraySubscriptExpr *one,
                       const ArraySubscriptExpr *other, const std::set<const VarDecl *> &assigned)
{
    const VarDecl *array = variableIn(one->getBase());
    const std::set<const VarDecl *> named = namedIn(analysis, one->getIdx());
    if (array == nullptr || array != variableIn(other->getBase()) || pointersIn(array) == 0 ||
        llvm::any_of(named, [&](const VarDecl *variable) { return assigned.count(variable) != 0; }))
        return false;
    const std::optional<long long> first = constantInteger(one->getIdx(), analysis.context),
                                   second = constantInteger(other->getIdx(), analysis.context);
    const Alternating left = alternating(analysis, one->getIdx()),
                      right = alternating(analysis, other->getIdx());
    return (first && second && *first != *second) ||
           (left.of == right.of && left.other != right.other);
}

/* ONE and OTHER, of SET and READ, are names of elements that differ by their rows alone: those of
 * other columns, or of another time, are not set by the sweep. */
bool RankValues::differByRow(const Analysis &analysis, const Swept &set, const Swept &read,
                             const Expr *one, const Expr *other,
                             const std::set<const VarDecl *> &assigned)
{
    const bool alone = set.alone && read.alone;
    const auto within = [&](const Expr *first, const Expr *second) {
        return differByRow(analysis, set, read, first, second, assigned);
    };
    one = one->IgnoreParenCasts();
    other = other->IgnoreParenCasts();
    if (analysis.source.spelled(one) == analysis.source.spelled(other))
        return true;
    if (one->getStmtClass() != other->getStmtClass())
        return false;
    if (isa<DeclRefExpr>(one)) /* two names of one array */
        return set.array != nullptr && set.array == read.array;
    if (const auto *member = dyn_cast<MemberExpr>(one)) {
        const auto *second = cast<MemberExpr>(other);
        return member->getMemberDecl() == second->getMemberDecl() &&
               within(member->getBase(), second->getBase());
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(one))
        return within(unary->getSubExpr(), cast<UnaryOperator>(other)->getSubExpr());
    if (isa<CallExpr>(one))
        return differByCounter(analysis, one, other);
    const auto *element = dyn_cast<ArraySubscriptExpr>(one);
    if (element == nullptr)
        return false;
    const auto *second = cast<ArraySubscriptExpr>(other);
    const Expr *index = element->getIdx(), *also = second->getIdx();
    if (pickOthers(analysis, element, second, assigned) ||
        !within(element->getBase(), second->getBase()))
        return false;
    if (analysis.source.spelled(index) == analysis.source.spelled(also) ||
        (alone && set.byRow.count(index) != 0 && read.byRow.count(also) != 0))
        return true;
    const std::set<const VarDecl *> named = namedIn(analysis, index);
    return named == namedIn(analysis, also) &&
           (alone || goesThrough(analysis, named) || differByCounter(analysis, index, also));
}

/* -- the order of sweeps and messages */

void RankValues::beginSweeps()
{
    sweeps.clear();
    come.clear();
    ways.clear();
    standIns.clear();
}

/* ROWS is over; FALLS: from the last row to the first. */
void RankValues::endSweep(const RowLoop &rows, bool falls)
{
    for (const Swept &set : rows.set)
        for (const Swept &read : rows.read) {
            const bool before = falls ? read.shift > set.shift : read.shift < set.shift;
            const int every = std::lcm(rows.every, std::lcm(set.every, read.every));
            if (set.rows != read.rows || set.from != read.from || !before ||
                (read.shift - set.shift) % every != 0 ||
                !differByRow(analysis, set, read, set.element, read.element, rows.assigned))
                continue;
            Sweep &sweep = sweeps[set.rows];
            const SourceLocation where = read.element->getExprLoc();
            const Ways sent = sweep.where == where ? sweep.before : ways; /* of the first time */
            sweep = {read.element->getExprLoc(), analysis.source.spelled(read.element), false,
                     false, sent};
            sweep.begun = come.count(set.rows) != 0 || come.count(nullptr) != 0;
        }
}

namespace
{

/* Operations of all processes, and of memory that others reach, which may bring rows to others. */
bool handsRowsOver(llvm::StringRef name)
{
    static const char *const parts[] = {"eighbor", "lltoall", "llgather", "_Put",
                                        "_Get",    "_Rput",   "_Rget",    "_Win_"};
    return std::any_of(std::begin(parts), std::end(parts),
                       [&](const char *part) { return name.contains(part); });
}

/* The place that BUFFER leads to, or into. */
std::optional<Place> placeBehind(const Expr *buffer)
{
    buffer = buffer->IgnoreParenCasts();
    if (const Expr *target = addressedBy(buffer))
        return placeOf(target);
    if (const auto *sum = dyn_cast<BinaryOperator>(buffer); sum != nullptr && sum->isAdditiveOp())
        return placeBehind(sidesOf(sum).first);
    if (isa<CallExpr>(buffer) && !buffer->getType()->isPointerType())
        return std::nullopt; /* a value that a function hands back, of a struct perhaps */
    if (isa<CallExpr>(buffer)) {
        const std::vector<Place> all = placesBehind(buffer);
        return all.size() == 1 ? std::optional<Place>(all.front()) : std::nullopt;
    }
    return placeOf(buffer);
}

} // namespace

/* All processes send to one side, and receive from the other, at once: what comes has been sent
 * before the sweep of whom it comes from. */
bool RankValues::isShift(const Expr *to, const Expr *from) const
{
    const auto nobody = [&](const Expr *peer) { /* MPI_PROC_NULL */
                                                return constantInteger(peer->IgnoreParenCasts(),
                                                                       analysis.context)
                                                           .value_or(0) < 0;
    };
    return to != nullptr && from != nullptr && textOf(to) != textOf(from) && !nobody(to) &&
           !nobody(from);
}

/* What CALL hands over between processes, before or after the sweeps of the iteration. */
void RankValues::noteMessage(const CallExpr *call, llvm::StringRef name)
{
    const FunctionDecl *callee = call->getDirectCallee();
    const bool elsewhere = callee == nullptr || isForeign(callee);
    if (call->getNumArgs() == 0 || (!isMpiCall(call) && !elsewhere))
        return;
    const Message message = messageOf(call);
    if (message.sends || handsRowsOver(name))
        noteSentRows(message.to != nullptr ? placeBehind(message.sent) : std::nullopt);
    const auto rowsAt = [&](const Expr *buffer) -> const VarDecl * {
        std::optional<Place> place = buffer ? placeBehind(buffer) : std::nullopt;
        if (!place)
            return nullptr;
        place->element = place->behind = true;
        const std::optional<Rows> rows = rowsOf(*place);
        return rows ? rows->variable : nullptr;
    };
    const VarDecl *taken = rowsAt(message.sent);
    if (isMpiCall(call) && message.sends && taken == nullptr && contentOf(message.sent).isAffine())
        return; /* counts, or ranks */
    const bool shifts = isShift(message.to, message.from);
    if (message.sends)
        noteTaken(taken, message.sent, message.to, shifts);
    if (message.receives && !shifts)
        come.insert(rowsAt(message.received));
}

/* Rows TAKEN (null: of any array) are sent to process TO (null: to others). A sweep that passes
 * them on is the first thing there that sends what is in BUFFER to it: who waits for rows takes
 * what was sent before otherwise. */
void RankValues::noteTaken(const VarDecl *taken, const Expr *buffer, const Expr *to, bool shifts)
{
    const std::optional<Place> place = placeBehind(buffer);
    const std::pair<const VarDecl *, std::string> way = {place ? baseOf(*place) : nullptr,
                                                         to != nullptr ? textOf(to) : ""};
    for (auto &[rows, sweep] : sweeps)
        sweep.passed = sweep.passed || (!shifts && (taken == nullptr || taken == rows) &&
                                        (to == nullptr || sweep.before.count(way) == 0));
    if (to != nullptr)
        ways.insert(way);
}

void RankValues::reportSweeps()
{
    for (const auto &[rows, sweep] : sweeps)
        if (!sweep.begun || !sweep.passed)
            misuse(Problem::Sweep, sweep.where, rows->getNameAsString(), sweep.by);
    for (const auto &[chosen, array] : standIns)
        if (array != nullptr)
            misuse(Problem::LocalValue, chosen->getExprLoc(), array->getNameAsString(),
                   analysis.source.spelled(chosen));
}

/* -- stores to rows at the edges of blocks */

/* TARGET, at INDEX, is some rows from each own one on: the next ones have a part in those, too. */
bool RankValues::isWindow(const Expr *target, const Form &index) const
{
    if (rowLoops.empty() || !rowLoops.back().single || index.strided ||
        index.by[Form::Own] != "1" || rowsOfShift(index.shift))
        return false;
    const Effects within = analysis.finder.of(rowLoops.back().rows);
    return llvm::any_of(analysis.finder.of(target).mentions, [&](const Mention &mention) {
        return mention.place.type->isIntegerType() && formOf(mention.place).isUniform() &&
               llvm::any_of(within.writes, [&](const Write &write) {
                   return baseOf(write.place) == baseOf(mention.place);
               });
    });
}

void RankValues::noteEdge(const Rows &rows, const Expr *target, const std::string &by, bool message,
                          bool own)
{
    Edges &known = edges[{rows.variable, own, iterating}];
    known.messages = known.messages || message;
    if (known.by.empty()) {
        known.by = by;
        known.where = target->getExprLoc();
    }
}

/* What is set at the edges of blocks alone, and not at the ends of the domain, is right where it is
 * made of what messages have brought: then another store, or another way, does the same for the
 * rows between. (In the adaptive loop the trials tell whether there is one: rows/edges.cpp.) */
void RankValues::judgeEdge(const Rows &rows, const Expr *target, const Form &index,
                           const Form &value, const Guards &around)
{
    const bool own = index.has(Form::Own) || index.kind == Kind::Row;
    const bool first = !own && index.has(Form::First) == rows.global && index.isPlain();
    edges[{rows.variable, true, iterating}].apart |= leavesOut(rows, index);
    const bool end = around.ends && around.one && (around.told & Form::Chosen) == 0;
    const Form::End other = index.has(Form::Count) ? Form::AtFirst : Form::AtLast;
    if (end && around.told == other && isOwnEdge(rows, index))
        return misuse(Problem::LocalRows, target->getExprLoc(), rows.variable->getNameAsString(),
                      around.cause.cause); /* at the other end of that block */
    if (end || around.local || target->getType()->isPointerType() ||
        !(first || (own && around.edge)))
        return;
    edges[{rows.variable, own, iterating}].messages |=
        value.message; /* of ghost rows in any case */
    Edges &known = edges[{rows.variable, own || isOwnEdge(rows, index), iterating}];
    known.messages = known.messages || value.message;
    if (known.by.empty()) {
        known.by = around.edge || index.cause.empty() ? around.cause.cause : index.cause;
        if (known.by.empty())
            known.by = analysis.source.spelled(target);
        known.where = target->getExprLoc();
    }
}

} // namespace xmpi
