/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of numbers, each in one piece of memory: a walk copies and joins them at each choice, which
 * in trees of nodes took most of its time. */
#ifndef XMPI_REWRITER_ID_SET_H
#define XMPI_REWRITER_ID_SET_H

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallVector.h>

namespace xmpi
{

/* As std::set<int>, but that a place in it is lost when it changes. */
class IdSet
{
  public:
    using value_type = int;
    using Members = llvm::SmallVector<int, 2>; /* most pointers lead to one place */
    using iterator = Members::const_iterator;
    using const_iterator = iterator;

    IdSet() = default;
    IdSet(std::initializer_list<int> list)
    {
        for (int id : list)
            insert(id);
    }
    iterator begin() const
    {
        return members.begin();
    }
    iterator end() const
    {
        return members.end();
    }
    bool empty() const
    {
        return members.empty();
    }
    size_t size() const
    {
        return members.size();
    }
    size_t count(int id) const
    {
        return std::binary_search(begin(), end(), id);
    }
    void clear()
    {
        members.clear();
    }
    void insert(int id)
    {
        auto at = std::lower_bound(members.begin(), members.end(), id);
        if (at == members.end() || *at != id)
            members.insert(at, id);
    }
    /* Where it belongs, wherever HINT is: for std::inserter. */
    iterator insert(iterator hint, int id)
    {
        (void)hint;
        insert(id);
        return std::lower_bound(begin(), end(), id);
    }
    void insert(iterator from, iterator to)
    {
        if (to - from > few)
            return mergeRange(from, to);
        for (; from != to; ++from)
            insert(*from);
    }
    void merge(const IdSet &other)
    {
        insert(other.begin(), other.end());
    }
    void erase(int id)
    {
        auto at = std::lower_bound(members.begin(), members.end(), id);
        if (at != members.end() && *at == id)
            members.erase(at);
    }
    template <class Condition> void eraseIf(const Condition &condition)
    {
        members.erase(std::remove_if(members.begin(), members.end(), condition), members.end());
    }
    bool operator==(const IdSet &other) const
    {
        return members == other.members;
    }

  private:
    static constexpr std::ptrdiff_t few = 4;
    Members members; /* ascending */

    void mergeRange(iterator from, iterator to)
    {
        Members both;
        both.reserve(members.size() + static_cast<size_t>(to - from));
        std::set_union(members.begin(), members.end(), from, to, std::back_inserter(both));
        members = std::move(both);
    }
};

/* Many of the numbers from 0 on: a bit for each. */
class Marks
{
  public:
    using const_iterator = llvm::BitVector::const_set_bits_iterator;

    const_iterator begin() const
    {
        return bits.set_bits_begin();
    }
    const_iterator end() const
    {
        return bits.set_bits_end();
    }
    size_t count(int id) const
    {
        return static_cast<unsigned>(id) < bits.size() && bits.test(static_cast<unsigned>(id));
    }
    void clear()
    {
        bits.reset();
    }
    void insert(int id)
    {
        if (static_cast<unsigned>(id) >= bits.size())
            bits.resize(static_cast<unsigned>(id) / step * step + step);
        bits.set(static_cast<unsigned>(id));
    }
    void insert(IdSet::iterator from, IdSet::iterator to)
    {
        for (; from != to; ++from)
            insert(*from);
    }
    void erase(int id)
    {
        if (count(id) != 0)
            bits.reset(static_cast<unsigned>(id));
    }
    template <class Condition> void eraseIf(const Condition &condition)
    {
        for (unsigned id : bits.set_bits())
            if (condition(static_cast<int>(id)))
                bits.reset(id);
    }
    void merge(const Marks &other)
    {
        bits |= other.bits;
    }
    /* What is in OTHER as well is left. */
    void intersect(const Marks &other)
    {
        bits &= other.bits;
    }

  private:
    static constexpr unsigned step = 256;
    llvm::BitVector bits;
};

} // namespace xmpi
#endif
