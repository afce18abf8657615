package io.carillon.grid.voting;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import org.jgroups.Address;
import org.jgroups.annotations.Property;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.raft.ELECTION;
import org.jgroups.protocols.raft.election.VoteResponse;
import org.jspecify.annotations.Nullable;

/**
 * The election of jgroups-raft, but of voters with the same log a node is chosen before the
 * witness: who leads gives partitions to where their copies lie, and a witness has no copies and
 * does not know. Speaks with members that run {@link ELECTION} itself. Public, as JGroups makes it.
 */
public final class NodesLead extends ELECTION {
    private static final int NONE = -1;

    @Property(description = "Number of the member that has no calls; -1 for none")
    private int witness = NONE;

    /** As a part of the stack, in place of {@link ELECTION}. */
    public NodesLead() {
        id = ClassConfigurator.getProtocolId(ELECTION.class);
    }

    @Override
    protected @Nullable Address determineLeader() {
        Address longest = super.determineLeader();
        if (longest == null || witness == NONE || MemberChannel.number(longest) != witness) {
            return longest;
        }
        Map<Address, VoteResponse> votes = getVotes().getResults();
        byte[] log = log(votes.get(longest));
        for (Address voter : view.getMembersRaw()) {
            VoteResponse vote = votes.get(voter);
            if (!voter.equals(longest) && vote != null && Arrays.equals(log(vote), log)) {
                return voter;
            }
        }
        return longest;
    }

    /** Term and index of the last entry in a voter's log, which only its bytes tell. */
    private static byte[] log(@Nullable VoteResponse vote) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            if (vote != null) {
                vote.writeTo(new DataOutputStream(bytes));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
