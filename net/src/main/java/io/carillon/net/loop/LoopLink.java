package io.carillon.net.loop;

import java.time.Duration;

/**
 * How bad a {@link LoopNetwork} is to datagrams. Streams only feel the delay.
 *
 * @param loss part of the datagrams that is lost, 0 to 1
 * @param duplication part that comes twice, 0 to 1
 * @param reordering part that comes late by one more delay (at least 5 ms), so that later ones
 *     overtake it
 * @param delay time on the way
 */
public record LoopLink(double loss, double duplication, double reordering, Duration delay) {

    /** Nothing is lost and nothing takes time. */
    public static final LoopLink PERFECT = new LoopLink(0, 0, 0, Duration.ZERO);

    public LoopLink {
        part("loss", loss);
        part("duplication", duplication);
        part("reordering", reordering);
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay: not negative: " + delay);
        }
    }

    private static void part(String what, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(what + ": 0 to 1, not " + value);
        }
    }
}
