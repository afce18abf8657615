package io.carillon.server.cluster;

import io.carillon.server.config.ClusterSettings;
import io.carillon.server.config.ListenAddress;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import java.util.EnumMap;
import java.util.Map;

/** By what a cluster is reached, as phones know it. Stateless. */
final class FrontAddresses {
    private FrontAddresses() {}

    /** What Via, Contact and Record-Route print for each transport other than UDP. */
    static Map<Transport, HostPort> streams(ClusterSettings settings) {
        Map<Transport, HostPort> all = new EnumMap<>(Transport.class);
        for (ListenAddress each : settings.streams()) {
            all.put(transport(each), printed(each));
        }
        return all;
    }

    static Transport transport(ListenAddress listen) {
        return switch (listen.transport()) {
            case UDP -> Transport.UDP;
            case TCP -> Transport.TCP;
            case TLS -> Transport.TLS;
            case WS -> Transport.WS;
            case WSS -> Transport.WSS;
        };
    }

    /** The name that others know it by. */
    static HostPort printed(ListenAddress listen) {
        String external = listen.externalHost();
        int port = listen.externalPort() == 0 ? listen.address().port() : listen.externalPort();
        return HostPort.of(external == null ? listen.address().bareHost() : external, port);
    }
}
