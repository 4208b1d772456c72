/* SPDX-License-Identifier: BSD-3-Clause
 * The commands for mpicc, made from the user's. */
#define _GNU_SOURCE
#include <string.h>

#include "driver/rewriting/assemble.h"
#include "driver/base/file.h"
#include "driver/rewriting/language.h"
#include "driver/rewriting/rewrite_command.h"

/* How the user's words become a command. */
typedef struct {
    const char **inputs; /* what stands for each input; NULL: left out */
    unsigned properties; /* options with one of these properties are left out */
    option_role_t role;  /* and those with this role */
    words_t front;       /* options before all others */
    words_t back;        /* options after all others */
    words_t libraries;   /* after the user's objects and before an MPI library */
} recipe_t;

bool assemble_links_runtime(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    return parse_links(invocation) && (!invocation->no_program || driver->settings.link_shared);
}

/* The user's own -lmpi or …/libmpi.so: the runtime has to come before it. */
static bool is_mpi_library(const char *word)
{
    const char *base = path_base(word);
    const char *name = strncmp(word, "-l", 2) == 0    ? word + 2
                       : strncmp(base, "lib", 3) == 0 ? base + 3
                                                      : NULL;
    if (name == NULL)
        return false;
    size_t length = strcspn(name, ".");
    static const char *const names[] = {"mpi", "mpich", "pmpi", "pmpich"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return true;
    return false;
}

/* Whether NAME, between commas, is one of the linker's options in WORD: "-Wl,-Bstatic,-z,now". */
static bool tells_linker(const char *word, const char *name)
{
    size_t length = strlen(name);
    const char *at = strncmp(word, "-Wl,", 4) == 0 ? strstr(word, name) : NULL;
    return at != NULL && at[-1] == ',' && (at[length] == ',' || at[length] == '\0');
}

static bool tells_any(const char *word, const char *const *names)
{
    for (; *names != NULL; names++)
        if (tells_linker(word, *names))
            return true;
    return false;
}

/* The user's own MPI library is an archive: -Wl,-Bstatic -lmpi, or …/libmpi.a. With the shared
 * runtime, which needs the shared library, there would be two. */
static bool names_static_mpi(const invocation_t *invocation)
{
    static const char *const archives[] = {"-Bstatic", "-dn", "-non_shared", "-static", NULL};
    static const char *const shared[] = {"-Bdynamic", "-dy", "-call_shared", NULL};
    bool prefers_archives = false;
    for (size_t i = 0; i < invocation->word_count; i++) {
        const char *word = invocation->words[i].text;
        size_t length = strlen(word);
        prefers_archives =
            (prefers_archives || tells_any(word, archives)) && !tells_any(word, shared);
        bool archive = length > 2 && strcmp(word + length - 2, ".a") == 0;
        if (is_mpi_library(word) && (prefers_archives || archive))
            return true;
    }
    return false;
}

bool assemble_links_reliance(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    bool relies = invocation->library_relies;
    for (size_t i = 0; i < invocation->input_count; i++)
        relies = relies || invocation->inputs[i].relies;
    return relies && invocation->goal == GOAL_LINK && !invocation->no_program;
}

/* The program is to be without symbols: linkers then refuse to keep relocations. */
static bool strips(const invocation_t *invocation)
{
    static const char *const names[] = {"-s", "--strip-all", "-strip-all", NULL};
    for (size_t i = 0; i < invocation->word_count; i++) {
        const char *word = invocation->words[i].text;
        bool handed = i > 0 && strcmp(invocation->words[i - 1].text, "-Xlinker") == 0;
        if (strcmp(word, "-s") == 0 || tells_any(word, names))
            return true;
        for (const char *const *name = names; handed && *name != NULL; name++)
            if (strcmp(word, *name) == 0)
                return true;
    }
    return false;
}

/* What functions of other files refer to is read from the program. Where that cannot be, looking
 * into it says so, and the loop keeps its processes. */
static void add_relocations(const driver_t *driver, words_t *words)
{
    if (assemble_links_reliance(driver) && !strips(&driver->invocation))
        words_add(words, "-Wl,--emit-relocs");
}

/* Rewritten code asks by these names whether the user has said so of a function of a library. */
static void add_replaced(const driver_t *driver, words_t *words)
{
    const char *name = driver->settings.replaced;
    while (name != NULL && driver->invocation.goal == GOAL_LINK && *name != '\0') {
        const int length = (int)strcspn(name, ",");
        if (length > 0)
            words_format(words, "-Wl,--defsym=xmpi_replaced_%.*s=1", length, name);
        name += length + (name[length] == ',');
    }
}

static runtime_kind_t runtime_kind(const driver_t *driver)
{
    if (driver->invocation.static_libraries)
        return RUNTIME_STATIC;
    if (driver->invocation.static_mpi || names_static_mpi(&driver->invocation))
        return RUNTIME_ARCHIVE;
    return driver->settings.link_only || driver->settings.link_shared ? RUNTIME_ALWAYS
                                                                      : RUNTIME_SHARED;
}

static bool mentions_xmpi(const invocation_t *invocation)
{
    for (size_t i = 0; i < invocation->input_count; i++)
        if (invocation->inputs[i].mentions_xmpi)
            return true;
    return false;
}

/* What has to be at the same place in every process cannot be with these. */
static bool stays_put(const invocation_t *invocation)
{
    static const char *const options[] = {"-pie",
                                          "--pie",
                                          "-static-pie",
                                          "-fsanitize=address",
                                          "-fsanitize=thread",
                                          "-fsanitize=memory",
                                          "-fsanitize=leak",
                                          "-fsanitize=hwaddress",
                                          NULL};
    for (size_t i = 0; i < invocation->word_count; i++)
        for (const char *const *option = options; *option != NULL; option++)
            if (strncmp(invocation->words[i].text, *option, strlen(*option)) == 0)
                return true;
    return false;
}

/* Whether what is linked into a program with a movable loop belongs to it. Not where another loop
 * is divisible: the memory of its rows is not the program's alone. */
static bool links_image(const driver_t *driver, runtime_kind_t kind)
{
    const invocation_t *invocation = &driver->invocation;
    bool moves = invocation->library_moves, divides = invocation->library_divides;
    for (size_t i = 0; i < invocation->input_count; i++) {
        moves = moves || invocation->inputs[i].moves;
        divides = divides || invocation->inputs[i].divides;
    }
    return moves && !divides && !stays_put(invocation) && !invocation->no_program &&
           (kind == RUNTIME_SHARED || kind == RUNTIME_ALWAYS);
}

/* It comes first: it asks for main, which may be in a library. */
static void add_image(const driver_t *driver, words_t *words)
{
    const char *runtime = driver->settings.flavor->runtime;
    if (!links_image(driver, runtime_kind(driver)))
        return;
    install_add_image(&driver->install, words);
    if (runtime != NULL) { /* what it keeps for the program are variables of the program then */
        words_add(words, runtime);
        words_add(words, "-static-libgcc");
    }
}

words_t assemble_untouched(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    words_t command = words_new(driver->memory), libraries = words_new(driver->memory);
    words_add(&command, driver->install.mpicc);
    if (mentions_xmpi(invocation))
        install_add_include(&driver->install, "-isystem", &command);
    if (assemble_links_runtime(driver)) {
        add_image(driver, &command);
        add_relocations(driver, &command);
        add_replaced(driver, &command);
    }
    size_t first = command.count;
    words_append(&command, &invocation->given);
    if (driver->settings.dry_run && !invocation->show)
        words_add(&command, "-show");
    if (!assemble_links_runtime(driver))
        return command;
    install_add_runtime(&driver->install, runtime_kind(driver), &libraries);
    size_t at = first;
    while (at < command.count && !is_mpi_library(command.items[at]))
        at++;
    words_insert(&command, at, &libraries);
    return command;
}

static recipe_t recipe_new(const driver_t *driver)
{
    memory_t *memory = driver->memory;
    size_t count = driver->invocation.input_count;
    return (recipe_t){.inputs = memory_get(memory, (count + 1) * sizeof(char *)),
                      .front = words_new(memory),
                      .back = words_new(memory),
                      .libraries = words_new(memory)};
}

static bool is_left_out(const recipe_t *recipe, const word_t *word)
{
    if (word->kind == WORD_INPUT)
        return recipe->inputs[word->input] == NULL;
    if (word->option == NULL)
        return false;
    option_role_t role = word->option->role;
    return (word->option->properties & recipe->properties) != 0 || role == ROLE_SHOW ||
           (recipe->role != ROLE_NONE && recipe->role == role);
}

/* Adds a word of the user's, or what stands for it. */
static void add_word(const recipe_t *recipe, const word_t *word, words_t *command)
{
    if (is_left_out(recipe, word))
        return;
    if (word->kind == WORD_INPUT)
        words_add(command, recipe->inputs[word->input]);
    else if ((recipe->properties & OPTION_OUTPUT) != 0 && word->option != NULL &&
             word->option->role == ROLE_PREPROCESSOR_LIST)
        language_of_list(word->value, command); /* it may ask for a depfile */
    else
        words_add(command, word->text);
}

static words_t cook(const driver_t *driver, const recipe_t *recipe)
{
    const invocation_t *invocation = &driver->invocation;
    words_t command = words_new(driver->memory);
    bool pending = recipe->libraries.count > 0;
    words_add(&command, driver->install.mpicc);
    words_append(&command, &recipe->front);
    for (size_t i = 0; i < invocation->word_count; i++) {
        if (i == invocation->tail)
            words_append(&command, &recipe->back);
        if (pending && is_mpi_library(invocation->words[i].text)) {
            words_append(&command, &recipe->libraries);
            pending = false;
        }
        add_word(recipe, &invocation->words[i], &command);
    }
    if (invocation->tail == invocation->word_count)
        words_append(&command, &recipe->back);
    if (pending)
        words_append(&command, &recipe->libraries);
    return command;
}

/* PATH as the user's own prefix maps of this kind change it; the last that fits counts. */
static const char *user_mapped(const driver_t *driver, option_role_t kind, const char *path)
{
    const invocation_t *invocation = &driver->invocation;
    const char *mapped = path;
    for (size_t i = 0; i < invocation->word_count; i++) {
        const word_t *word = &invocation->words[i];
        if (word->option == NULL ||
            (word->option->role != kind && word->option->role != ROLE_MAP_FILE))
            continue;
        size_t length = strcspn(word->value, "=");
        if (word->value[length] == '=' && strncmp(path, word->value, length) == 0)
            mapped = memory_format(driver->memory, "%s%s", word->value + length + 1, path + length);
    }
    return mapped;
}

/* Debug information and __BASE_FILE__ name the user's file, or the one that is kept. gcc takes file
 * maps for macros after macro maps, wherever they stand, but file and debug maps in their order. */
static void add_prefix_maps(const driver_t *driver, const char *text, const char *path,
                            words_t *words)
{
    const char *debug = user_mapped(driver, ROLE_MAP_DEBUG, path);
    const char *macro = user_mapped(driver, ROLE_MAP_MACRO, path);
    words_format(words, "-ffile-prefix-map=%s=%s", text, macro);
    if (strcmp(debug, macro) != 0)
        words_format(words, "-fdebug-prefix-map=%s=%s", text, debug);
}

/* What a rewritten input needs to be read and to look like the user's file. */
static void add_fidelity(const driver_t *driver, size_t input, recipe_t *recipe)
{
    const char *path = driver->invocation.inputs[input].path;
    const char *text = driver->workspace.texts[input];
    const char *folder = path_folder(driver->memory, path);
    if (!words_contain(&recipe->front, folder)) {
        words_add(&recipe->front, "-iquote");
        words_add(&recipe->front, folder);
    }
    const char *kept = rewrite_kept_name(driver, input);
    add_prefix_maps(driver, text, kept != NULL ? kept : path, &recipe->back);
}

/* Takes an input into the command, rewritten or as it is. */
static void take_input(const driver_t *driver, size_t input, recipe_t *recipe)
{
    const char *text = driver->workspace.texts[input];
    recipe->inputs[input] = text != NULL ? text : driver->invocation.inputs[input].path;
    if (text != NULL)
        add_fidelity(driver, input, recipe);
}

static void add_common(const driver_t *driver, recipe_t *recipe)
{
    install_add_include(&driver->install, "-isystem", &recipe->back);
    if (driver->workspace.fell_back)
        words_add(&recipe->back, "-Wno-unknown-pragmas");
}

static void add_libraries(const driver_t *driver, recipe_t *recipe)
{
    if (!assemble_links_runtime(driver))
        return;
    add_image(driver, &recipe->front);
    add_relocations(driver, &recipe->front);
    add_replaced(driver, &recipe->front);
    install_add_runtime(&driver->install, runtime_kind(driver), &recipe->libraries);
}

static bool is_compiled(const input_t *input)
{
    return input->language != LANGUAGE_NONE;
}

static bool any_rewritten(const driver_t *driver)
{
    for (size_t i = 0; i < driver->invocation.input_count; i++)
        if (driver->workspace.texts[i] != NULL)
            return true;
    return false;
}

/* With the -iquote of one folder, a source in another could find a wrong header. */
static bool needs_split(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    const char *first = NULL;
    if (!any_rewritten(driver))
        return false;
    for (size_t i = 0; i < invocation->input_count; i++) {
        if (!is_compiled(&invocation->inputs[i]))
            continue;
        const char *folder = path_folder(driver->memory, invocation->inputs[i].path);
        if (first != NULL && strcmp(first, folder) != 0)
            return true;
        first = folder;
    }
    return false;
}

static words_t whole_command(const driver_t *driver)
{
    recipe_t recipe = recipe_new(driver);
    for (size_t i = 0; i < driver->invocation.input_count; i++)
        take_input(driver, i, &recipe);
    add_common(driver, &recipe);
    add_libraries(driver, &recipe);
    return cook(driver, &recipe);
}

static bool writes_beside(const invocation_t *invocation)
{
    for (size_t i = 0; i < invocation->word_count; i++)
        if (invocation->words[i].option != NULL &&
            (invocation->words[i].option->properties & OPTION_BESIDE) != 0)
            return true;
    return false;
}

/* The depfile that gcc writes when it compiles and links in one go. */
static void add_depfile(const driver_t *driver, size_t input, recipe_t *recipe)
{
    const invocation_t *invocation = &driver->invocation;
    const char *stem = path_stem(driver->memory, invocation->inputs[input].path);
    const char *output = invocation->output;
    words_add(&recipe->back, "-MF");
    if (output == NULL)
        words_format(&recipe->back, "a-%s.d", stem);
    else
        words_format(&recipe->back, "%s.d", path_without_ending(driver->memory, output));
    if (parse_has_role(invocation, ROLE_DEPFILE_TARGET))
        return;
    words_add(&recipe->back, "-MQ");
    words_format(&recipe->back, "%s%s", output != NULL ? output : stem, output != NULL ? "" : ".o");
}

/* Where gcc puts what it writes beside the output when it compiles and links in one go. */
static void add_names_beside(const driver_t *driver, size_t input, recipe_t *recipe)
{
    const invocation_t *invocation = &driver->invocation;
    if (writes_beside(invocation) && !parse_has_role(invocation, ROLE_DUMP_DIRECTORY)) {
        words_add(&recipe->back, "-dumpdir");
        words_format(&recipe->back, "%s-", invocation->output != NULL ? invocation->output : "a");
    }
    if (parse_has_role(invocation, ROLE_DEPFILE) && !parse_has_role(invocation, ROLE_DEPFILE_NAME))
        add_depfile(driver, input, recipe);
}

/* Compiles one input; into OBJECT when the user's command goes on to link. */
static words_t single_command(const driver_t *driver, size_t input, const char *object)
{
    recipe_t recipe = recipe_new(driver);
    take_input(driver, input, &recipe);
    add_common(driver, &recipe);
    if (object != NULL) {
        recipe.role = ROLE_OUTPUT;
        add_names_beside(driver, input, &recipe);
        words_add(&recipe.back, "-c");
        words_add(&recipe.back, "-o");
        words_add(&recipe.back, object);
    }
    return cook(driver, &recipe);
}

static words_t link_command(const driver_t *driver, const char **objects)
{
    recipe_t recipe = recipe_new(driver);
    recipe.role = ROLE_INPUT_LANGUAGE; /* what is linked are objects now */
    for (size_t i = 0; i < driver->invocation.input_count; i++)
        recipe.inputs[i] = objects[i] != NULL ? objects[i] : driver->invocation.inputs[i].path;
    add_libraries(driver, &recipe);
    return cook(driver, &recipe);
}

/* One command for each source, and one to link. */
static commands_t split_commands(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    size_t count = invocation->input_count;
    bool links = invocation->goal == GOAL_LINK;
    commands_t commands = {.items = memory_get(driver->memory, (count + 1) * sizeof(words_t))};
    const char **objects = memory_get(driver->memory, (count + 1) * sizeof *objects);
    for (size_t i = 0; i < count; i++) {
        if (!is_compiled(&invocation->inputs[i]))
            continue;
        const char *stem = path_stem(driver->memory, invocation->inputs[i].path);
        if (links)
            objects[i] = workspace_file(&driver->workspace, driver->memory, i,
                                        memory_format(driver->memory, "%s.o", stem));
        commands.items[commands.count++] = single_command(driver, i, objects[i]);
    }
    commands.links = links;
    if (links)
        commands.items[commands.count++] = link_command(driver, objects);
    return commands;
}

commands_t assemble_rewritten(const driver_t *driver)
{
    if (needs_split(driver))
        return split_commands(driver);
    commands_t commands = {.items = memory_get(driver->memory, sizeof(words_t)), .count = 1};
    commands.items[0] = whole_command(driver);
    return commands;
}

words_t assemble_joined(const driver_t *driver, const bool *replaced, const char *object,
                        const char *program)
{
    recipe_t recipe = recipe_new(driver);
    bool placed = false;
    for (size_t i = 0; i < driver->invocation.input_count; i++) {
        if (!replaced[i] && driver->workspace.texts != NULL)
            take_input(driver, i, &recipe);
        else if (!replaced[i])
            recipe.inputs[i] = driver->invocation.inputs[i].path;
        else if (!placed)
            recipe.inputs[i] = object;
        placed = placed || replaced[i];
    }
    recipe.role = ROLE_OUTPUT;
    add_libraries(driver, &recipe);
    if (!placed) /* all that it is made of is in archives */
        words_add(&recipe.front, object);
    words_add(&recipe.back, "-o");
    words_add(&recipe.back, program);
    add_common(driver, &recipe);
    return cook(driver, &recipe);
}

words_t assemble_syntax_check(const driver_t *driver, size_t input)
{
    recipe_t recipe = recipe_new(driver);
    recipe.inputs[input] = driver->invocation.inputs[input].path;
    recipe.properties = OPTION_OUTPUT;
    install_add_include(&driver->install, "-isystem", &recipe.back);
    words_add(&recipe.back, "-fsyntax-only");
    words_add(&recipe.back, "-Wno-unknown-pragmas");
    return cook(driver, &recipe);
}
