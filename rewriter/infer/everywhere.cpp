/* SPDX-License-Identifier: BSD-3-Clause
 * Finds setup statements that do nothing but compute numbers. */
#include "infer/everywhere.h"
#include "library/exits.h"

namespace xmpi
{

using namespace clang;

namespace
{

class Finder
{
  public:
    explicit Finder(Analysis &analysis) : analysis(analysis)
    {
    }

    void find()
    {
        for (Item &item : analysis.prologue) {
            if (item.kind == Class::Setup && item.pragma->inferred && !analysis.framed)
                item.everywhere = isArithmetic(item.effects);
            if ((item.kind == Class::Setup && !item.everywhere) || item.kind == Class::Initial)
                for (const Write &write : item.effects.writes)
                    guarded.push_back(write.place);
        }
        for (size_t i = 0; i < analysis.prologue.size() && !analysis.framed; i++)
            if (analysis.prologue[i].kind == Class::Keep ||
                analysis.prologue[i].kind == Class::Domain)
                letJoinersHave(i);
    }

  private:
    Analysis &analysis;
    std::vector<Place> guarded; /* what joining processes have not got */

    bool isGuarded(const Place &place) const
    {
        return llvm::any_of(guarded, [&](const Place &other) { return overlap(other, place); });
    }

    /* A table that the statement with the number READER looks at, which joiners run, is made by
     * them as well, where that takes nothing but memory and what they know. */
    void letJoinersHave(size_t reader)
    {
        for (const Mention &mention : analysis.prologue[reader].effects.mentions) {
            const VarDecl *table = mention.place.base->getCanonicalDecl();
            if (mention.assigned || !table->getType()->isPointerType())
                continue;
            const std::set<Item *> makers = makersOf(table, reader);
            if (llvm::all_of(makers, [&](const Item *maker) { return makesTables(*maker); }))
                for (Item *maker : makers)
                    maker->everywhere = true;
        }
    }

    /* The setup before the statement with the number READER that joiners do not run, and that sets
     * TABLE or its entries, or what these follow from. */
    std::set<Item *> makersOf(const VarDecl *table, size_t reader)
    {
        std::set<Item *> makers;
        std::set<const VarDecl *> seen = {table};
        for (std::vector<const VarDecl *> open = {table}; !open.empty();) {
            const VarDecl *next = open.back();
            open.pop_back();
            for (size_t i = 0; i < reader; i++) {
                Item &item = analysis.prologue[i];
                if (item.kind != Class::Setup || item.everywhere || !sets(item, next) ||
                    !makers.insert(&item).second)
                    continue;
                for (const Mention &mention : item.effects.mentions)
                    if (seen.insert(mention.place.base->getCanonicalDecl()).second)
                        open.push_back(mention.place.base->getCanonicalDecl());
            }
        }
        return makers;
    }

    static bool sets(const Item &item, const VarDecl *variable)
    {
        return llvm::any_of(item.effects.writes, [&](const Write &write) {
            return write.place.base->getCanonicalDecl() == variable->getCanonicalDecl();
        });
    }

    /* ITEM, which setup runs again, allocates memory for numbers or puts numbers there; what
     * joiners have not got plays no part. */
    bool makesTables(const Item &item) const
    {
        const std::set<const Stmt *> exits = branchesThatLeave(item.statement);
        EffectsFinder finder = analysis.finder;
        finder.skipped.insert(exits.begin(), exits.end());
        const Effects effects = finder.withCallees(item.statement);
        auto isTable = [&](const Write &write) { return makesTable(write); };
        return item.pragma->inferred &&
               llvm::all_of(effects.calls,
                            [&](const CallExpr *call) { return isMemoryOrOwn(call); }) &&
               llvm::all_of(effects.writes, isTable) &&
               llvm::none_of(effects.mentions,
                             [&](const Mention &mention) { return isLacking(mention.place); });
    }

    bool isMemoryOrOwn(const CallExpr *call) const
    {
        const llvm::StringRef name = calleeName(call);
        return name == "malloc" || name == "calloc" || !analysis.finder.callees(call).empty();
    }

    bool makesTable(const Write &write) const
    {
        const QualType type = write.place.type;
        if (!type->isPointerType())
            return type->isArithmeticType() && !isHandle(type);
        const CallExpr *call = callIn(write.value);
        return !write.place.element && !write.place.behind && call != nullptr &&
               isMemoryOrOwn(call) && !analysis.isData(write.place.base);
    }

    /* An initial statement sets PLACE, or setup that joiners cannot run. */
    bool isLacking(const Place &place) const
    {
        return llvm::any_of(analysis.prologue, [&](const Item &item) {
            const bool skipped = item.kind == Class::Initial ||
                                 (item.kind == Class::Setup && !item.pragma->inferred);
            return skipped && item.effects.changes(place);
        });
    }

    bool isArithmetic(const Effects &effects) const
    {
        if (!effects.calls.empty())
            return false;
        for (const Write &write : effects.writes)
            if (!write.place.type->isArithmeticType() || write.place.behind || write.place.element)
                return false;
        return llvm::none_of(effects.mentions, [&](const Mention &mention) {
            const Place &place = mention.place;
            return !place.type->isArithmeticType() || place.behind || place.element ||
                   isGuarded(place);
        });
    }
};

} // namespace

void findEverywhere(Analysis &analysis)
{
    Finder(analysis).find();
}

} // namespace xmpi
