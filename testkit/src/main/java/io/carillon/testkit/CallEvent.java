package io.carillon.testkit;

/**
 * Something that one end of a call saw or did.
 *
 * @param atNanos virtual time
 * @param text such as {@code > INVITE 1}, {@code < 180 INVITE 1}, {@code ! ACK missing}
 */
public record CallEvent(long atNanos, String text) {
    /** Milliseconds since the start, and the text. */
    @Override
    public String toString() {
        return (atNanos - VirtualTime.START_NANOS) / 1_000_000 + " ms " + text;
    }
}
