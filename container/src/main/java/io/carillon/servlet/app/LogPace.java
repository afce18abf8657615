package io.carillon.servlet.app;

/** How often one kind of line is logged; what came between is a number in the next. Any thread. */
public final class LogPace {
    private final long quietMillis;
    private long loggedAtMillis = Long.MIN_VALUE;
    private long silent;

    /**
     * @param quietMillis from one line to the next, at least
     */
    public LogPace(long quietMillis) {
        this.quietMillis = quietMillis;
    }

    /** Something that is worth a line: how many of its kind the line stands for, or 0 for none. */
    public synchronized long admit(long nowMillis) {
        silent++;
        if (loggedAtMillis != Long.MIN_VALUE && nowMillis - loggedAtMillis < quietMillis) {
            return 0;
        }
        long all = silent;
        silent = 0;
        loggedAtMillis = nowMillis;
        return all;
    }
}
