package io.carillon.servlet.bytes;

import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.message.SipMessage;
import org.jspecify.annotations.Nullable;

/**
 * By which a record is found that has a dialog: a number of its Call-ID and its two tags, whichever
 * end looks, so that all applications of ours on a dialog are found by one message of it. The same
 * on every node and in every version. Another dialog may have it too: that costs a look. Stateless;
 * any thread.
 */
public final class DialogHash {
    private static final long START = 0xCBF29CE484222325L;
    private static final long FACTOR = 0x100000001B3L;

    /** Between the parts; in no Call-ID and no tag. */
    private static final char SEPARATOR = '\0';

    private DialogHash() {}

    public static long of(DialogKey key) {
        return of(key.callId(), key.localTag(), key.remoteTag());
    }

    /** Of the dialog that the message belongs to. */
    public static long of(SipMessage message) {
        return of(message.callId(), text(message.fromTag()), text(message.toTag()));
    }

    /** Of a dialog whose callee has no tag yet. */
    public static long half(SipMessage message) {
        return half(message.callId(), message.fromTag());
    }

    /** Of a dialog whose callee has no tag yet. */
    public static long half(String callId, @Nullable String fromTag) {
        return of(callId, text(fromTag), "");
    }

    private static String text(@Nullable String tag) {
        return tag == null ? "" : tag;
    }

    private static long of(String callId, String one, String other) {
        boolean ordered = one.compareTo(other) <= 0;
        long h = with(START, callId);
        h = with(h, ordered ? one : other);
        h = with(h, ordered ? other : one);
        return h ^ (h >>> 29);
    }

    private static long with(long hash, String text) {
        long h = (hash ^ SEPARATOR) * FACTOR;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ text.charAt(i)) * FACTOR;
        }
        return h;
    }
}
