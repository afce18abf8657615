package io.carillon.pojo;

import org.jspecify.annotations.Nullable;

/**
 * Ends the handling of a request with a status: thrown by a handler, or by what stands around it.
 * Has no stack trace, as it is an answer and no fault.
 */
public class SipStatusException extends RuntimeException {
    private final int status;
    private final @Nullable String reason;

    /**
     * @param status 300 to 699
     */
    public SipStatusException(int status) {
        this(status, null);
    }

    /**
     * @param status 300 to 699
     * @param reason reason phrase; null: the usual one of the status
     * @throws IllegalArgumentException where no final response but success has that status
     */
    public SipStatusException(int status, @Nullable String reason) {
        super(
                reason == null ? Integer.toString(status) : status + " " + reason,
                null,
                false,
                false);
        if (status < 300 || status > 699) {
            throw new IllegalArgumentException("status " + status + " is not one of 300 to 699");
        }
        this.status = status;
        this.reason = reason;
    }

    /** The status of the response. */
    public final int status() {
        return status;
    }

    /** The reason phrase, or null for the usual one. */
    public final @Nullable String reason() {
        return reason;
    }
}
