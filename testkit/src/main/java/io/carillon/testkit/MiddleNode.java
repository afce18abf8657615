package io.carillon.testkit;

import java.util.List;

/**
 * What stands between the user agents of a {@link Simulation}: a proxy of this kit, or a server
 * with applications.
 */
public interface MiddleNode {
    /** Starts one for a run. */
    interface Factory {
        /**
         * @param host address literal, port 5060
         * @param targets what calls are forwarded to, by the user part of the Request-URI
         */
        MiddleNode start(SimulatedNetwork network, String host, Targets targets);
    }

    /** The location service of a run. */
    interface Targets {
        /** URIs for a user part; empty for one that nobody knows. */
        List<String> of(String user);
    }

    /** The URI, without user, at which it takes calls: {@code sip:10.0.9.1}. */
    String uri();

    /** May other forks ring on after one has answered (a proxy that sends no CANCEL)? */
    default boolean leavesForksRinging() {
        return false;
    }

    /** Has it a call of its own with each end, as a B2BUA has? Then it may release one itself. */
    default boolean backToBack() {
        return false;
    }

    /** What is left; empty when it holds nothing. */
    String leftovers();

    /** What should never happen; empty when all is well. */
    List<String> faults();
}
