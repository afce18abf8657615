package io.carillon.servlet.port;

import javax.servlet.sip.SipServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * What came of the Identity header of a request (RFC 8224 section 6.2). Applications see it in the
 * request's attributes. Immutable.
 *
 * @param status 200 for a valid identity, else what it would be refused with: 403, 428, 436, 437,
 *     438
 * @param reason the reason phrase of that answer
 * @param identity the number or URI that is vouched for; null when none is
 * @param attest A, B or C of a SHAKEN PASSporT; null without
 * @param origid its origid; null without
 */
public record IdentityResult(
        int status,
        String reason,
        @Nullable String identity,
        @Nullable String attest,
        @Nullable String origid) {
    /** Attribute: the status, an Integer. */
    public static final String STATUS = "io.carillon.identity.status";

    /** Attribute: the reason, a String. */
    public static final String REASON = "io.carillon.identity.reason";

    /** Attribute: {@code TN-Validation-Passed}, {@code -Failed} or {@code No-TN-Validation}. */
    public static final String VERSTAT = "io.carillon.identity.verstat";

    /** Attribute: who is vouched for, a String; absent when nobody is. */
    public static final String IDENTITY = "io.carillon.identity.orig";

    /** Attribute: A, B or C; absent without. */
    public static final String ATTEST = "io.carillon.identity.attest";

    /** Attribute: the origid of SHAKEN; absent without. */
    public static final String ORIGID = "io.carillon.identity.origid";

    public static IdentityResult failed(int status, String reason) {
        return new IdentityResult(status, reason, null, null, null);
    }

    public boolean valid() {
        return status == 200;
    }

    /** The word that networks use for it (ATIS-1000074, verstat). */
    public String verstat() {
        return valid()
                ? "TN-Validation-Passed"
                : status == 428 ? "No-TN-Validation" : "TN-Validation-Failed";
    }

    /** Puts it where the application looks. */
    public void tell(SipServletRequest request) {
        request.setAttribute(STATUS, status);
        request.setAttribute(REASON, reason);
        request.setAttribute(VERSTAT, verstat());
        request.setAttribute(IDENTITY, identity);
        request.setAttribute(ATTEST, attest);
        request.setAttribute(ORIGID, origid);
    }
}
