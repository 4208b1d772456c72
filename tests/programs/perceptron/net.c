#include "net.h"
#include <math.h>

void net_init(struct net *net)
{
    for (int i = 0; i < NPARAM; i++)
        net->p[i] = sin(1.3 * i + 0.5) / 2;
}

double net_forward(const struct net *net, const double x[NIN], double hidden[NHID])
{
    double out = 0;
    for (int h = 0; h < NHID; h++) {
        double sum = 0;
        for (int i = 0; i < NIN; i++)
            sum += net->p[h * NIN + i] * x[i];
        hidden[h] = tanh(sum);
        out += net->p[NHID * NIN + h] * hidden[h];
    }
    return out;
}

double net_backward(const struct net *net, const double x[NIN], double target, double grad[NPARAM])
{
    double hidden[NHID], error = net_forward(net, x, hidden) - target;
    for (int h = 0; h < NHID; h++) {
        double back = error * net->p[NHID * NIN + h] * (1 - hidden[h] * hidden[h]);
        grad[NHID * NIN + h] += error * hidden[h];
        for (int i = 0; i < NIN; i++)
            grad[h * NIN + i] += back * x[i];
    }
    return error * error / 2;
}

void net_step(struct net *net, const double grad[NPARAM], double rate)
{
    for (int i = 0; i < NPARAM; i++)
        net->p[i] -= rate * grad[i];
}
