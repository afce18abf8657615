package io.carillon.bridge.mobicents;

import io.carillon.servlet.app.Application;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipURI;

/**
 * What an application may say of a Record-Route value here: parameters. Its address is the server's
 * affair, as later requests have to find their way back.
 */
final class OwnParameters {
    private static final Set<String> OF_THE_CONTAINER =
            Set.of("transport", "user", "method", "ttl", "maddr", "lr");

    private OwnParameters() {}

    /**
     * @throws UnsupportedOperationException when {@code wanted} names another host than one of the
     *     outbound interfaces
     */
    static void copy(SipURI wanted, SipURI into, Application application) {
        if (!own(wanted.getHost(), application)) {
            throw new UnsupportedOperationException(
                    "Record-Route names the server as sip.external-host of the configuration says, not "
                            + wanted.getHost());
        }
        for (Iterator<String> names = wanted.getParameterNames(); names.hasNext(); ) {
            String name = names.next();
            if (!OF_THE_CONTAINER.contains(name.toLowerCase(Locale.ROOT))) {
                into.setParameter(name, wanted.getParameter(name));
            }
        }
    }

    private static boolean own(String host, Application application) {
        return application.context().getAttribute(SipServlet.OUTBOUND_INTERFACES)
                        instanceof List<?> points
                && points.stream()
                        .anyMatch(point ->
                                point instanceof SipURI uri
                                        && uri.getHost().equalsIgnoreCase(host));
    }
}
