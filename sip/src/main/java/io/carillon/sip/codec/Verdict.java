package io.carillon.sip.codec;

import io.carillon.sip.header.AddressScan;
import java.util.EnumMap;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of the message at work: accepted, or refused with a status and a reason, the
 * first that was found. What the compliance passes over is counted. Owned by its parser.
 */
final class Verdict {
    private final Compliance compliance;

    /** Made for the first one: most messages have none. */
    private @Nullable EnumMap<Violation, Long> tolerated;

    private int status;
    private String reason = "";

    Verdict(Compliance compliance) {
        this.compliance = compliance;
    }

    /** For the next message, or the same once more. */
    void clear() {
        status = 0;
        reason = "";
    }

    /** Has nothing been found for which to refuse the message? */
    boolean good() {
        return status == 0;
    }

    int status() {
        return status;
    }

    String reason() {
        return reason;
    }

    /** How often that violation was passed over. */
    long tolerated(Violation violation) {
        EnumMap<Violation, Long> known = tolerated;
        return known == null ? 0 : known.getOrDefault(violation, 0L);
    }

    /** Refuses the message, if nothing did before. */
    void fail(int code, String why) {
        if (status == 0) {
            status = code;
            reason = why;
        }
    }

    /** Passes a violation over and counts it, or refuses the message for it. */
    void tolerate(Violation violation, String why) {
        if (compliance.tolerates(violation)) {
            EnumMap<Violation, Long> known = tolerated;
            if (known == null) {
                known = new EnumMap<>(Violation.class);
                tolerated = known;
            }
            known.merge(violation, 1L, Long::sum);
        } else {
            fail(400, why);
        }
    }

    /** The same for faults that a scan passed over, {@link AddressScan#faults()}. */
    void faults(int bits) {
        if ((bits & AddressScan.EMPTY_PARAMETER) != 0) {
            tolerate(Violation.EMPTY_PARAMETER, "Empty Parameter");
        }
        if ((bits & AddressScan.EMPTY_ELEMENT) != 0) {
            tolerate(Violation.EMPTY_LIST_ELEMENT, "Empty List Element");
        }
        if ((bits & AddressScan.FOLD_IN_URI) != 0) {
            tolerate(Violation.FOLD_IN_URI, "Line Fold In URI");
        }
        if ((bits & AddressScan.SCHEME_MISSING) != 0) {
            tolerate(Violation.SCHEME_MISSING, "URI Without Scheme");
        }
        if ((bits & AddressScan.JUNK_AFTER_ADDRESS) != 0) {
            tolerate(Violation.JUNK_AFTER_ADDRESS, "Junk After Address");
        }
        if ((bits & AddressScan.USER_IN_VIA) != 0) {
            tolerate(Violation.USER_IN_VIA, "User In Via");
        }
    }
}
