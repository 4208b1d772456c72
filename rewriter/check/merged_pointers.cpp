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
    /* Whose arrays, by what a pointer is called. */
    using Leads = std::map<std::string, std::set<std::string>>;

    Parent parent;
    Moves moves;
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

    /* Whose arrays VALUE may lead to, behind what LEADS has, in ALL; and in MOVING the pointers
     * there that move. */
    void addValues(const Expr *value, const Leads &leads, std::set<std::string> &all,
                   std::set<std::string> &moving) const
    {
        const Expr *bare = value->IgnoreParenCasts();
        if (const auto *choice = dyn_cast<ConditionalOperator>(bare)) {
            addValues(choice->getTrueExpr(), leads, all, moving);
            return addValues(choice->getFalseExpr(), leads, all, moving);
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
            moving.insert(place->text());
    }

    std::optional<Merged> findIn(const std::vector<const Write *> &writes) const
    {
        Leads leads;
        std::set<std::string> moving; /* that are set, or whose values are handed on */
        for (const Write *write : writes) {
            std::set<std::string> values;
            addValues(write->value, leads, values, moving);
            leads[write->place.text()] = values;
            if (moves(write->place))
                moving.insert(write->place.text());
        }
        for (const Write *write : writes) {
            const std::string name = write->place.text();
            const std::string other = moves(write->place) ? sharing(name, leads, moving) : "";
            if (!other.empty())
                return Merged{write->where, name, other};
        }
        return std::nullopt;
    }

    /* Who else of MOVING leads to an array that NAME leads to; empty: nobody. */
    static std::string sharing(const std::string &name, const Leads &leads,
                               const std::set<std::string> &moving)
    {
        for (const std::string &other : moving) {
            const auto known = leads.find(other); /* else it has been left as it was */
            const std::set<std::string> all =
                known != leads.end() ? known->second : std::set<std::string>{other};
            if (other != name && llvm::any_of(leads.at(name), [&](const std::string &array) {
                    return all.count(array) != 0;
                }))
                return other;
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
