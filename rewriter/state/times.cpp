/* SPDX-License-Identifier: BSD-3-Clause
 * Goes back from what iterations set to the clocks that they ask. */
#include "state/times.h"
#include "library/library.h"

namespace xmpi
{

using namespace clang;

namespace
{

QualType typeOf(const Place &place)
{
    return place.field != nullptr ? place.field->getType() : place.base->getType();
}

/* What CALL stores or hands back is a time. */
bool isClock(const CallExpr *call)
{
    return call != nullptr && deedOf(call) == Deed::Clock;
}

} // namespace

bool Times::are(const Place &place) const
{
    const QualType type = typeOf(place);
    if (!isRankedAt(clocks, place))
        return false;
    return type->isArithmeticType() ||
           (type->isArrayType() && analysis.context.getBaseElementType(type)->isArithmeticType() &&
            isMadeOfTimes(place));
}

bool Times::areAmong(const Place &place) const
{
    const std::vector<Place> members = membersOf(place);
    return llvm::any_of(members, [&](const Place &member) { return are(member); });
}

std::vector<Place> Times::membersOf(const Place &place)
{
    std::vector<Place> members;
    const RecordDecl *record = place.field == nullptr && !place.behind
                                   ? place.base->getType()->getAsRecordDecl()
                                   : nullptr;
    if (record == nullptr || record->isUnion())
        return members;
    for (const FieldDecl *field : record->fields()) {
        Place member = place;
        member.field = field;
        member.type = field->getType();
        members.push_back(member);
    }
    return members;
}

/* All that iterations do to an element is to set it from a clock, or to add that: some elements may
 * be something else. (What adds is told twice, by what it adds and by what was there.) */
bool Times::isMadeOfTimes(const Place &place) const
{
    std::map<SourceLocation, bool> settings;
    for (const Write &write : analysis.inLoop.writes) {
        if (!overlap(write.place, place))
            continue;
        Seen seen = {place.base->getCanonicalDecl()};
        bool &timed = settings[write.where];
        timed = timed || (write.value != nullptr && asksClock(write.value, seen));
    }
    return !settings.empty() &&
           llvm::all_of(settings, [](const auto &setting) { return setting.second; });
}

/* A clock has a part in the value of STATEMENT, or of the function that it calls. */
bool Times::asksClock(const Stmt *statement, Seen &seen) const
{
    if (statement == nullptr)
        return false;
    if (const auto *call = dyn_cast<CallExpr>(statement)) {
        const FunctionDecl *callee = definitionOf(call);
        if (isClock(call) ||
            (callee != nullptr && seen.insert(callee).second && asksClock(callee->getBody(), seen)))
            return true;
    }
    if (const VarDecl *variable = variableAt(statement))
        return isSetByClock(variable->getCanonicalDecl(), seen);
    return llvm::any_of(statement->children(),
                        [&](const Stmt *child) { return asksClock(child, seen); });
}

bool Times::isSetByClock(const VarDecl *variable, Seen &seen) const
{
    if (!seen.insert(variable).second)
        return false;
    return llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
        return write.place.base->getCanonicalDecl() == variable &&
               (isClock(write.call) || asksClock(write.value, seen));
    });
}

} // namespace xmpi
