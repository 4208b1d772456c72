/* SPDX-License-Identifier: BSD-3-Clause
 * The machine's code of a linked program: its functions and variables, and what each refers to.
 * Source: the ELF specification (gABI), and LLVM's disassembler. */
#ifndef XMPI_REWRITER_MACHINE_CODE_H
#define XMPI_REWRITER_MACHINE_CODE_H

#include <cstdint>
#include <llvm/ADT/StringRef.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace xmpi
{

/* What a function, or constants that it uses, refer to. */
struct Reference {
    enum class Kind {
        Function,  /* code of the program, at ADDRESS */
        Constants, /* data that nobody can change, at ADDRESS */
        State,     /* data that can be changed, the variable at ADDRESS (0: of a thread) */
        Imported,  /* NAME, which the program has not itself */
        Pointer,   /* a call of what a pointer leads to */
        Unknown    /* code that cannot be read */
    } kind;
    std::string name; /* of the symbol, where it has one */
    uint64_t address = 0;
    bool byTable = false; /* the address is loaded from a table of addresses */
};

/* One instruction, as far as it tells where addresses go. Registers are numbers that are the same
 * for all names of what overlaps. */
struct Instruction {
    uint64_t address = 0, size = 0;
    bool loads = false, stores = false, calls = false, jumps = false, returns = false;
    bool goesOn = true;    /* the next one may follow */
    bool followed = false; /* TARGET is where it calls or jumps to */
    uint64_t target = 0;
    std::vector<unsigned> sets, clears; /* CLEARS: besides, without being told */
    std::vector<unsigned> reads, kept;  /* KEPT: of these, what it sets begins with */
    std::vector<Reference> references;
};

/* What the user may say of the function NAME, in place of which another one runs. */
inline std::string orReplaced(llvm::StringRef name)
{
    return " (--xmpi-replaced=" + name.str() + ", if that keeps nothing)";
}

/* One program, for 64 bits, in the byte order of x86-64 and ARM, linked with --emit-relocs. */
class MachineCode
{
  public:
    /* IMAGE is the file, and outlives this. Null where it cannot be read; WHY says it. */
    static std::unique_ptr<MachineCode> read(llvm::StringRef image, std::string &why);
    virtual ~MachineCode() = default;

    /* Where the function NAME that other files can call has its code, 0: the program has none of
     * it. False where this is not what runs; WHY says it: there is none, or the linker or the start
     * has put another in its place. */
    virtual bool find(llvm::StringRef name, uint64_t &address, std::string &why) const = 0;

    /* Where the functions begin that refer to something within SIZE bytes from ADDRESS on. */
    virtual std::set<uint64_t> usersOf(uint64_t address, uint64_t size) const = 0;

    /* The name of the function around ADDRESS, and where it begins; false: there is none. */
    virtual bool functionAt(uint64_t address, std::string &name, uint64_t &begin) const = 0;

    /* Of the function that begins at ADDRESS. */
    virtual std::vector<Reference> ofFunction(uint64_t address) const = 0;

    /* Of the function that begins at ADDRESS; empty where they cannot be read. */
    virtual std::vector<Instruction> instructionsOf(uint64_t address) const = 0;

    /* The registers of the first arguments that are no floating point numbers, in their order, and
     * those that a function leaves as they were. */
    virtual std::vector<std::vector<unsigned>> argumentRegisters() const = 0;
    virtual std::vector<unsigned> keptRegisters() const = 0;

    /* The addresses of the variables NAME: that of other files, or all that files have for
     * themselves. */
    virtual std::vector<uint64_t> variables(llvm::StringRef name) const = 0;

    /* Of the constants at ADDRESS: the object around it, or all up to the next one. */
    virtual std::vector<Reference> ofConstants(uint64_t address) const = 0;
};

} // namespace xmpi
#endif
