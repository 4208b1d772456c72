/* SPDX-License-Identifier: BSD-3-Clause
 * Whether ghost rows are filled in each iteration that reads them. A reconfiguration fills them
 * with the rows that they stand for as these are then: what messages have brought some iterations
 * ago, and not since, is not to be had again. */
#include "ranks/rank_expressions.h"
#include "check/safety.h"
#include "compat.h"
#include "library/constants.h"
#include "index/formula.h"
#include "library/library.h"
#include "joined/places.h"
#include "library/message.h"
#include "rows/reach.h"
#include "source/within.h"
#include <algorithm>
#include <climits>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

int rowsOf(const Filled &filled)
{
    int all = 0;
    for (const auto &[by, rows] : filled)
        all = std::min(all + rows, static_cast<int>(anyRows));
    return all;
}

/* A datatype of MPI's own that is one element. */
bool isElementType(llvm::StringRef type)
{
    return !type.empty() && type != "MPI_BYTE" && type != "MPI_PACKED";
}

/* How many rows CALL receives, of arrays with one element in each: those of arrays with more, or by
 * other calls, nobody counts. None, where it is another number in other iterations. */
int RankValues::rowsBrought(const CallExpr *call) const
{
    const llvm::StringRef name = call != nullptr ? calleeName(call) : "";
    const bool both = name == "MPI_Sendrecv";
    if (!both && !isOneOf(name, {"MPI_Recv", "MPI_Irecv"}))
        return anyRows;
    const Expr *count = call->getArg(both ? 6 : 1);
    if (choosesIterations(count))
        return 0;
    const std::string text = textOf(count),
                      type = constantOfMpi(call->getArg(both ? 7 : 2), analysis.context);
    const bool known = text.size() < 6 && text.find_first_not_of("0123456789") == text.npos;
    const bool again = llvm::any_of(way, [](const Stmt *around) { return !isa<CallExpr>(around); });
    return known && !again && isElementType(type) ? std::stoi(text) : anyRows;
}

/* Messages, a function of another file, or what has been in either, is put there. */
void RankValues::fill(const Place &place, const CallExpr *call)
{
    if (!iterating || !xmpi::RankState::rowsOf(place))
        return;
    const int rows = rowsBrought(call);
    std::vector<const Stmt *> by = way;
    by.push_back(call);
    for (const VarDecl *variable : pointees(baseOf(place)))
        if (rows > 0)
            state.filled[variable][by] = rows;
}

void RankValues::fillSpoilt(const Place &place, const std::optional<Form> &index)
{
    for (const VarDecl *variable : pointees(baseOf(place)))
        for (const bool behind : {false, true})
            if (!index || !index->isPlain() || index->has(Form::Count) == behind)
                state.spoilt.erase({variable, behind});
}

/* INDEX of ROWS, outside of a loop over own rows, is not that of a ghost row; where that is not
 * known AT an END of all rows, it is one that stands for what is beyond. */
static bool isOwnRow(const RankState::Rows &rows, const Form &index, bool atEnd)
{
    const std::optional<int> shift = rowsOfShift(index.shift), halo = rowsOfShift(rows.halo);
    if (index.has(Form::First))
        return true;
    if (!shift || !halo || !index.isPlain())
        return !atEnd;
    return index.has(Form::Count) ? *shift < *halo : *shift >= *halo;
}

/* CALL, which copies rows, puts own ones to where PLACE has ghost rows. */
void RankExpressions::spoilBy(const CallExpr *call, const Place &place)
{
    const std::optional<Rows> rows = anyRowsOf(place);
    const Form to = evaluate(call->getArg(0)).form, from = evaluate(call->getArg(1)).form;
    if (!iterating || !rows || rows->global || rows->halo.empty() || guards().ends ||
        to.has(Form::Own) || isOwnRow(*rows, to, false))
        return;
    for (const Place &source : placesBehind(call->getArg(1)->IgnoreParenCasts()))
        if (const std::optional<Rows> own = anyRowsOf(source);
            own && !own->global && isOwnRow(*own, from, true))
            for (const VarDecl *one : pointees(baseOf(place)))
                state.spoilt.emplace(std::pair{one, to.has(Form::Count)}, call);
}

/* CALL fills PLACE: from where on is known of one message, and of copies. */
void RankExpressions::fillBy(const CallExpr *call, const Place &place)
{
    if (!mayFill(call) && isOneOf(calleeName(call), {"memcpy", "memmove"}))
        return spoilBy(call, place);
    if (!mayFill(call))
        return;
    const bool one = isOneOf(calleeName(call), {"MPI_Recv", "MPI_Irecv", "MPI_Sendrecv"}),
               copy = isOneOf(calleeName(call), {"memcpy", "memmove"});
    const Expr *from = one ? messageOf(call).received : copy ? call->getArg(0) : nullptr;
    fill(place, call);
    fillSpoilt(place, from != nullptr ? std::optional(evaluate(from).form) : std::nullopt);
}

/* The distance between the first and last of the places where rows are read; 1 where that is not
 * known. */
static int reachOf(const std::set<std::string> &shifts)
{
    int first = INT_MAX, last = INT_MIN;
    for (const std::string &shift : shifts) {
        const size_t digits = shift[0] == '-' ? 1 : 0;
        if (shift.size() > 5 || shift.size() == digits ||
            shift.find_first_not_of("0123456789", digits) != shift.npos)
            return 1;
        first = std::min(first, std::stoi(shift));
        last = std::max(last, std::stoi(shift));
    }
    return last - first;
}

/* INDEX, in a loop over own rows, is of such a row of ROWS, or of one beside it, where rows of
 * others lie. */
static bool isBeside(const RankState::Rows &rows, const Form &index)
{
    return index.has(Form::Own) && index.shift != "*" && index.has(Form::First) == rows.global &&
           (rows.global || !rows.halo.empty());
}

/* At INDEX, in a loop over own rows, is who knows which row of ROWS, among which there are rows of
 * others. */
static bool isAnywhere(const RankState::Rows &rows, const Form &index)
{
    const bool among = index.kind == Form::Kind::Row && !index.isAffine() && index.shift != "%",
               beside = index.has(Form::Own) && index.shift == "*";
    return (rows.global || !rows.halo.empty()) && (among || beside);
}

/* How many rows a loop over own rows comes to before those of ROWS, and behind them, with an index
 * that is SHIFT beyond its counter; nothing where that is not known. */
std::optional<std::pair<int, int>> RankValues::beyondOwn(const Rows &rows,
                                                         const std::string &shift) const
{
    const std::optional<std::pair<long long, long long>> &span = rowLoops.back().span;
    const std::optional<int> by = rowsOfShift(shift), halo = rowsOfShift(rows.halo);
    if (!span || !by || !halo)
        return std::nullopt;
    return std::pair{static_cast<int>(*halo - *by - span->first),
                     static_cast<int>(span->second + *by - *halo + 1)};
}

/* It counts through ghost rows as well: what it sets of each by what is there, the neighbours set
 * alike. */
bool RankValues::goesThroughGhosts(const Rows &rows) const
{
    const std::optional<std::pair<int, int>> beyond = beyondOwn(rows, "");
    return !rows.global && beyond && beyond->first > 0 && beyond->second > 0;
}

/* How many rows of others it reads on one side of its own, at INDEX of ROWS, if not for some rows
 * alone; 0 also where that is not known. */
int RankValues::readsBeyond(const Rows &rows, const Form &index) const
{
    const auto places = [](const Form &condition) {
        return picksRows(condition) || condition.judged() == Form::Kind::Edge;
    };
    const std::optional<std::pair<int, int>> beyond = beyondOwn(rows, index.shift);
    const RowLoop &loop = rowLoops.back();
    if (!beyond || index.strided || index.by[Form::Own][0] == '-' || goesThroughGhosts(rows) ||
        loop.picks || std::any_of(conditions.begin() + loop.around, conditions.end(), places))
        return 0;
    return std::max({0, beyond->first, beyond->second});
}

/* A store at INDEX of ROWS, in a loop over own rows, may leave out some at an edge of the block. */
bool RankValues::leavesOut(const Rows &rows, const Form &index) const
{
    if (rowLoops.empty() || !index.has(Form::Own))
        return false;
    const RowLoop &loop = rowLoops.back();
    const std::optional<std::pair<int, int>> beyond = beyondOwn(rows, index.shift);
    const auto some = [](const Form &condition) {
        return condition.judged() == Form::Kind::Edge ? condition.isWide() : picksRows(condition);
    };
    return !beyond || beyond->first < 0 || beyond->second < 0 || loop.some || loop.picks ||
           std::any_of(conditions.begin() + loop.around, conditions.end(), some);
}

/* A loop over own rows that reads others beside these, or several beside one another, reads ghost
 * rows at the ends. */
void RankValues::noteGhosts(const Rows &rows, const Place &place, const Form &index,
                            SourceLocation where) const
{
    if (iterating && rowLoops.empty())
        noteSpoiltAlone(rows, place, index);
    const bool anywhere = isAnywhere(rows, index);
    if (!iterating || rowLoops.empty() || (!anywhere && !isBeside(rows, index)))
        return;
    std::set<std::string> &reads = rowLoops.back().reads[rows.variable];
    if (!rows.global && !anywhere)
        reads.insert(index.shift.empty() ? "0" : index.shift);
    const int beyond = std::max(anywhere ? 1 : 0, readsBeyond(rows, index)),
              reach = std::max(beyond, reads.size() > 1 ? reachOf(reads) : 0);
    if (reads.size() > 1 || beyond > 0)
        for (const VarDecl *meant : pointees(baseOf(place)))
            noteSpoiltRead(meant, rows, index);
    for (const VarDecl *meant : pointees(baseOf(place)))
        if (auto found = state.filled.find(meant); found != state.filled.end())
            if (xmpi::rowsOf(found->second) >= reach)
                return;
    if (reads.size() > 1 || beyond > 0) {
        Unfilled &known = unfilled.emplace(rows.variable, Unfilled{where, 0}).first->second;
        known.reach = std::max(known.reach, reach);
    }
}

/* -- own rows that are set behind the messages that have sent them */

/* At which distance from the first own row, or from that of a loop over own rows, INDEX is. */
static std::string distanceOf(const RankState::Rows &rows, const Form &index)
{
    return moved("0", addShifts(index.shift, rows.halo, true), false);
}

/* INDEX of PLACE is set; UNPACKED: to what a message has brought. */
void RankValues::noteChanged(const Rows &rows, const Place &place, const Form &index, bool unpacked,
                             SourceLocation where)
{
    const bool inRows = !rowLoops.empty() && index.has(Form::Own);
    if (iterating && inRows && !rows.global && rows.halo.empty())
        for (const VarDecl *one : pointees(baseOf(place)))
            rowLoops.back().changes.emplace(one, where);
    if ((!iterating && !ending) ||
        (inRows ? !isBeside(rows, index) : rows.global || rows.halo.empty()))
        return;
    if (!inRows && (unpacked || !isOwnRow(rows, index, guards().ends)))
        return;
    if (inRows)
        rowLoops.back().setAt.insert(distanceOf(rows, index));
    if (inRows && goesThroughGhosts(rows))
        return;
    for (const VarDecl *one : pointees(baseOf(place)))
        if (inRows)
            rowLoops.back().changes.emplace(one, where);
        else
            state.changed[one] = {where, ++clock};
}

struct RankValues::Trials {
    Survey survey;
    LoopUses uses;
    Reaches reaches;
    explicit Trials(Analysis &analysis)
        : survey(analysis, false, {3, 5}), uses(analysis), reaches(analysis, survey, uses)
    {
    }
};

/* TARGET, an element of a ghost row BEHIND the own ones or in front of them, is set by processes
 * that have a neighbour there, or that is not known. */
bool RankValues::isSetBesideNeighbour(const Expr *target, bool behind) const
{
    if (trials == nullptr)
        trials = std::make_shared<Trials>(analysis);
    const auto within = [&](const Store &store) { return xmpi::holds(target, store.index); };
    const std::vector<Store> &stores = trials->reaches.stores;
    const auto store = llvm::find_if(stores, within);
    const auto reach =
        store != stores.end() ? trials->reaches.exactly(store->base, store->index) : std::nullopt;
    for (size_t i = 0; reach && i < reach->size(); i++) {
        const Survey::Sample &sample = trials->survey.samples[i];
        if (!(*reach)[i].empty() && (behind ? sample.rank < sample.size - 1 : sample.rank > 0))
            return true;
    }
    return !reach && !guards().ends;
}

/* INDEX of PLACE, TARGET, is set; UNPACKED: to what a message has brought. A ghost row of a process
 * that has a neighbour there stands for what is that one's. */
void RankValues::noteSpoilt(const Rows &rows, const Place &place, const Expr *target,
                            const Form &index, bool unpacked)
{
    if (!iterating || rows.global || rows.halo.empty() || index.has(Form::Own) ||
        isOwnRow(rows, index, false))
        return;
    if (unpacked && !ownRead)
        return fillSpoilt(place, index);
    const bool behind = index.has(Form::Count);
    const Guards around = guards();
    if ((taken.message && !ownRead) ||
        (around.ends && around.one && around.told == (behind ? Form::AtLast : Form::AtFirst)))
        return;
    if (isSetBesideNeighbour(target, behind))
        for (const VarDecl *one : pointees(baseOf(place)))
            state.spoilt.emplace(std::pair{one, behind}, target);
}

/* ARRAY is read at INDEX of ROWS, in a loop over own rows that comes to others. */
void RankValues::noteSpoiltRead(const VarDecl *array, const Rows &rows, const Form &index) const
{
    const std::optional<std::pair<int, int>> beyond = beyondOwn(rows, index.shift);
    for (const bool behind : {false, true})
        if (auto set = state.spoilt.find({array, behind});
            set != state.spoilt.end() && (!beyond || (behind ? beyond->second : beyond->first) > 0))
            spoiltRead.emplace(rows.variable, set->second);
}

/* The same of the ghost row at INDEX of PLACE, outside of such loops. */
void RankValues::noteSpoiltAlone(const Rows &rows, const Place &place, const Form &index) const
{
    if (rows.global || rows.halo.empty() || index.has(Form::Own) || guards().ends ||
        isOwnRow(rows, index, false))
        return;
    for (const VarDecl *one : pointees(baseOf(place)))
        if (auto set = state.spoilt.find({one, index.has(Form::Count)}); set != state.spoilt.end())
            spoiltRead.emplace(rows.variable, set->second);
}

/* -- what messages have brought, in place of a row beside */

/* Both lead to rows of one array, in some iteration. */
bool RankValues::leadToSame(const VarDecl *one, const VarDecl *other) const
{
    const std::set<const VarDecl *> all = pointees(other);
    return llvm::any_of(pointees(one), [&](const VarDecl *meant) { return all.count(meant) != 0; });
}

/* A part of EXPRESSION chooses by what ISRECEIVED. */
static bool choosesBy(const Expr *expression, const std::function<bool(const Expr *)> &isReceived)
{
    return anyWithin(expression, [&](const Stmt *part) {
        const auto *choice = dyn_cast<ConditionalOperator>(part);
        return choice != nullptr && anyWithin(choice->getCond(), [&](const Stmt *one) {
                   const auto *value = dyn_cast<Expr>(one);
                   return value != nullptr && isReceived(value);
               });
    });
}

/* What MESSAGE has brought is what the neighbour has where ROW reads: in the same array, at the
 * edge that is there, as it is now; or the same is made of both. Unknown means no, but for where it
 * comes from. */
bool RankValues::isRowBeside(const Chosen &message, const Chosen &row) const
{
    const unsigned edge = row.form.from[0] == '-' ? Form::AtLast : Form::AtFirst;
    const VarDecl *array = row.form.stands, *from = message.form.stands;
    if (rowsOfShift(row.form.from) && message.form.comes != 0 && (message.form.comes & edge) == 0)
        return false;
    if (array != nullptr && state.changed.count(array) != 0)
        return false;
    if (array != nullptr && from != nullptr)
        return leadToSame(array, from);
    if (trials == nullptr)
        trials = std::make_shared<Trials>(analysis);
    const auto isReceived = [&](const Expr *value) {
        const std::optional<Place> place = placeOf(value->IgnoreParenCasts());
        return place && formOf(*place).message;
    };
    return !choosesBy(message.expression, isReceived) &&
           isSameValue(analysis, trials->uses, message.expression, row.expression, isReceived);
}

/* By whether a row is at the edge of its block ONE is chosen, or the OTHER. */
void RankValues::noteStandIn(const Chosen &one, const Chosen &other) const
{
    if (!iterating || rowLoops.empty())
        return;
    const auto isRow = [](const Form &form) {
        return form.kind == Kind::Row && !form.message && !form.from.empty() && form.from != "0";
    };
    for (const auto &[message, row] : {std::pair{&one, &other}, {&other, &one}})
        if (message->form.message && message->form.neighbour && isRow(row->form) &&
            !isRowBeside(*message, *row))
            standIns.emplace(message->expression, nullptr);
}

/* The variable PLACE is set to VALUE at an edge of the block, or elsewhere. */
void RankValues::noteSetAtEdge(const Place &place, const Expr *target, const Form &value)
{
    const Stmt *around = analysis.structure.parent(target);
    const auto *assignment = dyn_cast_or_null<BinaryOperator>(around);
    if (rowLoops.empty() || assignment == nullptr || assignment->getOpcode() != BO_Assign)
        return;
    const Chosen chosen{assignment->getRHS(), value};
    std::vector<Chosen> &known = rowLoops.back().atEdge[{baseOf(place), guards().edged}];
    for (const Chosen &other : known)
        noteStandIn(chosen, other);
    known.push_back(chosen);
}

/* VALUE, which goes to INDEX, at an edge of the block, is of rows that the neighbour at the other
 * edge has beside it. */
bool RankValues::isOfOtherSide(const Form &index, const Form &value) const
{
    const unsigned beside = index.has(Form::Count) ? Form::AtFirst : Form::AtLast;
    return rowLoops.empty() && index.isPlain() && !index.has(Form::Own) &&
           !index.has(Form::First) && value.message && value.neighbour && !guards().ends &&
           value.comes != 0 && (value.comes & beside) == 0;
}

void RankValues::notePacked(const Place &place)
{
    if (iterating || ending)
        for (const VarDecl *one : pointees(baseOf(place)))
            packed[one] = ++clock;
}

/* What is in BUFFER (nothing: who knows what) is handed over: own rows, or what has been made of
 * them since they were set. */
void RankValues::noteSentRows(const std::optional<Place> &buffer)
{
    if (!buffer)
        return state.changed.clear();
    for (const VarDecl *one : pointees(baseOf(*buffer))) {
        state.changed.erase(one);
        auto set = packed.find(one);
        for (auto at = state.changed.begin(); at != state.changed.end();)
            at = !analysis.isData(one) && (set == packed.end() || set->second > at->second.at)
                     ? state.changed.erase(at)
                     : std::next(at);
    }
}

/* An element at INDEX of PLACE is read. */
void RankValues::noteOlder(const Rows &rows, const Place &place, const Form &index,
                           SourceLocation where) const
{
    if (rowLoops.empty() || !isBeside(rows, index))
        return;
    for (const VarDecl *meant : pointees(baseOf(place)))
        if (auto set = state.changed.find(meant); set != state.changed.end()) {
            RowLoop::Older &older = rowLoops.back().older[rows.variable];
            older.at.insert(distanceOf(rows, index));
            if (older.at.size() == 1 || older.where.isInvalid())
                older.where = where;
            older.set = set->second.where;
            if (readsBeyond(rows, index) > 0)
                older.at.insert(Form::some); /* it is beside own ones */
        }
}

/* ROWS is over. What it has read beside its rows is older than what the neighbour has there. */
void RankValues::endChanged(const RowLoop &rows)
{
    const SourceManager &sources = analysis.context.getSourceManager();
    for (const auto &[array, older] : rows.older) {
        std::set<std::string> all = older.at;
        all.insert(rows.setAt.begin(), rows.setAt.end());
        if (all.size() > 1 &&
            (watched || ending)) /* also where blocks are the program's own then */
            misuses.push_back({Problem::GhostsOld, older.where, array->getNameAsString(),
                               lineOf(sources, older.set, older.where)});
    }
    for (const auto &[array, where] : rows.changes)
        state.changed[array] = {where, ++clock};
}

/* CALL, of a library, sets ROWS at PLACE: ALL of it alike, a copy of what is in other rows, or some
 * of them FROM there on, if that is no ghost row, nor what messages have brought. */
void RankValues::noteSetBy(const CallExpr *call, const Rows &rows, const Place &place, bool all,
                           const Form &from)
{
    const bool copies = isOneOf(calleeName(call), {"memcpy", "memmove"});
    if ((!iterating && !ending) || rows.global || rows.halo.empty() || isMpiCall(call) ||
        (!all && !isOwnRow(rows, from, guards().ends)) ||
        (copies && contentOf(call->getArg(1)).message))
        return;
    for (const VarDecl *one : pointees(baseOf(place)))
        if (all && copies)
            followChanged(one, call->getArg(1));
        else if (all && calleeName(call) == "memset")
            state.changed.erase(one);
        else
            state.changed[one] = {call->getExprLoc(), ++clock};
    edges[{rows.variable, true, iterating}].apart |= !all;
}

/* A number that goes from one iteration of the adaptive loop to the next, and is changed there. */
bool RankValues::isCarried(const VarDecl *variable) const
{
    const auto *counted = dyn_cast<ForStmt>(analysis.loop);
    const auto *declared =
        counted != nullptr ? dyn_cast_or_null<DeclStmt>(counted->getInit()) : nullptr;
    const bool counter =
        declared != nullptr &&
        std::find(declared->decl_begin(), declared->decl_end(), variable) != declared->decl_end();
    return variable->getType()->isArithmeticType() && (counter || analysis.liveAtLoop(variable)) &&
           llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
               return baseOf(write.place) == variable->getCanonicalDecl() &&
                      write.how == Write::How::Assigned;
           });
}

/* WRITE, in an iteration, sets something to another value than in the one before. (SEEN: what is
 * being looked at already.) */
bool RankValues::isAnother(const Write &write, std::set<const VarDecl *> &seen) const
{
    if (write.how != Write::How::Passed)
        return write.value != nullptr && differsByIteration(write.value, seen);
    const llvm::StringRef name = write.call != nullptr ? calleeName(write.call) : "";
    if (name.empty() || isMpiCall(write.call))
        return !isLocalMpi(name) && !startsWith(name, "MPI_Cart_") &&
               !startsWith(name, "MPI_Comm_") && !startsWith(name, "MPI_Dist_graph_");
    return llvm::any_of(write.call->arguments(),
                        [&](const Expr *given) { return differsByIteration(given, seen); });
}

/* EXPRESSION may have another value in another iteration, by what these carry on. */
bool RankValues::differsByIteration(const Expr *expression, std::set<const VarDecl *> &seen) const
{
    const Effects effects = analysis.finder.of(expression);
    return llvm::any_of(effects.mentions, [&](const Mention &mention) {
        const VarDecl *variable = baseOf(mention.place);
        const QualType type = mention.place.type;
        const bool part = mention.place.element || mention.place.behind || mention.place.field ||
                          type->isArrayType() || type->isPointerType();
        const bool whole = type->isPointerType() && type->getPointeeType()->isRecordType();
        if (mention.assigned || whole || /* its members are mentioned, too */
            (!part && !seen.insert(variable).second))
            return false;
        const bool kept = part && !llvm::any_of(analysis.inLoop.declared, [&](const VarDecl *one) {
                              return one->getCanonicalDecl() == variable; /* in each iteration */
                          });
        return isCarried(variable) || varying.count(variable) != 0 ||
               llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
                   return overlap(write.place, mention.place) && (kept || isAnother(write, seen));
               });
    });
}

/* CONDITION holds in some iterations only, by what they carry on. */
bool RankValues::choosesIterations(const Expr *condition) const
{
    std::set<const VarDecl *> seen;
    return iterating && differsByIteration(condition, seen);
}

} // namespace xmpi
