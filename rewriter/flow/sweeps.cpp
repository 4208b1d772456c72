/* SPDX-License-Identifier: BSD-3-Clause
 * Sweeps over own rows in place: what a row is made of where the one before it, of the same block,
 * has been set by the same sweep. At the edge of a block another row stands there: the one that
 * messages have brought before. So the result follows the blocks, but where each process waits for
 * the one before it, sweeps, and hands on what it has made. */
#include "flow/rank_values.h"
#include "check/safety.h"
#include "compat.h"
#include "facts/effects.h"
#include "library/library.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

/* The number of rows that an index is shifted by; nothing where that is not known. */
static std::optional<int> rowsOfShift(const std::string &shift)
{
    if (shift.empty())
        return 0;
    const size_t digits = shift[0] == '-' ? 1 : 0;
    if (shift.size() > 5 || shift.size() == digits ||
        shift.find_first_not_of("0123456789", digits) != shift.npos)
        return std::nullopt;
    return std::stoi(shift);
}

void RankValues::noteSwept(const Place &place, const Expr *element, const Form &index,
                           bool set) const
{
    if (!inLoop || rowLoops.empty() || index.strided || !index.isPlain() || !index.has(Form::Own) ||
        index.by[Form::Own][0] == '-')
        return;
    const std::optional<Rows> rows = rowsOf(place);
    const std::optional<int> shift = rowsOfShift(index.shift);
    const RowLoop &around = rowLoops.back();
    if (!rows || rows->halo.empty() || rows->global || !shift)
        return;
    for (size_t i = around.around; i < conditions.size(); i++)
        if (picksRows(conditions[i]))
            return;
    std::vector<Swept> &noted = set ? around.set : around.read;
    const bool known = std::any_of(noted.begin(), noted.end(),
                                   [&](const Swept &one) { return one.element == element; });
    if (!known)
        noted.push_back({rows->variable, *shift, index.by[Form::Own] == "1", element});
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
    return std::count_if(named.begin(), named.end(), [&](const VarDecl *variable) {
               const auto &writes = analysis.inLoop.writes;
               return std::any_of(writes.begin(), writes.end(), [&](const Write &write) {
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

/* ONE and OTHER are names of elements that differ by their rows alone: those of other columns, or
 * of another time, are not set by the sweep. */
static bool differByRow(const Analysis &analysis, const Expr *one, const Expr *other, bool alone)
{
    one = one->IgnoreParenCasts();
    other = other->IgnoreParenCasts();
    if (analysis.source.spelled(one) == analysis.source.spelled(other))
        return true;
    if (one->getStmtClass() != other->getStmtClass())
        return false;
    if (const auto *member = dyn_cast<MemberExpr>(one)) {
        const auto *second = cast<MemberExpr>(other);
        return member->getMemberDecl() == second->getMemberDecl() &&
               differByRow(analysis, member->getBase(), second->getBase(), alone);
    }
    const auto *element = dyn_cast<ArraySubscriptExpr>(one);
    if (element == nullptr)
        return false;
    const auto *second = cast<ArraySubscriptExpr>(other);
    if (!differByRow(analysis, element->getBase(), second->getBase(), alone))
        return false;
    if (analysis.source.spelled(element->getIdx()) == analysis.source.spelled(second->getIdx()))
        return true;
    const std::set<const VarDecl *> named = namedIn(analysis, element->getIdx());
    return named == namedIn(analysis, second->getIdx()) &&
           (alone || goesThrough(analysis, named) ||
            differByCounter(analysis, element->getIdx(), second->getIdx()));
}

/* -- the order of sweeps and messages */

void RankValues::beginSweeps()
{
    sweeps.clear();
    come.clear();
}

/* ROWS is over; FALLS: from the last row to the first. */
void RankValues::endSweep(const RowLoop &rows, bool falls)
{
    if (rows.picks)
        return;
    for (const Swept &set : rows.set)
        for (const Swept &read : rows.read) {
            const bool before = falls ? read.shift > set.shift : read.shift < set.shift;
            if (set.rows != read.rows || !before ||
                !differByRow(analysis, set.element, read.element, set.alone && read.alone))
                continue;
            Sweep &sweep = sweeps[set.rows];
            sweep = {read.element->getExprLoc(), analysis.source.spelled(read.element), false,
                     false};
            sweep.begun = come.count(set.rows) != 0 || come.count(nullptr) != 0;
        }
}

/* Calls that neither bring nor take rows to one process after another. */
static bool isForAll(llvm::StringRef name)
{
    static const char *const kinds[] = {"Allreduce", "Iallreduce", "Reduce", "Ireduce", "Barrier",
                                        "Ibarrier",  "Wait",       "Test",   "Comm_",   "Cart_",
                                        "Type_",     "W",          "Bcast",  "Ibcast",  "Get_",
                                        "Abort",     "Request_"};
    return std::any_of(std::begin(kinds), std::end(kinds), [&](const char *kind) {
        return startsWith(name, "MPI_" + std::string(kind));
    });
}

/* What CALL hands over between processes, before or after the sweeps of the iteration. */
void RankValues::noteMessage(const CallExpr *call, llvm::StringRef name)
{
    const FunctionDecl *callee = call->getDirectCallee();
    const bool elsewhere = callee == nullptr || isForeign(callee);
    if (isForAll(name) || call->getNumArgs() == 0 || (!isMpiCall(call) && !elsewhere))
        return;
    const bool both = name == "MPI_Sendrecv";
    const bool receives = isOneOf(name, {"MPI_Recv", "MPI_Irecv"});
    const bool sends = isOneOf(name, {"MPI_Send", "MPI_Isend", "MPI_Ssend", "MPI_Issend",
                                      "MPI_Rsend", "MPI_Irsend", "MPI_Bsend", "MPI_Ibsend"});
    const auto rowsAt = [&](unsigned at) -> const VarDecl * {
        std::optional<Place> place = placeOf(call->getArg(at)->IgnoreParenCasts());
        if (!place)
            return nullptr;
        place->element = place->behind = true;
        const std::optional<Rows> rows = rowsOf(*place);
        return rows ? rows->variable : nullptr;
    };
    const VarDecl *taken = receives ? nullptr : rowsAt(0);
    if (isMpiCall(call) && !receives && taken == nullptr && contentOf(call->getArg(0)).isAffine())
        return; /* counts, or ranks */
    for (auto &[rows, sweep] : sweeps)
        sweep.passed = sweep.passed || (!receives && (taken == nullptr || taken == rows));
    if (!sends)
        come.insert(both ? rowsAt(5) : receives ? rowsAt(0) : nullptr);
}

void RankValues::reportSweeps()
{
    for (const auto &[rows, sweep] : sweeps)
        if (!sweep.begun || !sweep.passed)
            misuse(Problem::Sweep, sweep.where, rows->getNameAsString(), sweep.by);
}

} // namespace xmpi
