/* SPDX-License-Identifier: BSD-3-Clause
 * Reads ELF and disassembles. Calls within a section need no relocation, so that instructions are
 * looked at; all else that a function refers to has one. */
#include "linked/machine_code.h"
#include <algorithm>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ELF.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Triple.h>
#include <set>

namespace xmpi
{
namespace
{

using namespace llvm;
using namespace llvm::object;
using Elf = ELF64LEFile;

template <typename T> T orElse(Expected<T> value, T otherwise)
{
    if (value)
        return *value;
    consumeError(value.takeError());
    return otherwise;
}

/* The processor of this machine, which is the one that programs are linked for. */
class Processor
{
  public:
    bool start(unsigned machine)
    {
        InitializeNativeTarget();
        InitializeNativeTargetDisassembler();
        const char *name = machine == ELF::EM_X86_64    ? "x86_64-linux-gnu"
                           : machine == ELF::EM_AARCH64 ? "aarch64-linux-gnu"
                                                        : "";
        std::string error;
        const Target *target = TargetRegistry::lookupTarget(name, error);
        if (target == nullptr)
            return false;
        registers.reset(target->createMCRegInfo(name));
        assembler.reset(target->createMCAsmInfo(*registers, name, MCTargetOptions()));
        subtarget.reset(target->createMCSubtargetInfo(name, "", ""));
        instructions.reset(target->createMCInstrInfo());
        context = std::make_unique<MCContext>(Triple(name), assembler.get(), registers.get(),
                                              subtarget.get());
        disassembler.reset(target->createMCDisassembler(*subtarget, *context));
        analysis.reset(target->createMCInstrAnalysis(instructions.get()));
        return disassembler != nullptr && analysis != nullptr;
    }

    /* The instruction that BYTES begin with; false: it is none. */
    bool disassemble(ArrayRef<uint8_t> bytes, uint64_t address, MCInst &instruction,
                     uint64_t &size) const
    {
        return disassembler->getInstruction(instruction, size, bytes, address, nulls()) ==
                   MCDisassembler::Success &&
               size != 0;
    }

    Instruction describe(const MCInst &instruction, uint64_t address, uint64_t size) const
    {
        const MCInstrDesc &what = instructions->get(instruction.getOpcode());
        Instruction one;
        one.address = address;
        one.size = size;
        one.loads = what.mayLoad();
        one.stores = what.mayStore();
        one.calls = what.isCall();
        one.jumps = what.isBranch();
        one.returns = what.isReturn();
        one.goesOn = !what.isBarrier();
        one.followed = (one.calls || one.jumps) &&
                       analysis->evaluateBranch(instruction, address, size, one.target);
        for (MCPhysReg reg : what.implicit_defs())
            addUnits(reg, one.clears);
        describeOperands(instruction, what, one);
        return one;
    }

    std::vector<std::vector<unsigned>> named(const std::vector<StringRef> &names) const
    {
        std::vector<std::vector<unsigned>> all(names.size());
        for (unsigned reg = 1; reg < registers->getNumRegs(); reg++)
            for (size_t i = 0; i < names.size(); i++)
                if (names[i] == registers->getName(reg))
                    addUnits(reg, all[i]);
        return all;
    }

    std::unique_ptr<MCRegisterInfo> registers;
    std::unique_ptr<MCAsmInfo> assembler;
    std::unique_ptr<MCSubtargetInfo> subtarget;
    std::unique_ptr<MCInstrInfo> instructions;
    std::unique_ptr<MCContext> context;
    std::unique_ptr<MCDisassembler> disassembler;
    std::unique_ptr<MCInstrAnalysis> analysis;

  private:
    void addUnits(MCRegister reg, std::vector<unsigned> &all) const
    {
        for (MCRegUnit unit : registers->regunits(reg))
            all.push_back(unit);
    }

    void describeOperands(const MCInst &instruction, const MCInstrDesc &what,
                          Instruction &one) const
    {
        std::set<unsigned> read;
        unsigned readers = 0;
        for (unsigned i = 0; i < instruction.getNumOperands(); i++) {
            const MCOperand &operand = instruction.getOperand(i);
            if (!operand.isReg() || !operand.getReg())
                continue;
            if (i < what.getNumDefs()) {
                addUnits(operand.getReg(), one.sets);
                continue;
            }
            addUnits(operand.getReg(), one.reads);
            read.insert(operand.getReg());
            readers++;
            if (what.getOperandConstraint(i, MCOI::TIED_TO) >= 0)
                addUnits(operand.getReg(), one.kept);
        }
        /* (What a register is exclusively or'ed with itself is 0, whatever it was.) */
        if (instructions->getName(instruction.getOpcode()).contains("XOR") && readers > 1 &&
            read.size() == 1) {
            one.reads.clear();
            one.kept.clear();
        }
    }
};

struct Symbol {
    uint64_t address, size;
    StringRef name;
    bool function, global;
    bool chooses; /* a function that tells the start what to call by this name */
};

struct Relocation {
    uint64_t address;
    const Elf::Elf_Sym *symbol;
    std::string name;
    int64_t addend;
    uint32_t type;
};

class LinkedElf : public MachineCode
{
  public:
    explicit LinkedElf(Elf file) : file(std::move(file))
    {
    }

    std::string load()
    {
        if (!processor.start(file.getHeader().e_machine))
            return "it is of another machine";
        sections = orElse(file.sections(), Elf::Elf_Shdr_Range());
        for (const Elf::Elf_Shdr &section : sections)
            if (section.sh_type == ELF::SHT_SYMTAB)
                loadSymbols(section);
        for (const Elf::Elf_Shdr &section : sections)
            if (section.sh_type == ELF::SHT_RELA && !(section.sh_flags & ELF::SHF_ALLOC))
                loadRelocations(section);
        std::sort(symbols.begin(), symbols.end(),
                  [](const Symbol &a, const Symbol &b) { return a.address < b.address; });
        std::sort(relocations.begin(), relocations.end(),
                  [](const Relocation &a, const Relocation &b) { return a.address < b.address; });
        return symbols.empty()       ? "it has no symbols: link it without -s, and strip it then"
               : relocations.empty() ? "it was not linked with --emit-relocs"
                                     : "";
    }

    bool find(StringRef name, uint64_t &address, std::string &why) const override
    {
        const auto isIt = [&](const Symbol &symbol) {
            return symbol.function && symbol.global && symbol.name == name;
        };
        const auto found = llvm::find_if(symbols, isIt);
        const bool chosen = found != symbols.end() && found->chooses;
        address = found != symbols.end() && !chosen ? found->address : 0;
        why = wrapped.count(name.str()) != 0
                  ? "is called as __wrap_" + name.str() + " where the linker is told to --wrap it" +
                        orReplaced(name)
              : chosen ? "is chosen by a function of the program when it starts" + orReplaced(name)
              : address == 0 ? "has no code in the program that could be looked into"
                             : "";
        return why.empty();
    }

    std::set<uint64_t> usersOf(uint64_t address, uint64_t size) const override
    {
        std::set<uint64_t> users;
        for (const Relocation &one : relocations) {
            const Symbol *function = around(one.address, true);
            if (function == nullptr || one.symbol == nullptr)
                continue;
            const uint64_t at = one.symbol->st_value + static_cast<uint64_t>(one.addend) +
                                distance(one, one.address + 4);
            if (at >= address && at < address + size)
                users.insert(function->address);
        }
        return users;
    }

    bool functionAt(uint64_t address, std::string &name, uint64_t &begin) const override
    {
        const Symbol *function = around(address, true);
        if (function == nullptr)
            return false;
        name = function->name.str();
        begin = function->address;
        return true;
    }

    std::vector<Reference> ofFunction(uint64_t address) const override
    {
        std::vector<Reference> found;
        const Symbol *function = around(address, true);
        const Elf::Elf_Shdr *section = sectionOf(address);
        if (function == nullptr || function->size == 0 || section == nullptr ||
            function->address + function->size > section->sh_addr + section->sh_size)
            return {{Reference::Kind::Unknown, "", address}};
        ArrayRef<uint8_t> bytes = orElse(file.getSectionContents(*section), ArrayRef<uint8_t>());
        if (bytes.size() < section->sh_size)
            return {{Reference::Kind::Unknown, "", address}};
        bytes = bytes.slice(function->address - section->sh_addr, function->size);
        readCode(*function, bytes, found);
        return found;
    }

    std::vector<Instruction> instructionsOf(uint64_t address) const override
    {
        std::vector<Instruction> all;
        const Symbol *function = around(address, true);
        const Elf::Elf_Shdr *section = sectionOf(address);
        ArrayRef<uint8_t> bytes;
        if (section != nullptr)
            bytes = orElse(file.getSectionContents(*section), ArrayRef<uint8_t>());
        if (function == nullptr || section == nullptr || bytes.size() < section->sh_size ||
            function->address + function->size > section->sh_addr + section->sh_size)
            return all;
        bytes = bytes.slice(function->address - section->sh_addr, function->size);
        for (uint64_t at = 0, size = 0; at < bytes.size(); at += size) {
            MCInst instruction;
            if (!processor.disassemble(bytes.slice(at), function->address + at, instruction, size))
                return {};
            all.push_back(processor.describe(instruction, function->address + at, size));
            eachRelocation(function->address + at, function->address + at + size,
                           [&](const Relocation &one) {
                               all.back().references.push_back(
                                   referenceOf(one, function->address + at + size));
                               all.back().references.back().byTable = isByTable(one);
                           });
        }
        return all;
    }

    std::vector<std::vector<unsigned>> argumentRegisters() const override
    {
        return processor.named(
            isX86() ? std::vector<StringRef>{"RDI", "RSI", "RDX", "RCX", "R8", "R9"}
                    : std::vector<StringRef>{"X0", "X1", "X2", "X3", "X4", "X5", "X6", "X7"});
    }

    std::vector<unsigned> keptRegisters() const override
    {
        std::vector<unsigned> all;
        for (const auto &units : processor.named(
                 isX86() ? std::vector<StringRef>{"RBX", "RBP", "RSP", "R12", "R13", "R14", "R15"}
                         : std::vector<StringRef>{"X19", "X20", "X21", "X22", "X23", "X24", "X25",
                                                  "X26", "X27", "X28", "FP", "SP"}))
            all.insert(all.end(), units.begin(), units.end());
        return all;
    }

    std::vector<uint64_t> variables(StringRef name) const override
    {
        std::vector<uint64_t> own, shared;
        for (const Symbol &symbol : symbols)
            if (!symbol.function && symbol.name == name)
                (symbol.global ? shared : own).push_back(symbol.address);
        return shared.empty() ? own : shared;
    }

    std::vector<Reference> ofConstants(uint64_t address) const override
    {
        std::vector<Reference> found;
        const Elf::Elf_Shdr *section = sectionOf(address);
        uint64_t begin = address, end = section ? section->sh_addr + section->sh_size : address;
        if (const Symbol *object = around(address, false)) {
            begin = object->address;
            end = begin + object->size;
        } else {
            for (const Symbol &symbol : symbols)
                if (symbol.address > address && symbol.address < end)
                    end = symbol.address;
        }
        eachRelocation(begin, end, [&](const Relocation &relocation) {
            Reference reference = referenceOf(relocation, 0);
            std::string name;
            uint64_t start = 0;
            bool label =
                reference.kind == Reference::Kind::Function &&
                (!functionAt(reference.address, name, start) || start != reference.address);
            if (!label) /* else it is a place of a switch, in the function that uses it */
                found.push_back(reference);
        });
        return found;
    }

  private:
    Elf file;
    Processor processor;
    Elf::Elf_Shdr_Range sections;
    std::vector<Symbol> symbols; /* functions and objects, by address */
    std::vector<Relocation> relocations;
    std::set<std::string> wrapped; /* what a linker may call by another name, __wrap_... */

    void loadSymbols(const Elf::Elf_Shdr &table)
    {
        StringRef names = orElse(file.getStringTableForSymtab(table), StringRef());
        for (const Elf::Elf_Sym &symbol : orElse(file.symbols(&table), Elf::Elf_Sym_Range())) {
            const bool function =
                symbol.getType() == ELF::STT_FUNC || symbol.getType() == ELF::STT_GNU_IFUNC;
            if (symbol.st_shndx != ELF::SHN_UNDEF &&
                (function || symbol.getType() == ELF::STT_OBJECT))
                symbols.push_back({symbol.st_value, symbol.st_size,
                                   orElse(symbol.getName(names), StringRef()).split('@').first,
                                   function, symbol.getBinding() != ELF::STB_LOCAL,
                                   symbol.getType() == ELF::STT_GNU_IFUNC});
            StringRef name = orElse(symbol.getName(names), StringRef()).split('@').first;
            if (name.consume_front("__wrap_"))
                wrapped.insert(name.str());
        }
    }

    /* Of what is loaded; addresses of debugging information mean something else. */
    void loadRelocations(const Elf::Elf_Shdr &section)
    {
        const Elf::Elf_Shdr *target =
            section.sh_info < sections.size() ? &sections[section.sh_info] : nullptr;
        const Elf::Elf_Shdr *table =
            section.sh_link < sections.size() ? &sections[section.sh_link] : nullptr;
        if (target == nullptr || table == nullptr || !(target->sh_flags & ELF::SHF_ALLOC))
            return;
        StringRef names = orElse(file.getStringTableForSymtab(*table), StringRef());
        for (const Elf::Elf_Rela &rela : orElse(file.relas(section), Elf::Elf_Rela_Range())) {
            if (rela.getType(false) == 0) /* nothing is left to do */
                continue;
            const Elf::Elf_Sym *symbol =
                orElse(file.getRelocationSymbol(rela, table), (const Elf::Elf_Sym *)nullptr);
            StringRef name = symbol ? orElse(symbol->getName(names), StringRef()) : StringRef();
            relocations.push_back({rela.r_offset, symbol, name.split('@').first.str(),
                                   rela.r_addend, rela.getType(false)});
        }
    }

    const Elf::Elf_Shdr *sectionOf(uint64_t address) const
    {
        for (const Elf::Elf_Shdr &section : sections)
            if ((section.sh_flags & ELF::SHF_ALLOC) && address >= section.sh_addr &&
                address < section.sh_addr + section.sh_size)
                return &section;
        return nullptr;
    }

    const Symbol *around(uint64_t address, bool function) const
    {
        for (const Symbol &symbol : symbols)
            if (symbol.function == function && address >= symbol.address &&
                address < symbol.address + std::max<uint64_t>(symbol.size, 1))
                return &symbol;
        return nullptr;
    }

    template <typename Use> void eachRelocation(uint64_t begin, uint64_t end, Use use) const
    {
        auto at = std::lower_bound(
            relocations.begin(), relocations.end(), begin,
            [](const Relocation &one, uint64_t address) { return one.address < address; });
        for (; at != relocations.end() && at->address < end; ++at)
            use(*at);
    }

    /* Of x86, which counts from the end of the instruction, END, or of the word in data (0). */
    uint64_t distance(const Relocation &relocation, uint64_t end) const
    {
        const bool relative =
            relocation.type == ELF::R_X86_64_PC32 || relocation.type == ELF::R_X86_64_PLT32;
        return isX86() && relative && end != 0 ? end - relocation.address : 0;
    }

    bool isX86() const
    {
        return file.getHeader().e_machine == ELF::EM_X86_64;
    }

    bool isByTable(const Relocation &relocation) const
    {
        return isX86() && (relocation.type == ELF::R_X86_64_GOTPCREL ||
                           relocation.type == ELF::R_X86_64_GOTPCRELX ||
                           relocation.type == ELF::R_X86_64_REX_GOTPCRELX);
    }

    /* END: of the instruction that it is part of; 0 in data. */
    Reference referenceOf(const Relocation &relocation, uint64_t end) const
    {
        const Elf::Elf_Sym *symbol = relocation.symbol;
        if (symbol == nullptr || symbol->st_shndx == ELF::SHN_ABS)
            return {Reference::Kind::Unknown, relocation.name, 0};
        if (symbol->st_shndx == ELF::SHN_UNDEF)
            return {Reference::Kind::Imported, relocation.name, 0};
        const Elf::Elf_Shdr *section =
            symbol->st_shndx < sections.size() ? &sections[symbol->st_shndx] : nullptr;
        if (section == nullptr || (section->sh_flags & ELF::SHF_TLS))
            return {Reference::Kind::State, relocation.name, 0};
        uint64_t address = symbol->st_value;
        if (!isByTable(relocation))
            address += static_cast<uint64_t>(relocation.addend) + distance(relocation, end);
        if ((section->sh_flags & ELF::SHF_EXECINSTR) &&
            (symbol->getType() == ELF::STT_GNU_IFUNC || !isStored(relocation)))
            return {Reference::Kind::Pointer, relocation.name, 0};
        if (section->sh_flags & ELF::SHF_EXECINSTR)
            return {Reference::Kind::Function, relocation.name, address};
        return dataAt(*section, relocation.name, address);
    }

    /* Whether the linked bytes lead to the symbol, as far as it is known how they do: a linker may
     * have put something else in its place. */
    bool isStored(const Relocation &relocation) const
    {
        const uint64_t to = relocation.symbol->st_value + static_cast<uint64_t>(relocation.addend);
        const bool word = isX86() && relocation.type == ELF::R_X86_64_64;
        const bool part = isX86() && (relocation.type == ELF::R_X86_64_32 ||
                                      relocation.type == ELF::R_X86_64_32S);
        if (word) /* (0: the start writes it) */
            return stored(relocation.address, 8) == to || stored(relocation.address, 8) == 0;
        if (part)
            return stored(relocation.address, 4) == (to & UINT32_MAX);
        return distance(relocation, relocation.address + 4) == 0 ||
               stored(relocation.address, 4) == ((to - relocation.address) & UINT32_MAX);
    }

    /* The number of SIZE bytes at ADDRESS; 0 where there is none in the file. */
    uint64_t stored(uint64_t address, size_t size) const
    {
        const Elf::Elf_Shdr *section = sectionOf(address);
        if (section == nullptr)
            return 0;
        ArrayRef<uint8_t> bytes = orElse(file.getSectionContents(*section), ArrayRef<uint8_t>());
        uint64_t at = address - section->sh_addr, value = 0;
        for (size_t i = size; i-- > 0;)
            value = value << 8 | (at + i < bytes.size() ? bytes[at + i] : 0);
        return value;
    }

    Reference dataAt(const Elf::Elf_Shdr &section, const std::string &name, uint64_t address) const
    {
        const StringRef called = orElse(file.getSectionName(section), StringRef());
        const bool fixed = !(section.sh_flags & ELF::SHF_WRITE) || called == ".data.rel.ro";
        const Symbol *object = around(address, false);
        return {fixed ? Reference::Kind::Constants : Reference::Kind::State,
                object != nullptr ? object->name.str() : name,
                object != nullptr && !fixed ? object->address : address};
    }

    void readCode(const Symbol &function, ArrayRef<uint8_t> bytes,
                  std::vector<Reference> &found) const
    {
        bool added = false; /* the instruction before computes an address by adding to it */
        for (uint64_t at = 0, size = 0; at < bytes.size(); at += size) {
            MCInst instruction;
            const uint64_t address = function.address + at;
            if (!processor.disassemble(bytes.slice(at), address, instruction, size)) {
                found.push_back({Reference::Kind::Unknown, "", address});
                return;
            }
            bool told = false;
            eachRelocation(address, address + size, [&](const Relocation &relocation) {
                found.push_back(referenceOf(relocation, address + size));
                told = true;
                if (goesElsewhere(found.back(), instruction, address, size))
                    found.back() = {Reference::Kind::Pointer, relocation.name, 0};
                if (found.back().kind == Reference::Kind::State && !isByTable(relocation) &&
                    goesByPointer(instruction))
                    found.push_back({Reference::Kind::Pointer, "", address});
            });
            if (asksProcessor(instruction))
                found.push_back({Reference::Kind::Imported, asked(instruction), address});
            else if (!told)
                follow(function, instruction, address, size, added, found);
            added = processor.instructions->getName(instruction.getOpcode()).starts_with("ADD");
        }
    }

    /* Whether it calls or jumps to something else than REFERENCE, as a linker may have changed it.
     * What libraries have is called by way of the program's table of them. */
    bool goesElsewhere(const Reference &reference, const MCInst &instruction, uint64_t address,
                       uint64_t size) const
    {
        uint64_t target = 0;
        const MCInstrDesc &what = processor.instructions->get(instruction.getOpcode());
        if ((!what.isCall() && !what.isBranch()) ||
            !processor.analysis->evaluateBranch(instruction, address, size, target))
            return false;
        return reference.kind == Reference::Kind::Function   ? target != reference.address
               : reference.kind == Reference::Kind::Imported ? around(target, true) != nullptr
                                                             : false;
    }

    bool goesByPointer(const MCInst &instruction) const
    {
        const MCInstrDesc &what = processor.instructions->get(instruction.getOpcode());
        return what.isCall() || what.isIndirectBranch();
    }

    std::string asked(const MCInst &instruction) const
    {
        return processor.instructions->getName(instruction.getOpcode()).lower();
    }

    /* For the time, random bits, or what it is; or it calls the kernel. */
    bool asksProcessor(const MCInst &instruction) const
    {
        static const char *const begins[] = {"rdtsc", "rdrand",  "rdseed", "rdpid", "rdpmc",
                                             "cpuid", "syscall", "int",    "svc"};
        const std::string name = asked(instruction);
        return std::any_of(std::begin(begins), std::end(begins),
                           [&](const char *begin) { return StringRef(name).starts_with(begin); });
    }

    /* A call or jump within the section, or by a pointer. Places of a switch are computed by an
     * addition, which pointers to functions are not. */
    void follow(const Symbol &function, const MCInst &instruction, uint64_t address, uint64_t size,
                bool added, std::vector<Reference> &found) const
    {
        const MCInstrAnalysis &analysis = *processor.analysis;
        const MCInstrDesc &what = processor.instructions->get(instruction.getOpcode());
        const bool call = what.isCall(), jump = what.isBranch();
        uint64_t target = 0;
        if ((!call && !jump) || what.isReturn())
            return;
        if (analysis.evaluateBranch(instruction, address, size, target)) {
            const bool inside =
                target >= function.address && target < function.address + function.size;
            if (!inside)
                found.push_back({Reference::Kind::Function, "", target});
        } else if (call || !(what.isIndirectBranch() && added)) {
            found.push_back({Reference::Kind::Pointer, "", address});
        }
    }
};

} // namespace

std::unique_ptr<MachineCode> MachineCode::read(StringRef image, std::string &why)
{
    Expected<Elf> file = Elf::create(image);
    const bool whole = image.size() > ELF::EI_DATA && image[ELF::EI_CLASS] == ELF::ELFCLASS64 &&
                       image[ELF::EI_DATA] == ELF::ELFDATA2LSB;
    if (!file) {
        consumeError(file.takeError());
        why = "it is no program";
        return nullptr;
    }
    if (!whole) {
        why = "it is of another machine";
        return nullptr;
    }
    auto code = std::make_unique<LinkedElf>(std::move(*file));
    why = code->load();
    return why.empty() ? std::move(code) : nullptr;
}

} // namespace xmpi
