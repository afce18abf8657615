package io.carillon.lab.process;

import java.util.Locale;

/**
 * What the machine did beside a run, as shares of all its CPUs' time, 0 to 1.
 *
 * @param steal taken by other guests of the host
 * @param others used by other processes
 */
public record Disturbance(double steal, double others) {
    /** Beyond this, a figure says more of the machine's other work than of the server. */
    private static final double MUCH = 0.05;

    public boolean isMuch() {
        return steal > MUCH || others > MUCH;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "steal %.1f %%, others %.1f %%", steal * 100, others * 100);
    }
}
