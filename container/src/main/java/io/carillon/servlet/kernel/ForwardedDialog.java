package io.carillon.servlet.kernel;

import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/** A dialog that goes through a proxy of ours, as its session knows it. With the turn held. */
public interface ForwardedDialog {
    /** Does the proxy stay on its way? */
    boolean supervised();

    /** Is it a call, not a subscription? */
    boolean isCall();

    /**
     * No subscription uses it any more.
     *
     * @return true while another fork of its request may begin one (RFC 6665 4.4.1)
     */
    boolean usagesOver();

    /** Did the end send that which began the dialog? */
    boolean fromCaller(SipRequest request);

    /** Did the callee, who has this dialog with the caller, send it from where he was heard? */
    boolean isOfCallee(SipResponse success, Hop from);

    /**
     * Where a 2xx goes to the request that began it, of which no transaction is left here: another
     * node has forwarded it before.
     *
     * @return null where it is not forwarded
     */
    @Nullable Hop wayBack(SipResponse success);

    /** The session ends, or has another one: the tables know it no more. */
    void forget();

    /** For {@link SessionHooks#readForwarded}. */
    void write(StateWriter out);
}
