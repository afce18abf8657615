package io.carillon.server.cluster;

import io.carillon.cluster.node.NodeMessages;
import io.carillon.grid.GridNode;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The way of this member's changes to the voters. Any thread. */
final class Proposals {
    private final GridNode grid;
    private final List<Integer> voters;
    private final int self;
    private final AtomicLong failed = new AtomicLong();

    Proposals(GridNode grid, List<Integer> voters, int self) {
        this.grid = grid;
        this.voters = voters;
        this.self = self;
    }

    /** By this member where it votes, else by a voter that is seen. */
    void propose(byte[] change) {
        if (voters.contains(self)) {
            here(change);
            return;
        }
        for (int voter : voters) {
            if (grid.link().seen().contains(voter)) {
                grid.link().send(voter, NodeMessages.ofProposal(change));
                return;
            }
        }
        failed.incrementAndGet();
    }

    /** By this member, which votes. */
    void here(byte[] change) {
        grid.voting()
                .propose(change)
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        failed.incrementAndGet();
                    }
                });
    }

    /** Those of which nothing came, as far as is known; they are made again. */
    long failed() {
        return failed.get();
    }
}
