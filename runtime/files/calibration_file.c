/* SPDX-License-Identifier: BSD-3-Clause
 * Calibration files. */
#define _POSIX_C_SOURCE 200809L
#include "files/calibration_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/data/json.h"

enum { FILE_LONGEST = 1 << 20 };

static const double file_trust = 3;

/* --- the machine ------------------------------------------------------------------------------ */

/* The text behind the colon of the first line of FILE that begins with NAME. */
static void find_line(const char *file_name, const char *name, char *text, size_t size)
{
    char line[512];
    FILE *file = fopen(file_name, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, name, strlen(name)) != 0 || colon == NULL)
            continue;
        snprintf(text, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        text[strcspn(text, "\n")] = '\0';
        break;
    }
    if (file != NULL)
        fclose(file);
}

void xmpi_machine_here(xmpi_machine_t *machine, const char *mpi_version)
{
    memset(machine, 0, sizeof *machine);
    snprintf(machine->processor, sizeof machine->processor, "unknown");
    find_line("/proc/cpuinfo", "model name", machine->processor, sizeof machine->processor);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    machine->cores = cores > 0 ? (int)cores : 1;
    snprintf(machine->mpi, sizeof machine->mpi, "%s", mpi_version);
    for (char *c = machine->mpi; *c != '\0'; c++) /* several lines, and what builds differ in */
        if (*c == '\n' || *c == '\t')
            *c = ' ';
}

void xmpi_calibration_path(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    path[0] = '\0';
    if (cache != NULL && cache[0] == '/')
        snprintf(path, size, "%s/xmpi/calibration.json", cache);
    else if (home != NULL && home[0] == '/')
        snprintf(path, size, "%s/.cache/xmpi/calibration.json", home);
}

/* --- reading ----------------------------------------------------------------------------------
 */

typedef struct {
    const char *path;
    xmpi_error_t *error;
    xmpi_status_t status;
} reader_t;

static void refuse(reader_t *reader, const char *what, const char *where)
{
    if (reader->status == XMPI_OK)
        reader->status =
            xmpi_error_set(reader->error, XMPI_ERR_INPUT,
                           "%.200s: %s \"%.64s\": run xmpi-calibrate", reader->path, what, where);
}

static const cJSON *member(reader_t *reader, const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (item == NULL)
        refuse(reader, "a calibration must have", name);
    return item;
}

static double number(reader_t *reader, const cJSON *object, const char *name)
{
    const cJSON *item = member(reader, object, name);
    if (item != NULL && !cJSON_IsNumber(item))
        refuse(reader, "there must be a number for", name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static void read_link(reader_t *reader, const cJSON *links, xmpi_link_class_t which,
                      xmpi_calibration_t *calibration)
{
    xmpi_link_t *link = &calibration->link[which];
    const cJSON *object = member(reader, links, xmpi_link_name(which));
    link->alpha = number(reader, object, "alpha");
    link->beta = number(reader, object, "beta");
    link->long_alpha = number(reader, object, "long_alpha");
    link->long_beta = number(reader, object, "long_beta");
    link->eager = number(reader, object, "eager");
    calibration->move_beta[which] = number(reader, object, "move_beta");
}

static void read_curve(reader_t *reader, const cJSON *object, xmpi_curve_kind_t kind,
                       xmpi_curve_t *curve)
{
    const cJSON *pair;
    if (object == NULL)
        return;
    curve->rounds = number(reader, object, "rounds");
    cJSON_ArrayForEach(pair, member(reader, object, "points"))
    {
        const cJSON *count = cJSON_GetArrayItem(pair, 0), *seconds = cJSON_GetArrayItem(pair, 1);
        if (curve->points == XMPI_CURVE_POINTS || !cJSON_IsNumber(count) ||
            !cJSON_IsNumber(seconds) || !(fabs(count->valuedouble) < 1e9)) {
            refuse(reader, "there must be a few pairs of a number and seconds for",
                   xmpi_curve_name(kind));
            return;
        }
        curve->point[curve->points].count = (int)count->valuedouble;
        curve->point[curve->points++].seconds = seconds->valuedouble;
    }
}

static void read_agreement(reader_t *reader, const cJSON *agreements, xmpi_agreement_kind_t kind,
                           xmpi_agreement_t *agreement)
{
    const cJSON *pair = member(reader, agreements, xmpi_agreement_name(kind));
    const cJSON *seconds = cJSON_GetArrayItem(pair, 0), *rounds = cJSON_GetArrayItem(pair, 1);
    if (!cJSON_IsNumber(seconds) || !cJSON_IsNumber(rounds)) {
        refuse(reader, "there must be seconds and a number of rounds for",
               xmpi_agreement_name(kind));
        return;
    }
    *agreement = (xmpi_agreement_t){seconds->valuedouble, rounds->valuedouble};
}

static void read_classes(reader_t *reader, const cJSON *classes, xmpi_calibration_t *calibration)
{
    const cJSON *class;
    cJSON_ArrayForEach(class, classes)
    {
        xmpi_class_speed_t *speed = &calibration->class_speed[calibration->classes];
        if (calibration->classes == XMPI_CLASSES_MAX || !cJSON_IsNumber(class) ||
            class->string == NULL || strlen(class->string) >= sizeof speed->name) {
            refuse(reader, "there must be a speed for each of a few classes in", "classes");
            return;
        }
        strcpy(speed->name, class->string);
        speed->speed = class->valuedouble;
        calibration->classes++;
    }
}

static void check_machine(reader_t *reader, const cJSON *object, const xmpi_machine_t *machine)
{
    const cJSON *processor = member(reader, object, "processor");
    const cJSON *mpi = member(reader, object, "mpi");
    double cores = number(reader, object, "cores");
    if (reader->status != XMPI_OK)
        return;
    if (!cJSON_IsString(processor) || strcmp(processor->valuestring, machine->processor) != 0)
        refuse(reader, "was measured with another processor than", machine->processor);
    else if (cores < machine->cores || cores > machine->cores)
        refuse(reader, "was measured with another number of cores on", machine->processor);
    else if (!cJSON_IsString(mpi) || strcmp(mpi->valuestring, machine->mpi) != 0)
        refuse(reader, "was measured with another MPI than", machine->mpi);
}

static void read_all(reader_t *reader, const cJSON *root, const xmpi_machine_t *machine,
                     xmpi_calibration_t *calibration)
{
    double version = number(reader, root, "xmpi_calibration");
    if (reader->status == XMPI_OK &&
        (version < XMPI_CALIBRATION_VERSION || version > XMPI_CALIBRATION_VERSION))
        refuse(reader, "another version than this library's of", "xmpi_calibration");
    if (machine != NULL)
        check_machine(reader, member(reader, root, "machine"), machine);
    const cJSON *links = member(reader, root, "links");
    for (int i = 0; i < XMPI_LINKS; i++)
        read_link(reader, links, (xmpi_link_class_t)i, calibration);
    calibration->gamma = number(reader, root, "gamma");
    calibration->fresh = number(reader, root, "fresh");
    const cJSON *processes = member(reader, root, "processes");
    calibration->first_creation = number(reader, processes, "first");
    for (int i = 0; i < XMPI_CURVES; i++)
        read_curve(
            reader,
            cJSON_GetObjectItemCaseSensitive(processes, xmpi_curve_name((xmpi_curve_kind_t)i)),
            (xmpi_curve_kind_t)i, &calibration->curve[i]);
    const cJSON *agreements = member(reader, root, "agreements");
    for (int i = 0; i < XMPI_AGREEMENTS; i++)
        read_agreement(reader, agreements, (xmpi_agreement_kind_t)i, &calibration->agreement[i]);
    read_classes(reader, cJSON_GetObjectItemCaseSensitive(root, "classes"), calibration);
}

/* The content, malloc; NULL with a line in ERROR. */
static char *content_of(const char *path, xmpi_error_t *error)
{
    FILE *file = fopen(path, "r");
    char *text = file != NULL ? malloc(FILE_LONGEST) : NULL;
    if (text == NULL) {
        xmpi_error_set(error, XMPI_ERR_INPUT, "%.200s: %s", path, strerror(errno));
    } else {
        size_t length = fread(text, 1, FILE_LONGEST - 1, file);
        text[length] = '\0';
        if (ferror(file)) { /* a folder can be opened */
            xmpi_error_set(error, XMPI_ERR_INPUT, "%.200s: %s", path, strerror(errno));
            free(text);
            text = NULL;
        }
    }
    if (file != NULL)
        fclose(file);
    return text;
}

xmpi_status_t xmpi_calibration_read(const char *path, const xmpi_machine_t *machine,
                                    xmpi_calibration_t *calibration, xmpi_error_t *error)
{
    xmpi_error_t why;
    if (xmpi_json_load(error) != XMPI_OK)
        return XMPI_ERR_INPUT;
    char *text = content_of(path, error);
    if (text == NULL)
        return XMPI_ERR_INPUT;
    reader_t reader = {.path = path, .error = error, .status = XMPI_OK};
    cJSON *root = cJSON_Parse(text);
    free(text);
    memset(calibration, 0, sizeof *calibration);
    snprintf(calibration->origin, sizeof calibration->origin, "file");
    calibration->trust = file_trust;
    if (cJSON_IsObject(root))
        read_all(&reader, root, machine, calibration);
    else
        refuse(&reader, "is no JSON object:", "{");
    cJSON_Delete(root);
    if (reader.status == XMPI_OK && xmpi_calibration_check(calibration, &why) != XMPI_OK)
        refuse(&reader, "has a value that no machine has:", why.text);
    if (reader.status != XMPI_OK)
        memset(calibration, 0, sizeof *calibration);
    return reader.status;
}

/* --- writing ----------------------------------------------------------------------------------
 */

/* Four digits are more than any measurement has. */
static void add_number(cJSON *object, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    cJSON_AddRawToObject(object, name, text);
}

static void add_links(cJSON *root, const xmpi_calibration_t *calibration)
{
    cJSON *links = cJSON_AddObjectToObject(root, "links");
    for (int i = 0; i < XMPI_LINKS; i++) {
        const xmpi_link_t *link = &calibration->link[i];
        cJSON *object = cJSON_AddObjectToObject(links, xmpi_link_name((xmpi_link_class_t)i));
        add_number(object, "alpha", link->alpha);
        add_number(object, "beta", link->beta);
        add_number(object, "long_alpha", link->long_alpha);
        add_number(object, "long_beta", link->long_beta);
        cJSON_AddNumberToObject(object, "eager", link->eager);
        add_number(object, "move_beta", calibration->move_beta[i]);
    }
}

static void add_curves(cJSON *root, const xmpi_calibration_t *calibration)
{
    cJSON *processes = cJSON_AddObjectToObject(root, "processes");
    add_number(processes, "first", calibration->first_creation);
    for (int i = 0; i < XMPI_CURVES; i++) {
        const xmpi_curve_t *curve = &calibration->curve[i];
        if (curve->points == 0)
            continue;
        cJSON *object = cJSON_AddObjectToObject(processes, xmpi_curve_name((xmpi_curve_kind_t)i));
        add_number(object, "rounds", curve->rounds);
        cJSON *list = cJSON_AddArrayToObject(object, "points");
        for (int k = 0; k < curve->points; k++) {
            char pair[64];
            snprintf(pair, sizeof pair, "[%d, %.4g]", curve->point[k].count,
                     curve->point[k].seconds);
            cJSON_AddItemToArray(list, cJSON_CreateRaw(pair));
        }
    }
}

static void add_agreements(cJSON *root, const xmpi_calibration_t *calibration)
{
    cJSON *agreements = cJSON_AddObjectToObject(root, "agreements");
    for (int i = 0; i < XMPI_AGREEMENTS; i++) {
        char pair[64];
        snprintf(pair, sizeof pair, "[%.4g, %.4g]", calibration->agreement[i].seconds,
                 calibration->agreement[i].rounds);
        cJSON_AddRawToObject(agreements, xmpi_agreement_name((xmpi_agreement_kind_t)i), pair);
    }
}

static void add_machine(cJSON *root, const xmpi_machine_t *machine)
{
    char made[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(made, sizeof made, "%Y-%m-%dT%H:%M:%SZ", &utc);
    cJSON_AddStringToObject(root, "made", made);
    cJSON *object = cJSON_AddObjectToObject(root, "machine");
    cJSON_AddStringToObject(object, "processor", machine->processor);
    cJSON_AddNumberToObject(object, "cores", machine->cores);
    cJSON_AddStringToObject(object, "mpi", machine->mpi);
}

static char *text_of(const xmpi_machine_t *machine, const xmpi_calibration_t *calibration)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "xmpi_calibration", XMPI_CALIBRATION_VERSION);
    add_machine(root, machine);
    add_links(root, calibration);
    add_number(root, "gamma", calibration->gamma);
    add_number(root, "fresh", calibration->fresh);
    add_curves(root, calibration);
    add_agreements(root, calibration);
    cJSON *classes = cJSON_AddObjectToObject(root, "classes");
    for (int i = 0; i < calibration->classes; i++)
        add_number(classes, calibration->class_speed[i].name, calibration->class_speed[i].speed);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}

/* A device, as /dev/null, is written to, and never replaced. */
static bool is_device(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

xmpi_status_t xmpi_calibration_write(const char *path, const xmpi_machine_t *machine,
                                     const xmpi_calibration_t *calibration, xmpi_error_t *error)
{
    char scratch[4096];
    xmpi_status_t status = xmpi_json_load(error);
    if (status == XMPI_OK)
        status = xmpi_calibration_check(calibration, error);
    if (status != XMPI_OK)
        return status;
    bool device = is_device(path);
    if (device)
        snprintf(scratch, sizeof scratch, "%s", path);
    else
        snprintf(scratch, sizeof scratch, "%s.%ld", path, (long)getpid());
    char *text = text_of(machine, calibration);
    FILE *file = text != NULL ? fopen(scratch, "w") : NULL;
    int good = file != NULL && fprintf(file, "%s\n", text) > 0;
    good = (file == NULL || fclose(file) == 0) && good;
    good = good && (device || rename(scratch, path) == 0);
    if (!good) {
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "%.200s: %s", path, strerror(errno));
        if (!device)
            remove(scratch);
    }
    cJSON_free(text);
    return status;
}
