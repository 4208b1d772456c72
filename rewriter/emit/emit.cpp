/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the calls of the runtime into the program. Nothing of the user's text moves: a pragma's
 * line takes the text in its place, and other insertions go back to line and column of the user's
 * file with `#line` and blanks. */
#include "emit/emit.h"
#include "emit/emit_parts.h"
#include "emit/order.h"
#include "merge.h"
#include <clang/Tooling/Core/Replacement.h>
#include <map>

namespace xmpi
{

namespace
{

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
        for (const auto &[offset, text] : exchanged)
            if (!add(replacements, {"", offset, 1, text}, error))
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
    std::map<unsigned, std::string> exchanged; /* single characters */

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
        for (const Declarators &declarators : program.divisible)
            divide(declarators);
    }

    /* Where text has come between the names of a declaration, each has one of its own. */
    void divide(const Declarators &declarators)
    {
        auto inside = insertions.upper_bound(declarators.statement.begin);
        if (inside == insertions.end() || inside->first >= declarators.statement.end)
            return;
        std::string type = typeBefore(source, programs, declarators);
        for (const Declarators::Part &part : declarators.parts) {
            exchanged[part.comma] = ";";
            insert(part.begin, Divide, type);
        }
    }

    void around(const Call &call)
    {
        std::string depth = std::to_string(call.depth);
        insert(call.statement.begin, OpenInner, "xmpi_gen_call(" + depth + ");");
        insert(call.statement.end, Return,
               join({"xmpi_gen_return(" + depth + ");", elsewhere(call.loop, call.elsewhere)}));
    }

    /* -- initial and setup */

    void guard(const Guarded &guarded)
    {
        if (guarded.everywhere && guarded.enters.empty())
            return insert(guarded.statement.end, Arrive, calls(guarded.after));
        std::string open = guardHead(guarded) + " {";
        if (guarded.split.needed)
            openSplit(guarded.split, open);
        else if (guarded.inferred)
            insert(guarded.statement.begin, Open, open);
        else
            atPragma[guarded.pragma.begin].push_back(open);
        std::string skipped = xmpi::skipped(guarded, guarded.cleared);
        insert(guarded.statement.end, CloseGuard,
               skipped.empty() ? "}" : "} else { " + skipped + " }");
        insert(guarded.statement.end, Arrive, calls(guarded.after));
    }

    /* The '=' of a declaration becomes that of an assignment. */
    void openSplit(const Split &split, const std::string &open)
    {
        if (!split.length.empty())
            insert(split.bracket, Open, split.length);
        if (split.copied) {
            insert(split.equal, Open, "; " + open + " " + copyHead(split));
            exchanged[split.equal] = " ";
            return insert(split.valueEnd, CloseExit, split.close);
        }
        insert(split.equal, Open, "; " + open + " " + split.name);
        if (!split.literal.empty())
            insert(split.equal + 1, Open, split.literal);
    }

    /* -- the loop */

    void loop(const Program &one)
    {
        const Loop &loop = one.loop;
        std::string end = join({loopEnd(loop), restore(one)});
        atPragma[loop.pragma.begin].push_back(loopHead(one));
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
        insert(loop.end, EndLoop, join({end, comesAgain(loop)}));
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
        const Split &split = guarded.split;
        unsigned begin = split.needed ? split.nameOffset : guarded.statement.begin;
        std::string text = blanks(begin);
        if (split.needed)
            text += assignment(guarded);
        else
            text += source.text(guarded.statement).str();
        std::string quiet = guarded.shadows ? "\n#pragma GCC diagnostic push"
                                              "\n#pragma GCC diagnostic ignored \"-Wshadow\""
                                            : "";
        std::string loud = guarded.shadows ? "\n#pragma GCC diagnostic pop" : "";
        for (const std::string &statement : guarded.again)
            text += "\n" + statement;
        std::string free;
        for (const Released &one : guarded.released)
            free += " " + released(one, true);
        return free + quiet + "\n" + lineDirective(begin) + text + loud;
    }

    /* (The comma behind a name that others follow is none any more.) */
    std::string assignment(const Guarded &guarded) const
    {
        const Split &split = guarded.split;
        unsigned end = guarded.statement.end - 1;
        std::string value =
            source.text({split.equal + 1, split.copied ? split.valueEnd : end}).str();
        if (split.copied)
            return copyHead(split) + value + split.close + ";";
        return split.name + gap(split) + "=" + split.literal + value + ";";
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

    /* The head with our declarations, and at the end the word to the runtime that there is a loop.
     */
    std::string finish(llvm::StringRef name, llvm::StringRef body) const
    {
        body.consume_front("\xEF\xBB\xBF");
        std::string head = program.pragmas.empty() ? "" : "#include <xmpi_gen.h>\n";
        head += ownDeclarations(programs);
        std::string text = head + "#line 1 " + quoted(name) + "\n" + body.str();
        if (!program.hasLoop)
            return text;
        if (text.back() != '\n')
            text += '\n';
        for (size_t i = 0; i < programs.size(); i++) {
            const std::string json = structureJson(source, programs[i].loop);
            text += structureText(structureName(i), json, "    " + quoted(json));
        }
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
