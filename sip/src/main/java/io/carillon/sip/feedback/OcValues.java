package io.carillon.sip.feedback;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.Via;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a server says in the Via of a response (RFC 7339 4). Immutable.
 *
 * @param algorithm by which it is meant
 * @param value percent not to be sent, or requests that may be sent each second
 * @param validityMillis for how long; 0: nothing is asked for
 * @param sequence by which later ones are known, in {@link #PARTS} of what stands before the point;
 *     {@link #NONE} where it is not there
 */
record OcValues(OcAlgorithm algorithm, long value, long validityMillis, long sequence) {
    static final String OC = "oc";
    static final String ALGORITHM = "oc-algo";
    static final String VALIDITY = "oc-validity";
    static final String SEQUENCE = "oc-seq";

    /** 4.3: "The default value of the "oc-validity" parameter is 500 (milliseconds)." */
    static final long DEFAULT_VALIDITY_MILLIS = 500;

    /** Nobody can mean more. */
    static final long MOST_VALIDITY_MILLIS = 3_600_000;

    /** 9: {@code oc-seq = "oc-seq" EQUAL 1*12DIGIT "." 1*5DIGIT}. */
    static final long PARTS = 100_000;

    static final long NONE = -1;
    private static final long MOST_RATE = 1_000_000_000;
    private static final long MOST_SECONDS = 999_999_999_999L;
    private static final int PART_DIGITS = 5;

    /**
     * What our Via in a response says; null when it says nothing that can be meant. 4.3: "A SIP
     * client MUST discard a non-zero value of the "oc-validity" parameter if the client receives it
     * in a response without the corresponding "oc" parameter".
     */
    static @Nullable OcValues read(Via via) {
        String oc = via.param(OC);
        // 6: without a value: "it would have left the "oc" and "oc-algo" parameters unchanged, thus
        // allowing the client to know that it did not support overload control".
        if (oc == null || oc.isEmpty()) {
            return null;
        }
        long value = Ascii.parseDecimal(oc, MOST_RATE);
        OcAlgorithm algorithm = algorithm(via.param(ALGORITHM));
        long validity = validity(via.param(VALIDITY));
        // 7.1: "This value MUST be in the range of [0, 100], inclusive."
        long most = algorithm == OcAlgorithm.LOSS ? 100 : MOST_RATE;
        if (algorithm == null || validity < 0 || value < 0 || value > most) {
            return null;
        }
        return new OcValues(algorithm, value, validity, sequence(via.param(SEQUENCE)));
    }

    private static @Nullable OcAlgorithm algorithm(@Nullable String text) {
        if (text == null) {
            return OcAlgorithm.LOSS;
        }
        String one = text.strip().toLowerCase(Locale.ROOT);
        for (OcAlgorithm known : OcAlgorithm.values()) {
            if (known.token().equals(one)) {
                return known;
            }
        }
        return null;
    }

    private static long validity(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return DEFAULT_VALIDITY_MILLIS;
        }
        long asked = Ascii.parseDecimal(text, Long.MAX_VALUE / 2);
        return asked < 0 ? NONE : Math.min(asked, MOST_VALIDITY_MILLIS);
    }

    /** What cannot be read is as if it were not there. */
    private static long sequence(@Nullable String text) {
        if (text == null) {
            return NONE;
        }
        int point = text.indexOf('.');
        long whole = Ascii.parseDecimal(point < 0 ? text : text.substring(0, point), MOST_SECONDS);
        String parts = point < 0 ? "0" : text.substring(point + 1);
        if (whole < 0 || parts.isEmpty() || parts.length() > PART_DIGITS) {
            return NONE;
        }
        long part = Ascii.parseDecimal(parts + "0000".substring(parts.length() - 1), PARTS);
        return part < 0 ? NONE : whole * PARTS + part;
    }

    /** As they stand in a Via. */
    String params() {
        return ";"
                + OC
                + "="
                + value
                + ";"
                + ALGORITHM
                + "=\""
                + algorithm.token()
                + "\";"
                + VALIDITY
                + "="
                + validityMillis
                + ";"
                + SEQUENCE
                + "="
                + sequenceText();
    }

    private String sequenceText() {
        return sequence / PARTS + "." + Long.toString(PARTS + sequence % PARTS).substring(1);
    }

    /** The Via of a client as the response to it has it. */
    Via on(Via via) {
        return via.withParam(OC, Long.toString(value))
                .withQuotedParam(ALGORITHM, algorithm.token())
                .withParam(VALIDITY, Long.toString(validityMillis))
                .withParam(SEQUENCE, sequenceText());
    }
}
