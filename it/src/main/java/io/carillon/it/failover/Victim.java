package io.carillon.it.failover;

import java.util.List;

/** Which node goes, and when. */
enum Victim {
    /** One that does not lead the voters. */
    OWNER,
    /** The one that leads the voters. */
    COORDINATOR,
    /** One, right after another came back and each partition has two copies again. */
    SECOND,
    /** One, while a node that came back gets its share of the partitions. */
    REBALANCE,
    /** These in turn. */
    MIXED;

    private static final List<Victim> IN_TURN = List.of(OWNER, COORDINATOR, SECOND, REBALANCE);

    /** Of the losses of a run, that of this number from 1 on. */
    Victim of(int loss) {
        return this == MIXED ? IN_TURN.get((loss - 1) % IN_TURN.size()) : this;
    }

    /** Has another node to have come back just before? */
    boolean afterReturn() {
        return this == SECOND || this == REBALANCE;
    }
}
