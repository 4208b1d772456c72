/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the calls of the runtime into the program. Nothing of the user's text moves: a pragma's
 * line takes the text in its place, and other insertions go back to line and column of the user's
 * file with `#line` and blanks. */
#include "emit.h"
#include "merge.h"
#include "sections.h"
#include <algorithm>
#include <clang/Tooling/Core/Replacement.h>
#include <map>
#include <set>

namespace xmpi
{

std::string quoted(llvm::StringRef text)
{
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + "\"";
}

namespace
{

/* Where several texts go to the same offset: inner closings first, then openings. */
enum Order {
    CloseExit,
    CloseCondition,
    CloseBody,
    EndLoop,
    CloseGuard,
    Return,
    Register,
    Open,
    OpenInner
};

const char *kindName(RangeKind kind)
{
    static const char *const names[] = {"XMPI_GEN_RANK", "XMPI_GEN_SIZE", "XMPI_GEN_COUNT",
                                        "XMPI_GEN_DISPL"};
    return names[static_cast<int>(kind)];
}

/* LVALUE where an operand of & or sizeof is wanted. */
std::string operand(const std::string &lvalue)
{
    for (char c : lvalue)
        if (!isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.')
            return "(" + lvalue + ")";
    return lvalue;
}

std::string extent(const std::string &text)
{
    return "(long long)(" + text + ")";
}

std::string sizeOf(const std::string &lvalue)
{
    std::string text = operand(lvalue);
    return text[0] == '(' ? "sizeof" + text : "sizeof " + text;
}

const char *schemeName(Scheme scheme)
{
    static const char *const names[] = {"XMPI_GEN_DISTRIBUTED", "XMPI_GEN_REPLICATED",
                                        "XMPI_GEN_OWNED"};
    return names[static_cast<int>(scheme)];
}

std::string dataCall(const Data &data)
{
    std::string length;
    for (size_t i = 1; i < data.shape.size(); i++)
        length += (i > 1 ? " * " : "") + extent(data.shape[i]);
    std::string element =
        data.table.empty() ? "sizeof *" + data.variable : "sizeof **" + data.table;
    return "xmpi_gen_data(" + quoted(data.name) + ", (void *)&" + data.variable + ", " + element +
           ", " + schemeName(data.scheme) + ", " + extent(data.shape[0]) + ", " +
           (length.empty() ? "1" : length) + ");" +
           (data.halo.empty()
                ? ""
                : " xmpi_gen_halo(" + quoted(data.name) + ", " + extent(data.halo) + ");");
}

std::string join(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() || part.empty() ? "" : " ") + part;
    return text;
}

std::string calls(const Registrations &what)
{
    std::vector<std::string> parts;
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
                        sizeOf(live.lvalue) + ");");
    parts.push_back(what.finish);
    return join(parts);
}

class Emitter
{
  public:
    Emitter(const Source &source, const std::vector<Program> &programs)
        : source(source), programs(programs), program(programs.front())
    {
    }

    bool emit(llvm::StringRef name, std::string &text, std::string &error)
    {
        gather();
        clang::tooling::Replacements replacements;
        for (const auto &[offset, parts] : insertions)
            if (!add(replacements, insertion(offset, parts), error))
                return false;
        for (const auto &[offset, divider] : commas)
            if (!add(replacements, {"", offset, 1, divider}, error))
                return false;
        for (const Span &pragma : program.pragmas)
            if (!add(replacements, pragmaLine(pragma), error))
                return false;
        std::string original = source.text().str();
        for (const Program &one : programs)
            for (unsigned word : one.writable)
                original.replace(word, 5, 5, ' ');
        llvm::Expected<std::string> changed =
            clang::tooling::applyAllReplacements(original, replacements);
        if (!changed) {
            error = llvm::toString(changed.takeError());
            return false;
        }
        text = finish(name, *changed);
        return true;
    }

  private:
    const Source &source;
    const std::vector<Program> &programs;
    const Program &program; /* for what is the same in all */
    std::map<unsigned, std::multimap<Order, std::string>> insertions;
    std::map<unsigned, std::vector<std::string>> atPragma;
    std::map<unsigned, std::string> commas;

    void insert(unsigned offset, Order order, const std::string &text)
    {
        if (!text.empty())
            insertions[offset].emplace(order, text);
    }

    void gather()
    {
        for (const Site &site : mergedSites(programs)) {
            if (site.kind == Site::Kind::AtPragma)
                atPragma[site.offset].push_back(calls(site.what));
            else
                insert(site.offset, Register, calls(site.what));
        }
        for (const Guarded &guarded : mergedGuards(programs))
            guard(guarded);
        for (const Wrap &wrap : mergedWraps(programs)) {
            insert(wrap.condition.begin, Open,
                   wrap.otherwise ? "!xmpi_gen_joining() && (" : "xmpi_gen_joining() || (");
            insert(wrap.condition.end, CloseCondition, ")");
        }
        for (const Call &call : mergedCalls(programs))
            around(call);
        for (const Program &one : programs)
            if (one.hasLoop)
                loop(one);
    }

    void around(const Call &call)
    {
        std::string depth = std::to_string(call.depth);
        insert(call.statement.begin, OpenInner, "xmpi_gen_call(" + depth + ");");
        insert(call.statement.end, Return,
               join({"xmpi_gen_return(" + depth + ");", elsewhere(call.loop, call.elsewhere)}));
    }

    static std::string elsewhere(const std::string &loop, const std::string &leave)
    {
        return leave.empty() ? "" : "if (xmpi_gen_elsewhere(" + quoted(loop) + ")) " + leave;
    }

    /* -- initial and setup */

    void guard(const Guarded &guarded)
    {
        if (guarded.everywhere && guarded.enters.empty())
            return insert(guarded.statement.end, Register, calls(guarded.after));
        std::string open = guarded.enters.empty()
                               ? "if (xmpi_gen_initial()) {"
                               : "if (xmpi_gen_enter(" + quoted(guarded.enters) + ")) {";
        if (guarded.split.needed)
            openSplit(guarded.split.equal, open, guarded.split.name, guarded.split.literal);
        else if (guarded.inferred)
            insert(guarded.statement.begin, Open, open);
        else
            atPragma[guarded.pragma.begin].push_back(open);
        for (const Split::More &more : guarded.split.more) {
            commas[more.comma] = divided(guarded, more);
            openSplit(more.equal, open, more.name, more.literal);
        }
        std::string skipped = skip(guarded);
        insert(guarded.statement.end, CloseGuard,
               skipped.empty() ? "}" : "} else { " + skipped + " }");
        insert(guarded.statement.end, Register, calls(guarded.after));
    }

    /* The '=' of a declaration becomes that of an assignment. */
    void openSplit(unsigned equal, const std::string &open, const std::string &name,
                   const std::string &literal)
    {
        insert(equal, Open, "; " + open + " " + name);
        if (!literal.empty())
            insert(equal + 1, Open, literal);
    }

    /* What a comma between two names becomes: the end of the one, and the type of the other. */
    std::string divided(const Guarded &guarded, const Split::More &more) const
    {
        std::string name = guarded.split.name;
        for (const Split::More &other : guarded.split.more)
            if (other.comma < more.comma)
                name = other.name;
        bool clears = std::find(guarded.cleared.begin(), guarded.cleared.end(), name) !=
                      guarded.cleared.end();
        return ";\n" + lineDirective(more.comma) +
               (clears ? "} else { " + name + " = 0; } " : "} ") + more.type + "\n" +
               lineDirective(more.comma) + blanks(more.comma) + " ";
    }

    static std::string skip(const Guarded &guarded)
    {
        std::vector<std::string> parts;
        for (const std::string &lvalue : guarded.cleared)
            parts.push_back(lvalue + " = 0;");
        for (const std::string &lvalue : guarded.wiped)
            parts.push_back("__builtin_memset(&" + operand(lvalue) + ", 0, " + sizeOf(lvalue) +
                            ");");
        return join(parts);
    }

    /* -- the loop */

    /* The others know it already when a process joins. */
    static std::string bound(const Loop &loop)
    {
        return loop.bound.empty()
                   ? ""
                   : "if (xmpi_gen_initial()) xmpi_gen_bound(" + extent(loop.bound) + ");";
    }

    void loop(const Program &one)
    {
        const Loop &loop = one.loop;
        std::string depth = std::to_string(loop.depth);
        std::string call = loop.depth < 0 ? "" : "xmpi_gen_call(" + depth + ");";
        std::string end = "xmpi_gen_loop_end();";
        if (loop.depth >= 0)
            end += " xmpi_gen_return(" + depth + ");";
        end = join({end, restore(one)});
        std::string interval = loop.interval.empty() ? "0" : extent(loop.interval);
        if (loop.computed)
            interval = "xmpi_gen_interval(" + interval + ")";
        atPragma[loop.pragma.begin].push_back(
            join({calls(loop.before), loop.weight, one.wraps.empty() ? bound(loop) : "",
                  loop.policy.empty() ? "" : "xmpi_gen_policy(" + quoted(loop.policy) + ");", call,
                  "xmpi_gen_loop_begin(" + quoted(loop.name) + ", " + interval + ");"}));
        if (loop.hasCondition) {
            insert(loop.condition.begin, Open, "xmpi_gen_joining() || (");
            insert(loop.condition.end, CloseCondition, ")");
        }
        unsigned first = loop.body.begin + (loop.braces ? 1 : 0);
        insert(first, Open,
               join({loop.braces ? "" : "{", calls(loop.inside), point(one, first),
                     elsewhere(loop.name, loop.elsewhere)}));
        if (!loop.braces)
            insert(loop.body.end, CloseBody, "}");
        insert(loop.end, EndLoop, end);
        for (const Span &exit : loop.exits) {
            insert(exit.begin, OpenInner, "{ " + end);
            insert(exit.end, CloseExit, "}");
        }
    }

    /* After the loop the rows are divided again as the program does it, and setup follows. */
    std::string restore(const Program &one) const
    {
        if (one.loop.restore.empty())
            return "";
        return one.loop.restore + "\nif (xmpi_gen_restore(" + quoted(one.loop.name) + ")) {" +
               copies(one) + "\n}";
    }

    std::string point(const Program &one, unsigned offset) const
    {
        std::string copies = this->copies(one);
        if (copies.empty())
            return "(void)xmpi_gen_point();";
        return "if (xmpi_gen_point()) {" + copies + "\n" + lineDirective(offset) + "}";
    }

    std::string copies(const Program &one) const
    {
        std::string copies;
        for (const std::string &statement : one.loop.again)
            copies += " " + statement;
        for (const Guarded &guarded : one.guarded)
            if (guarded.setup)
                copies += copy(guarded);
        return copies;
    }

    /* The text of a setup statement, at its own line and column. */
    std::string copy(const Guarded &guarded) const
    {
        std::string free;
        for (const std::string &lvalue : guarded.released)
            free += " xmpi_gen_free(" + lvalue + "); " + lvalue + " = 0;";
        const Split &split = guarded.split;
        unsigned begin = split.needed ? split.nameOffset : guarded.statement.begin;
        std::string text = blanks(begin);
        if (split.needed)
            text += split.name + gap(split) + assignments(split, guarded.statement.end);
        else
            text += source.text(guarded.statement).str();
        std::string quiet = guarded.shadows ? "\n#pragma GCC diagnostic push"
                                              "\n#pragma GCC diagnostic ignored \"-Wshadow\""
                                            : "";
        std::string loud = guarded.shadows ? "\n#pragma GCC diagnostic pop" : "";
        for (const std::string &statement : guarded.again)
            text += "\n" + statement;
        return free + quiet + "\n" + lineDirective(begin) + text + loud;
    }

    /* From the first '=' to END, each further name an assignment of its own. */
    std::string assignments(const Split &split, unsigned end) const
    {
        std::string text = source.text({split.equal, end}).str();
        for (const Split::More &more : split.more) {
            text[more.comma - split.equal] = ';';
            for (unsigned i = more.comma + 1; i < more.nameOffset; i++)
                if (!isspace(static_cast<unsigned char>(text[i - split.equal])))
                    text[i - split.equal] = ' ';
        }
        for (auto more = split.more.rbegin(); more != split.more.rend(); ++more)
            text.insert(more->equal + 1 - split.equal, more->literal);
        return text.insert(1, split.literal);
    }

    /* Blanks, and line ends, between the name and the '=' of a declaration. */
    std::string gap(const Split &split) const
    {
        std::string between =
            source.text({split.nameOffset + static_cast<unsigned>(split.name.size()), split.equal})
                .str();
        for (char &c : between)
            if (c != '\n' && c != '\t')
                c = ' ';
        return between;
    }

    /* -- text */

    std::string lineDirective(unsigned offset) const
    {
        return "#line " + std::to_string(source.line(offset)) + " " +
               quoted(source.fileName(offset)) + "\n";
    }

    /* What takes the cursor to the column of OFFSET: blanks, with the tabs of the line. */
    std::string blanks(unsigned offset) const
    {
        std::string text = source.text({offset - source.column(offset), offset}).str();
        for (char &c : text)
            if (c != '\t')
                c = ' ';
        return text;
    }

    clang::tooling::Replacement insertion(unsigned offset,
                                          const std::multimap<Order, std::string> &parts) const
    {
        std::vector<std::string> texts;
        for (const auto &part : parts)
            texts.push_back(part.second);
        std::string line = lineDirective(offset);
        std::string before = source.text({offset - source.column(offset), offset}).str();
        if (before.find_first_not_of(" \t") == std::string::npos)
            return {"", offset - source.column(offset), 0, join(texts) + "\n" + line};
        llvm::StringRef rest = source.text().substr(offset);
        rest = rest.take_until([](char c) { return c == '\n'; });
        std::string text = "\n" + line + join(texts);
        if (!rest.trim().empty())
            text += "\n" + line + blanks(offset);
        return {"", offset, 0, text};
    }

    /* A pragma gives way to the calls that belong in its place, or to nothing. */
    clang::tooling::Replacement pragmaLine(const Span &pragma) const
    {
        auto found = atPragma.find(pragma.begin);
        std::string text = found == atPragma.end() ? "" : join(found->second);
        text.append(static_cast<size_t>(source.text(pragma).count('\n')), '\n');
        return {"", pragma.begin, pragma.end - pragma.begin, text};
    }

    static bool add(clang::tooling::Replacements &replacements,
                    const clang::tooling::Replacement &replacement, std::string &error)
    {
        llvm::Error failure = replacements.add(replacement);
        if (!failure)
            return true;
        error = llvm::toString(std::move(failure));
        return false;
    }

    /* The structure of an iteration, where the runtime and tools find it in the object. */
    std::string structure(const Loop &loop, const std::string &name) const
    {
        std::string json = sectionsJson(source, loop.name, loop.sections);
        std::string text = "__attribute__((used, section(\"xmpi_structure\"))) static const char " +
                           name + "[] =\n    " + quoted(json) + ";\n";
        if (json.size() < 4000)
            return text;
        return "#pragma GCC diagnostic push\n"
               "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n" +
               text + "#pragma GCC diagnostic pop\n";
    }

    /* Our variables for arrays that are reached through pointers to rows. */
    static void addTables(const Program &one, std::set<std::string> &tables)
    {
        for (const Data &data : one.loop.before.data)
            if (!data.table.empty())
                tables.insert(data.variable);
    }

    /* The head with our declarations, and at the end the word to the runtime that there is a loop.
     */
    std::string finish(llvm::StringRef name, llvm::StringRef body) const
    {
        body.consume_front("\xEF\xBB\xBF");
        std::string head = program.pragmas.empty() ? "" : "#include <xmpi_gen.h>\n";
        bool hidden = false;
        for (const Program &one : programs)
            hidden = hidden || one.hiddenRange;
        if (hidden)
            head += "static long long xmpi_count, xmpi_displ;\n";
        std::set<std::string> tables;
        for (const Program &one : programs)
            addTables(one, tables);
        for (const std::string &variable : tables)
            head += "static void *" + variable + ";\n";
        std::string text = head + "#line 1 " + quoted(name) + "\n" + body.str();
        if (!program.hasLoop)
            return text;
        if (text.back() != '\n')
            text += '\n';
        for (size_t i = 0; i < programs.size(); i++)
            text += structure(programs[i].loop, i == 0 ? "xmpi_iteration"
                                                       : "xmpi_iteration_" + std::to_string(i + 1));
        return text + "__attribute__((constructor)) static void xmpi_describe(void) "
                      "{ xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }\n";
    }
};

} // namespace

bool emitProgram(const Source &source, const std::vector<Program> &programs, llvm::StringRef name,
                 std::string &text, std::string &error)
{
    return Emitter(source, programs).emit(name, text, error);
}

} // namespace xmpi
