package io.carillon.servlet.kernel;

import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.message.SipRequest;

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

    /** The session ends, or has another one: the tables know it no more. */
    void forget();

    /** For {@link SessionHooks#readForwarded}. */
    void write(StateWriter out);
}
