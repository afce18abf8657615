package io.carillon.server.measure;

/** Who knows the status. Any thread; never waits for a call's turn. */
@FunctionalInterface
public interface StatusSource {
    /** The status of this moment. */
    ServerStatus status();
}
