/* SPDX-License-Identifier: BSD-3-Clause
 * What Hydra's mpiexec says when it is told to end: a line for itself, and the frame in which it
 * tells of a process that a signal has ended. */
#include "noise.h"

#include <stdio.h>
#include <string.h>

const char noise_termination[] = "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES";

/* (Its first character is nowhere else in it.) */
static void hear_title(noise_t *noise, char next)
{
    bool fits = next == noise_termination[noise->matched];
    noise->matched = fits ? noise->matched + 1 : next == noise_termination[0];
    noise->lost = noise->matched == sizeof noise_termination - 1;
}

/* A line behind the title has ended. */
static void hear_line(noise_t *noise)
{
    noise_loss_t *loss = &noise->loss;
    noise->heard[noise->heard_length] = '\0';
    if (loss->pid == 0)
        sscanf(noise->heard, "=   PID %ld RUNNING AT %63s", &loss->pid, loss->node);
    else if (loss->how[0] == '\0')
        sscanf(noise->heard, "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: %63[^\n]",
               loss->how);
}

void noise_hear(noise_t *noise, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!noise->lost) {
            hear_title(noise, text[i]);
            continue;
        }
        if (text[i] != '\n' && noise->heard_length < sizeof noise->heard - 1)
            noise->heard[noise->heard_length++] = text[i];
        if (text[i] == '\n') {
            hear_line(noise);
            noise->heard_length = 0;
        }
    }
}

static bool begins(const char *line, size_t length, const char *with)
{
    return length >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

/* "====", as long as a line of a terminal. */
static bool is_frame(const char *line, size_t length)
{
    enum { LEAST = 60 };
    while (length > 0 && line[length - 1] == '\n')
        length--;
    for (size_t i = 0; i < length; i++)
        if (line[i] != '=')
            return false;
    return length >= LEAST;
}

bool noise_is_line(const char *line, size_t length)
{
    static const char *const words[] = {
        "[mpiexec@",
        "[proxy:",
        noise_termination,
        "=   PID ",
        "=   EXIT CODE: ",
        "=   CLEANING UP REMAINING PROCESSES",
        "=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES",
        "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: ",
        "This typically refers to a problem with your application.",
        "Please see the FAQ page for debugging suggestions",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(line, length, words[i]))
            return true;
    return is_frame(line, length);
}

static size_t keep(noise_t *noise, char *kept)
{
    size_t length = 0;
    if (noise->blank)
        kept[length++] = '\n';
    memcpy(kept + length, noise->line, noise->length);
    length += noise->length;
    noise->blank = false;
    noise->length = 0;
    return length;
}

/* The line has ended, or is longer than any of mpiexec's. */
static size_t judge(noise_t *noise, char *kept)
{
    if (noise_is_line(noise->line, noise->length)) {
        noise->blank = false;
        noise->length = 0;
        return 0;
    }
    if (noise->length == 1 && noise->line[0] == '\n' && !noise->blank) {
        noise->blank = true;
        noise->length = 0;
        return 0;
    }
    return keep(noise, kept);
}

size_t noise_filter(noise_t *noise, const char *text, size_t length, char *kept)
{
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        noise->line[noise->length++] = text[i];
        if (text[i] == '\n' || noise->length == NOISE_LINE_MAX)
            used += judge(noise, kept + used);
    }
    return used;
}

size_t noise_end(noise_t *noise, char *kept)
{
    bool whole = noise->length > 0 && noise_is_line(noise->line, noise->length);
    if (whole)
        noise->length = 0;
    return keep(noise, kept);
}
