package io.carillon.lab.rig;

/**
 * A short load at one rate.
 *
 * @param rate calls per second
 * @param clean nothing failed, was sent twice or was dropped
 * @param reason why it was not clean; empty when it was
 * @param disturbed the machine had other things to do meanwhile
 * @param limitedByLoad the load itself, not the server, was at its end
 */
public record RateProbe(
        int rate, boolean clean, String reason, boolean disturbed, boolean limitedByLoad) {
    @Override
    public String toString() {
        return rate
                + " calls/s: "
                + (clean ? "clean" : reason)
                + (disturbed ? " (the machine was busy with other things)" : "");
    }
}
