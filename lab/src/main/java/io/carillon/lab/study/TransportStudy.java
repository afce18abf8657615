package io.carillon.lab.study;

import io.carillon.lab.process.WrongSetting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What was asked of {@code lab transports}.
 *
 * @param rate calls per second
 * @param seconds time for each pair
 * @param warmup seconds of load before each that do not count
 * @param hold talk time, seconds
 * @param workloads proxy200, b2bua or both
 * @param pairs as {@link TransportPair#parse} reads them
 * @param serverCpus processors, as taskset takes them; empty: any
 * @param loadCpus processors, as taskset takes them; empty: any
 * @param serverArguments passed on to {@code ./carillon run}
 */
record TransportStudy(
        int rate,
        int seconds,
        int warmup,
        double hold,
        List<String> workloads,
        List<String> pairs,
        String serverCpus,
        String loadCpus,
        List<String> serverArguments) {
    /** Until a load has begun, and until its last answers have come. */
    private static final int AROUND_SECONDS = 5;

    /** Was everything there that it was read from? JSON knows null. */
    boolean whole() {
        return Stream.of(workloads, pairs, serverCpus, loadCpus, serverArguments)
                        .allMatch(Objects::nonNull)
                && Stream.of(workloads, pairs, serverArguments)
                        .flatMap(List::stream)
                        .allMatch(Objects::nonNull);
    }

    void check() throws WrongSetting {
        if (rate < 1 || seconds < 2 || warmup < 0 || hold < 0) {
            throw new WrongSetting(
                    "--rate is at least 1, --seconds at least 2, --warmup and --hold at least 0");
        }
        int cpus = Runtime.getRuntime().availableProcessors();
        CpuPinning.check("--server-cpus", serverCpus, cpus);
        CpuPinning.check("--load-cpus", loadCpus, cpus);
        once("--pairs", transportPairs());
        once("--workloads", workloads);
        for (String workload : workloads) {
            if (!workload.equals("proxy200") && !workload.equals("b2bua")) {
                throw new WrongSetting("--workloads is proxy200, b2bua or both, not " + workload);
            }
            StudyApplication.archive("", workload);
        }
    }

    private static void once(String option, List<?> all) throws WrongSetting {
        if (all.isEmpty()) {
            throw new WrongSetting(option + " names none");
        }
        Set<Object> seen = new HashSet<>();
        for (Object one : all) {
            if (!seen.add(one)) {
                throw new WrongSetting(option + " names " + one + " twice");
            }
        }
    }

    List<TransportPair> transportPairs() throws WrongSetting {
        if (pairs.equals(List.of("all"))) {
            return TransportPair.all();
        }
        List<TransportPair> all = new ArrayList<>();
        for (String pair : pairs) {
            all.add(TransportPair.parse(pair));
        }
        return all;
    }

    /** About how long one pair takes. */
    long secondsPerPair() {
        return Math.round(warmup + seconds + hold) + AROUND_SECONDS;
    }
}
