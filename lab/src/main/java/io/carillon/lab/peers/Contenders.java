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
                    CarillonServer.declared("adaptive"),
                    CarillonServer.declared("blocking"),
                    CarillonServer.declared("non-blocking"),
                    new RelayServer("relay", "blocking"),
                    new RelayServer("relay-selector", "selector"),
                    new KamailioServer(),
                    new LibertyServer(),
                    new RestCommServer(),
                    CarillonServer.oneShard(),
                    CarillonServer.twoShards(),
                    new TracedServer(CarillonServer.forTraces()),
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
                throw new IllegalArgumentException(unknown(name));
            }
            if (found.contains(contender)) {
                throw new IllegalArgumentException("'" + name + "' is named twice");
            }
            found.add(contender);
        }
        return found;
    }

    private static String unknown(String name) {
        if (name.startsWith(CarillonServer.DECLARED)) {
            return "'"
                    + name
                    + "': there is no mode of execution '"
                    + name.substring(CarillonServer.DECLARED.length())
                    + "'; there are "
                    + String.join(", ", CarillonServer.MODES);
        }
        return "'" + name + "' is no server to compare; there are " + String.join(", ", names());
    }

    /**
     * Sees that each of them can take part.
     *
     * @throws IllegalArgumentException in a sentence, of the first that cannot
     */
    public static void check(List<Contender> contenders, Site site) {
        checkTransport(contenders, site.transport());
        for (Contender contender : contenders) {
            String objection = contender.objection(site);
            if (!objection.isEmpty()) {
                throw new IllegalArgumentException(objection);
            }
        }
    }

    /**
     * Sees that each of them can do a transport.
     *
     * @throws IllegalArgumentException naming the first that cannot
     */
    static void checkTransport(List<Contender> contenders, Transport transport) {
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
