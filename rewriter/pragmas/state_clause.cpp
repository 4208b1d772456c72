/* SPDX-License-Identifier: BSD-3-Clause
 * `state(...)`. */
#include "pragmas/state_clause.h"
#include "source/source.h"
#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>
#include <vector>

namespace xmpi
{

namespace tok = clang::tok;

/* How rows lie, and of what an own value is made, the compiler tells by the types: an element is an
 * array, a pointer, or neither. */
const char stateDeclarations[] =
    "extern void xmpi_gen_starts_over(void); extern int xmpi_gen_due(const char *); "
    "extern int xmpi_gen_resized(const char *); extern void xmpi_gen_repeats(int, const char *); "
    "extern void xmpi_gen_bound(long long); extern void xmpi_gen_every(long long); "
    "extern void xmpi_gen_policy(const char *); "
    "extern void xmpi_gen_state_rows(const char *, const void *, int, unsigned long, unsigned "
    "long, "
    "long long, long long, long long, long long, long long, long long, long long); "
    "extern void xmpi_gen_state_room(unsigned long); "
    "extern void xmpi_gen_state_same(const char *, void *, unsigned long); "
    "extern void xmpi_gen_state_root(void); "
    "extern void xmpi_gen_state_form(int, int, unsigned long); "
    "extern void xmpi_gen_state_own(const char *, void *, unsigned long, unsigned long, int, const "
    "char *);\n"
    "#define XMPI_GEN_IS_ARRAY(x) (!__builtin_types_compatible_p(__typeof__(x), "
    "__typeof__(((void)0, (x)))))\n"
    "#define XMPI_GEN_IS_POINTER(x) (!XMPI_GEN_IS_ARRAY(x) && "
    "__builtin_classify_type(((void)0, (x))) == 5)\n"
    "#define XMPI_GEN_ONE(x) (*__builtin_choose_expr(XMPI_GEN_IS_ARRAY(x), (x), &(x)))\n"
    "#define XMPI_GEN_INNER(x) XMPI_GEN_ONE(XMPI_GEN_ONE(XMPI_GEN_ONE(x)))\n"
    "#define XMPI_GEN_FORM(rows, x) xmpi_gen_state_form(rows, __builtin_classify_type(x) == 8 ? "
    "'f' : __builtin_classify_type(x) == 9 ? 'c' : __builtin_classify_type(x) == 12 ? 's' : 'b', "
    "sizeof(x))\n"
    "#define XMPI_GEN_LED_TO(x) (*__builtin_choose_expr(XMPI_GEN_IS_POINTER(x), (x), &(x)))\n"
    "#define XMPI_GEN_ROWS(n, x, r, l, f, c, a, h, b) (xmpi_gen_state_rows(n, (const void *)(x), "
    "XMPI_GEN_IS_ARRAY((x)[0]) ? 1 : XMPI_GEN_IS_POINTER((x)[0]) ? 2 : 0, sizeof((x)[0]), "
    "sizeof(*__builtin_choose_expr(XMPI_GEN_IS_POINTER((x)[0]), (x)[0], (char *)0)), r, l, f, c, "
    "a, "
    "h, b), xmpi_gen_state_room(XMPI_GEN_IS_ARRAY(x) ? sizeof(x) : 0), XMPI_GEN_FORM(1, "
    "XMPI_GEN_INNER(XMPI_GEN_LED_TO((x)[0]))))\n"
    "#define XMPI_GEN_NO_POINTER(x) ((void)sizeof(struct { int "
    "xmpi_a_pointer_means_nothing_in_another_process_say_how_many_elements_it_leads_to : "
    "XMPI_GEN_IS_POINTER(x) ? -1 : 1; }))\n"
    "#define XMPI_GEN_SAME(n, x) (XMPI_GEN_NO_POINTER(x), xmpi_gen_state_same(n, (void *)&(x), "
    "sizeof(x)), XMPI_GEN_FORM(0, XMPI_GEN_INNER(x)))\n"
    "#define XMPI_GEN_SAMES(n, x, k) (xmpi_gen_state_same(n, (void *)(x), (unsigned long)(k) * "
    "sizeof((x)[0])), XMPI_GEN_FORM(0, XMPI_GEN_INNER((x)[0])))\n"
    "#define XMPI_GEN_KIND(e) (__builtin_classify_type(e) == 8 ? 'f' : (__typeof__(e))-1 > "
    "(__typeof__(e))1 ? 'u' : 'i')\n"
    "#define XMPI_GEN_MANY(x) (sizeof(x) / sizeof(XMPI_GEN_INNER(x))), sizeof(XMPI_GEN_INNER(x)), "
    "XMPI_GEN_KIND(XMPI_GEN_INNER(x))\n"
    "#define XMPI_GEN_OWN(n, x, o) (XMPI_GEN_NO_POINTER(x), xmpi_gen_state_own(n, (void *)&(x), "
    "XMPI_GEN_MANY(x), o))\n"
    "#define XMPI_GEN_OWNS(n, x, k, o) xmpi_gen_state_own(n, (void *)(x), (unsigned long)(k) * "
    "XMPI_GEN_MANY((x)[0]), o)\n"
    "__attribute__((constructor)) static void xmpi_gen_has_resizable_loops(void) "
    "{ xmpi_gen_starts_over(); }\n";

const char stateRepeats[] = "xmpi_gen_repeats(2, (const char *)0)"; /* XMPI_GEN_REPEATS */

namespace
{

/* A token of the clause, and where it stands. */
struct Word {
    clang::tok::TokenKind kind;
    std::string text;
    unsigned from, to;
};

std::vector<Word> wordsOf(const std::string &text)
{
    clang::LangOptions options;
    options.LineComment = options.C99 = true;
    clang::Lexer lexer(clang::SourceLocation(), options, text.c_str(), text.c_str(),
                       text.c_str() + text.size());
    std::vector<Word> words;
    for (clang::Token token;;) {
        lexer.LexFromRawLexer(token);
        if (token.is(tok::eof))
            return words;
        unsigned to = static_cast<unsigned>(lexer.getBufferLocation() - text.c_str());
        unsigned from = to - token.getLength();
        words.push_back({token.getKind(), text.substr(from, to - from), from, to});
    }
}

/* A variable with its extents: u[n][m]. */
struct Array {
    std::string name;                 /* as it was written */
    std::string base;                 /* an expression */
    std::vector<std::string> extents; /* the same */
};

class Parser
{
  public:
    explicit Parser(llvm::StringRef clause) : text(clause.str()), words(wordsOf(text))
    {
    }

    StateClause run()
    {
        if (words.empty())
            fail("is empty: name what the loop changes and reads again");
        while (at < words.size() && clause.error.empty()) {
            item();
            if (at < words.size() && !accept(","))
                fail("expected ',' before '" + words[at].text + "'");
        }
        if (clause.calls.empty())
            clause.calls = "0";
        checkOrder();
        return clause;
    }

  private:
    std::string text;
    std::vector<Word> words;
    size_t at = 0;
    StateClause clause;
    std::vector<std::pair<std::string, std::string>>
        follows;                     /* an array of rows, what says where */
    std::vector<std::string> loaded; /* variables in same, own and root */

    /* Rows are found before values are what they were: they cannot follow one. */
    void checkOrder()
    {
        for (const auto &[array, where] : follows) {
            bool member = false;
            for (const Word &word : wordsOf(where)) {
                for (const std::string &value : loaded)
                    if (word.text == value && !member)
                        fail("where the rows of " + array + " are follows '" + value +
                             "', which is of the state itself: name each array that it may be");
                member = word.text == "." || word.text == "->";
            }
        }
    }

    void fail(const std::string &what)
    {
        if (clause.error.empty())
            clause.error = "state(...): " + what;
        at = words.size();
    }

    bool sees(const char *word) const
    {
        return at < words.size() && words[at].text == word;
    }

    bool accept(const char *word)
    {
        bool there = sees(word);
        at += there ? 1 : 0;
        return there;
    }

    void expect(const char *word, const char *behind)
    {
        if (clause.error.empty() && !accept(word))
            fail(std::string("expected '") + word + "' " + behind +
                 (at < words.size() ? ", not '" + words[at].text + "'" : ""));
    }

    void call(const std::string &made)
    {
        clause.calls += (clause.calls.empty() ? "" : ", ") + made;
    }

    void item()
    {
        std::string kind = words[at++].text;
        if (kind != "rows" && kind != "same" && kind != "own" && kind != "root" &&
            kind != "scratch")
            return fail("there is no '" + kind +
                        "': it is rows(...), same(...), own(...), root(...) or "
                        "scratch(...)");
        expect("(", ("behind '" + kind + "'").c_str());
        if (!clause.error.empty())
            return;
        if (kind == "rows")
            rows();
        else
            values(kind);
        expect(")", "at the end of the list");
    }

    /* Up to one of the words that end it, outside of parentheses. */
    std::string expression(const std::vector<std::string> &ends)
    {
        int depth = 0;
        size_t first = at;
        for (; at < words.size(); at++) {
            const std::string &word = words[at].text;
            bool is_end = false;
            for (const std::string &end : ends)
                is_end = is_end || word == end;
            if (depth == 0 && is_end)
                break;
            depth += word == "(" || word == "[" ? 1 : word == ")" || word == "]" ? -1 : 0;
        }
        if (at == first) {
            fail("an expression is missing" +
                 (first > 0 ? " behind '" + words[first - 1].text + "'" : std::string()));
            return "0";
        }
        std::string found = text.substr(words[first].from, words[at - 1].to - words[first].from);
        for (size_t i; (i = found.find("\\\n")) != std::string::npos;)
            found.replace(i, 2, " ");
        return found;
    }

    /* A name, name.member, name->member, or an expression in parentheses. */
    std::string base()
    {
        if (sees("(")) {
            at++;
            std::string inner = expression({")"});
            expect(")", "behind an expression");
            return "(" + inner + ")";
        }
        std::string path;
        for (bool more = true; more && clause.error.empty();) {
            if (at >= words.size() || words[at].kind != tok::raw_identifier) {
                fail("expected the name of a variable" +
                     (at < words.size() ? ", not '" + words[at].text +
                                              "' (put another expression into parentheses)"
                                        : std::string()));
                break;
            }
            path += words[at++].text;
            more = sees(".") || sees("->");
            if (more)
                path += words[at++].text;
        }
        return path;
    }

    Array array()
    {
        Array one;
        size_t first = at;
        one.base = base();
        while (clause.error.empty() && accept("[")) {
            one.extents.push_back(expression({"]"}));
            expect("]", "behind an extent");
        }
        if (clause.error.empty())
            one.name = text.substr(words[first].from, words[at - 1].to - words[first].from);
        return one;
    }

    std::vector<Array> arrays()
    {
        std::vector<Array> all;
        do
            all.push_back(array());
        while (clause.error.empty() && accept(","));
        return all;
    }

    static std::string product(const std::vector<std::string> &extents, size_t first)
    {
        std::string result;
        for (size_t i = first; i < extents.size(); i++)
            result += (i > first ? " * " : "") + ("(long long)(" + extents[i] + ")");
        return result.empty() ? "1" : result;
    }

    /* That of an array in a table of them. */
    static bool isNumber(const std::string &extent)
    {
        return extent == "0" || extent == "1";
    }

    void rows()
    {
        std::vector<Array> all = arrays();
        expect("from", "behind the arrays of rows(...): rows(u[n][m] from first, count)");
        if (!clause.error.empty())
            return;
        std::string first = expression({",", ")"});
        expect(",", "between the first own row and their number");
        if (!clause.error.empty())
            return;
        const std::vector<std::string> ends = {"at", "halo", ")"};
        std::string count = expression(ends), index = "0", halo = "0", behind = "-1";
        if (clause.error.empty() && accept("at"))
            index = expression(ends);
        if (clause.error.empty() && accept("halo")) {
            halo = expression({"at", "halo", ":", ")"});
            if (accept(":"))
                behind = expression(ends);
        }
        for (const Array &one : all) {
            if (one.extents.size() > 1 && isNumber(one.extents[0]))
                return fail("rows(" + one.name + "): the first number is that of all rows; one " +
                            "of several arrays stands in parentheses: (" + one.base + "[" +
                            one.extents[0] + "])" +
                            one.name.substr(one.name.find(']', one.base.size()) + 1));
            if (clause.error.empty() && one.extents.empty())
                return fail("rows(" + one.name + "): say how many rows it has in all: " + one.name +
                            "[n]");
            const std::string plain = wordsOf(one.base).size() == 1 ? "" : one.base;
            follows.emplace_back(one.name, plain + " " + first + " " + count + " " + index);
            call("XMPI_GEN_ROWS(" + quoted(one.name) + ", " + one.base + ", " + one.extents[0] +
                 ", " + product(one.extents, 1) + ", " + first + ", " + count + ", " + index +
                 ", " + halo + ", " + behind + ")");
        }
    }

    void values(const std::string &kind)
    {
        std::vector<Array> all = arrays();
        std::string operation;
        if (clause.error.empty() && kind == "own")
            operation = own();
        for (const Array &one : all) {
            if (!clause.error.empty())
                return;
            bool extended = !one.extents.empty();
            if (kind != "scratch" && !extended)
                loaded.push_back(one.base);
            std::string name = quoted(one.base), n = product(one.extents, 0);
            if (kind == "root")
                call("xmpi_gen_state_root()");
            if (kind == "same" || kind == "root")
                call(extended ? "XMPI_GEN_SAMES(" + name + ", " + one.base + ", " + n + ")"
                              : "XMPI_GEN_SAME(" + name + ", " + one.base + ")");
            if (kind == "own")
                call(extended ? "XMPI_GEN_OWNS(" + name + ", " + one.base + ", " + n + ", " +
                                    operation + ")"
                              : "XMPI_GEN_OWN(" + name + ", " + one.base + ", " + operation + ")");
            if (kind == "scratch")
                call("(void)sizeof(" + one.base + ")");
        }
    }

    std::string own()
    {
        static const char *const operations[] = {"+", "*", "min", "max", "&", "|", "^", "&&", "||"};
        expect(":", "and the operation behind own(name");
        for (const char *operation : operations)
            if (clause.error.empty() && accept(operation))
                return quoted(operation);
        fail("own(...): what leavers have goes to others by + * min max & | ^ && or ||" +
             (at < words.size() ? ", not by '" + words[at].text + "'" : std::string()));
        return "";
    }
};

} // namespace

StateClause parseState(llvm::StringRef clause)
{
    return Parser(clause).run();
}

} // namespace xmpi
