package io.carillon.servlet.kernel;

import io.carillon.servlet.port.SessionTokens;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Partitions;
import io.carillon.sip.token.ShardToken;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * To which partition of a cluster an application session belongs: one with a key to that of its
 * key; one that a request began to that of the request; one that began here to one that this node
 * owned then. It never changes, and all that the session gives to the network carries it. Without a
 * cluster it has none until somebody asks. Stateless.
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

    /** It was said by who has made or written the session. */
    static void set(ApplicationSession session, int partition) {
        session.expiry.partition(partition);
    }

    private static int first(ApplicationSession session) {
        String key = session.key();
        List<ServletSession> sessions = session.sessions();
        if (key != null) {
            return ofKey(key);
        }
        if (sessions.isEmpty()) {
            return Partitions.ofCallId(session.getId());
        }
        String callId = sessions.getFirst().getCallId();
        OwnTokens tokens = session.home().config().tokens();
        // Without a cluster a call stays on the shard that its tokens name.
        int named =
                tokens.cluster() == null
                        ? ShardToken.decode(tokens.number(), callId)
                        : tokens.partitionIn(callId);
        return named >= 0 ? named : Partitions.ofCallId(callId);
    }

    /** May this node act for the session now? Any thread. */
    public static boolean isHere(ApplicationSession session) {
        return session.home().config().tokens().owns(known(session));
    }

    /** Of an application session with that key. */
    public static int ofKey(String key) {
        return Partitions.ofKey(key);
    }

    /** A token by which pages of that session find its node; null without a cluster. */
    public static @Nullable String place(ApplicationSession session) {
        return SessionTokens.place(session.home(), known(session));
    }

    /** A tag for a call of that session. */
    public static String newTag(ApplicationSession session) {
        return session.home().newTag(known(session));
    }

    /** A Call-ID for a call of that session. */
    public static String newCallId(ApplicationSession session) {
        return session.home().newCallId(known(session));
    }

    /**
     * That request is taken by that session: what answers it leads there, wherever the request came
     * in.
     */
    public static void takes(ApplicationSession session, ServerTransaction request) {
        int own = known(session);
        if (own >= 0 && own != request.partition()) {
            request.movesTo(own);
        }
    }
}
