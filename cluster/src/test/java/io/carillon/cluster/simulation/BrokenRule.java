package io.carillon.cluster.simulation;

/** A rule that a simulation breaks, to see that it would find out. */
enum BrokenRule {
    NONE,
    /** A lease counts from when the acknowledgement was heard. */
    LEASE_FROM_HEARD,
    /** Voters suspect before a lease that they granted is over. */
    SUSPECTS_EARLY,
    /** A voter acknowledges whom it suspects. */
    ACKNOWLEDGES_SUSPECTS,
    /** A process that only stands still is told to be dead. */
    PROOF_OF_THE_STOPPED,
    /** A node tells that it gives its life up, and acts on. */
    GIVES_UP_AND_ACTS,
    /** The clock of a node stands still while the node is stopped. */
    CLOCK_STOPS
}
