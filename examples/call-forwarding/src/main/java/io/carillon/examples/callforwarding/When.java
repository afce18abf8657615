package io.carillon.examples.callforwarding;

import javax.servlet.ServletException;

/** When a call is forwarded, with the cause that RFC 4458 has for it. */
enum When {
    ALWAYS(302),
    BUSY(486),
    NO_ANSWER(408),
    UNREACHABLE(503);

    final int cause;

    When(int cause) {
        this.cause = cause;
    }

    /** Of its word in a rule: {@code no-answer}. */
    static When of(String word) throws ServletException {
        for (When when : values()) {
            if (when.name().replace('_', '-').equalsIgnoreCase(word)) {
                return when;
            }
        }
        throw new ServletException(
                "'" + word + "' is none of always, busy, no-answer, unreachable");
    }

    /** What a final response means here; null when it is no reason to forward. */
    static When of(int status) {
        switch (status) {
            case 486:
                return BUSY;
            case 408:
            case 487: // whom the proxy cancelled, as his time to ring was over
                return NO_ANSWER;
            case 480:
            case 503:
                return UNREACHABLE;
            default:
                return null;
        }
    }
}
