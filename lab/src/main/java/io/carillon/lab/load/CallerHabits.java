package io.carillon.lab.load;

import java.time.Duration;
import java.util.List;

/**
 * What callers do beside calling.
 *
 * @param redialFrom shortest time after which a refused caller calls once more
 * @param redialTo longest such time; zero: nobody calls again
 * @param headers further lines of each INVITE, without their line breaks
 * @param rport do their requests ask for answers at where they come from? RFC 3581 3
 */
record CallerHabits(Duration redialFrom, Duration redialTo, List<String> headers, boolean rport) {
    static final CallerHabits NONE =
            new CallerHabits(Duration.ZERO, Duration.ZERO, List.of(), false);

    boolean redials() {
        return !redialTo.isZero();
    }

    /** {@code 2s..10s}, or one time for all. */
    static CallerHabits of(String redial, List<String> headers, boolean rport) {
        for (String header : headers) {
            if (!header.matches("[-A-Za-z0-9.!%*_+`'~]+ ?:[^\\r\\n]*")) {
                throw new IllegalArgumentException(
                        "--header is a line like Resource-Priority: esnet.0, not " + header);
            }
        }
        if (redial.isEmpty()) {
            return new CallerHabits(Duration.ZERO, Duration.ZERO, List.copyOf(headers), rport);
        }
        int dots = redial.indexOf("..");
        Duration from = TimeText.parse(dots < 0 ? redial : redial.substring(0, dots));
        Duration to = dots < 0 ? from : TimeText.parse(redial.substring(dots + 2));
        if (to.isZero() || to.compareTo(from) < 0) {
            throw new IllegalArgumentException(
                    "--redial is a time above 0 or two of them as in 2s..10s, not " + redial);
        }
        return new CallerHabits(from, to, List.copyOf(headers), rport);
    }
}
