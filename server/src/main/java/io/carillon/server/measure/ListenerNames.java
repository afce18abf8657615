package io.carillon.server.measure;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.tls.LiveTlsContexts;
import io.carillon.sip.hop.Hop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * Which listening point a message came to or left from, as the configuration names it. Any thread.
 */
public final class ListenerNames {
    private final Supplier<List<ListeningPoint>> listening;

    /**
     * @param listening what is bound now
     */
    public ListenerNames(Supplier<List<ListeningPoint>> listening) {
        this.listening = listening;
    }

    /** Its name; empty where it is none of ours, as that of a connection which we opened. */
    public String of(Hop hop) {
        InetSocketAddress local = hop.local();
        if (local == null) {
            return "";
        }
        String likely = "";
        for (ListeningPoint point : listening.get()) {
            if (point.transport() != hop.transport() || point.port() != local.getPort()) {
                continue;
            }
            switch (fit(point.host(), local.getAddress())) {
                case EXACT -> {
                    return LiveTlsContexts.listener(point);
                }
                case LIKELY -> likely = LiveTlsContexts.listener(point);
                case NONE -> {}
            }
        }
        return likely;
    }

    private enum Fit {
        EXACT,
        LIKELY,
        NONE
    }

    private static Fit fit(String host, InetAddress address) {
        InetAddress bound;
        try {
            bound = InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException name) {
            return Fit.LIKELY; // bound by a name: what that resolved to is not asked again
        }
        if (bound.equals(address)) {
            return Fit.EXACT;
        }
        return bound.isAnyLocalAddress() || address.isAnyLocalAddress() ? Fit.LIKELY : Fit.NONE;
    }
}
