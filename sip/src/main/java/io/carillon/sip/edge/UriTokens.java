package io.carillon.sip.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of hidden URIs. A user that stays visible is covered by the token: with another user
 * it is none of ours. A Contact's names the call that it was given in, too: only in that call does
 * it lead requests of a dialog inside.
 *
 * <p>Owner: one shard's thread.
 */
final class UriTokens {
    /** Stands for no call: of a registration, a redirection, a transfer. */
    static final String NO_CALL = "";

    /** The first character of what is sealed: all behind the user, or all behind the scheme. */
    private static final char BEHIND_USER = '+';

    private static final char BEHIND_SCHEME = '-';

    /** The same, the mark of a call in between. */
    private static final char BEHIND_USER_IN_CALL = '*';

    private static final char BEHIND_SCHEME_IN_CALL = '/';

    private static final int MARK_LENGTH = 6;

    private final Crossing way;
    private final MessageDigest digest;

    UriTokens(Crossing way) {
        this.way = way;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * A call as the peer knows it.
     *
     * @param tag of the side that is inside
     */
    String call(String callId, String tag) {
        byte[] sum = digest.digest((callId + '\n' + tag).getBytes(ISO_8859_1));
        return new String(sum, 0, MARK_LENGTH, ISO_8859_1);
    }

    /**
     * The token of a URI.
     *
     * @param user what stays visible; null when all behind the scheme is hidden
     * @param call {@link #NO_CALL} or what {@link #call} gave
     */
    String close(@Nullable String user, String call, String rest) {
        boolean free = call.isEmpty();
        if (user == null) {
            return way.seal().close((free ? BEHIND_SCHEME : BEHIND_SCHEME_IN_CALL) + call + rest);
        }
        char kind = free ? BEHIND_USER : BEHIND_USER_IN_CALL;
        return way.seal().close(kind + call + rest, user);
    }

    /**
     * What a token says, be it one of a URI or of another kind; null when it is none of ours.
     *
     * @param user that stands before it
     */
    @Nullable String open(String token, String user) {
        return way.seal().open(token, text -> isBehindUser(text) ? user : null);
    }

    private static boolean isBehindUser(String opened) {
        char kind = opened.charAt(0);
        return kind == BEHIND_USER || kind == BEHIND_USER_IN_CALL;
    }

    static boolean isUri(String opened) {
        char kind = opened.charAt(0);
        return isBehindUser(opened)
                || kind == BEHIND_SCHEME
                || (kind == BEHIND_SCHEME_IN_CALL && opened.length() > MARK_LENGTH);
    }

    /** Does the user that stands before the token belong to the URI? */
    static boolean keepsUser(String opened) {
        return isBehindUser(opened);
    }

    /** What stood behind the user, or the scheme. */
    static String rest(String opened) {
        return opened.substring(isOfACall(opened) ? 1 + MARK_LENGTH : 1);
    }

    /** Was it given to the peer in that call? */
    static boolean isOf(String opened, String call) {
        return isOfACall(opened) && opened.startsWith(call, 1);
    }

    private static boolean isOfACall(String opened) {
        char kind = opened.charAt(0);
        return kind == BEHIND_USER_IN_CALL || kind == BEHIND_SCHEME_IN_CALL;
    }
}
