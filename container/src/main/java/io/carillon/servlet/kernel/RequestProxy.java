package io.carillon.servlet.kernel;

import javax.servlet.sip.Proxy;

/** The proxy of a request, as the request knows it. */
public interface RequestProxy extends Proxy {
    /**
     * The application has answered the request by itself (JSR 289 10.2) while it is proxied: what
     * is pending gets a CANCEL (RFC 3261 16.7 step 10). The turn is held.
     *
     * @param success with a 2xx
     */
    void answeredByApplication(boolean success);

    /**
     * Has the next node something to send at once: was it cancelled, or does nothing say that what
     * it sent has arrived? The turn is held.
     */
    boolean isUrgent();
}
