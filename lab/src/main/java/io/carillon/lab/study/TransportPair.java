package io.carillon.lab.study;

import io.carillon.lab.process.WrongSetting;
import io.carillon.sip.hop.Transport;
import java.util.ArrayList;
import java.util.List;

/**
 * The two sides of a call.
 *
 * @param from the callers' transport
 * @param to the callees'
 * @param host our address and the server's
 */
record TransportPair(Transport from, Transport to, String host) {
    static final String IPV4 = "127.0.0.1";
    static final String IPV6 = "::1";

    /** Each two of the five on IPv4, the five equal ones and a mixed one on IPv6. */
    static List<TransportPair> all() {
        List<TransportPair> all = new ArrayList<>();
        for (Transport from : Transport.values()) {
            for (Transport to : Transport.values()) {
                all.add(new TransportPair(from, to, IPV4));
            }
        }
        for (Transport both : Transport.values()) {
            all.add(new TransportPair(both, both, IPV6));
        }
        all.add(new TransportPair(Transport.WSS, Transport.UDP, IPV6));
        return all;
    }

    /**
     * Reads {@code udp-tls} or {@code udp-udp/6}.
     *
     * @throws WrongSetting when it is of another form
     */
    static TransportPair parse(String text) throws WrongSetting {
        boolean six = text.endsWith("/6");
        String[] sides = (six ? text.substring(0, text.length() - 2) : text).split("-", -1);
        Transport from = Transport.of(sides[0]);
        Transport to = sides.length == 2 ? Transport.of(sides[1]) : null;
        if (from == null || to == null) {
            throw new WrongSetting(
                    "--pairs is all, or a list as in udp-tls,wss-udp/6 of udp, tcp, tls, ws, wss,"
                            + " /6 for IPv6; not "
                            + text);
        }
        return new TransportPair(from, to, six ? IPV6 : IPV4);
    }

    /** {@code udp-tls}, {@code udp-udp/6}. */
    @Override
    public String toString() {
        return from.parameter() + "-" + to.parameter() + (host.equals(IPV6) ? "/6" : "");
    }
}
