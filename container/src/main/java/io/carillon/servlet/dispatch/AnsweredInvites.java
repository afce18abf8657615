package io.carillon.servlet.dispatch;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The INVITEs of ours whose late 2xx were answered, so that one INVITE does not make us send
 * without end: whoever was called knows its branch, and may make up as many forks as it likes.
 *
 * <p>A {@value #MOST_INVITES} of them at most, each for as long as its branch is good for; where
 * the table is full, no other INVITE's late 2xx is answered. Who answered then hangs up by himself
 * (RFC 3261 13.3.1.4).
 *
 * <p>Owner: the container; any thread, under its own lock.
 */
final class AnsweredInvites {
    static final int MOST_INVITES = 16_384;

    /** To tags of one INVITE whose 2xx are confirmed and ended. */
    static final int MOST_FORKS = 4;

    /** ACKs for the 2xx of one To tag: RFC 3261 13.3.1.4 repeats it ten times in 64*T1. */
    static final int MOST_ACKS = 11;

    /** Longer than a branch is good for. */
    private static final long LIFE_MILLIS = 16 * 60_000L;

    /** What a 2xx gets. */
    enum Answer {
        NOTHING,
        ACK,
        ACK_AND_BYE
    }

    private static final class Fork {
        final long toTag;
        int acks = 1;

        Fork(long toTag) {
            this.toTag = toTag;
        }
    }

    private record Invite(long sinceMillis, List<Fork> forks) {}

    /** By the number in their branch, the oldest first. */
    private final Map<Long, Invite> invites = new LinkedHashMap<>();

    /**
     * What a 2xx that came for that INVITE gets, which is counted.
     *
     * @param number of the INVITE ({@link io.carillon.sip.shard.Shard#inviteOf})
     * @param toTag hash of that of the 2xx: who answers makes it as long as he likes
     */
    synchronized Answer to(long number, long toTag, long nowMillis) {
        Iterator<Invite> oldest = invites.values().iterator();
        while (oldest.hasNext() && nowMillis - oldest.next().sinceMillis() > LIFE_MILLIS) {
            oldest.remove();
        }
        Invite invite = invites.get(number);
        if (invite == null) {
            if (invites.size() >= MOST_INVITES) {
                return Answer.NOTHING;
            }
            invite = new Invite(nowMillis, new ArrayList<>(1));
            invites.put(number, invite);
        }
        for (Fork fork : invite.forks()) {
            if (fork.toTag == toTag) {
                return fork.acks++ < MOST_ACKS ? Answer.ACK : Answer.NOTHING;
            }
        }
        if (invite.forks().size() >= MOST_FORKS) {
            return Answer.NOTHING;
        }
        invite.forks().add(new Fork(toTag));
        return Answer.ACK_AND_BYE;
    }

    /** INVITEs that are remembered now. */
    synchronized int size() {
        return invites.size();
    }
}
