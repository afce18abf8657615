package io.carillon.server.cluster;

import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.sip.token.Partitions;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks up partitions in a table of owners, for people.
 *
 * @param members where each listens for the others
 * @param heard what nodes say of themselves
 * @param partitions says to which partition a message belongs
 */
public record CallPlaces(
        PartitionTable table,
        List<InetSocketAddress> members,
        Map<Integer, ClusterView.Heard> heard,
        Partitions partitions) {
    /** A call that begins with this Call-ID, or in which it is one of ours. */
    public CallPlace ofCall(String callId) {
        int own = partitions.in(callId);
        return own < 0
                ? of(Partitions.ofCallId(callId), Partitions.By.CALL_ID.words())
                : of(own, "the token in its Call-ID, which is ours");
    }

    /** A message. */
    public CallPlace ofMessage(byte[] message) {
        return of(
                partitions.of(message, message.length),
                partitions.by(message, message.length).words());
    }

    private CallPlace of(int partition, String by) {
        return new CallPlace(
                partition,
                by,
                table.version(),
                table.term(partition),
                place(table.owner(partition)),
                place(table.next(partition)),
                place(table.previous(partition)),
                place(table.movingTo(partition)));
    }

    private CallPlace.@Nullable Place place(int number) {
        Member member = number == PartitionTable.NONE ? null : table.member(number);
        if (member == null || number >= members.size()) {
            return null;
        }
        InetSocketAddress at = members.get(number);
        ClusterView.Heard says = heard.getOrDefault(number, ClusterView.Heard.NOTHING);
        return new CallPlace.Place(
                number,
                ClusterMembers.printed(at),
                member.standing().name().toLowerCase(Locale.ROOT),
                says.health(),
                says.build());
    }
}
