package io.carillon.boot;

/** The SIP application did not start: a handler that cannot be, or a port that is taken. */
public final class SipStartException extends RuntimeException {
    SipStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
