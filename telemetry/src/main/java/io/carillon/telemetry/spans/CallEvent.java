package io.carillon.telemetry.spans;

/**
 * A moment of a call.
 *
 * @param atNanos by the clock of the shards
 * @param text in words
 * @param span id of the span that it belongs to
 */
public record CallEvent(long atNanos, String text, long span) {}
