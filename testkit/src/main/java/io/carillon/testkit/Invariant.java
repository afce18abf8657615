package io.carillon.testkit;

/** Something that has to hold when a run of a {@link Simulation} is over. */
public interface Invariant {
    /**
     * @throws AssertionError when it does not hold
     */
    void check(SimulationRun run);
}
