package io.carillon.server.http;

import io.carillon.net.address.HostNames;
import io.carillon.server.nodes.OtherPages;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/**
 * Pages between the nodes of a cluster: the way of this node to the others, and the place where
 * they pass on to it. Immutable; used while the HTTP side is made.
 *
 * @param others nodes
 * @param places with the limits of the HTTP side
 * @param arrivals where other nodes connect
 */
record BetweenNodes(OtherPages others, Places places, ServerConnector arrivals) {
    /** A part of the connections that a node takes, of which each of nine may have one. */
    private static final int PART = 10;

    /** Null where the server is alone. */
    static @Nullable BetweenNodes of(@Nullable OtherPages others, Places places) {
        return others == null
                ? null
                : new BetweenNodes(
                        others,
                        places,
                        places.ofNodes(others.address(others.self()), others.tls()));
    }

    /** Where nothing but pages of applications is: places of their own. */
    static Set<Connector> arrivals(@Nullable BetweenNodes nodes, @Nullable Connector applications) {
        Set<Connector> all = new HashSet<>();
        Stream.of(applications, nodes == null ? null : nodes.arrivals())
                .filter(Objects::nonNull)
                .forEach(all::add);
        return all;
    }

    /**
     * Stands before the pages of this node; takes nothing where the server is alone.
     *
     * @param here serves those pages
     */
    static Handler on(
            @Nullable BetweenNodes nodes, JettyWebSide web, HostNames names, Handler here) {
        return nodes == null ? new Handler.Sequence() : nodes.on(web, names, here);
    }

    private PassOn on(JettyWebSide web, HostNames names, Handler here) {
        HttpCounters counters = places.counters();
        OpenPasses open =
                new OpenPasses(
                        Math.max(1, places.settings().maxConnections() / PART), places.trusted());
        Passage passage = new Passage(others, open, counters.passed());
        return new PassOn(
                new HostCheck(passage, names, counters.unknownHosts()),
                here,
                passage,
                new PagePlaces(others, web),
                arrivals,
                open,
                counters.passed());
    }

    /** Stands before everything. */
    static Handler in(@Nullable BetweenNodes nodes, Handler rest) {
        return nodes == null ? rest : nodes.in(rest);
    }

    private PassedIn in(Handler rest) {
        HttpCounters.Passed counters = places.counters().passed();
        return new PassedIn(rest, arrivals, counters.in(), counters.refused());
    }
}
