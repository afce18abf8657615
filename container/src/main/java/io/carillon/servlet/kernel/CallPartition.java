package io.carillon.servlet.kernel;

import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.ShardSelector;
import io.carillon.sip.token.ShardToken;
import java.util.List;

/**
 * To which partition of a cluster an application session belongs: one with a key to that of its
 * key, any other to that of the Call-ID of its first session, which a token in it names or else its
 * hash. It never changes. Stateless.
 */
public final class CallPartition {
    private CallPartition() {}

    /** With the turn held; once it was asked, any thread. */
    public static int of(ApplicationSession session) {
        int known = session.expiry.partition();
        if (known < 0) {
            known = first(session);
            session.expiry.partition(known);
        }
        return known;
    }

    /** Any thread: -1 while nobody has asked in the turn. */
    public static int known(ApplicationSession session) {
        return session.expiry.partition();
    }

    /** It was said by who has written the session. */
    static void set(ApplicationSession session, int partition) {
        session.expiry.partition(partition);
    }

    private static int first(ApplicationSession session) {
        String key = session.key();
        List<ServletSession> sessions = session.sessions();
        if (key != null) {
            return ofText(key);
        }
        return sessions.isEmpty()
                ? ofText(session.getId())
                : ofCallId(session.home().config().nodeId(), sessions.getFirst().getCallId());
    }

    /** Of an application session with that key. */
    public static int ofKey(String key) {
        return ofText(key);
    }

    private static int ofCallId(int cluster, String callId) {
        int named = ShardToken.decode(cluster, callId);
        return named >= 0 ? named : ofText(callId);
    }

    private static int ofText(String text) {
        return ShardSelector.shardOf(text, Ownership.PARTITIONS);
    }
}
