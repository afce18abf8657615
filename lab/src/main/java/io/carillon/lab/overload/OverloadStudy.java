package io.carillon.lab.overload;

import io.carillon.lab.peers.Application;
import io.carillon.lab.process.Machine;
import io.carillon.lab.rig.CallTimes;
import java.util.List;

/**
 * A study as it was asked for.
 *
 * @param application what the server runs
 * @param transport udp or tcp, on both sides
 * @param factors multiples of the capacity
 * @param seconds how long each lasts
 * @param warmup load before the capacity is looked for, seconds
 * @param trial length of each trial of that search, seconds
 * @param firstRate where the search begins, calls/s
 * @param capacity of the servers where it is known, calls/s; 0: it is looked for
 * @param lowering how the capacity is lowered
 * @param calls how long calls take
 * @param parts what is looked at
 * @param contrast whether the server without control gets the same load
 * @param places who runs where
 */
record OverloadStudy(
        Application application,
        String transport,
        List<Integer> factors,
        int seconds,
        int warmup,
        int trial,
        int firstRate,
        int capacity,
        Lowering lowering,
        CallTimes calls,
        List<Part> parts,
        boolean contrast,
        Places places) {
    /**
     * Who runs where.
     *
     * @param serverCpus processors of the server; empty: any
     * @param loadCpus processors of the loads and of the lab
     * @param serverArguments further ones of {@code ./carillon run}
     */
    record Places(
            String serverCpus, String loadCpus, List<String> serverArguments, Machine machine) {}

    /** The same with another way to lower the capacity, which has to be looked for then. */
    OverloadStudy lowered(Lowering other) {
        return lowered(other, 0);
    }

    /**
     * The same of the plain application. The capacity that was given is its own, where nothing else
     * is looked at.
     */
    OverloadStudy plain() {
        return lowered(lowering.ofPlain(), parts.equals(List.of(Part.PLAIN)) ? capacity : 0);
    }

    private OverloadStudy lowered(Lowering other, int itsCapacity) {
        return new OverloadStudy(
                application,
                transport,
                factors,
                seconds,
                warmup,
                trial,
                firstRate,
                itsCapacity,
                other,
                calls,
                parts,
                contrast,
                places);
    }

    /** The same without the server that has no control. */
    OverloadStudy withoutContrast() {
        return new OverloadStudy(
                application,
                transport,
                factors,
                seconds,
                warmup,
                trial,
                firstRate,
                capacity,
                lowering,
                calls,
                parts,
                false,
                places);
    }
}
