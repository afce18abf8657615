package io.carillon.lab.load;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Shows a running load: a block that is written over itself where there is a terminal, else a line
 * per second. Owner: the thread that runs the load.
 */
final class LoadView {
    private static final int LINES = 7;
    private static final int BAR = 40;

    private final PrintStream out;
    private final boolean live;
    private final String title;
    private final long seconds;
    private long made;
    private long completed;
    private long failed;
    private long sent;
    private long received;
    private long late;
    private long drops;
    private boolean drawn;

    /**
     * @param seconds planned length with the warm-up; 0 when it is not known
     */
    LoadView(PrintStream out, boolean live, String title, long seconds) {
        this.out = out;
        this.live = live;
        this.title = title;
        this.seconds = seconds;
        if (!live) {
            out.println(title);
        }
    }

    void say(String line) {
        out.println(line);
        drawn = false;
    }

    void show(LoadSample s, boolean stopping) {
        made += s.made();
        completed += s.completed();
        failed += s.failed();
        sent += s.retransmissionsSent();
        received += s.retransmissionsReceived();
        late += s.late();
        drops += s.generatorDrops() + s.serverDrops();
        if (live) {
            block(s, stopping);
        } else {
            out.println(line(s));
        }
    }

    static String line(LoadSample s) {
        return String.format(
                Locale.ROOT,
                "%s%s  %.0f/s  made %d  completed %d  failed %d  held %d  sent again %d, received again %d  late %d"
                        + "  p50 %.2f  p99 %.2f  max %.1f ms  own CPU %.0f %%%s",
                TimeText.clock(s.second()),
                s.warmup() ? " (warm-up)" : "",
                s.rate(),
                s.made(),
                s.completed(),
                s.failed(),
                s.held(),
                s.retransmissionsSent(),
                s.retransmissionsReceived(),
                s.late(),
                s.p50Millis(),
                s.p99Millis(),
                s.maxMillis(),
                s.generatorCpu() * 100,
                s.serverCpu() < 0
                        ? ""
                        : String.format(Locale.ROOT, "  server CPU %.0f %%", s.serverCpu() * 100));
    }

    private void block(LoadSample s, boolean stopping) {
        // No line is broken on a narrow terminal: the block must keep its number of lines.
        StringBuilder b = new StringBuilder(1024).append("\u001b[?7l");
        if (drawn) {
            b.append("\u001b[").append(LINES).append('A');
        }
        drawn = true;
        row(b, "%s", title);
        row(b, "%s", progress(s, stopping));
        row(
                b,
                "rate      %8.0f /s   held %8d   made %10d   completed %10d",
                s.rate(),
                s.held(),
                made,
                completed);
        row(
                b,
                "failed    %8d      late %8d   sent again %4d   received again %5d   kernel drops %d",
                failed,
                late,
                sent,
                received,
                drops);
        row(
                b,
                "response  p50 %.2f   p95 %.2f   p99 %.2f   p99.9 %.2f   max %.1f ms (last second)",
                s.p50Millis(),
                s.p95Millis(),
                s.p99Millis(),
                s.p999Millis(),
                s.maxMillis());
        row(
                b,
                "load      CPU %.0f %%   behind its time %.2f ms (p99)%s",
                s.generatorCpu() * 100,
                s.behindMillis(),
                s.serverCpu() < 0
                        ? ""
                        : String.format(Locale.ROOT, "   server CPU %.0f %%", s.serverCpu() * 100));
        row(b, "Ctrl-C ends the calls and the load, a second one ends at once");
        out.print(b.append("\u001b[?7h"));
        out.flush();
    }

    @SuppressWarnings("AnnotateFormatMethod") // no annotation of Error Prone in what ships
    private static void row(StringBuilder b, String format, Object... arguments) {
        // Erases what a longer line left.
        b.append("\u001b[2K").append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private String progress(LoadSample s, boolean stopping) {
        if (stopping) {
            return "ending " + s.held() + " calls";
        }
        if (s.rate() == 0) {
            return "all calls are made; " + s.held() + " are still up";
        }
        if (seconds == 0) {
            return TimeText.clock(s.second()) + (s.warmup() ? "  warm-up" : "");
        }
        int done = (int) Math.min(BAR, s.second() * BAR / seconds);
        return "["
                + "#".repeat(done)
                + ".".repeat(BAR - done)
                + "]  "
                + TimeText.clock(s.second())
                + ", "
                + TimeText.clock(Math.max(0, seconds - s.second()))
                + " left"
                + (s.warmup() ? "  (warm-up)" : "");
    }

    /** The whole load, in lines for people. */
    void summary(LoadSummary s) {
        out.printf(
                Locale.ROOT,
                "%n%s: %d calls made in %.0f s, %d completed, %d failed%s%n",
                s.workload(),
                s.made(),
                s.seconds(),
                s.completed(),
                s.failed().values().stream().mapToLong(Long::longValue).sum(),
                s.failed().isEmpty() ? "" : " " + s.failed());
        out.printf(
                Locale.ROOT,
                "sent again %d, received again %d, unexpected %d, answers later than 200 ms %d, most held %d%n",
                s.retransmissionsSent(),
                s.retransmissionsReceived(),
                s.unexpected(),
                s.late(),
                s.heldMax());
        out.printf(
                Locale.ROOT,
                "response time p50 %.2f, p95 %.2f, p99 %.2f, p99.9 %.2f, longest %.1f ms%n",
                s.p50Millis(),
                s.p95Millis(),
                s.p99Millis(),
                s.p999Millis(),
                s.maxMillis());
        out.printf(
                Locale.ROOT,
                "load: %.0f us of CPU per call, %.0f ms in GC, p99 begun %.2f ms after its time, %d kernel drops%n",
                s.generatorCpuMicrosPerCall(),
                s.generatorGcMillis(),
                s.behindMillis(),
                s.generatorDrops());
        if (s.serverCpuMicrosPerCall() >= 0) {
            out.printf(
                    Locale.ROOT,
                    "server: %.0f us of CPU per call, %d kernel drops%n",
                    s.serverCpuMicrosPerCall(),
                    s.serverDrops());
        } else if (s.serverDrops() > 0) {
            out.printf(
                    Locale.ROOT,
                    "server: the kernel dropped %d datagrams at its port%n",
                    s.serverDrops());
        }
        s.broken().forEach(sentence -> out.println("BROKEN: " + sentence));
        if (s.generatorLimited()) {
            out.println(s.generatorReason());
        }
    }
}
