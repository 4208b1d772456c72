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

    std::unique_ptr<MCRegisterInfo> registers;
    std::unique_ptr<MCAsmInfo> assembler;
    std::unique_ptr<MCSubtargetInfo> subtarget;
    std::unique_ptr<MCInstrInfo> instructions;
    std::unique_ptr<MCContext> context;
    std::unique_ptr<MCDisassembler> disassembler;
    std::unique_ptr<MCInstrAnalysis> analysis;
};

struct Symbol {
    uint64_t address, size;
    StringRef name;
    bool function, global;
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

    bool find(StringRef name, uint64_t &address) const override
    {
        for (const Symbol &symbol : symbols)
            if (symbol.function && symbol.global && symbol.name == name) {
                address = symbol.address;
                return true;
            }
        return false;
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
                                   function, symbol.getBinding() != ELF::STB_LOCAL});
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
        if (section->sh_flags & ELF::SHF_EXECINSTR)
            return {Reference::Kind::Function, relocation.name, address};
        return dataAt(*section, relocation.name, address);
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
            if (processor.disassembler->getInstruction(instruction, size, bytes.slice(at), address,
                                                       nulls()) != MCDisassembler::Success ||
                size == 0) {
                found.push_back({Reference::Kind::Unknown, "", address});
                return;
            }
            bool told = false;
            eachRelocation(address, address + size, [&](const Relocation &relocation) {
                found.push_back(referenceOf(relocation, address + size));
                told = true;
            });
            if (asksProcessor(instruction))
                found.push_back({Reference::Kind::Imported, asked(instruction), address});
            else if (!told)
                follow(function, instruction, address, size, added, found);
            added = processor.instructions->getName(instruction.getOpcode()).starts_with("ADD");
        }
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
