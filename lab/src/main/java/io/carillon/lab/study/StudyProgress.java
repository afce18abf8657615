package io.carillon.lab.study;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What a study does now and how long it will take still: one line that is written over on a
 * terminal, a line for each step without one. Used by one thread.
 */
public final class StudyProgress {
    private static final long REDRAW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PrintStream console;
    private final boolean terminal;
    private final LongSupplier nanoClock;
    private final long begin;
    private String part = "";
    private String step = "";
    private long plannedSeconds;
    private long drawnAt;

    StudyProgress(PrintStream console, boolean terminal, LongSupplier nanoClock) {
        this.console = console;
        this.terminal = terminal;
        this.nanoClock = nanoClock;
        this.begin = nanoClock.getAsLong();
    }

    /** On this process's terminal, when it has one; JDK 25 has no console at all without one. */
    public static StudyProgress here() {
        return on(System.out);
    }

    /** The same on another of its streams, where the first one is for the result. */
    @SuppressWarnings("SystemConsoleNull")
    static StudyProgress on(PrintStream console) {
        boolean terminal = System.console() != null && System.console().isTerminal();
        return new StudyProgress(console, terminal, System::nanoTime);
    }

    /**
     * A new part begins.
     *
     * @param leftSeconds what is planned from here to the end of all
     */
    public void part(String name, long leftSeconds) {
        part = name;
        plannedSeconds = passedSeconds() + leftSeconds;
        say("");
    }

    public void step(String text) {
        step = text;
        if (terminal) {
            draw();
        } else {
            console.printf("%s %s (%s left)%n", part, step, left());
        }
    }

    /** Time goes by. */
    public void tick() {
        if (terminal && nanoClock.getAsLong() - drawnAt >= REDRAW_NANOS) {
            draw();
        }
    }

    /** A line that stays; nothing for an empty one. */
    public void say(String line) {
        if (terminal) {
            console.print("\r\u001b[K");
        }
        if (!line.isEmpty()) {
            console.println(part.isEmpty() ? line : part + " " + line);
        }
        console.flush();
    }

    private void draw() {
        drawnAt = nanoClock.getAsLong();
        console.printf("\r\u001b[K%s %s ... %s left", part, step, left());
        console.flush();
    }

    private long passedSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(nanoClock.getAsLong() - begin);
    }

    private String left() {
        long seconds = Math.max(0, plannedSeconds - passedSeconds());
        return String.format(Locale.ROOT, "about %d:%02d", seconds / 60, seconds % 60);
    }
}
