package io.carillon.servlet.kernel;

/**
 * A request cannot leave now, as another one is under way in its dialog (RFC 3261 14.1, RFC 3311
 * 5.1). Later it can. An application that relays a request and lets this pass has it answered with
 * 491.
 */
public final class RequestPending extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    RequestPending(String method) {
        super("RFC 3261 14.1, RFC 3311 5.1: another " + method + " or offer is in progress");
    }
}
