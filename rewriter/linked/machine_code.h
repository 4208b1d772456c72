/* SPDX-License-Identifier: BSD-3-Clause
 * The machine's code of a linked program: its functions and variables, and what each refers to.
 * Source: the ELF specification (gABI), and LLVM's disassembler. */
#ifndef XMPI_REWRITER_MACHINE_CODE_H
#define XMPI_REWRITER_MACHINE_CODE_H

#include <cstdint>
#include <llvm/ADT/StringRef.h>
#include <memory>
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
};

/* One program, for 64 bits, in the byte order of x86-64 and ARM, linked with --emit-relocs. */
class MachineCode
{
  public:
    /* IMAGE is the file, and outlives this. Null where it cannot be read; WHY says it. */
    static std::unique_ptr<MachineCode> read(llvm::StringRef image, std::string &why);
    virtual ~MachineCode() = default;

    /* The address of the function NAME that other files can call; false: the program has none. */
    virtual bool find(llvm::StringRef name, uint64_t &address) const = 0;

    /* The name of the function around ADDRESS, and where it begins; false: there is none. */
    virtual bool functionAt(uint64_t address, std::string &name, uint64_t &begin) const = 0;

    /* Of the function that begins at ADDRESS. */
    virtual std::vector<Reference> ofFunction(uint64_t address) const = 0;

    /* Of the constants at ADDRESS: the object around it, or all up to the next one. */
    virtual std::vector<Reference> ofConstants(uint64_t address) const = 0;
};

} // namespace xmpi
#endif
