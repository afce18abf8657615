package io.carillon.lab.rig;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A callee and a caller that send their calls through a server. */
public record SippPair(Sipp callee, Sipp caller) implements AutoCloseable {
    public static final int CALLEE_PORT = 5071;
    public static final int CALLER_PORT = 5081;

    /**
     * The load.
     *
     * @param scenarios folder of the scenario files
     * @param workload scenario name: proxy200 or b2bua
     * @param rate calls per second
     * @param calls calls in total
     * @param holdMillis talk time of a call
     * @param cpus CPUs of both SIPps, empty: any
     * @param above added to the ports of both SIPps
     */
    public record Load(
            Path scenarios,
            String workload,
            int serverPort,
            int rate,
            long calls,
            int holdMillis,
            String cpus,
            int above) {
        public Load(
                Path scenarios,
                String workload,
                int serverPort,
                int rate,
                long calls,
                int holdMillis,
                String cpus) {
            this(scenarios, workload, serverPort, rate, calls, holdMillis, cpus, 0);
        }

        /** The same from other ports, so many above. */
        public Load on(int portsAbove) {
            return new Load(
                    scenarios, workload, serverPort, rate, calls, holdMillis, cpus, portsAbove);
        }
    }

    public static SippPair start(Load load, Path folder, String... more) throws IOException {
        Path callee = load.scenarios().resolve(load.workload() + "-uas.xml");
        Path caller = load.scenarios().resolve(load.workload() + "-uac.xml");
        List<String> calls = new ArrayList<>();
        int calleePort = CALLEE_PORT + load.above();
        calls.add("127.0.0.1:" + calleePort);
        calls.addAll(List.of("-rsa", "127.0.0.1:" + load.serverPort()));
        calls.addAll(List.of("-r", Integer.toString(load.rate())));
        calls.addAll(List.of("-m", Long.toString(load.calls()), "-l", "1000000"));
        calls.addAll(List.of("-d", Integer.toString(load.holdMillis())));
        calls.addAll(List.of("-s", "callee"));
        // What comes later wins.
        calls.addAll(List.of(more));
        Sipp answers =
                Sipp.start(folder.resolve("callee"), load.cpus(), callee, calleePort, List.of());
        int callerPort = CALLER_PORT + load.above();
        return new SippPair(
                answers,
                Sipp.start(folder.resolve("caller"), load.cpus(), caller, callerPort, calls));
    }

    /** CPU nanoseconds of both SIPps. */
    public long cpuNanos() throws IOException {
        return callee.cpuNanos() + caller.cpuNanos();
    }

    /** Waits until every call has ended; false when some do not. */
    public boolean hasEnded(long seconds) throws IOException {
        return caller.hasEnded(seconds);
    }

    public void await(long seconds) throws IOException {
        caller.await(seconds);
    }

    public static Sipp.Counts callerCounts(Path folder) throws IOException {
        return Sipp.counts(folder.resolve("caller"));
    }

    public static Sipp.Counts calleeCounts(Path folder) throws IOException {
        return Sipp.counts(folder.resolve("callee"));
    }

    @Override
    public void close() throws IOException {
        try (callee) {
            caller.close();
        }
    }
}
