package io.carillon.lab.study;

import io.carillon.lab.process.Machine;
import io.carillon.lab.rig.CallTimes;
import java.util.ArrayList;
import java.util.List;

/**
 * A ramp as it was asked for.
 *
 * @param application archive that our server runs
 * @param workload name of {@code ./carillon load}
 * @param from first rate, calls per second
 * @param to last rate
 * @param step what the rate rises by
 * @param seconds how long each rate is measured
 * @param warmup load before the first rate, seconds
 * @param calls how long calls take
 * @param servers names of those that are measured, in turn at each rate
 * @param serverCpus processors of the servers; empty: any
 * @param loadCpus processors of the load
 */
public record RampStudy(
        String application,
        String workload,
        int from,
        int to,
        int step,
        int seconds,
        int warmup,
        CallTimes calls,
        List<String> servers,
        String serverCpus,
        String loadCpus,
        Machine machine) {
    List<Integer> rates() {
        List<Integer> rates = new ArrayList<>();
        for (int rate = from; rate <= to; rate += step) {
            rates.add(rate);
        }
        return rates;
    }

    /** What is left when so many rates are done. */
    long secondsLeft(int done) {
        long each = seconds + (long) calls.seconds() + 8;
        return (rates().size() - done) * (long) servers.size() * each;
    }
}
