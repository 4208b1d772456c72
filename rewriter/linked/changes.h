/* SPDX-License-Identifier: BSD-3-Clause
 * Which variables that outlive a call functions of the linked program may change. */
#ifndef XMPI_REWRITER_CHANGES_H
#define XMPI_REWRITER_CHANGES_H

#include "linked/machine_code.h"
#include <map>
#include <set>
#include <utility>

namespace xmpi
{

/* A variable: its address, and its name, which tells those of a thread apart (address 0). */
using Variable = std::pair<uint64_t, std::string>;

/* Follows addresses through registers: what stores by one, hands it to somebody who may, or puts it
 * where it is not followed, may change the variable. What only loads by it does not. */
class Changes
{
  public:
    explicit Changes(const MachineCode &code);

    /* Of the function that begins at ADDRESS, without those that it calls, unless they are given
     * the variable's address. Valid until the next call. */
    const std::set<Variable> &of(uint64_t address);

  private:
    /* What a register may hold: numbers of variables; negative ones are addresses that the caller
     * gave, -1 the first argument. */
    using Holds = std::map<unsigned, std::set<int>>;
    struct Effect {
        bool known = false; /* else it is being found, or cannot be */
        std::set<Variable> changed;
        std::set<int> given; /* arguments behind which it may store, -1 the first one */
    };

    const MachineCode &code;
    const std::vector<std::vector<unsigned>> arguments;
    const std::set<unsigned> kept;
    std::map<uint64_t, Effect> effects;
    std::map<Variable, int> numbers;
    std::vector<Variable> byNumber;

    const Effect &effectOf(uint64_t address);
    void find(const std::vector<Instruction> &all, Effect &effect);
    int numberOf(const Reference &reference);
    Holds after(const Instruction &one, Holds holds, std::set<int> &changed);
    void call(const Instruction &one, Holds &holds, std::set<int> &changed);
    const Effect *called(const Instruction &one);
    void handTo(const Instruction &one, const Holds &holds, std::set<int> &changed);
    void takeConstants(uint64_t address, std::set<int> &changed, std::set<uint64_t> &seen);
};

} // namespace xmpi
#endif
