package io.carillon.servlet.port;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an initial request goes from an application. Immutable.
 *
 * @param hop the internal hop to the next application; null for the wire
 * @param routes to push, the first on top
 * @param refusal status to answer instead; 0 for none
 */
public record NextApplication(@Nullable Hop hop, List<NameAddress> routes, int refusal) {
    /** On the wire, by Route and Request-URI. */
    public static final NextApplication OUT = new NextApplication(null, List.of(), 0);

    public static NextApplication refused(int status) {
        return new NextApplication(null, List.of(), status);
    }

    /** Pushes the routes. */
    public void applyTo(MessageDraft draft) {
        for (int i = routes.size() - 1; i >= 0; i--) {
            draft.addFirst(HeaderName.ROUTE, routes.get(i).toString());
        }
    }
}
