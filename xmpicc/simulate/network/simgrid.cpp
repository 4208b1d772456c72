/* SPDX-License-Identifier: BSD-3-Clause
 * The network of a simulation, by SimGrid. Messages are activities without actors: they are started
 * together, and SimGrid's clock goes on until the last has come. */
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "simulate/network/network.h"

namespace s4u = simgrid::s4u;

namespace
{

struct Network {
    s4u::Engine *engine = nullptr;
    std::vector<s4u::Host *> host;
};

Network network;

/* Seconds and bytes as they are said: latency and bytes over bandwidth, without the corrections by
 * which SimGrid's standard model follows TCP. */
s4u::Engine *make_engine()
{
    static char name[] = "xmpi-simulate", quiet[] = "--log=root.thresh:error";
    static char *argv[] = {name, quiet, nullptr};
    static int argc = 2;
    auto *engine = new s4u::Engine(&argc, argv);
    engine->set_config("network/model:CM02");
    engine->set_config("network/TCP-gamma:0");
    engine->set_config("network/crosstraffic:0");
    return engine;
}

/* A message from node to node goes through the shared link once, which is one for both directions;
 * or up a link of its sender's and down one of its receiver's. */
void make_zone(const sim_network_t &made)
{
    s4u::NetZone *zone = s4u::create_star_zone("zone");
    s4u::Link *shared = nullptr;
    if (made.kind == SIM_NETWORK_SHARED)
        shared = zone->create_link("shared", made.bandwidth)->set_latency(made.latency)->seal();
    for (int i = 0; i <= made.nodes; i++) {
        std::string number = std::to_string(i);
        s4u::Host *host = zone->create_host("n" + number, 1.0);
        host->seal();
        s4u::LinkInRoute route(shared);
        if (shared == nullptr) {
            s4u::SplitDuplexLink *link =
                zone->create_split_duplex_link("l" + number, made.bandwidth);
            link->set_latency(made.latency / 2)->seal();
            route = s4u::LinkInRoute(link, s4u::LinkInRoute::Direction::UP);
        }
        zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {route}, true);
        network.host.push_back(host);
    }
    zone->seal();
}

/* The hosts of a file, n2 before n10. */
void load(const char *path)
{
    network.engine->load_platform(path);
    network.engine->seal_platform();
    network.host = network.engine->get_all_hosts();
    std::sort(network.host.begin(), network.host.end(), [](s4u::Host *one, s4u::Host *other) {
        return strverscmp(one->get_cname(), other->get_cname()) < 0;
    });
    if (network.host.empty())
        throw std::invalid_argument("there are no hosts");
    network.host.push_back(network.host.front());
}

/* SimGrid ends where messages have no way, so that is found out before; of many nodes only whether
 * all are connected to the first. */
void check_routes(int nodes)
{
    const int all = 256;
    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < nodes; j++) {
            std::vector<s4u::Link *> links;
            double latency = 0;
            if (i == j || (nodes > all && i > 0 && j > 0))
                continue;
            network.host[i]->route_to(network.host[j], links, &latency);
            if (links.empty())
                throw std::invalid_argument("there is no route from " +
                                            network.host[i]->get_name() + " to " +
                                            network.host[j]->get_name());
        }
}

/* What the first two nodes see of the network; a machine alone sees what is as good as none. */
void see_links(sim_platform_t *platform)
{
    platform->bandwidth = 1e12;
    platform->latency = 1e-9;
    if (platform->nodes < 2)
        return;
    std::vector<s4u::Link *> links;
    double latency = 0;
    network.host[0]->route_to(network.host[1], links, &latency);
    platform->latency = std::max(latency, platform->latency);
    for (const s4u::Link *link : links)
        platform->bandwidth = std::min(platform->bandwidth, link->get_bandwidth());
}

xmpi_status_t refuse(const std::exception &failure, xmpi_error_t *error)
{
    std::string text = failure.what();
    return xmpi_error_set(error, XMPI_ERR_INPUT, "SimGrid: %.400s",
                          text.substr(0, text.find('\n')).c_str());
}

} // namespace

xmpi_status_t sim_network_read(const char *path, sim_platform_t *platform, xmpi_error_t *error)
{
    *platform = {};
    try {
        network.engine = make_engine();
        load(path);
        platform->nodes = static_cast<int>(network.host.size()) - 1;
        platform->cores = network.host[0]->get_core_count();
        platform->speed = static_cast<double *>(std::malloc(network.host.size() * sizeof(double)));
        if (platform->speed == nullptr)
            return XMPI_ERR_MEMORY;
        for (int i = 0; i < platform->nodes; i++) {
            platform->speed[i] = network.host[i]->get_speed();
            if (network.host[i]->get_core_count() != platform->cores)
                throw std::invalid_argument("hosts have different numbers of cores, which is not "
                                            "simulated");
        }
        check_routes(platform->nodes);
        see_links(platform);
    } catch (const std::exception &failure) {
        return refuse(failure, error);
    }
    return XMPI_OK;
}

const char *sim_network_missing(void)
{
    return nullptr;
}

const char *sim_network_version(void)
{
    static const std::string version =
        std::to_string(SIMGRID_VERSION_MAJOR) + "." + std::to_string(SIMGRID_VERSION_MINOR);
    return version.c_str();
}

xmpi_status_t sim_network_open(const sim_network_t *made, xmpi_error_t *error)
{
    try {
        network.engine = make_engine();
        if (made->file != nullptr && made->file[0] != '\0')
            load(made->file);
        else
            make_zone(*made);
    } catch (const std::exception &failure) {
        return refuse(failure, error);
    }
    return XMPI_OK;
}

double sim_network_carry(sim_flow_t *flow, int flows)
{
    double begin = s4u::Engine::get_clock(), last = 0;
    std::map<std::pair<int, int>, double> bytes;
    std::map<std::pair<int, int>, s4u::CommPtr> sent;
    for (int i = 0; i < flows; i++)
        if (flow[i].from != flow[i].to && flow[i].bytes > 0)
            bytes[{flow[i].from, flow[i].to}] += flow[i].bytes;
    for (const auto &[ends, sum] : bytes) {
        s4u::CommPtr message =
            s4u::Comm::sendto_init(network.host[ends.first], network.host[ends.second]);
        message->set_payload_size(static_cast<uint64_t>(sum));
        message->start();
        sent[ends] = message;
    }
    network.engine->run();
    for (int i = 0; i < flows; i++) {
        auto found = sent.find({flow[i].from, flow[i].to});
        bool went = found != sent.end() && flow[i].bytes > 0;
        flow[i].seconds = went ? found->second->get_finish_time() - begin : 0;
        last = flow[i].seconds > last ? flow[i].seconds : last;
    }
    return last;
}
