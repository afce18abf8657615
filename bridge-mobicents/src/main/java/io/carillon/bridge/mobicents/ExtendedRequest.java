package io.carillon.bridge.mobicents;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.RoutePreprocessing;
import org.mobicents.javax.servlet.sip.SipServletRequestExt;

/**
 * A request with Mobicents' extensions; {@code addAuthHeader} with a flag is the container's own.
 * Owner: the turn of its application session.
 */
final class ExtendedRequest extends ServletRequest implements SipServletRequestExt {
    private boolean orphan;

    ExtendedRequest(
            SessionHost host,
            SipRequest received,
            Hop source,
            RoutePreprocessing routing,
            boolean initial) {
        super(host, received, source, routing, initial);
    }

    ExtendedRequest(SessionHost host, MessageDraft draft, boolean initial) {
        super(host, draft, initial);
    }

    /** False unless the application said otherwise: what belongs to no session gets 481. */
    @Override
    public boolean isOrphan() {
        return orphan;
    }

    @Override
    public void setOrphan(boolean value) {
        orphan = value;
    }
}
