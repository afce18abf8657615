package io.carillon.it.calls;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.PackedClasses;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it slow}: an application that sleeps, computes or holds a lock in some calls,
 * or has two in a deadlock; all other calls of the same application have to be answered within 200
 * ms, 999 of 1,000 within 50 ms, without one message sent again.
 */
@Command(
        name = "slow",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Calls of an application of which some sleep or compute for 5 s, hold a lock, or wait"
                        + " for each other for good: how late are the others?")
public final class Slow implements Callable<Integer> {
    private static final double LATEST_MILLIS = 200;
    private static final double MOST_MILLIS = 50;

    /** A deadlock is in the status by then. */
    private static final long NAMED_MILLIS = 5_000;

    private static final String DEADLOCK = "deadlock";
    private static final long NANOS_PER_MILLI = 1_000_000;

    @Option(names = "--rate", defaultValue = "200", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--every",
            defaultValue = "0",
            description = "every n-th call is slow (10 sleep and lock, 100 busy)")
    private int every;

    @Option(
            names = "--kind",
            defaultValue = "sleep",
            description = "sleep, busy, lock or deadlock (${DEFAULT-VALUE})")
    private String kind = "sleep";

    @Option(
            names = "--before",
            defaultValue = "10000",
            description =
                    "calls that all are quick before, at 1000/s: what the application is known for"
                            + " (${DEFAULT-VALUE})")
    private int before;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "length of the load (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--out", description = "folder of logs and counts (it/target/slow-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        if (!List.of("sleep", "busy", "lock", DEADLOCK).contains(kind)) {
            System.err.println(
                    "carillon it slow: --kind is sleep, busy, lock or deadlock, not " + kind);
            return 2;
        }
        try {
            return measure();
        } catch (IOException e) {
            System.err.println("carillon it slow: " + e.getMessage());
            return 1;
        }
    }

    private int measure() throws IOException {
        Path folder = Folders.results(out, "it", "slow");
        int nth = every > 0 ? every : kind.equals("busy") ? 100 : 10;
        int slowRate = rate / nth;
        try (ServerProcess server =
                CarillonLaunch.at(CarillonLaunch.USUAL_PORT)
                        .http(18_080)
                        .running(archive(folder))
                        .start(folder)) {
            Path quick = folder.resolve("quick");
            Path slow = folder.resolve("slow");
            behave(folder.resolve("warm-up"));
            if (kind.equals(DEADLOCK)) {
                return deadlock(server, quick, slow);
            }
            try (Sipp slowCalls = caller(slow, kind, 5092, slowRate, seconds);
                    Sipp quickCalls = caller(quick, "quick", 5093, rate - slowRate, seconds)) {
                Pause.millis(seconds * 500L);
                System.out.println(server.name() + ":\n" + ControlCommand.run(server, "status"));
                quickCalls.await(seconds + 60L);
                slowCalls.await(60);
            }
            return verdict(
                    kind + " in every " + nth + "th call",
                    Sipp.responseTimes(quick),
                    Sipp.counts(quick).plus(Sipp.counts(slow)));
        }
    }

    /** Two calls never end; the status says so, and the others do not notice. */
    private int deadlock(ServerProcess server, Path quick, Path slow) throws IOException {
        try (Sipp quickCalls = caller(quick, "quick", 5093, rate, seconds);
                Sipp _ = caller(slow, DEADLOCK, 5092, 2, 1)) {
            long began = System.nanoTime();
            boolean named = false;
            while (!named && System.nanoTime() - began < 2 * NAMED_MILLIS * NANOS_PER_MILLI) {
                Pause.millis(200);
                named = ControlCommand.run(server, "status").contains("DEADLOCK");
            }
            long millis = (System.nanoTime() - began) / NANOS_PER_MILLI;
            System.out.println(server.name() + ":\n" + ControlCommand.run(server, "status"));
            System.out.printf(
                    "the status %s, %.1f s after the two calls began (at most 5)%n",
                    named ? "names the deadlock" : "names no deadlock", millis / 1_000.0);
            quickCalls.await(seconds + 60L);
            int verdict =
                    verdict(
                            "a deadlock of two calls",
                            Sipp.responseTimes(quick),
                            Sipp.counts(quick));
            return named && millis <= NAMED_MILLIS ? verdict : 1;
        }
    }

    private static int verdict(String what, double[] times, Sipp.Counts counts) {
        double latest = times[times.length - 1];
        double most = times[(int) (times.length * 0.999)];
        System.out.printf(
                "%s: %d other calls, p50 %.1f ms, p99.9 %.1f ms (at most 50), latest %.1f ms (at most"
                        + " 200); %d calls failed, %d messages sent again (none may)%n",
                what,
                times.length,
                times[times.length / 2],
                most,
                latest,
                counts.failed(),
                counts.retransmissions());
        boolean holds =
                latest <= LATEST_MILLIS
                        && most <= MOST_MILLIS
                        && counts.failed() == 0
                        && counts.retransmissions() == 0;
        System.out.println(holds ? "It holds" : "It does not hold");
        return holds ? 0 : 1;
    }

    private void behave(Path folder) throws IOException {
        if (before > 0) {
            int each = Math.min(1000, before);
            int behaved = before / each;
            try (Sipp warm = caller(folder, "quick", 5091, each, behaved)) {
                warm.await(behaved + 60L);
            }
        }
    }

    private static Sipp caller(Path folder, String user, int port, int rate, int seconds)
            throws IOException {
        List<String> calls =
                List.of(
                        "127.0.0.1:" + CarillonLaunch.USUAL_PORT,
                        "-s",
                        user,
                        "-key",
                        "user",
                        user,
                        "-r",
                        Integer.toString(rate),
                        "-m",
                        Long.toString((long) rate * seconds),
                        "-l",
                        "1000000",
                        "-d",
                        "0",
                        "-trace_rtt",
                        "-rtt_freq",
                        "1");
        return Sipp.start(folder, "", Folders.scenarios().resolve("uas-uac.xml"), port, calls);
    }

    /** The archive of {@link SlowServlet}, as a user would pack it. */
    private static Path archive(Path folder) throws IOException {
        String descriptor =
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet" version="1.1">
                  <app-name>slow</app-name>
                  <servlet-selection><main-servlet>slow</main-servlet></servlet-selection>
                  <servlet>
                    <servlet-name>slow</servlet-name>
                    <servlet-class>io.carillon.it.calls.SlowServlet</servlet-class>
                  </servlet>
                </sip-app>
                """;
        return PackedClasses.war(
                folder.resolve("slow.war"), descriptor, List.of(SlowServlet.class, Pause.class));
    }
}
