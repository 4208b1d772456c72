/* SPDX-License-Identifier: BSD-3-Clause
 * Which rows messages take to the processes beside: ghost rows in front of the own ones stand for
 * the last rows of the process before, those behind them for the first ones of the next. */
#include "rows/own_rows.h"
#include "library/library.h"
#include "check/safety.h"
#include "library/message.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

/* PEERS, for each of SAMPLES, are the processes before (-1) or behind (1), but for those of an end
 * that have none; 0: it is not known that they are either. */
static int sideOf(const Survey &survey, const std::vector<Reach> &peers)
{
    bool before = true, behind = true, any = false;
    for (size_t i = 0; i < peers.size(); i++) {
        const auto &sample = survey.samples[i];
        const long long peer = peers[i].low, size = sample.size;
        if (peers[i].empty() || peer < 0 || peer >= size || size < 3)
            continue;
        if (peers[i].high != peer)
            return 0;
        before = before && peer == (sample.rank + size - 1) % size;
        behind = behind && peer == (sample.rank + 1) % size;
        any = true;
    }
    return !any || before == behind ? 0 : before ? -1 : 1;
}

/* On one way ROWS, and those behind them, are SENT to the SIDE, or come from there, though the
 * ghost rows there are not those that stand for them. */
bool OwnRows::areCrossed(const Rows &first, const Rows &last, int side, bool sent,
                         const Borders &borders) const
{
    for (size_t i = 0; i < first.size(); i++) {
        const long long count = division.count[i], front = borders.front[i];
        if (count <= 0 || first[i].empty() || last[i].empty())
            continue;
        const long long begin = first[i].low - front, end = last[i].high - front;
        const bool own = begin >= 0 && end < count;
        if (!sent && ((side > 0 && begin < 0) || (side < 0 && begin >= count)))
            return true;
        const long long ghosts = side < 0 ? borders.behind : borders.before; /* of who gets them */
        if (sent && own && ghosts > 0 && (side < 0 ? begin >= ghosts : end < count - ghosts))
            return true;
    }
    return false;
}

/* BUFFER is reached by a pointer that an array has, as one to a row: where that leads is not asked.
 */
static bool isOfTable(const Expr *buffer)
{
    return anyWithin(buffer, [](const Stmt *one) {
        const auto *element = dyn_cast<ArraySubscriptExpr>(one);
        return element != nullptr && element->getType()->isPointerType();
    });
}

/* BUFFER, of MANY elements from INDEX on, is sent to PEER, or received from it. */
bool OwnRows::isCrossed(const Expr *buffer, const Expr *index, const Expr *many, const Expr *peer,
                        bool sent, const Values &length, const Borders &borders) const
{
    const std::optional<Reaches::Ways> places =
                                           reaches.onEachWay(buffer->IgnoreParenCasts(), index),
                                       peers = reaches.onEachWay(nullptr, peer),
                                       counts = many != nullptr ? reaches.onEachWay(nullptr, many)
                                                                : std::nullopt;
    if (isOfTable(buffer) || !places || !peers || places->size() != peers->size())
        return false;
    for (size_t way = 0; way < places->size(); way++) {
        const int side = sideOf(survey, (*peers)[way]);
        Rows ends = (*places)[way];
        for (size_t i = 0; i < ends.size(); i++)
            if (counts && counts->size() == places->size() && !ends[i].empty() &&
                !(*counts)[way][i].empty())
                ends[i].high += std::max((*counts)[way][i].high, 1LL) - 1;
        const std::optional<Rows> first = inRows((*places)[way], length),
                                  last = inRows(ends, length);
        if (side != 0 && first && last && areCrossed(*first, *last, side, sent, borders))
            return true;
    }
    return false;
}

/* All messages in UNDER that have their buffer where POINTER leads, outside of rows. */
static std::vector<Message> messagesAt(const Effects &under, const Reaches &reaches,
                                       const Expr *pointer, bool sent)
{
    std::vector<Message> found;
    const VarDecl *array = pointerIn(pointer);
    const auto there = reaches.of(pointer->IgnoreParenCasts());
    for (const CallExpr *call : under.calls) {
        const Message message = isMpiCall(call) ? messageOf(call) : Message();
        const Expr *buffer = sent ? message.sent : message.received;
        if (buffer == nullptr || array == nullptr || pointerIn(buffer) != array || !there ||
            (sent ? message.to : message.from) == nullptr)
            continue;
        const auto begin = reaches.of(buffer->IgnoreParenCasts());
        bool same = begin.has_value();
        for (size_t i = 0; same && i < begin->size(); i++)
            same = (*begin)[i].low == (*there)[i].low || (*begin)[i].empty();
        if (same)
            found.push_back(message);
    }
    return found;
}

/* All messages in UNDER that bring what ELEMENT is, of an array outside of rows, or a number. */
static std::vector<Message> messagesWith(const Effects &under, const Expr *element)
{
    std::vector<Message> found;
    element = element->IgnoreParenImpCasts();
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(element);
    const VarDecl *variable = pointerIn(subscript != nullptr ? subscript->getBase() : element);
    for (const CallExpr *call : under.calls) {
        const Message message = isMpiCall(call) ? messageOf(call) : Message();
        const auto *address = message.received != nullptr
                                  ? dyn_cast<UnaryOperator>(message.received->IgnoreParenCasts())
                                  : nullptr;
        const bool number = address != nullptr && isa<DeclRefExpr>(address->getSubExpr());
        if (variable != nullptr && message.received != nullptr && message.from != nullptr &&
            number == (subscript == nullptr) &&
            pointerIn(number ? address->getSubExpr() : message.received) == variable)
            found.push_back(message);
    }
    return found;
}

/* What messages have brought, out of other places, is stored to ghost rows of SAME that do not
 * stand for it. */
bool OwnRows::areStoredOtherwise(const Group &same, const Values &length,
                                 const Borders &borders) const
{
    for (const Stmt *body : uses.bodies)
        for (const Store &store : reaches.stores) {
            const std::vector<Message> messages =
                isOf(store, same) && store.value != nullptr
                    ? messagesWith(analysis.finder.of(body), store.value)
                    : std::vector<Message>();
            if (!messages.empty() && llvm::all_of(messages, [&](const Message &message) {
                    return isCrossed(store.base, store.index, nullptr, message.from, false, length,
                                     borders);
                }))
                return true;
        }
    return false;
}

bool OwnRows::areExchangedOtherwise(const VarDecl *variable, const Values &length,
                                    const Borders &borders) const
{
    const Group same = group(variable);
    const auto leads = [&](const Expr *buffer) {
        const Effects named = buffer != nullptr ? analysis.finder.of(buffer) : Effects();
        return buffer != nullptr && isSameSize(analysis, buffer->IgnoreParenCasts(), variable) &&
               llvm::any_of(named.mentions,
                            [&](const Mention &one) { return isOf(one.place.base, same); });
    };
    /* Where ROWS are copied from or to, messages take what is there. */
    const auto isCopied = [&](const Effects &body, const Expr *rows, const Expr *buffer,
                              bool sent) {
        const std::vector<Message> messages = leads(rows) && !leads(buffer)
                                                  ? messagesAt(body, reaches, buffer, sent)
                                                  : std::vector<Message>();
        return !messages.empty() && llvm::all_of(messages, [&](const Message &message) {
            return isCrossed(rows, nullptr, sent ? message.manySent : message.manyReceived,
                             sent ? message.to : message.from, sent, length, borders);
        });
    };
    if (areStoredOtherwise(same, length, borders))
        return true;
    for (const Stmt *body : uses.bodies)
        for (const CallExpr *call : analysis.finder.of(body).calls) {
            if (isCopy(call) && calleeName(call) != "memset" &&
                (isCopied(analysis.finder.of(body), call->getArg(0), call->getArg(1), false) ||
                 isCopied(analysis.finder.of(body), call->getArg(1), call->getArg(0), true)))
                return true;
            if (!isMpiCall(call) || call->getNumArgs() == 0)
                continue;
            const Message message = messageOf(call);
            if ((message.to != nullptr && leads(message.sent) &&
                 isCrossed(message.sent, nullptr, message.manySent, message.to, true, length,
                           borders)) ||
                (message.from != nullptr && leads(message.received) &&
                 isCrossed(message.received, nullptr, message.manyReceived, message.from, false,
                           length, borders)))
                return true;
        }
    return false;
}

} // namespace xmpi
