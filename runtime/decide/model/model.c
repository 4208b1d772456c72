/* SPDX-License-Identifier: BSD-3-Clause
 * What a run has taught the prediction model, and how well it has predicted. */
#include "decide/model/model.h"

#include <math.h>
#include <string.h>

const char *xmpi_phase_name(xmpi_phase_t phase)
{
    static const char *const names[XMPI_PHASES] = {"computation", "communication",  "io",
                                                   "processes",   "redistribution", "interval"};
    return names[phase];
}

xmpi_changes_t xmpi_change_kind(bool joins, bool same)
{
    return joins ? XMPI_CHANGE_JOIN : same ? XMPI_CHANGE_SAME : XMPI_CHANGE_LEAVE;
}

double xmpi_correction(const xmpi_correction_t *correction, double trust)
{
    double n = trust + correction->n;
    return n > 0 ? (trust + correction->sum) / n : 1;
}

void xmpi_correction_add(xmpi_correction_t *correction, double trust, double predicted,
                         double measured)
{
    double factor = predicted > 0 ? measured / predicted * xmpi_correction(correction, trust) : 0;
    if (!isfinite(factor) || factor < 1e-4 || factor > 1e4)
        return;
    correction->n++;
    correction->sum += factor;
}

void xmpi_model_compare(xmpi_model_t *model, xmpi_phase_t phase, double predicted, double measured)
{
    double error = measured > 0 ? fabs(predicted - measured) / measured : INFINITY;
    xmpi_error_sum_t *sum = &model->error[phase];
    if (!isfinite(error))
        return;
    sum->n++;
    sum->sum += error;
    sum->squares += error * error;
}

double xmpi_error_mean(const xmpi_error_sum_t *error)
{
    return error->n > 0 ? error->sum / (double)error->n : 0;
}

double xmpi_error_spread(const xmpi_error_sum_t *error)
{
    double mean = xmpi_error_mean(error), n = (double)error->n;
    double variance = error->n > 1 ? (error->squares - n * mean * mean) / (n - 1) : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

void xmpi_model_learn_irregular(xmpi_model_t *model, double predicted, double measured)
{
    double old = model->irregular > 0 ? model->irregular : 1;
    double right = old * measured / predicted;
    if (predicted > 0 && isfinite(right) && right > 1e-2 && right < 1e2)
        model->irregular = (old + right) / 2;
}

void xmpi_model_add_work(xmpi_model_t *model, int64_t iteration, int64_t iterations, double work)
{
    if (!(work > 0) || !isfinite(work) || iterations <= 0)
        return;
    if (model->works == XMPI_WORK_MAX)
        memmove(model->work, model->work + 1, (size_t)--model->works * sizeof *model->work);
    model->work[model->works++] = (xmpi_work_point_t){(double)iteration - 0.5 * (double)iterations,
                                                      work / (double)iterations};
}

double xmpi_model_work(const xmpi_model_t *model, double iteration)
{
    double n = model->works, x = 0, y = 0, xx = 0, xy = 0;
    if (model->works == 0)
        return 0;
    double last = model->work[model->works - 1].work;
    for (int i = 0; i < model->works; i++) {
        x += model->work[i].iteration / n;
        y += model->work[i].work / n;
    }
    for (int i = 0; i < model->works; i++) {
        double dx = model->work[i].iteration - x;
        xx += dx * dx;
        xy += dx * (model->work[i].work - y);
    }
    double work = xx > 0 ? y + xy / xx * (iteration - x) : y;
    return fmin(fmax(work, last / 2), 2 * last);
}
