package io.carillon.cluster.link;

import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.sip.hop.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What routers are told of a node's table: owners, next owners, and the addresses of the members'
 * links. Made once for each table. Any thread.
 */
public final class TableOwners implements Supplier<Owners> {
    private final Supplier<PartitionTable> table;
    private volatile Owners made;

    /**
     * @param table as the node knows it now
     */
    public TableOwners(Supplier<PartitionTable> table) {
        this.table = table;
        made = owners(table.get());
    }

    @Override
    public Owners get() {
        PartitionTable now = table.get();
        Owners last = made;
        if (last.version() != now.version()) {
            last = owners(now);
            made = last;
        }
        return last;
    }

    /** Of a table, where its members' links are known. */
    public static Owners of(PartitionTable table, Map<Integer, InetSocketAddress> links) {
        int[] owners = new int[table.partitions()];
        int[] next = new int[owners.length];
        for (int i = 0; i < owners.length; i++) {
            owners[i] = table.owner(i);
            next[i] = table.next(i);
        }
        return Owners.of(table.version(), owners, next, links);
    }

    private static Owners owners(PartitionTable table) {
        Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
        for (Member member : table.members()) {
            if (member.living() && !member.witness()) {
                add(addresses, member);
            }
        }
        return of(table, addresses);
    }

    /** A name is not looked up here: members join with addresses in digits. */
    private static void add(Map<Integer, InetSocketAddress> addresses, Member member) {
        try {
            HostPort address = HostPort.parse(member.address());
            InetAddress host = InetAddress.ofLiteral(address.bareHost());
            addresses.put(member.number(), new InetSocketAddress(host, address.port()));
        } catch (IllegalArgumentException e) {
            // Its HELLO says where it is; until then nobody sends it anything.
            addresses.remove(member.number());
        }
    }
}
