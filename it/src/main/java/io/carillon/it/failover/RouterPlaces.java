package io.carillon.it.failover;

import io.carillon.lab.rig.RunCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the two routers of a run are reached: by UDP at the port, by each stream at one above the
 * ports of the nodes; the first router at 127.0.0.1, the second at 127.0.0.2. Immutable.
 *
 * @param port of both, for UDP; the ports up to {@value #STREAMS_ABOVE} above are the nodes'
 * @param streams tcp, tls, wss: those that they have
 */
public record RouterPlaces(int port, List<String> streams) {
    private static final String FIRST = "127.0.0.1";
    private static final String SECOND = "127.0.0.2";

    /** Of the streams' ports, above that of UDP: behind all that the nodes take. */
    private static final int STREAMS_ABOVE = 41;

    /**
     * Where a router is reached.
     *
     * @param transport udp, or one of the streams
     * @param router 0 or 1
     */
    public InetSocketAddress at(String transport, int router) {
        return new InetSocketAddress(router == 0 ? FIRST : SECOND, port(transport));
    }

    private int port(String transport) {
        return transport.equals("udp") ? port : port + STREAMS_ABOVE + streams.indexOf(transport);
    }

    /**
     * The two routers of a cluster.
     *
     * @param folder of the run, for the certificate of TLS
     */
    public TrialCluster.Front front(Path folder) throws IOException {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>(List.of("udp:" + SECOND + ":" + port));
        for (String stream : streams) {
            first.add(stream + ":" + FIRST + ":" + port(stream));
            second.add(stream + ":" + SECOND + ":" + port(stream));
        }
        return new TrialCluster.Front(
                2, "  streams: " + first + "\n", RunCertificate.in(folder).yaml(), second);
    }
}
