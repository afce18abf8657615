package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.NextApplication;
import io.carillon.servlet.port.Passed;
import io.carillon.servlet.port.Slot;
import io.carillon.sip.header.SessionExpires;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.Uri;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What proxies need of the rest of the container: their objects, the applications behind them, and
 * what other features do with a message on its way. One for a container; with the turn held.
 */
public interface ProxyHost {
    /** Where {@link SessionHost#parts} has it. */
    Slot<ProxyHost> SLOT = Slot.of(ProxyHost.class);

    static ProxyHost of(SessionHost host) {
        return Objects.requireNonNull(host.parts().get(SLOT));
    }

    // ---- objects ----

    ServletProxy proxy(ServletRequest request, UasTransaction server);

    ServletProxyBranch branch(ServletProxy proxy, Uri target);

    // ---- a request goes on ----

    /** A request is about to leave on a branch: other features write to it. */
    void leaving(ServletRequest request, MessageDraft draft, boolean inDialog);

    /** Does the router certainly know nobody behind the session's application? */
    boolean atEnd(String method, ServletSession session);

    /**
     * Who is next for a branch.
     *
     * @param view the request as it will be sent
     */
    NextApplication next(ServletRequest request, ServletSession session, ServletRequest view);

    /** For a request in a dialog: the application of ours that is next; null: by the wire. */
    @Nullable Hop next(ServletSession session, SipRequest received, Hop source, MessageDraft draft);

    // ---- a response comes back ----

    /** RFC 4028 8.1: do proxies of the session's application ask for a session timer? */
    boolean times(ServletSession session);

    /**
     * RFC 4028 8.2: the Session-Expires that a 2xx gets from us on its way, where {@link #times}
     * says so.
     *
     * @param sent the request as it was forwarded
     * @return null: none
     */
    @Nullable SessionExpires expires(
            ServletSession session, SipRequest received, SipRequest sent, SipResponse response);

    /** Writes what {@link #expires} gave. */
    void write(SessionExpires expires, MessageDraft response);

    /**
     * A 2xx to a request of that method passed, which gets that Session-Expires from us; null:
     * none.
     */
    void passed(
            ServletSession session,
            String method,
            SipResponse response,
            @Nullable SessionExpires ours);

    // ---- the application sees it ----

    /** Is nobody asked for credentials before the application's servlets? */
    boolean open(ServletSession session);

    /**
     * Asks the application's gate.
     *
     * @param again takes the request once more, in its turn, when the user store has been asked
     */
    Passed pass(ServletSession session, ServletRequest request, Runnable again);

    /** Gives a request that passed to the servlet of its session; false when it threw. */
    boolean serve(ServletSession session, ServletRequest request);

    /** Asks the gate and gives the request to the servlet; false when it threw. */
    boolean service(ServletSession session, ServletRequest request);
}
