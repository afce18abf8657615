package io.carillon.server.cluster;

import io.carillon.cluster.link.DeployedNames;
import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
 * @param outlook what would be when another node goes; null of a witness, and of a build from
 *     before
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
        CallsView calls,
        @Nullable OutlookView outlook) {
    /**
     * Is the cluster ready for the next loss?
     *
     * @param oneCopyMillis since when partitions have had one copy only; 0 where all have two
     * @param twoCopiesInMillis when all have two again, as fast as it went so far; null where
     *     nothing can be said
     * @param lastOneCopyMillis how long it took the last time; null where it did not happen yet
     * @param oneFewerPercent what would be used of the processors of a node that stays, at most,
     *     when another goes; null where a node does not say
     * @param oneFewerCarries could the others carry the load then; null where that is not known
     * @param lacking applications of this node, each with the members that do not have it: its
     *     calls would be lost there
     */
    public record OutlookView(
            long oneCopyMillis,
            @Nullable Long twoCopiesInMillis,
            @Nullable Long lastOneCopyMillis,
            @Nullable Integer oneFewerPercent,
            @Nullable Boolean oneFewerCarries,
            Map<String, List<Integer>> lacking) {}

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
     * @param used percent of its processors that it has used lately; null when it is not known
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
            String build,
            @Nullable Integer used) {}

    /**
     * What a node says of itself on the link.
     *
     * @param health a word
     * @param build its version
     * @param used percent of its processors; null where it does not say
     * @param applications that it has
     */
    public record Heard(
            String health, String build, @Nullable Integer used, DeployedNames applications) {
        static final Heard NOTHING = new Heard("", "");

        /** Of one that says no more. */
        public Heard(String health, String build) {
            this(health, build, null, DeployedNames.UNKNOWN);
        }
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
                            ClusterMembers.printed(at),
                            member == null
                                    ? "never seen"
                                    : member.standing().name().toLowerCase(Locale.ROOT),
                            voters.contains(number),
                            seen.contains(number),
                            table.owned(number),
                            table.nextOf(number),
                            says.health(),
                            says.build(),
                            says.used()));
        }
        return all;
    }
}
