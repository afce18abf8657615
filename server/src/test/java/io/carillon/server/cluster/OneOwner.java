package io.carillon.server.cluster;

import io.carillon.sip.token.Ownership;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * That no two nodes of a {@link SimulatedCluster} act for a partition at the same instant, and that
 * a term has one owner for ever. Looks every 100 ms of virtual time. One thread.
 */
final class OneOwner {
    private static final long EVERY_NANOS = 100_000_000;
    private static final int NOBODY = -1;
    private static final int MOST_TOLD = 5;

    private final SimulatedCluster cluster;
    private final int[] owners = new int[Ownership.PARTITIONS];
    private final int[] ofTerm = new int[Ownership.PARTITIONS];
    private final long[] terms = new long[Ownership.PARTITIONS];
    private final List<String> wrong = new ArrayList<>();

    OneOwner(SimulatedCluster cluster) {
        this.cluster = cluster;
        Arrays.fill(ofTerm, NOBODY);
    }

    void begin() {
        cluster.time.after(
                EVERY_NANOS,
                () -> {
                    look();
                    begin();
                });
    }

    private void look() {
        Arrays.fill(owners, NOBODY);
        for (SimulatedMember each : cluster.all()) {
            if (each.runs()) {
                look(each);
            }
        }
    }

    private void look(SimulatedMember each) {
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            if (!each.acts(partition)) {
                continue;
            }
            int other = owners[partition];
            if (other != NOBODY) {
                tell("nodes " + other + " and " + each.number() + " act for " + partition);
            }
            owners[partition] = each.number();
            held(partition, each.number(), each.term(partition));
        }
    }

    private void held(int partition, int owner, long term) {
        if (term < terms[partition]) {
            tell("node " + owner + " acts for " + partition + " by the old term " + term);
        } else if (term > terms[partition]) {
            terms[partition] = term;
            ofTerm[partition] = owner;
        } else if (ofTerm[partition] != owner) {
            tell(
                    "term "
                            + term
                            + " of "
                            + partition
                            + " has owners "
                            + ofTerm[partition]
                            + ", "
                            + owner);
        }
    }

    private void tell(String fault) {
        if (wrong.size() < MOST_TOLD) {
            wrong.add(cluster.time.elapsed().toMillis() + " ms: " + fault);
        }
    }

    /** What was wrong, at most five of it. */
    List<String> wrong() {
        return wrong;
    }
}
