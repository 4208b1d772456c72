/* SPDX-License-Identifier: BSD-3-Clause */
#include "emit/around.h"
#include "emit/emit_parts.h"
#include "emit/printer.h"

namespace xmpi
{

std::string headOf(const std::vector<Program> &programs, llvm::StringRef name)
{
    std::string original = name.str();
    for (size_t i = original.find("*/"); i != std::string::npos; i = original.find("*/"))
        original.insert(i + 1, " ");
    if (programs.front().pragmas.empty())
        return "";
    return "/* Made from " + original +
           " by xmpicc " XMPI_VERSION
           ", which put the calls of XMPI into it. Changes belong there. */\n"
           "#include <xmpi_gen.h>\n" +
           ownDeclarations(programs) + "\n";
}

/* A long string as several, one behind the other. */
static std::string stringLines(llvm::StringRef text)
{
    constexpr size_t Width = 80;
    std::string result;
    while (text.size() > Width) {
        size_t comma = text.take_front(Width).rfind(',');
        size_t length = comma == llvm::StringRef::npos ? Width : comma + 1;
        result += "    " + quoted(text.take_front(length)) + "\n";
        text = text.drop_front(length);
    }
    return result + "    " + quoted(text);
}

std::string tailOf(const Source &source, const std::vector<Program> &programs,
                   const std::string &unit)
{
    if (!programs.front().hasLoop)
        return "";
    std::string text = "\n/* What an iteration consists of, and word to the runtime that there is "
                       "an adaptive loop. */\n";
    for (size_t i = 0; i < programs.size(); i++) {
        const std::string json = structureJson(source, programs[i].loop);
        text += structureText(structureName(i), json, stringLines(json)) + "\n";
    }
    return text + "__attribute__((constructor)) static void xmpi_describe(void)\n{\n" + unit +
           "xmpi_gen_program(1);\n" + unit + "xmpi_gen_structure(xmpi_iteration);\n}\n";
}

} // namespace xmpi
