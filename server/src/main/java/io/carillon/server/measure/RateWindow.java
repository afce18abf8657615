package io.carillon.server.measure;

/** How fast a counter grew over the last samples. One thread samples; any thread reads. */
public final class RateWindow {
    private final long[] values;
    private final long[] nanos;
    private int samples;

    /**
     * A window.
     *
     * @param samples how many samples it spans, at least 2
     */
    public RateWindow(int samples) {
        this.values = new long[samples];
        this.nanos = new long[samples];
    }

    /** Takes the counter's value at a time. */
    public synchronized void sample(long value, long nowNanos) {
        int at = samples % values.length;
        values[at] = value;
        nanos[at] = nowNanos;
        samples++;
    }

    /** Growth per second between the oldest and the newest sample kept; 0 before there are two. */
    public synchronized double perSecond() {
        int kept = Math.min(samples, values.length);
        if (kept < 2) {
            return 0;
        }
        int newest = (samples - 1) % values.length;
        int oldest = (samples - kept) % values.length;
        long elapsed = nanos[newest] - nanos[oldest];
        return elapsed <= 0 ? 0 : (values[newest] - values[oldest]) * 1e9 / elapsed;
    }
}
