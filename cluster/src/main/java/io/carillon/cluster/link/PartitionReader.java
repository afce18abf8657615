package io.carillon.cluster.link;

import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.ShardSelector;
import io.carillon.sip.token.ShardToken;

/** Says to which partition a SIP message belongs, by a scan of its bytes. Any thread. */
public interface PartitionReader {
    /**
     * The partition of a message.
     *
     * @param message its bytes from the start line on
     * @param length how many of them count
     * @return 0 to {@link Ownership#PARTITIONS} - 1; of garbage some, the same each time
     */
    int partition(byte[] message, int length);

    /** The partition in a branch that a node of the cluster made; -1 when it is none. */
    int inBranch(String branch);

    /** By the tokens of a cluster, else by the hash of the Call-ID. */
    static PartitionReader ofCluster(int clusterNumber) {
        return new PartitionReader() {
            @Override
            public int partition(byte[] message, int length) {
                return ShardSelector.shardOf(message, length, Ownership.PARTITIONS, clusterNumber);
            }

            @Override
            public int inBranch(String branch) {
                return ShardToken.decode(clusterNumber, branch);
            }
        };
    }
}
