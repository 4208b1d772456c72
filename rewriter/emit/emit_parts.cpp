/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of the runtime as text. */
#include "emit/emit_parts.h"
#include "library/numbers.h"
#include "emit/record.h"
#include "loop/sections.h"
#include <set>

namespace xmpi
{

static const char *kindName(RangeKind kind)
{
    static const char *const names[] = {"XMPI_GEN_RANK", "XMPI_GEN_SIZE", "XMPI_GEN_COUNT",
                                        "XMPI_GEN_DISPL"};
    return names[static_cast<int>(kind)];
}

std::string operand(const std::string &lvalue)
{
    for (char c : lvalue)
        if (!isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.')
            return "(" + lvalue + ")";
    return lvalue;
}

/* The whole of TEXT stands in one pair of parentheses. */
static bool isParenthesised(llvm::StringRef text)
{
    int depth = 0;
    for (size_t i = 0; i < text.size(); i++) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0)
            return i > 0 && i + 1 == text.size();
    }
    return false;
}

/* (A name may be a macro's: it needs parentheses.) */
std::string extent(const std::string &text)
{
    llvm::StringRef bare = llvm::StringRef(text).trim();
    while (isParenthesised(bare))
        bare = bare.drop_front().drop_back().trim();
    bool number = bare.find_first_not_of("0123456789") == llvm::StringRef::npos;
    return number ? bare.str() + "LL" : "(long long)(" + bare.str() + ")";
}

std::string sizeOf(const std::string &lvalue)
{
    std::string text = operand(lvalue);
    return text[0] == '(' ? "sizeof" + text : "sizeof " + text;
}

static const char *schemeName(Scheme scheme)
{
    static const char *const names[] = {"XMPI_GEN_DISTRIBUTED", "XMPI_GEN_REPLICATED",
                                        "XMPI_GEN_OWNED"};
    return names[static_cast<int>(scheme)];
}

static std::string elementsCall(const std::string &name, const std::string &elements)
{
    return elements.empty() ? ""
                            : " xmpi_gen_elements(" + quoted(name) + ", " + quoted(elements) + ");";
}

static std::string dataCall(const Data &data)
{
    std::string length;
    for (size_t i = 1; i < data.shape.size(); i++)
        length += (i > 1 ? " * " : "") + extent(data.shape[i]);
    std::string element = !data.element.empty() ? "sizeof(" + data.element + ")"
                          : data.table.empty()  ? "sizeof *" + data.variable
                                                : "sizeof **" + data.table;
    return "xmpi_gen_data(" + quoted(data.name) + ", (void *)" + (data.fixed > 0 ? "" : "&") +
           data.variable + ", " + element + ", " + schemeName(data.scheme) + ", " +
           extent(data.shape[0]) + ", " + (length.empty() ? "1" : length) + ");" +
           (data.halo.empty()
                ? ""
                : " xmpi_gen_halo(" + quoted(data.name) + ", " + extent(data.halo) + ");") +
           (data.fixed > 0 ? " xmpi_gen_fixed(" + quoted(data.name) + ", " +
                                 std::to_string(data.fixed) + "UL);"
                           : "") +
           elementsCall(data.name, data.elements) +
           (data.outOfCore ? " xmpi_gen_outofcore(" + quoted(data.name) + ");" : "") +
           (data.file.empty() ? ""
                              : " xmpi_gen_file(" + quoted(data.name) + ", " + data.file + ");");
}

std::string join(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() || part.empty() ? "" : " ") + part;
    return text;
}

/* The record of a function that the loop relies on, as xmpi_gen.h says: its NAME, and behind a
 * blank those of which the user has spoken. */
static std::string record(const std::string &where, llvm::StringRef name)
{
    const auto [function, marked] = name.split(' ');
    if (marked == libraryMark)
        return "{ " + librarySymbols(function.str()) + " " + libraryCall(where, function.str()) +
               "; }";
    return "{ static char xmpi_relies" + recordOf({where, function.str(), marked.str()}) +
           "; xmpi_gen_relies(xmpi_relies); }";
}

std::string calls(const Registrations &what)
{
    std::vector<std::string> parts;
    if (!what.watched.empty())
        parts.push_back("xmpi_gen_watched(" + quoted(what.watched) + ");");
    for (const auto &[where, name] : what.relies)
        parts.push_back(record(where, name));
    for (const std::string &name : what.drops)
        parts.push_back("xmpi_gen_drop(" + quoted(name) + ");");
    parts.push_back(what.prepare);
    if (!what.domain.empty())
        parts.push_back("xmpi_gen_domain(" + extent(what.domain) + ");");
    for (const Refresh &refresh : what.refreshes)
        parts.push_back(std::string("xmpi_gen_refresh(") + kindName(refresh.kind) + ", &" +
                        operand(refresh.lvalue) + ", " + sizeOf(refresh.lvalue) + ");");
    for (size_t i = 0; i < what.data.size(); i++) {
        parts.push_back(dataCall(what.data[i]));
        if (what.data[i].csr == 3)
            parts.push_back("xmpi_gen_csr(" + quoted(what.data[i - 2].name) + ", " +
                            quoted(what.data[i - 1].name) + ", " + quoted(what.data[i].name) +
                            ");");
    }
    for (const Data &data : what.data)
        if (data.constant)
            parts.push_back("xmpi_gen_constant(" + quoted(data.name) + ");");
    for (const Alias &alias : what.aliases)
        parts.push_back("xmpi_gen_alias(" + quoted(alias.data) + ", (void *)&" + alias.variable +
                        ");");
    for (const Live &live : what.lives)
        parts.push_back("xmpi_gen_live(" + quoted(live.name) + ", " +
                        (live.cast ? "(void *)&" : "&") + operand(live.lvalue) + ", " +
                        sizeOf(live.lvalue) + ");" + elementsCall(live.name, live.elements));
    parts.push_back(what.finish);
    if (what.watch)
        parts.push_back("xmpi_gen_watch();");
    return join(parts);
}

std::string elsewhere(const std::string &loop, const std::string &leave)
{
    return leave.empty() ? "" : "if (xmpi_gen_elsewhere(" + quoted(loop) + ")) " + leave;
}

std::string guardHead(const Guarded &guarded)
{
    return guarded.enters.empty() ? "if (xmpi_gen_initial())"
                                  : "if (xmpi_gen_enter(" + quoted(guarded.enters) + "))";
}

std::string skipped(const Guarded &guarded, const std::vector<std::string> &cleared)
{
    std::vector<std::string> parts;
    for (const std::string &lvalue : cleared)
        parts.push_back(lvalue + " = 0;");
    for (const std::string &lvalue : guarded.worlds)
        parts.push_back(lvalue + " = MPI_COMM_WORLD;");
    for (const std::string &lvalue : guarded.wiped)
        parts.push_back("__builtin_memset(&" + operand(lvalue) + ", 0, " + sizeOf(lvalue) + ");");
    return join(parts);
}

std::string released(const Released &one, bool clears)
{
    const bool descriptor = one.how == Released::How::Descriptor;
    const std::string call = one.how == Released::How::Memory ? "xmpi_gen_free"
                             : descriptor                     ? "xmpi_gen_close"
                                                              : "xmpi_gen_close_stream";
    return call + "(" + one.lvalue + ");" +
           (clears ? " " + one.lvalue + (descriptor ? " = -1;" : " = 0;") : "");
}

std::string copyHead(const Split &split)
{
    return "__builtin_memcpy(" + split.name + ", " + split.literal;
}

std::string typeBefore(const Source &source, const std::vector<Program> &programs,
                       const Declarators &declarators)
{
    std::string text = source.text(declarators.type).rtrim().str();
    for (const Program &program : programs)
        for (unsigned word : program.writable)
            if (word >= declarators.type.begin && word < declarators.type.end)
                text.replace(word - declarators.type.begin, 5, 5, ' ');
    return llvm::StringRef(text).trim().str();
}

/* The others know it already when a process joins. */
static std::string bound(const Loop &loop)
{
    return loop.bound.empty()
               ? ""
               : "if (xmpi_gen_initial()) xmpi_gen_bound(" + extent(loop.bound) + ");";
}

static std::string repeats(const Loop &loop)
{
    static const char *const names[] = {"XMPI_GEN_NEVER_REPEATS", "XMPI_GEN_MAY_REPEAT",
                                        "XMPI_GEN_REPEATS_AS_RELIED", "XMPI_GEN_REPEATS"};
    return std::string("xmpi_gen_repeats(") + names[static_cast<int>(loop.repeats)] + ", " +
           quoted(loop.repeatsWhy) + ");";
}

static std::string least(const Loop &loop)
{
    return loop.least > 0 ? "xmpi_gen_least(" + std::to_string(loop.least) + ");" : "";
}

static std::string reopens(const Loop &loop)
{
    std::vector<std::string> parts;
    for (const std::string &lvalue : loop.reopened)
        parts.push_back("xmpi_gen_reopens(&" + operand(lvalue) + ");");
    return join(parts);
}

std::string loopHead(const Program &program)
{
    const Loop &loop = program.loop;
    std::string interval = loop.interval.empty() ? "0" : extent(loop.interval);
    if (loop.computed)
        interval = "xmpi_gen_interval(" + interval + ")";
    return join(
        {calls(loop.before), loop.weight, program.wraps.empty() ? bound(loop) : "",
         loop.policy.empty() ? "" : "xmpi_gen_policy(" + quoted(loop.policy) + ");", repeats(loop),
         least(loop), loop.depth < 0 ? "" : "xmpi_gen_call(" + std::to_string(loop.depth) + ");",
         "xmpi_gen_loop_begin(" + quoted(loop.name) + ", " + interval + ");", reopens(loop)});
}

std::string loopEnd(const Loop &loop)
{
    std::string back = loop.depth < 0 ? "" : "xmpi_gen_return(" + std::to_string(loop.depth) + ");";
    return join({"xmpi_gen_loop_end();", back});
}

std::string comesAgain(const Loop &loop)
{
    std::string all;
    for (const std::string &name : loop.earlier)
        all += (all.empty() ? "" : " || ") + ("!xmpi_gen_elsewhere(" + quoted(name) + ")");
    return all.empty() ? "" : "if (xmpi_gen_joining() && (" + all + ")) continue;";
}

/* Beside the block, [0], stand the pointers to its rows, for callers. */
static std::string withLength(const std::string &variable)
{
    size_t index = variable.find("[0]");
    return index == std::string::npos ? variable : variable.substr(0, index) + "[2]";
}

std::string ownDeclarations(const std::vector<Program> &programs)
{
    std::string text;
    std::set<std::string> tables;
    bool hidden = false;
    for (const Program &one : programs) {
        hidden = hidden || one.hiddenRange;
        for (const Data &data : one.loop.before.data)
            if (!data.table.empty())
                tables.insert(data.variable);
    }
    if (hidden)
        text += "static long long xmpi_count, xmpi_displ;\n";
    for (const std::string &variable : tables)
        text += "static void *" + withLength(variable) + ";\n";
    return text;
}

std::string structureName(size_t index)
{
    return index == 0 ? "xmpi_iteration" : "xmpi_iteration_" + std::to_string(index + 1);
}

std::string structureJson(const Source &source, const Loop &loop)
{
    return sectionsJson(source, loop.name, loop.sections);
}

std::string structureText(const std::string &name, const std::string &json,
                          const std::string &literal)
{
    std::string text = "__attribute__((used, section(\"xmpi_structure\"))) static const char " +
                       name + "[] =\n" + literal + ";\n";
    if (json.size() < 4000)
        return text;
    return "#pragma GCC diagnostic push\n"
           "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n" +
           text + "#pragma GCC diagnostic pop\n";
}

} // namespace xmpi
