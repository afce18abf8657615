package io.carillon.server.cluster;

import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The cluster as this member sees it, for {@code ./carillon cluster}.
 *
 * @param name of the cluster
 * @param self number of this member
 * @param state of this member
 * @param lease may it act now: a majority of the voters has answered lately
 * @param leads does its voting lead
 * @param version of the table of owners
 * @param members all that are configured
 * @param orphans partitions that nobody owns
 * @param singleCopies partitions whose records lie on fewer nodes than they should
 * @param records on this node
 * @param failedProposals changes of the table that were not agreed in time, and were tried again
 * @param calls how the calls of this node stand
 */
public record ClusterView(
        String name,
        int self,
        String state,
        boolean lease,
        boolean leads,
        long version,
        List<MemberView> members,
        int orphans,
        int singleCopies,
        int records,
        long failedProposals,
        CallsView calls) {
    /**
     * Calls of this node.
     *
     * @param isProtected that would outlive it: two nodes hold their last state
     * @param unprotected that would not, by reason
     * @param leftUnprotected messages that left before their record was on two nodes
     * @param lagMillis since when the oldest batch waits for its answer; 0 for none
     * @param takenOver calls of other nodes that go on here, since the start
     * @param waiting records of other nodes that nobody has asked for yet
     * @param lost calls that could not be taken over
     */
    public record CallsView(
            long isProtected,
            Map<String, Long> unprotected,
            long leftUnprotected,
            long lagMillis,
            long takenOver,
            long waiting,
            long lost) {
        /** Of a node without calls. */
        static final CallsView NONE = new CallsView(0, Map.of(), 0, 0, 0, 0, 0);
    }

    /**
     * A member.
     *
     * @param number its number
     * @param address where it listens for the others
     * @param standing in the table of owners
     * @param votes has it a vote
     * @param seen is it connected with this member
     * @param owns partitions it owns
     * @param next partitions it would take over
     * @param health what it says to routers; empty when it is not heard
     * @param build its version; empty when it is not known
     */
    public record MemberView(
            int number,
            String address,
            String standing,
            boolean votes,
            boolean seen,
            int owns,
            int next,
            String health,
            String build) {}

    /**
     * What a node says of itself on the link.
     *
     * @param health a word
     * @param build its version
     */
    public record Heard(String health, String build) {
        static final Heard NOTHING = new Heard("", "");
    }

    static List<MemberView> members(
            PartitionTable table,
            List<InetSocketAddress> configured,
            Collection<Integer> seen,
            Collection<Integer> voters,
            Map<Integer, Heard> heard) {
        List<MemberView> all = new ArrayList<>();
        for (int number = 0; number < configured.size(); number++) {
            InetSocketAddress at = configured.get(number);
            Member member = table.member(number);
            Heard says = heard.getOrDefault(number, Heard.NOTHING);
            all.add(
                    new MemberView(
                            number,
                            at.getAddress().getHostAddress() + ":" + at.getPort(),
                            member == null
                                    ? "never seen"
                                    : member.standing().name().toLowerCase(Locale.ROOT),
                            voters.contains(number),
                            seen.contains(number),
                            table.owned(number),
                            table.nextOf(number),
                            says.health(),
                            says.build()));
        }
        return all;
    }
}
