package io.carillon.net.tls;

/** Hears how long handshakes take. Called on event loops: it neither waits nor throws. */
@FunctionalInterface
public interface HandshakeTimes {
    /** Nobody listens. */
    HandshakeTimes NONE = (listener, outcome, nanos) -> {};

    /**
     * A handshake is over, well or not.
     *
     * @param listener as the configuration names it; empty for a connection that we opened
     * @param nanos since the connection was there
     */
    void took(String listener, HandshakeOutcome outcome, long nanos);
}
