/* SPDX-License-Identifier: BSD-3-Clause
 * As a careful person would write it: what is guarded in the same way stands in one block, and
 * declarations come before it. */
#include "emit/readable.h"
#include "compat.h"
#include "emit/around.h"
#include "emit/emit_parts.h"
#include "emit/indentation.h"
#include "emit/order.h"
#include "merge.h"
#include "emit/printer.h"
#include <algorithm>
#include <functional>
#include <map>

namespace xmpi
{
namespace
{

/* Guarded statements that follow one another and are guarded in the same way. */
using Run = std::vector<const Guarded *>;

class ReadableEmitter
{
  public:
    ReadableEmitter(const Source &source, const clang::LangOptions &language,
                    const std::vector<Program> &programs)
        : source(source), programs(programs), indentation(source, language),
          printer(source.text(), indentation.unit()), unit(indentation.unit())
    {
    }

    std::string emit(llvm::StringRef name)
    {
        gather();
        if (startsWith(source.text(), "\xEF\xBB\xBF"))
            printer.skipTo(3);
        for (const auto &[place, change] : changes) {
            printer.copyTo(place.first);
            change();
        }
        std::string body = printer.take();
        if (!body.empty() && body.back() != '\n')
            body += '\n';
        return headOf(programs, name) + body + tailOf(source, programs, unit);
    }

  private:
    using Lines = std::vector<std::string>;

    const Source &source;
    const std::vector<Program> &programs;
    const Indentation indentation;
    Printer printer;
    const std::string unit;
    std::vector<Guarded> guards;
    std::multimap<std::pair<unsigned, Order>, std::function<void()>> changes;
    std::map<unsigned, Lines> atPragma;

    void at(unsigned offset, Order order, std::function<void()> change)
    {
        changes.emplace(std::make_pair(offset, order), std::move(change));
    }

    /* LINES after the statement that ends at OFFSET, and before the one that begins there. */
    void after(unsigned offset, Order order, const Lines &lines)
    {
        std::string indent = indentation.ofStatementBefore(offset);
        if (indentation.tokenBefore(offset) == "{")
            indent += unit;
        at(offset, order, [=] { printer.addLines(lines, indent); });
    }

    void before(unsigned offset, Order order, const Lines &lines)
    {
        at(offset, order, [=] { printer.addLines(lines, indentation.ofStatementFrom(offset)); });
    }

    void insert(unsigned offset, Order order, const std::string &text)
    {
        at(offset, order, [=] { printer.insert(text); });
    }

    Lines lines(llvm::StringRef statements) const
    {
        return inLines(statements, unit);
    }

    Lines indented(const Lines &inner) const
    {
        Lines result;
        for (const std::string &line : inner) {
            std::string moved;
            for (char c : line)
                moved += c == '\n' ? "\n" + unit : std::string(1, c);
            result.push_back(line[0] == '#' ? line : unit + moved);
        }
        return result;
    }

    static void add(Lines &all, const Lines &more)
    {
        all.insert(all.end(), more.begin(), more.end());
    }

    void gather()
    {
        guards = mergedGuards(programs);
        for (const Site &site : mergedSites(programs)) {
            Lines text = lines(calls(site.what));
            if (site.kind == Site::Kind::AtPragma)
                add(atPragma[site.offset], text);
            else if (site.kind == Site::Kind::Before)
                before(site.offset, Register, text);
            else
                after(site.offset, Register, text);
        }
        for (const Run &run : runs())
            guard(run);
        for (const Wrap &wrap : mergedWraps(programs))
            wrapIn(wrap.condition,
                   wrap.otherwise ? "!xmpi_gen_joining() && (" : "xmpi_gen_joining() || (");
        for (const Call &call : mergedCalls(programs))
            around(call);
        for (const Program &one : programs) {
            for (unsigned word : one.writable)
                withoutConst(word);
            if (one.hasLoop)
                loop(one);
        }
        for (const Declarators &declarators : programs.front().divisible)
            divide(declarators);
        for (const Span &pragma : programs.front().pragmas)
            replacePragma(pragma);
    }

    /* Where something comes between the names of a declaration, each has one of its own. */
    void divide(const Declarators &declarators)
    {
        auto inside = changes.lower_bound({declarators.statement.begin + 1, CloseExit});
        if (inside == changes.end() || inside->first.first >= declarators.statement.end)
            return;
        std::string type = typeBefore(source, programs, declarators) + " ";
        std::string indent = indentation.ofStatementFrom(declarators.statement.begin);
        for (size_t i = 0; i <= declarators.parts.size(); i++) {
            bool last = i == declarators.parts.size();
            unsigned begin = i == 0 ? declarators.statement.begin : declarators.parts[i - 1].begin;
            unsigned end = last ? declarators.statement.end - 1 : declarators.parts[i].comma;
            if (isAssigned(begin))
                continue;
            std::string text = type + source.text({begin, end}).rtrim().str() + ";";
            at(i == 0 ? end : begin, Replace, [=] {
                if (i == 0)
                    printer.insert(";");
                else
                    printer.addLines({text}, indent);
                printer.skipTo(end + 1);
            });
        }
    }

    /* The declaration at BEGIN gives way to an assignment. */
    bool isAssigned(unsigned begin) const
    {
        return llvm::any_of(guards, [&](const Guarded &guarded) {
            return guarded.statement.begin == begin && guarded.split.needed &&
                   (!guarded.everywhere || !guarded.enters.empty());
        });
    }

    void wrapIn(Span condition, const std::string &open)
    {
        insert(condition.begin, Open, open);
        insert(condition.end, CloseCondition, ")");
    }

    void around(const Call &call)
    {
        std::string depth = std::to_string(call.depth);
        before(call.statement.begin, OpenInner, {"xmpi_gen_call(" + depth + ");"});
        after(
            call.statement.end, Return,
            lines(join({"xmpi_gen_return(" + depth + ");", elsewhere(call.loop, call.elsewhere)})));
    }

    void withoutConst(unsigned word)
    {
        unsigned end = word + 5;
        while (end < source.text().size() && source.text()[end] == ' ')
            end++;
        at(word, Replace, [=] { printer.skipTo(end); });
    }

    void replacePragma(const Span &pragma)
    {
        unsigned begin = pragma.begin - source.column(pragma.begin), end = pragma.end;
        llvm::StringRef rest = source.text().substr(end);
        rest = rest.take_front(rest.find('\n'));
        if (rest.trim().empty())
            end += static_cast<unsigned>(rest.size()) + (source.text().size() > end + rest.size());
        Lines text = atPragma[pragma.begin];
        const bool guarded = isGuardedLoop(pragma);
        at(begin, OpenInner, [=] {
            if (text.size() > 1)
                printer.blankLine();
            printer.addLines(text, indentation.ofStatementFrom(end));
            printer.skipTo(end);
            printer.shift(guarded ? 1 : 0);
        });
    }

    /* -- initial and setup */

    bool isBlock(const Guarded &guarded) const
    {
        return source.text()[guarded.statement.begin] == '{';
    }

    /* Between the two there are blanks and comments only (and the pragma of the second). */
    bool follows(const Guarded &first, const Guarded &second) const
    {
        unsigned from = first.statement.end, to = second.statement.begin;
        if (from > to || !onlyRegisters(first, second) || isBlock(first) || isBlock(second))
            return false;
        bool pragma = !second.inferred && second.pragma.begin > from && second.pragma.end < to;
        llvm::StringRef next = indentation.tokenBefore(to);
        if (next.end() > source.text().begin() + from)
            return false;
        for (const Site &site : mergedSites(programs))
            if (site.offset >= from && site.offset <= to)
                return false;
        std::string between = source.text({from, to}).str();
        return llvm::count(between, '#') == (pragma ? 1 : 0);
    }

    /* Neither is more than a guarded statement, and the guard is the same. */
    static bool onlyRegisters(const Guarded &first, const Guarded &second)
    {
        return first.enters == second.enters && !first.everywhere && !second.everywhere;
    }

    /* The declarations of SECOND may come before what FIRST does. */
    bool mayBeHoisted(const Guarded &first, const Guarded &second) const
    {
        if (!second.split.needed)
            return true;
        llvm::StringRef declared = source.text({second.statement.begin, second.split.nameOffset});
        if (declared.find_first_of("[({") != llvm::StringRef::npos)
            return false;
        llvm::StringRef text = source.text(first.statement);
        return !text.contains(second.split.name);
    }

    std::vector<Run> runs() const
    {
        std::vector<const Guarded *> sorted;
        for (const Guarded &guarded : guards)
            sorted.push_back(&guarded);
        std::stable_sort(sorted.begin(), sorted.end(), [](const Guarded *a, const Guarded *b) {
            return a->statement.begin < b->statement.begin;
        });
        std::vector<Run> all;
        for (const Guarded *guarded : sorted) {
            bool joins = !all.empty() && follows(*all.back().back(), *guarded) &&
                         llvm::all_of(all.back(), [&](const Guarded *one) {
                             return mayBeHoisted(*one, *guarded);
                         });
            if (joins)
                all.back().push_back(guarded);
            else
                all.push_back({guarded});
        }
        return all;
    }

    void guard(const Run &run)
    {
        const Guarded &first = *run.front();
        unsigned begin = first.statement.begin, end = run.back()->statement.end;
        if (first.everywhere && first.enters.empty())
            return after(end, Arrive, lines(calls(first.after)));
        Lines declared, otherwise, arriving;
        for (const Guarded *guarded : run) {
            std::vector<std::string> cleared = guarded->cleared;
            add(declared, declarations(*guarded, cleared));
            add(otherwise, lines(skipped(*guarded, cleared)));
            add(arriving, lines(calls(guarded->after)));
        }
        before(begin, Open, declared);
        if (run.size() == 1 && isBlock(first))
            guardBlock(first, otherwise);
        else
            guardStatements(run, otherwise);
        after(end, Arrive, arriving);
    }

    /* It is an adaptive loop, which some skip with all that stands in front of it. */
    static bool isLoop(const Guarded &guarded)
    {
        return !guarded.enters.empty() && !guarded.inferred;
    }

    bool isGuardedLoop(const Span &pragma) const
    {
        return llvm::any_of(guards, [&](const Guarded &guarded) {
            return isLoop(guarded) && guarded.pragma.begin == pragma.begin;
        });
    }

    /* The block of the user's becomes that of the `if`. */
    void guardBlock(const Guarded &guarded, const Lines &otherwise)
    {
        insert(guarded.statement.begin, Open, guardHead(guarded) + " ");
        if (otherwise.empty())
            return;
        insert(guarded.statement.end, CloseGuard, " else {");
        after(guarded.statement.end, CloseGuard, indented(otherwise));
        after(guarded.statement.end, CloseGuard, {"}"});
    }

    void guardStatements(const Run &run, const Lines &otherwise)
    {
        unsigned begin = run.front()->statement.begin, end = run.back()->statement.end;
        const Lines open = {guardHead(*run.front()) + " {"};
        if (isLoop(*run.front())) {
            add(atPragma[run.front()->pragma.begin], open);
        } else {
            before(begin, Open, open);
            at(begin, Open, [=] { printer.shift(1); });
        }
        for (const Guarded *guarded : run)
            if (guarded->split.needed)
                assign(*guarded);
        std::string indent = indentation.ofStatementFrom(begin);
        at(end, CloseGuard, [=] {
            printer.shift(-1);
            if (!otherwise.empty()) {
                printer.addLines({"} else {"}, indent);
                printer.addLines(indented(otherwise), indent);
            }
            printer.addLines({"}"}, indent);
        });
    }

    /* The declaration of a guarded statement, with 0 for what is in CLEARED, which then is not any
     * more. */
    Lines declarations(const Guarded &guarded, std::vector<std::string> &cleared) const
    {
        const Split &split = guarded.split;
        if (!split.needed)
            return {};
        std::string type;
        for (const Declarators &declarators : programs.front().divisible)
            for (const Declarators::Part &part : declarators.parts)
                if (part.begin == guarded.statement.begin)
                    type = typeBefore(source, programs, declarators) + " ";
        std::string text = declarator({guarded.statement.begin, split.equal});
        if (!split.length.empty())
            text.insert(text.find("]"), split.length);
        return {declaration(split.name, type + llvm::StringRef(text).rtrim().str(), cleared)};
    }

    /* The text of a declaration up to its name, without the words `const` that are left out. */
    std::string declarator(Span span) const
    {
        std::string text = source.text(span).str();
        for (const Program &one : programs)
            for (unsigned word : one.writable)
                if (word >= span.begin && word < span.end)
                    text.replace(word - span.begin, 5, 5, ' ');
        std::string plain;
        for (char c : text) {
            char next = isspace(static_cast<unsigned char>(c)) ? ' ' : c;
            if (next != ' ' || (!plain.empty() && plain.back() != ' '))
                plain += next;
        }
        return plain;
    }

    static std::string declaration(const std::string &name, const std::string &text,
                                   std::vector<std::string> &cleared)
    {
        auto found = llvm::find(cleared, name);
        if (found == cleared.end())
            return text + ";";
        cleared.erase(found);
        return text + " = 0;";
    }

    /* The assignment that a declaration becomes. */
    std::string assigned(const Guarded &guarded) const
    {
        const Split &split = guarded.split;
        unsigned end = split.copied ? split.valueEnd : guarded.statement.end - 1;
        llvm::StringRef value = source.text({split.equal + 1, end}).trim();
        if (split.copied)
            return copyHead(split) + value.str() + split.close + ";";
        return split.name + " = " + split.literal + value.str() + ";";
    }

    void assign(const Guarded &guarded)
    {
        unsigned begin = guarded.statement.begin, end = guarded.statement.end;
        std::string text = assigned(guarded), indent = indentation.ofStatementFrom(begin);
        bool further = isFurther(begin);
        at(begin, Replace, [=] {
            if (further)
                printer.addLines({text}, indent);
            else
                printer.insert(indented({text})[0].substr(unit.size()));
            printer.skipTo(end);
        });
    }

    /* A name behind the first in its declaration begins at OFFSET. */
    bool isFurther(unsigned offset) const
    {
        for (const Declarators &declarators : programs.front().divisible)
            for (const Declarators::Part &part : declarators.parts)
                if (part.begin == offset)
                    return true;
        return false;
    }

    /* -- the loop */

    void loop(const Program &one)
    {
        const Loop &loop = one.loop;
        Lines head = lines(loopHead(one));
        if (!loop.before.empty())
            head.insert(head.begin(),
                        "/* What the loop works on, and what a joining process takes over. */");
        add(atPragma[loop.pragma.begin], isGuardedLoop(loop.pragma) ? indented(head) : head);
        if (loop.hasCondition)
            wrapIn(loop.condition, "xmpi_gen_joining() || (");
        body(one);
        Lines end = lines(loopEnd(loop));
        Lines leave = end;
        add(leave, restore(one));
        Lines behind = leave;
        add(behind, lines(comesAgain(loop)));
        after(loop.end, EndLoop, behind);
        for (const Span &exit : loop.exits)
            leaveBy(exit, leave);
    }

    void body(const Program &one)
    {
        const Loop &loop = one.loop;
        Lines first = lines(calls(loop.inside));
        add(first, point(one));
        add(first, lines(elsewhere(loop.name, loop.elsewhere)));
        unsigned begin = loop.body.begin + (loop.braces ? 1 : 0);
        std::string outer = indentation.ofStatementFrom(loop.where);
        if (!loop.braces)
            at(begin, Open, [=] { printer.openBrace(outer, lastTokenEnd(begin)); });
        at(begin, Open, [=] {
            printer.addLines(first, outer + unit);
            printer.blankLine();
        });
        if (!loop.braces)
            after(loop.body.end, CloseBody, {"}"});
    }

    unsigned lastTokenEnd(unsigned offset) const
    {
        return static_cast<unsigned>(indentation.tokenBefore(offset).end() - source.text().begin());
    }

    Lines point(const Program &one) const
    {
        Lines again = copies(one);
        if (again.empty())
            return {"(void)xmpi_gen_point();"};
        Lines result = {"if (xmpi_gen_point()) { /* the rows have been divided anew */"};
        add(result, indented(again));
        result.push_back("}");
        return result;
    }

    Lines restore(const Program &one) const
    {
        if (one.loop.restore.empty())
            return {};
        Lines result = lines(one.loop.restore);
        Lines again = copies(one);
        std::string call = "xmpi_gen_restore(" + quoted(one.loop.name) + ")";
        if (again.empty()) {
            result.push_back("(void)" + call + ";");
            return result;
        }
        result.push_back("if (" + call + ") {");
        add(result, indented(again));
        result.push_back("}");
        return result;
    }

    Lines copies(const Program &one) const
    {
        Lines all;
        for (const std::string &statement : one.loop.again)
            add(all, lines(statement));
        for (const Guarded &guarded : one.guarded)
            if (guarded.setup)
                add(all, copy(guarded));
        return all;
    }

    Lines copy(const Guarded &guarded) const
    {
        Lines all;
        for (const Released &one : guarded.released)
            add(all, lines(released(one, !assignsAtOnce(guarded, one.lvalue))));
        if (guarded.shadows)
            add(all,
                {"#pragma GCC diagnostic push", "#pragma GCC diagnostic ignored \"-Wshadow\""});
        std::string indent = indentation.ofStatementFrom(guarded.statement.begin);
        if (!guarded.split.needed)
            all.push_back(movedLeft(source.text(guarded.statement), indent));
        else
            all.push_back(movedLeft(assigned(guarded), indent));
        if (guarded.shadows)
            all.push_back("#pragma GCC diagnostic pop");
        for (const std::string &statement : guarded.again)
            add(all, lines(statement));
        return all;
    }

    /* It begins with `LVALUE = ...`, and uses its old value nowhere. */
    bool assignsAtOnce(const Guarded &guarded, const std::string &lvalue) const
    {
        std::string text =
            guarded.split.needed ? assigned(guarded) : source.text(guarded.statement).str();
        for (const std::string &size : {"sizeof *" + lvalue, "sizeof(*" + lvalue + ")"})
            if (size_t found = text.find(size); found != std::string::npos)
                text.erase(found, size.size());
        llvm::StringRef rest = text;
        return rest.consume_front(lvalue + " = ") && !rest.contains(lvalue);
    }

    /* TEXT with INDENT less before its lines. */
    static std::string movedLeft(llvm::StringRef text, const std::string &indent)
    {
        std::string result;
        while (true) {
            auto [line, rest] = text.split('\n');
            result += line.rtrim('\r').str();
            if (rest.empty())
                return result;
            result += '\n';
            rest.consume_front(indent);
            text = rest;
        }
    }

    /* A return or goto that is no statement of a block becomes part of one. */
    void leaveBy(const Span &exit, const Lines &leave)
    {
        llvm::StringRef token = indentation.tokenBefore(exit.begin);
        if (token == ";" || token == "{" || token == "}")
            return before(exit.begin, OpenInner, leave);
        std::string outer = indentation.ofLineBefore(exit.begin);
        unsigned begin = exit.begin;
        at(begin, OpenInner, [=] {
            printer.openBrace(outer, lastTokenEnd(begin));
            printer.addLines(leave, outer + unit);
        });
        at(exit.end, CloseExit, [=] { printer.addLines({"}"}, outer); });
    }
};

} // namespace

std::string readableProgram(const Source &source, const clang::LangOptions &language,
                            const std::vector<Program> &programs, llvm::StringRef name)
{
    return ReadableEmitter(source, language, programs).emit(name);
}

} // namespace xmpi
