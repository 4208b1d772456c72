/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through the assignments of pointers that stand in one block, one after the other: behind
 * them each array must still have one pointer, as control may leave there and come back later. */
#include "check/merged_pointers.h"
#include <map>

namespace xmpi
{

using namespace clang;

namespace
{

/* A pointer, as a variable or a member of one, by what it is called. */
struct Holder {
    std::string name;
    bool moves; /* what it leads to is an array that moves, or may be one */
};

class Merging
{
  public:
    using Parent = llvm::function_ref<const Stmt *(const Stmt *)>;
    using Moves = llvm::function_ref<bool(const Place &)>;

    Merging(const Effects &effects, Parent parent, Moves moves) : parent(parent), moves(moves)
    {
        for (const Write &write : effects.writes)
            if (isPointer(write.place) && write.how != Write::How::Passed && write.value != nullptr)
                blocks[blockOf(write.value)].push_back(&write);
    }

    /* The first write that lets two of them lead to the same, with both names. */
    std::optional<Merged> find()
    {
        for (const auto &[block, writes] : blocks)
            if (std::optional<Merged> found = findIn(writes))
                return found;
        return std::nullopt;
    }

  private:
    using Leads = std::map<std::string, std::set<std::string>>; /* whose array, by holders */

    Parent parent;
    Moves moves;
    std::set<std::string> read; /* pointers that move, and whose values are handed on */
    std::map<const Stmt *, std::vector<const Write *>> blocks;

    static bool isPointer(const Place &place)
    {
        return !place.element && place.type->isPointerType();
    }

    /* The outermost statement around EXPRESSION of which all is run, where some is. */
    const Stmt *blockOf(const Expr *expression) const
    {
        const Stmt *block = expression;
        for (const Stmt *outer = parent(block);
             isa_and_nonnull<CompoundStmt, DeclStmt, Expr>(outer); outer = parent(outer))
            block = outer;
        return block;
    }

    Holder holderOf(const Place &place) const
    {
        return {place.text(), moves(place)};
    }

    void addValues(const Expr *value, const Leads &leads, std::set<std::string> &all)
    {
        const Expr *bare = value->IgnoreParenCasts();
        if (const auto *choice = dyn_cast<ConditionalOperator>(bare)) {
            addValues(choice->getTrueExpr(), leads, all);
            return addValues(choice->getFalseExpr(), leads, all);
        }
        const std::optional<Place> place = placeOf(bare);
        if (!place || !isPointer(*place))
            return; /* other rules look at where that leads */
        const auto known = leads.find(place->text());
        if (known != leads.end())
            all.insert(known->second.begin(), known->second.end());
        else
            all.insert(place->text());
        if (moves(*place))
            read.insert(place->text());
    }

    std::optional<Merged> findIn(const std::vector<const Write *> &writes)
    {
        Leads leads;
        std::map<std::string, const Write *> moving; /* those that are set, and move */
        for (const Write *write : writes) {
            std::set<std::string> values;
            addValues(write->value, leads, values);
            const Holder holder = holderOf(write->place);
            leads[holder.name] = values;
            if (holder.moves)
                moving[holder.name] = write;
        }
        for (const auto &[name, write] : moving)
            for (const std::string &array : leads.at(name))
                if (std::string other = alsoAt(array, name, writes, leads); !other.empty())
                    return Merged{write->where, name, other};
        return std::nullopt;
    }

    /* Who else leads to ARRAY behind WRITES, and moves; empty: nobody. */
    std::string alsoAt(const std::string &array, const std::string &name,
                       const std::vector<const Write *> &writes, const Leads &leads) const
    {
        if (array != name && leads.count(array) == 0 && read.count(array) != 0)
            return array; /* it has been left as it was */
        for (const Write *write : writes) {
            const Holder other = holderOf(write->place);
            if (other.moves && other.name != name && leads.at(other.name).count(array) != 0)
                return other.name;
        }
        return "";
    }
};

} // namespace

std::optional<Merged> mergedBy(const Effects &effects,
                               llvm::function_ref<const Stmt *(const Stmt *)> parent,
                               llvm::function_ref<bool(const Place &)> moves)
{
    return Merging(effects, parent, moves).find();
}

bool checkMergedPointers(Analysis &analysis, const LoopUses &uses)
{
    /* An array that moves; and behind a pointer to a pointer, that a function was handed, one may
     * be. */
    const auto moves = [&](const Place &place) {
        const bool handed = place.behind && place.field == nullptr && isa<ParmVarDecl>(place.base);
        return handed || (place.field == nullptr && analysis.isData(place.base));
    };
    const auto parent = [&](const Stmt *one) { return analysis.structure.parent(one); };
    for (const Stmt *body : uses.bodies)
        if (const auto found = mergedBy(analysis.finder.of(body), parent, moves))
            return analysis.diagnostics.report(found->where, Problem::MergedPointers,
                                               {found->one, found->other});
    return true;
}

} // namespace xmpi
