package io.carillon.pojo.engine;

import org.jspecify.annotations.Nullable;

/** A message lacks what a handler asks for; a request is answered with this status. */
final class UnsuitableMessageException extends Exception {
    private final int status;
    private final @Nullable String accept;

    UnsuitableMessageException(int status, String reason, @Nullable String accept) {
        super(reason, null, false, false);
        this.status = status;
        this.accept = accept;
    }

    int status() {
        return status;
    }

    /** The reason phrase. */
    String reason() {
        return String.valueOf(getMessage());
    }

    /** What the response says in Accept (RFC 3261 section 20.1), or null. */
    @Nullable String accept() {
        return accept;
    }
}
