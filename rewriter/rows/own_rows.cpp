/* SPDX-License-Identifier: BSD-3-Clause
 * A loop over exactly as many rows as a process has goes over its own ones. */
#include "rows/own_rows.h"
#include "check/safety.h"
#include "facts/storage.h"
#include "flow/other_files.h"
#include "source/variable.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

enum { MostInFront = 4 }; /* rows */

OwnRows::OwnRows(Analysis &analysis, const Survey &survey, const Division &division,
                 const LoopUses &uses)
    : analysis(analysis), survey(survey), division(division), uses(uses),
      reaches(analysis, survey, uses)
{
}

OwnRows::Group OwnRows::group(const VarDecl *variable) const
{
    return uses.exchangedWith(variable);
}

bool OwnRows::isOf(const VarDecl *named, const Group &group) const
{
    return llvm::any_of(group,
                        [&](const VarDecl *variable) { return uses.means(named, variable); });
}

bool OwnRows::isOf(const Access &access, const Group &group) const
{
    return llvm::any_of(group,
                        [&](const VarDecl *variable) { return uses.touches(access, variable); });
}

bool OwnRows::isOf(const Store &store, const Group &group) const
{
    return isOf(Access{store.variable, store.base, store.index, store.index->getExprLoc()}, group);
}

bool isSameSize(const Analysis &analysis, const Expr *pointer, const VarDecl *variable)
{
    QualType one = pointer->getType()->getPointeeType(), other = pointedBy(variable);
    return !one.isNull() && !other.isNull() && !one->isIncompleteType() &&
           !other->isIncompleteType() &&
           analysis.context.getTypeSize(one) == analysis.context.getTypeSize(other);
}

template <typename Element>
std::optional<OwnRows::Rows> OwnRows::rowsOf(const Element &element, const Group &group,
                                             const Values &length) const
{
    if (llvm::none_of(group, [&](const VarDecl *variable) {
            return isSameSize(analysis, element.base, variable);
        }))
        return std::nullopt;
    return inRows(reaches.of(element.base, element.index, group), length);
}

/* The same of a row that is chosen by its number among all: any that may be. */
template <typename Element>
std::optional<OwnRows::Rows> OwnRows::anyRowsOf(const Element &element, const Values &length) const
{
    return inRows(reaches.anyOf(element.base, element.index), length);
}

/* ELEMENTS as rows of LENGTH. */
std::optional<OwnRows::Rows> OwnRows::inRows(std::optional<Rows> elements, const Values &length)
{
    std::optional<Rows> rows = std::move(elements);
    for (size_t i = 0; rows && i < rows->size(); i++) {
        Reach &reach = (*rows)[i];
        if (length[i] <= 0)
            return std::nullopt;
        if (!reach.empty())
            reach = {floorOf(reach.low, length[i]), floorOf(reach.high, length[i])};
    }
    return rows;
}

/* As many rows as a process has, from row FROM of the storage on. */
bool OwnRows::covers(const Rows &rows, long long from) const
{
    for (size_t i = 0; i < rows.size(); i++)
        if (division.count[i] > 0 &&
            (rows[i].low != from || rows[i].high != from + division.count[i] - 1))
            return false;
    return true;
}

bool OwnRows::isGiven(const CallExpr *call, const Group &group) const
{
    auto names = [&](const Expr *argument) {
        const QualType type = argument->IgnoreParenImpCasts()->getType();
        const Effects effects = analysis.finder.of(argument);
        return (type->isPointerType() || type->isArrayType() || type->isRecordType()) &&
               llvm::any_of(effects.mentions,
                            [&](const Mention &one) { return isOf(one.place.base, group); });
    };
    return llvm::any_of(call->arguments(), names);
}

bool OwnRows::isHandedOver(const Group &group) const
{
    for (const Stmt *body : uses.bodies)
        for (const CallExpr *call : analysis.finder.of(body).calls)
            if ((call->getDirectCallee() == nullptr ? analysis.finder.callees(call).empty()
                                                    : isUnseen(analysis, call)) &&
                isGiven(call, group))
                return true;
    return false;
}

bool OwnRows::isHandedOver(const VarDecl *variable) const
{
    return isHandedOver(group(variable));
}

/* Something other than a loop over the own rows puts values into arrays of GROUP: messages, or
 * stores into single rows. Ghost rows that nothing fills would be something else. */
bool OwnRows::isFilled(const Group &group) const
{
    auto passed = [&](const Effects &effects) {
        return llvm::any_of(effects.writes, [&](const Write &write) {
            return write.call != nullptr && isMpiCall(write.call) && isOf(write.place.base, group);
        });
    };
    if (isHandedOver(group))
        return true;
    for (const Stmt *body : uses.bodies)
        if (passed(analysis.finder.of(body)))
            return true;
    for (const Item &item : analysis.prologue)
        for (const CallExpr *call : item.effects.calls)
            for (const RequestBuffer &buffer : analysis.requests.buffersOf(call))
                if (buffer.received && isIn(buffer, group))
                    return true;
    return false;
}

/* VALUE is from what messages fill; ELEMENTS: from an array. */
bool OwnRows::isReceived(const Expr *value, bool elements) const
{
    const Effects effects = analysis.finder.of(value);
    auto names = [&](const Write &write) {
        return write.call != nullptr && isMpiCall(write.call) &&
               (write.place.element || !elements || write.place.base->getType()->isArrayType()) &&
               llvm::any_of(effects.mentions, [&](const Mention &mention) {
                   return llvm::any_of(uses.meaning(mention.place.base), [&](const VarDecl *one) {
                       return uses.means(write.place.base, one);
                   });
               });
    };
    return llvm::any_of(uses.bodies, [&](const Stmt *body) {
        const Effects all = analysis.finder.of(body);
        return llvm::any_of(all.writes, names);
    });
}

/* On WAY elements of ghost rows are set, WIDTH on each side, and no others. */
bool OwnRows::areGhosts(const Rows &way, const Values &length, int width) const
{
    bool any = false;
    for (size_t i = 0; i < way.size(); i++) {
        if (way[i].empty() || division.count[i] <= 0)
            continue;
        const long long low = floorOf(way[i].low, length[i]),
                        high = floorOf(way[i].high, length[i]);
        if ((low < 0 || high >= width) &&
            (low < width + division.count[i] || high >= 2 * width + division.count[i]))
            return false;
        any = true;
    }
    return any;
}

/* POINTER is the address of one number. */
static bool isOfNumber(const Expr *pointer)
{
    const VarDecl *variable = variableIn(addressedBy(pointer));
    return variable != nullptr && variable->getType()->isArithmeticType();
}

/* Stores into ghost rows, WIDTH on each side, or copies, take what messages have brought to other
 * arrays. */
bool OwnRows::isUnpacked(const Group &group, const Values &length, int width) const
{
    auto ghosts = [&](const std::optional<Reaches::Ways> &ways) {
        return ways &&
               llvm::all_of(*ways, [&](const Rows &way) { return areGhosts(way, length, width); });
    };
    for (const Store &store : reaches.stores)
        if (store.value != nullptr && isOf(store, group) && isReceived(store.value) &&
            rowsOf(store, group, length) && ghosts(reaches.onEachWay(store.base, store.index)))
            return true;
    return isCopiedBack(group, length, width);
}

std::vector<const CallExpr *> OwnRows::copiesInto(const Group &group) const
{
    std::vector<const CallExpr *> copies;
    for (const Stmt *body : uses.bodies)
        for (const Write &write : analysis.finder.of(body).writes)
            if (write.call != nullptr && isCopy(write.call) && isOf(write.place.base, group))
                copies.push_back(write.call);
    return copies;
}

/* Copies put what messages have brought into ghost rows, and no other ones put anything there, or
 * into some of the own rows. */
bool OwnRows::isCopiedBack(const Group &group, const Values &length, int width) const
{
    bool any = false;
    for (const CallExpr *call : copiesInto(group)) {
        const Expr *from = call->getArg(1);
        const std::optional<Reaches::Ways> ways = copiedBy(call, group);
        for (size_t way = 0; ways && way < ways->size(); way++) {
            const bool ghosts = areGhosts((*ways)[way], length, width);
            if (ghosts ? !isReceived(from, !isOfNumber(from))
                       : !areAllOwn((*ways)[way], length, width))
                return false;
            any = any || ghosts;
        }
        if (!ways)
            return false;
    }
    return any;
}

/* On WAY all elements of the own rows behind WIDTH ghost rows are set, and no others. */
bool OwnRows::areAllOwn(const Rows &way, const Values &length, int width) const
{
    for (size_t i = 0; i < way.size(); i++)
        if (!way[i].empty() && (way[i].low != width * length[i] ||
                                way[i].high != (width + division.count[i]) * length[i] - 1))
            return false;
    return true;
}

/* Those of ELEMENTS that are of GROUP lie in rows from row WIDTH of the storage on, as many as a
 * process has, and one goes through all of these: nobody looks at its ghost rows. */
template <typename Element>
bool OwnRows::areInside(const std::vector<Element> &elements, const Group &group,
                        const Values &length, int width) const
{
    bool all = false;
    for (const Element &element : elements) {
        if (!isOf(element, group))
            continue;
        const std::optional<Rows> rows = rowsOf(element, group, length);
        const std::optional<Rows> any = rows ? anyRowsOf(element, length) : std::nullopt;
        if (!any)
            return false;
        for (size_t i = 0; i < any->size(); i++)
            if (!(*any)[i].empty() &&
                ((*any)[i].low < width || (*any)[i].high >= width + division.count[i]))
                return false;
        all = all || covers(*rows, width);
    }
    return all;
}

bool OwnRows::isInside(const Group &group, const Values &length, int width) const
{
    return areInside(uses.accesses, group, length, width);
}

int OwnRows::halo(const VarDecl *variable, const Values &length, int extra) const
{
    const Group same = group(variable);
    int width = extra / 2;
    bool own = false, before = false, behind = false;
    if (extra < 2 || extra % 2 != 0 || survey.chosen(width) != nullptr)
        return 0;
    if (!isFilled(same) && !isUnpacked(same, length, width))
        return isInside(same, length, width) ? width : 0;
    if (areExchangedOtherwise(variable, length, {Values(length.size(), width), width, width}))
        return 0;
    for (const Store &store : reaches.stores) {
        std::optional<Rows> rows = isOf(store, same) ? rowsOf(store, same, length) : std::nullopt;
        if (rows && (coversWindow(*rows, 0) || coversWindow(*rows, extra)))
            return 0; /* the own rows are somewhere else */
        own = own || (rows && coversWindow(*rows, width));
    }
    own = own || coverTogether(same, length, width);
    for (const Access &access : uses.accesses) {
        std::optional<Rows> rows =
            own || !isOf(access, same) ? std::nullopt : rowsOf(access, same, length);
        before = before || (rows && coversWindow(*rows, 0));
        behind = behind || (rows && coversWindow(*rows, extra));
    }
    return own || (before && behind) ? width : 0;
}

std::optional<int> OwnRows::front(const VarDecl *variable, const Values &length) const
{
    const Group same = group(variable);
    std::optional<int> found;
    for (const Store &store : reaches.stores) {
        std::optional<Rows> rows = isOf(store, same) ? rowsOf(store, same, length) : std::nullopt;
        for (int from = 0; rows && from <= MostInFront; from++) {
            if (!coversWindow(*rows, from))
                continue;
            if (found && *found != from)
                return std::nullopt;
            found = from;
        }
    }
    return found;
}

bool OwnRows::setsInside(const VarDecl *variable, const Values &length, int width) const
{
    return areInside(reaches.stores, group(variable), length, width);
}

bool OwnRows::isWithin(const VarDecl *variable, const Values &length) const
{
    const Group same = group(variable);
    if (isHandedOver(same))
        return false;
    for (const Access &access : uses.accesses) {
        if (!isOf(access, same))
            continue;
        std::optional<Rows> rows = rowsOf(access, same, length);
        if (!rows)
            return false;
        for (size_t i = 0; i < rows->size(); i++)
            if (division.count[i] > 0 && !(*rows)[i].empty() &&
                ((*rows)[i].low < 0 || (*rows)[i].high >= division.count[i]))
                return false;
    }
    return true;
}

bool OwnRows::touchesMore(const VarDecl *variable, const Values &length, int extra) const
{
    const Group same = group(variable);
    for (const Access &access : uses.accesses) {
        std::optional<Rows> rows = isOf(access, same) ? rowsOf(access, same, length) : std::nullopt;
        rows = rows ? inRows(reaches.anyOf(access.base, access.index, same), length) : rows;
        for (size_t i = 0; rows && i < rows->size(); i++)
            if (division.count[i] > 0 && !(*rows)[i].empty() &&
                ((*rows)[i].low < 0 || (*rows)[i].high >= division.count[i] + extra))
                return true;
    }
    return false;
}

bool OwnRows::setsGhosts(const VarDecl *variable, const Values &length, int width) const
{
    const Group same = group(variable);
    return width > 0 && llvm::any_of(reaches.stores, [&](const Store &store) {
               std::optional<Rows> rows =
                   isOf(store, same) ? rowsOf(store, same, length) : std::nullopt;
               return rows && (coversWindow(*rows, 0) || coversWindow(*rows, 2 * width));
           });
}

bool OwnRows::isLaterField(const Access &access, const VarDecl *variable,
                           const Values &length) const
{
    const long long edge = 2, enough = 8; /* a field may be used without its ends */
    const Group same = group(variable);
    std::optional<std::vector<Reach>> reach =
        isOf(access, same) ? reaches.of(access.base, access.index) : std::nullopt;
    long long most = 0;
    for (size_t i = 0; reach && i < reach->size(); i++) {
        const long long count = division.count[i], low = (*reach)[i].low, high = (*reach)[i].high;
        if (count <= 0 || (*reach)[i].empty())
            continue;
        const long long begin = low / count * count;
        if (length[i] < 2 || begin < count || low > begin + edge ||
            high < begin + count - 1 - edge || high >= begin + count)
            return false;
        most = std::max(most, count);
    }
    return most >= enough;
}

const Expr *OwnRows::storesAcross(const VarDecl *variable, const Values &length) const
{
    const Group same = group(variable);
    if (length == Values(length.size(), 1))
        return nullptr;
    for (const Store &store : reaches.stores)
        if (isOf(store, same) && rowsOf(store, same, length) &&
            reaches.isAcross(store.base, store.index, length))
            return store.index;
    return nullptr;
}

bool OwnRows::setsAllFirst(const VarDecl *variable) const
{
    const Group same = group(variable);
    auto first =
        llvm::find_if(reaches.stores, [&](const Store &store) { return isOf(store, same); });
    if (same.size() != 1 || isFilled(same) || first == reaches.stores.end())
        return false;
    std::optional<Rows> all = reaches.of(first->base, first->index);
    auto inside = [&](const Access &access) {
        std::optional<Rows> some = all ? reaches.of(access.base, access.index) : std::nullopt;
        for (size_t i = 0; some && i < some->size(); i++)
            if (!(*some)[i].empty() &&
                ((*some)[i].low < (*all)[i].low || (*some)[i].high > (*all)[i].high))
                return false;
        return some.has_value();
    };
    return llvm::all_of(
        uses.accesses, [&](const Access &access) { return !isOf(access, same) || inside(access); });
}

/* Of an array that holds all rows. */
bool OwnRows::areOwn(const Rows &rows) const
{
    for (size_t i = 0; i < rows.size(); i++)
        if (!rows[i].empty() && (rows[i].low < division.first[i] ||
                                 rows[i].high >= division.first[i] + division.count[i]))
            return false;
    return true;
}

bool OwnRows::setsOthers(const VarDecl *variable, const Values &length) const
{
    const Group same = group(variable);
    return llvm::any_of(reaches.stores, [&](const Store &store) {
        std::optional<Rows> rows = isOf(store, same) ? rowsOf(store, same, length) : std::nullopt;
        return rows && !areOwn(*rows);
    });
}

bool OwnRows::isIn(const RequestBuffer &buffer, const Group &group) const
{
    std::optional<Place> place = placeOf(buffer.expression);
    return place && isOf(place->base, group);
}

/* CALL starts persistent requests, of which those that fill arrays of GROUP receive messages. */
bool OwnRows::isStarted(const CallExpr *call, const Group &group) const
{
    bool any = false;
    for (const RequestBuffer &buffer : analysis.requests.startedBy(call)) {
        if (!buffer.received || !isIn(buffer, group))
            continue;
        if (calleeName(buffer.init) != "MPI_Recv_init")
            return false;
        any = true;
    }
    return any;
}

/* Apart from assignments, elements are set by receiving messages at most, or by copies of bytes. */
bool OwnRows::isReceivedOnly(const Group &group, bool orCopied) const
{
    static const char *const known[] = {"MPI_Recv", "MPI_Irecv", "MPI_Sendrecv",
                                        "MPI_Sendrecv_replace"};
    for (const Stmt *body : uses.bodies)
        for (const Write &write : analysis.finder.of(body).writes) {
            if (write.call == nullptr || !isOf(write.place.base, group) ||
                isStarted(write.call, group) || (orCopied && isCopy(write.call)))
                continue;
            if (definitionOf(write.call) != nullptr)
                continue; /* what it does is seen there */
            llvm::StringRef name = calleeName(write.call);
            if (std::none_of(std::begin(known), std::end(known),
                             [&](const char *one) { return name == one; }))
                return false;
        }
    return true;
}

bool OwnRows::isBuffer(const VarDecl *variable) const
{
    const Group same = group(variable);
    return isReceivedOnly(same, true) &&
           llvm::none_of(reaches.stores, [&](const Store &store) { return isOf(store, same); });
}

/* -- arrays of any size */

bool OwnRows::addElements(const Expr *base, const Expr *index, const Group &group, Rows &all) const
{
    if (llvm::none_of(
            group, [&](const VarDecl *variable) { return isSameSize(analysis, base, variable); }))
        return false;
    const std::optional<Rows> some = reaches.of(base, index);
    for (size_t i = 0; some && i < some->size(); i++)
        all[i].add((*some)[i]);
    return some.has_value();
}

/* What STATEMENT does with pointers to arrays of GROUP without an index: it hands them to
 * functions that are not looked into, and nothing else. */
bool OwnRows::addPointers(const Stmt *statement, const Group &group, Rows &all) const
{
    const auto *unary = dyn_cast<UnaryOperator>(statement);
    if (unary != nullptr && unary->getOpcode() == UO_Deref)
        if (const VarDecl *variable = variableIn(unary->getSubExpr()))
            return !isOf(variable, group);
    if (const auto *call = dyn_cast<CallExpr>(statement))
        for (const Expr *argument : call->arguments()) {
            const VarDecl *variable = variableIn(argument);
            if (variable != nullptr && variable->getType()->isPointerType() &&
                isOf(variable, group) && definitionOf(call) == nullptr &&
                !addElements(argument->IgnoreParenCasts(), nullptr, group, all))
                return false;
        }
    return llvm::all_of(statement->children(), [&](const Stmt *child) {
        return child == nullptr || addPointers(child, group, all);
    });
}

/* What STATEMENT sets by copies of bytes. */
bool OwnRows::addCopies(const Stmt *statement, const Group &group, Rows &all) const
{
    const auto *call = dyn_cast<CallExpr>(statement);
    if (call != nullptr && isCopy(call))
        for (const Write &write : analysis.finder.of(call).writes)
            if (write.call == call && isOf(write.place.base, group) && !addCopy(call, group, all))
                return false;
    return llvm::all_of(statement->children(), [&](const Stmt *child) {
        return child == nullptr || addCopies(child, group, all);
    });
}

std::optional<OwnRows::Stretches> OwnRows::stretches(const VarDecl *variable) const
{
    const Group same = group(variable);
    Stretches found;
    found.set.resize(division.count.size());
    found.touched.resize(division.count.size());
    for (const Store &store : reaches.stores)
        if (isOf(store, same) && !addElements(store.base, store.index, same, found.set))
            return std::nullopt;
    for (const Access &access : uses.accesses) {
        const bool row = isOf(access.variable, same) && !isOf(access, same);
        if (row && same.count(access.variable) == 0)
            return std::nullopt; /* a pointer to a row */
        if (!row && isOf(access, same) &&
            !addElements(access.base, access.index, same, found.touched))
            return std::nullopt;
    }
    for (const Stmt *body : uses.bodies)
        if (!addPointers(body, same, found.touched) || !addCopies(body, same, found.set))
            return std::nullopt;
    return isReceivedOnly(same, true) ? std::optional<Stretches>(found) : std::nullopt;
}

bool OwnRows::setsOwnOnly(const VarDecl *variable, const Values &length) const
{
    const Group same = group(variable);
    bool any = false;
    for (const Store &store : reaches.stores) {
        if (!isOf(store, same))
            continue;
        std::optional<Rows> rows = rowsOf(store, same, length);
        if (!rows || !areOwn(*rows))
            return false;
        any = true;
    }
    const bool copies = analysis.startsOver && copiesApart(same, length);
    return any && isReceivedOnly(same, copies);
}

} // namespace xmpi
