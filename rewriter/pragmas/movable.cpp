/* SPDX-License-Identifier: BSD-3-Clause
 * `#pragma xmpi loop movable`, and `loop state(...)`. */
#include "pragmas/movable.h"
#include "compat.h"
#include "pragmas/pragma.h"
#include "pragmas/policy_clause.h"
#include "emit/record.h"
#include "library/numbers.h"
#include "source/source.h"
#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include "pragmas/state_clause.h"

namespace xmpi
{

using clang::Token;
namespace tok = clang::tok;

namespace
{

/* What every file with a movable loop begins with; the second in C++. */
const char head[] =
    "extern void xmpi_gen_program(int); extern void xmpi_gen_movable(const char *); "
    "extern void xmpi_gen_link_this_with_xmpicc(void); "
    "__attribute__((used)) static void (*const xmpi_gen_hint)(void) = "
    "xmpi_gen_link_this_with_xmpicc; "
    "__attribute__((constructor)) static void xmpi_gen_has_movable_loops(void) "
    "{ xmpi_gen_program(1); }\n";

const char headOfCxx[] =
    "extern \"C\" { void xmpi_gen_program(int); void xmpi_gen_movable(const char *); "
    "void xmpi_gen_link_this_with_xmpicc(void); } "
    "__attribute__((used)) static void (*const xmpi_gen_hint)(void) = "
    "xmpi_gen_link_this_with_xmpicc; "
    "__attribute__((constructor)) static void xmpi_gen_has_movable_loops(void) "
    "{ xmpi_gen_program(1); }\n";

/* Goes through the tokens of the file as they stand there. */
class Inserter
{
  public:
    Inserter(llvm::StringRef text, llvm::StringRef name, const Pointing &as)
        : text(text), name(name), as(as), cxx(as.cxx), known(as.known.has_value()),
          language(languageOptions(cxx)),
          lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end())
    {
        movable = known && !as.known->empty();
    }

    MovableFile run()
    {
        if (text.take_front(3) == "\xEF\xBB\xBF") /* a byte order mark is for the begin of a file */
            copied = 3;
        for (next(); token.isNot(tok::eof) && file.error.empty();)
            if (token.is(tok::hash) && token.isAtStartOfLine())
                directive();
            else if (token.is(tok::raw_identifier) && as.entries.calls.count(begin) != 0)
                leaveMark();
            else if (cxx && isWord("_Pragma"))
                operatorOfCxx();
            else
                next();
        if (!movable && (!cxx || file.error.empty())) /* of C, the parser says what is wrong */
            return {{}, {}, false, cxx ? text.str() : "", ""};
        if (others != 0 && !known && file.error.empty())
            fail(others, "beside a movable loop a file has no pragmas but those of further loops: "
                         "nothing else is needed, or can be used");
        file.text += text.substr(copied);
        file.text = (cxx ? headOfCxx : head) +
                    std::string(file.resizable ? stateDeclarations : "") + declareMarks() +
                    records + std::string(as.readable ? "" : "#line 1 " + quoted(name) + "\n") +
                    file.text;
        return file;
    }

  private:
    llvm::StringRef text, name;
    const Pointing &as;
    const bool cxx, known; /* which pragmas there are is known */
    clang::LangOptions language;
    clang::Lexer lexer;
    Token token;
    unsigned begin = 0; /* of the token */
    unsigned copied = 0;
    int ahead = 0; /* by how much the numbers of lines are greater than they are */
    std::string presumed = quoted(name); /* what the file is called there */
    unsigned last = 0;                   /* the end of the directive so far */
    bool says = false;                   /* the directive at hand says that its loop is movable */
    bool movable = false;                /* there is such a loop */
    std::string between;                 /* the last directive between a pragma and its loop */
    unsigned others = 0;                 /* the line of another pragma */
    std::string state;                   /* what this loop's state(...) tells; empty: it has none */
    size_t told = 0; /* how many of those that rely on something have been met */
    unsigned recorded = 0;
    std::set<std::string> wrapped; /* functions of libraries that have been declared so */
    std::string records;           /* declared in front */
    MovableFile file;

    static clang::LangOptions languageOptions(bool cxx)
    {
        clang::LangOptions options;
        options.LineComment = options.C99 = options.Digraphs = options.C23 = true;
        if (cxx)
            options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 =
                options.RawStringLiterals = true;
        return options;
    }

    void next()
    {
        lexer.LexFromRawLexer(token);
        begin = end() - token.getLength();
    }

    unsigned end() const
    {
        return static_cast<unsigned>(lexer.getBufferLocation() - text.begin());
    }

    unsigned lineOf(unsigned offset) const
    {
        return 1 + static_cast<unsigned>(text.take_front(offset).count('\n'));
    }

    /* The number that LINE has for compilers. */
    std::string called(unsigned line) const
    {
        return std::to_string(static_cast<int>(line) + ahead);
    }

    void fail(unsigned line, const std::string &what)
    {
        file.error = std::to_string(line) + ": error: " + what +
                     (file.resizable ? " [xmpi-state]" : " [xmpi-movable]");
    }

    bool isWord(llvm::StringRef word) const
    {
        return token.is(tok::raw_identifier) && token.getRawIdentifier() == word;
    }

    /* The next token of this line is WORD; there is one. */
    bool follows(llvm::StringRef word)
    {
        return follows() && isWord(word);
    }

    bool follows()
    {
        next();
        if (token.isAtStartOfLine() || token.is(tok::eof))
            return false;
        last = end();
        return true;
    }

    void directive()
    {
        unsigned hash = begin, line = lineOf(begin);
        if (!follows())
            return;
        if (isWord("line") || token.is(tok::numeric_constant))
            return renumber(line);
        if (!isWord("pragma") || !follows())
            return;
        if (cxx && token.is(tok::raw_identifier) && resemblesXmpi(token.getRawIdentifier()))
            return fail(line, "unknown pragma: write 'xmpi'");
        if (!isWord("xmpi") || (as.active && as.active->count(hash) == 0))
            return;
        bool loop = known ? isKnown(hash) : isLoop(line);
        while (!token.isAtStartOfLine() && token.isNot(tok::eof))
            follows();
        if (!loop && cxx)
            return fail(line, "in C++ a loop is movable: '#pragma xmpi loop' takes no clauses, and "
                              "there are no other pragmas");
        if (loop && as.divisible && !says)
            return fail(line, "a loop in C++ is not divisible: write '#pragma xmpi loop movable'");
        movable = movable || cxx;
        if (!loop)
            others = line;
        if (loop || as.others.count(hash))
            leaveOut(hash);
        if (loop && file.error.empty())
            point(line);
    }

    static std::string tellBound(llvm::StringRef bound)
    {
        return bound.empty() ? "" : ", xmpi_gen_bound((long long)(" + bound.str() + "))";
    }

    static std::string tellInterval(llvm::StringRef interval)
    {
        return interval.empty() ? "" : ", xmpi_gen_every((long long)(" + interval.str() + "))";
    }

    static std::string tellPolicy(const std::string &policy)
    {
        return policy.empty() ? "" : ", xmpi_gen_policy(" + quoted(policy) + ")";
    }

    /* The directive at HASH is of a loop, with the state that was found. */
    bool isKnown(unsigned hash)
    {
        const auto found = as.known->find(hash);
        if (found == as.known->end())
            return false;
        state.clear();
        if (!found->second.state.empty()) {
            const StateClause clause = parseState(found->second.state);
            file.resizable = true;
            file.error = clause.error;
            state = clause.calls + ", " + stateRepeats + tellBound(found->second.bound) +
                    tellInterval(found->second.interval) + tellPolicy(found->second.policy);
        }
        return true;
    }

    /* `#line 100 "model.y"`, or `# 100 "model.y"`: what the next line is called. */
    void renumber(unsigned line)
    {
        if (token.is(tok::raw_identifier) && !follows())
            return;
        unsigned number;
        if (token.isNot(tok::numeric_constant) || spelling().getAsInteger(10, number))
            return;
        ahead = static_cast<int>(number) - static_cast<int>(line) - 1;
        if (follows() && token.is(tok::string_literal))
            presumed = spelling().str();
    }

    llvm::StringRef spelling() const
    {
        return text.slice(begin, end());
    }

    /* The rest of the directive is `loop`, `loop movable` or `loop state(...)`, and no more. */
    bool isLoop(unsigned line)
    {
        unsigned words = 0;
        bool loop = follows("loop");
        says = false;
        state.clear();
        for (; loop && follows(); words++) {
            if (words == 0 && isWord("state"))
                return readState(line);
            says = says || isWord("movable");
        }
        if (says && words > 1)
            fail(line, "'movable' stands alone: the loop needs no other clauses");
        movable = movable || says || (as.all && loop);
        return loop && words == says;
    }

    /* _Pragma("xmpi ...") */
    void operatorOfCxx()
    {
        unsigned line = lineOf(begin);
        next();
        if (token.is(tok::l_paren))
            next();
        if (token.is(tok::string_literal) &&
            spelling().drop_front().ltrim().take_front(5) == "xmpi ")
            fail(line,
                 "an xmpi pragma cannot be written with _Pragma: write '#pragma xmpi loop' on a "
                 "line of its own");
    }

    /* Up to the ')' of state(...). */
    bool readState(unsigned line)
    {
        movable = file.resizable = says = true;
        if (cxx) {
            fail(line, "state(...) is for C: what is a row is told by the types of C");
            return true;
        }
        bool there = follows() && token.is(tok::l_paren);
        const unsigned from = end();
        if (!there || closeParenthesis() > 0) {
            fail(line, "state(...) has no end in its line");
            return true;
        }
        StateClause clause = parseState(text.slice(from, begin));
        state = clause.calls + (as.repeats ? std::string(", ") + stateRepeats : "");
        if (!clause.error.empty())
            fail(line, clause.error);
        else if (follows())
            readClauses(line);
        if (as.bare) {
            file.resizable = false;
            state.clear();
        }
        return true;
    }

    /* Behind state(...): what else the runtime is told of the loop. */
    void readClauses(unsigned line)
    {
        std::set<std::string> there;
        do {
            const std::string clause = spelling().str();
            const bool open = isOneOf({"interval", "iterations", "policy"}, clause) && follows() &&
                              token.is(tok::l_paren);
            const unsigned from = end(), depth = open ? closeParenthesis() : 1;
            llvm::StringRef inner = text.slice(from, begin).trim();
            if (depth > 0 || inner.empty())
                return fail(line,
                            "behind 'state(...)' stands nothing, or 'interval(k)', 'iterations(n)' "
                            "and 'policy(name, ...)': what is resizable by starting over needs no "
                            "other clauses");
            if (!there.insert(clause).second)
                return fail(line, "'" + clause + "' stands here twice");
            if (!readClause(line, clause, inner))
                return;
        } while (follows());
    }

    bool readClause(unsigned line, const std::string &clause, llvm::StringRef inner)
    {
        const PolicyClause policy = clause == "policy" ? parsePolicy(inner) : PolicyClause();
        if (!policy.error.empty()) {
            fail(line, "'policy(" + inner.str() + ")': expected " + policy.error);
            return false;
        }
        state += clause == "policy"     ? tellPolicy(policy.text)
                 : clause == "interval" ? tellInterval(inner)
                                        : tellBound(inner);
        return true;
    }

    /* Behind a '(': up to its ')'. How many are open still. */
    unsigned closeParenthesis()
    {
        unsigned depth = 1;
        while (depth > 0 && follows())
            depth += token.is(tok::l_paren) ? 1 : token.is(tok::r_paren) ? -1 : 0;
        return depth;
    }

    /* (A mark is one of the line: what it does to the columns behind it cannot be helped, as a call
     * may stand where no directive can.) */
    void leaveMark()
    {
        const Entries::Call &call = as.entries.calls.at(begin);
        file.text += text.slice(copied, begin).str() + "(" + call.mark + " = " +
                     std::to_string(call.number) + ", " + spelling().str() + ")";
        copied = end();
        next();
    }

    std::string declareMarks() const
    {
        std::set<std::string> marks;
        for (const auto &[offset, call] : as.entries.calls)
            marks.insert(call.mark);
        std::string declared;
        for (const std::string &mark : marks)
            declared += "static int " + mark + ";\n";
        return declared;
    }

    /* What the loop at OFFSET is called: NAME, where there is but one way to it. */
    std::string placeOf(unsigned offset, const std::string &name) const
    {
        for (const Entries::Place &place : as.entries.places)
            if (offset > place.begin && offset < place.end) {
                std::string names;
                for (const std::string &way : place.names)
                    names += (names.empty() ? "\"" : ", \"") + name + way + "\"";
                return "(((const char *const[]){" + names + "})[" + place.index + "])";
            }
        return "(\"" + name + "\")";
    }

    /* Calls that tell the runtime of what the next loop relies on (xmpi_gen_relies), a comma behind
     * each. */
    std::string tellReliance()
    {
        std::string calls;
        if (told >= as.reliance.size())
            return calls;
        for (const Reliance &one : as.reliance[told++]) {
            if (one.marked == libraryMark) {
                if (wrapped.insert(one.name).second)
                    records += (wrapped.size() > 1 ? "" : libraryDeclared) +
                               librarySymbols(one.name) + "\n";
                calls += libraryCall(one.where, one.name) + ", ";
                continue;
            }
            if (recorded == 0)
                records += "extern void xmpi_gen_relies(const char *);\n";
            const std::string record = "xmpi_relies_" + std::to_string(recorded++);
            records += "static char " + record + recordOf(one) + ";\n";
            calls += "xmpi_gen_relies(" + record + "), ";
        }
        return calls;
    }

    void leaveOut(unsigned hash)
    {
        file.text += text.slice(copied, hash);
        for (char c : text.slice(hash, last))
            file.text += c == '\n' || c == '\r' ? c : ' ';
        copied = last;
    }

    /* Between the pragma, which counts, and its loop: to the end of the branch that the pragma is
     * in, past the other ones, and lines that leave no statement. False: past BETWEEN may be
     * another loop, or none. */
    bool skipDirectives()
    {
        while (token.is(tok::hash) && token.isAtStartOfLine()) {
            between = directiveAt();
            const bool decided = as.active || known, branch = startsWith(between, "el");
            if (branch && decided)
                skipToEnd();
            else if (!(decided && between == "endif") && between != "define" &&
                     between != "undef" && !between.empty())
                return false;
            skipLine();
        }
        return true;
    }

    /* From the '#' to the word behind it; empty: there is none. */
    std::string directiveAt()
    {
        next();
        const bool word = !token.isAtStartOfLine() && token.is(tok::raw_identifier);
        return word ? token.getRawIdentifier().str() : "";
    }

    void skipLine()
    {
        while (!token.isAtStartOfLine() && token.isNot(tok::eof))
            next();
    }

    /* From one branch to the word behind which all of them end. */
    void skipToEnd()
    {
        for (int open = 1; open > 0 && token.isNot(tok::eof);)
            if (token.is(tok::hash) && token.isAtStartOfLine()) {
                const std::string word = directiveAt();
                open += startsWith(word, "if") ? 1 : word == "endif" ? -1 : 0;
            } else {
                next();
            }
    }

    /* Behind the head of the loop: what its body is, is not looked at. */
    void point(unsigned line)
    {
        const bool reached = skipDirectives();
        if (!reached || (!isWord("for") && !isWord("while") && !isWord("do")))
            return fail(line, std::string(state.empty() ? "a movable" : "a resizable") +
                                  " loop, 'for', 'while' or 'do', stands right behind the pragma" +
                                  (reached ? "" : ", and no '#" + between + "' between them"));
        const unsigned lineOfLoop = lineOf(begin);
        file.lines.push_back(static_cast<unsigned>(static_cast<int>(lineOfLoop) + ahead));
        file.loops.push_back(begin);
        bool headed = !isWord("do");
        int depth = 0;
        unsigned at = end();
        if (headed)
            do {
                next();
                depth += token.is(tok::l_paren) ? 1 : token.is(tok::r_paren) ? -1 : 0;
                at = end();
            } while (depth > 0 && token.isNot(tok::eof));
        if (token.is(tok::eof))
            return fail(line, "the movable loop has no end");
        insert(at, lineOfLoop);
    }

    void insert(unsigned at, unsigned line)
    {
        llvm::StringRef where = llvm::StringRef(presumed).drop_front().drop_back();
        if (where.contains('/'))
            where = where.rsplit('/').second;
        file.text += text.slice(copied, at);
        const std::string name = where.str() + ":" + called(line);
        const std::string place =
            state.empty() ? "(\"" + name + "\")" : placeOf(file.loops.back(), name);
        const std::string call = (cxx ? "::" : "") + std::string("xmpi_gen_movable") + place;
        next();
        /* (An empty body would be one of an else, which compilers warn of.) */
        if (!state.empty())
            file.text += " if (xmpi_gen_due" + place + " && (" + tellReliance() + state +
                         ", xmpi_gen_resized" + place + ")) break;" +
                         (token.is(tok::semi) ? "" : " else");
        else
            file.text += token.is(tok::semi) ? " " + call : " if (" + call + ", 0) {} else";
        if (!as.readable)
            file.text += "\n#line " + called(lineOf(at)) + " " + presumed + "\n" +
                         std::string(at - text.take_front(at).rfind('\n') - 1, ' ');
        copied = at;
    }
};

} // namespace

MovableFile insertPoints(llvm::StringRef text, llvm::StringRef name, const Pointing &as)
{
    return Inserter(text, name, as).run();
}

} // namespace xmpi
