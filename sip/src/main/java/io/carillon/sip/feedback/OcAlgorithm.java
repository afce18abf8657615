package io.carillon.sip.feedback;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A class of overload control algorithms. */
enum OcAlgorithm {
    /** RFC 7339 7: {@code oc} is the percentage of requests that is not sent. */
    LOSS("loss"),

    /** RFC 7415: {@code oc} is the number of requests that may be sent each second. */
    RATE("rate");

    private final String token;

    OcAlgorithm(String token) {
        this.token = token;
    }

    /** As it stands in {@code oc-algo}. */
    String token() {
        return token;
    }

    /**
     * What a client offers. RFC 7339 4.2: "A SIP client MUST support the loss-based overload
     * control scheme and MUST insert at least the token "loss""; "the client may indicate algorithm
     * preference by ordering the list in a decreasing order of preference".
     */
    static String offered(OcMode mode) {
        return mode == OcMode.RATE ? "rate,loss" : "loss";
    }

    /**
     * What a server chooses. RFC 7339 5.1: "the server MUST choose one algorithm from the list of
     * algorithms in the "oc-algo" parameter". By what is agreed with the client alone, so it stays
     * the same as long as the client offers the same (5.8).
     *
     * @param list the client's, null for none
     * @return null when there is none that we have
     */
    static @Nullable OcAlgorithm chosen(@Nullable String list, OcMode mode) {
        if (mode == OcMode.OFF) {
            return null;
        }
        if (list == null) {
            return LOSS; // 4.2: "with a default value of "loss""
        }
        boolean loss = false;
        boolean rate = false;
        for (String one : list.toLowerCase(Locale.ROOT).split(",", -1)) {
            loss |= one.strip().equals(LOSS.token);
            rate |= one.strip().equals(RATE.token);
        }
        if (rate && mode == OcMode.RATE) {
            return RATE;
        }
        return loss ? LOSS : null;
    }
}
