package io.carillon.lab.peers;

import io.carillon.sip.hop.Transport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The servers that can be compared, by name. */
public final class Contenders {
    /** The name of this checkout's server. */
    public static final String CARILLON = "carillon";

    private static final List<Contender> ALL =
            List.of(
                    CarillonServer.usual(),
                    new RelayServer("relay", "blocking"),
                    new RelayServer("relay-selector", "selector"),
                    new KamailioServer(),
                    new LibertyServer(),
                    new RestCommServer(),
                    CarillonServer.oneShard(),
                    CarillonServer.twoShards(),
                    CarillonServer.plain("plain", "plain-proxy"),
                    CarillonServer.plain("spring", "call-blocking-spring"),
                    CarillonServer.plain("cdi", "call-blocking-cdi"));

    private Contenders() {}

    public static List<String> names() {
        return ALL.stream().map(Contender::name).toList();
    }

    /**
     * The servers of these names, in this order.
     *
     * @throws IllegalArgumentException for a name that is none, or that stands there twice
     */
    public static List<Contender> named(List<String> names) {
        List<Contender> found = new ArrayList<>();
        for (String name : names) {
            Contender contender =
                    ALL.stream().filter(c -> c.name().equals(name)).findFirst().orElse(null);
            if (contender == null) {
                throw new IllegalArgumentException(
                        "'"
                                + name
                                + "' is no server to compare; there are "
                                + String.join(", ", names()));
            }
            if (found.contains(contender)) {
                throw new IllegalArgumentException("'" + name + "' is named twice");
            }
            found.add(contender);
        }
        return found;
    }

    /**
     * Sees that each of them can do a transport.
     *
     * @throws IllegalArgumentException naming the first that cannot
     */
    public static void checkTransport(List<Contender> contenders, Transport transport) {
        for (Contender contender : contenders) {
            if (!contender.transports().contains(transport)) {
                String can =
                        contender.transports().stream()
                                .sorted()
                                .map(Transport::parameter)
                                .collect(Collectors.joining(", "));
                throw new IllegalArgumentException(
                        contender.name()
                                + " is compared over "
                                + can
                                + ", not "
                                + transport.parameter());
            }
        }
    }

    /** Another built checkout of Carillon. */
    public static Contender baseline(Path checkout) {
        return CarillonServer.baseline(checkout);
    }
}
