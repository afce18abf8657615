package io.carillon.server.cluster;

import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.server.nodes.OtherPages;
import io.carillon.sip.token.Partitions;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * What the pages of a node know of the others: by the table as it is known here. Any thread.
 *
 * @param members where they are, as their names are known now
 * @param self the number of this node
 * @param table as it is now
 * @param partitions by the tokens of the cluster
 * @param tls by which nodes prove themselves
 */
record ClusterPages(
        Supplier<ClusterMembers> members,
        int self,
        Supplier<PartitionTable> table,
        Partitions partitions,
        SSLContext tls)
        implements OtherPages {
    @Override
    public boolean knows(String token) {
        return partitions.in(token) >= 0;
    }

    @Override
    public int owner(String token) {
        int partition = partitions.in(token);
        PartitionTable now = table.get();
        int owner = partition < 0 ? PartitionTable.NONE : now.owner(partition);
        return owner == self || (owner != PartitionTable.NONE && lives(now, owner))
                ? owner
                : NOBODY;
    }

    @Override
    public boolean lives(int node) {
        return node != self && node < members.get().nodes().size() && lives(table.get(), node);
    }

    private static boolean lives(PartitionTable table, int node) {
        for (Member member : table.members()) {
            if (member.number() == node) {
                return member.living() && !member.witness();
            }
        }
        return false;
    }

    @Override
    public InetSocketAddress address(int node) {
        return members.get().pages(node, table.get());
    }
}
