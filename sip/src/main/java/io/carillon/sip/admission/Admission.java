package io.carillon.sip.admission;

import io.carillon.sip.observe.Counter;

/** Whether a request may begin a transaction: decided by {@link AdmissionControl} alone. */
public sealed interface Admission {
    /** It may. */
    Admission ACCEPTED = new Accepted();

    /** It begins a transaction. */
    record Accepted() implements Admission {}

    /**
     * It is answered without a transaction (RFC 3261 8.2.7).
     *
     * @param why how it is counted
     * @param status of the answer: 503 as a rule
     * @param retryAfterSeconds in the answer; 0 for none
     */
    record Refused(Counter why, int status, int retryAfterSeconds) implements Admission {}

    /**
     * Nobody answers it.
     *
     * @param why how it is counted
     */
    record Dropped(Counter why) implements Admission {}
}
