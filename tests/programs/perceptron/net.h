#ifndef NET_H
#define NET_H

#define NIN 3
#define NHID 4
#define NPARAM (NIN * NHID + NHID)

struct net {
    double p[NPARAM]; /* NHID x NIN weights, then NHID of the output */
};

void net_init(struct net *net);
double net_forward(const struct net *net, const double x[NIN], double hidden[NHID]);
/* Adds the gradient of one sample; returns its loss. */
double net_backward(const struct net *net, const double x[NIN], double target, double grad[NPARAM]);
void net_step(struct net *net, const double grad[NPARAM], double rate);

#endif
