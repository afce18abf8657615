package io.carillon.examples.chatroom;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/** Which addresses are this server, and which two are one. Immutable. */
final class Addresses {
    private final ServletContext context;
    private final Set<String> domains;

    Addresses(ServletContext context) {
        this.context = context;
        String names = context.getInitParameter("domains");
        String small = names == null ? "" : names.strip().toLowerCase(Locale.ROOT);
        domains = Set.copyOf(Arrays.asList(small.split("[,\\s]+")));
    }

    /** Hosts that are this server, in small letters, with its ports; its domains have none. */
    Map<String, Set<Integer>> own() {
        Map<String, Set<Integer>> own = new HashMap<>();
        domains.forEach(name -> own.put(name, new HashSet<>()));
        for (Object one : (List<?>) context.getAttribute(SipServlet.OUTBOUND_INTERFACES)) {
            SipURI uri = (SipURI) one;
            own.computeIfAbsent(uri.getHost().toLowerCase(Locale.ROOT), host -> new HashSet<>())
                    .add(port(uri));
        }
        return own;
    }

    /**
     * Is a room at that address? RFC 3261 8.2.2.1: whoever gets what the room says answers to it,
     * and a host that a stranger wrote would get what is meant for the room.
     */
    @SuppressWarnings("unchecked") // as the container documents it
    boolean isHere(SipServletRequest message) {
        if (!message.getRequestURI().isSipURI()) {
            return false;
        }
        SipURI room = (SipURI) message.getRequestURI();
        String host = room.getHost().toLowerCase(Locale.ROOT);
        Map<String, Set<Integer>> own = own();
        Predicate<String> known = (Predicate<String>) context.getAttribute("io.carillon.own-host");
        boolean ours = own.containsKey(host) || (known != null && known.test(room.getHost()));
        return ours
                && (room.getPort() < 0
                        || own.values().stream().anyMatch(ports -> ports.contains(port(room))));
    }

    /**
     * RFC 3261 19.1.4: what names one user. Escapes, what a URI says about the way, and, of ours,
     * host and port make no other user.
     */
    String of(URI uri) {
        SipURI sip = (SipURI) uri;
        String host = sip.getHost().toLowerCase(Locale.ROOT);
        String place = own().containsKey(host) ? "here" : host + ":" + port(sip);
        return sip.getUser() + "@" + place;
    }

    private static int port(SipURI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : uri.isSecure() ? 5061 : 5060;
    }
}
