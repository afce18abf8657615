package io.carillon.lab.rig;

import io.carillon.lab.process.AnswerProbe;
import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * How long a peer waits at worst: a probe asks the server every 10 ms, and a control asks a bare
 * echo on the server's CPUs. Seconds in which the control waits too are the machine's: they are
 * left out, and counted. Stateless.
 */
public final class OutsideWaits {
    /** A second in which the control waits longer is left out. */
    private static final long STALL_NANOS = 5_000_000L;

    private static final long LIMIT_NANOS = 20_000_000L;

    private OutsideWaits() {}

    /**
     * Watches for so long and prints what came out.
     *
     * @param cpus of the server, as taskset takes them
     * @return whether every question of the seconds that count was answered in time
     */
    public static boolean watch(InetSocketAddress server, String cpus, int seconds, Path folder)
            throws IOException {
        try (EchoRun echo = EchoRun.start(cpus, folder)) {
            try (AnswerProbe probe = AnswerProbe.start(server);
                    AnswerProbe control = AnswerProbe.start(echo.address())) {
                Pause.millis(2000);
                probe.reset();
                control.reset();
                return seconds(probe, control, seconds);
            }
        }
    }

    private static boolean seconds(AnswerProbe probe, AnswerProbe control, int seconds)
            throws IOException {
        long longest = 0;
        int late = 0;
        int leftOut = 0;
        long due = System.nanoTime();
        for (int i = 0; i < seconds; i++) {
            due += 1_000_000_000L;
            Pause.millis(Math.max(0, (due - System.nanoTime()) / 1_000_000L));
            long waited = probe.takeLongestNanos();
            if (control.takeLongestNanos() > STALL_NANOS) {
                leftOut++;
            } else {
                longest = Math.max(longest, waited);
                if (waited > LIMIT_NANOS) {
                    late++;
                    System.out.printf(
                            "  %s  a question waited %.2f ms%n",
                            LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS),
                            waited / 1e6);
                }
            }
        }
        System.out.printf(
                "  outside probe every 10 ms for %d s: p50 %.2f, p99.9 %.2f ms; longest %.2f ms in the %d seconds that"
                        + " count, %d of them over 20 ms; %d questions lost%n",
                seconds,
                probe.percentileNanos(50) / 1e6,
                probe.percentileNanos(99.9) / 1e6,
                longest / 1e6,
                seconds - leftOut,
                late,
                probe.lost());
        System.out.printf(
                "  control (a bare echo on the same CPUs): p99.9 %.2f ms; %d seconds left out in which it waited"
                        + " over 5 ms (%.2f %%)%n",
                control.percentileNanos(99.9) / 1e6, leftOut, 100.0 * leftOut / seconds);
        String fault = probe.fault() + control.fault();
        if (!fault.isEmpty()) {
            throw new IOException("a probe stopped: " + fault);
        }
        return late == 0 && probe.lost() == 0;
    }
}
