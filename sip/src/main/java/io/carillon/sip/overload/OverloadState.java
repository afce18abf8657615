package io.carillon.sip.overload;

/**
 * What is known of a shard's load at one moment.
 *
 * @param shedding whether new work is refused now
 * @param sinceNanos since when, by the executor's clock; 0 when it is not
 * @param delayNanos the queueing delay: of the place where messages wait longest
 * @param where that place
 * @param load 0 to 100: the queueing delay as a part of the one at which new work is shed, and 100
 *     while it is shed
 * @param admittedPerSecond new work that is let in; 0 for no limit
 * @param shedPerSecond new work that was refused or dropped in the last second
 */
public record OverloadState(
        boolean shedding,
        long sinceNanos,
        long delayNanos,
        Waiting where,
        int load,
        double admittedPerSecond,
        double shedPerSecond) {
    /** Nothing waits. */
    public static final OverloadState IDLE =
            new OverloadState(false, 0, 0, Waiting.SOCKET, 0, 0, 0);

    /** Is new work limited, whether or not any was refused by that yet? */
    public boolean limiting() {
        return admittedPerSecond > 0;
    }
}
