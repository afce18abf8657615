package io.carillon.sip.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Call-IDs, and tags, on both sides of the border. One of the inside that names an internal host is
 * a token outside, the same one in every message. One of the peer that looks internal to us (most
 * phones print their private address) has to come back to the peer as it was: inside it bears a
 * mark that says whose it is. No state is kept for either.
 *
 * <p>Owner: one shard's thread.
 */
final class HiddenCallIds {
    /** What tokens begin with. */
    static final String TOKEN = "crh-";

    /** What marked Call-IDs begin with, the number of their peer behind it. */
    static final String MARK = "crf";

    private static final String TAG = "-tag=";

    private final Crossing way;

    HiddenCallIds(Crossing way) {
        this.way = way;
    }

    /** The Call-ID as the peer is to see it. */
    String outside(String callId) {
        if (callId.startsWith(MARK)) {
            String mark = Crossing.mark(way.peer());
            if (callId.startsWith(mark)) {
                return callId.substring(mark.length());
            }
        }
        // What looks like a mark would get another one when it comes back.
        boolean tells = callId.startsWith(MARK) || mentions(callId);
        return tells ? TOKEN + way.seal().close(callId) : callId;
    }

    /**
     * The Call-ID as the inside sees it.
     *
     * @param from the peer that it came from; null for one from whom nothing is hidden
     */
    String inside(String callId, @Nullable Peer from) {
        if (callId.startsWith(TOKEN)) {
            String opened = way.open(callId.substring(TOKEN.length()));
            // One that we did not make names no call of ours: it is what any unknown Call-ID is.
            return opened == null ? callId : opened;
        }
        if (from != null && (callId.startsWith(MARK) || mentions(callId))) {
            return Crossing.mark(from) + callId;
        }
        return callId;
    }

    /**
     * Copies the parameters of a header that names a dialog, with its tags ({@code to-tag}, {@code
     * from-tag}) as the other side knows them: one that tells something is a token outside, as it
     * is in From and To.
     */
    void putTags(byte[] b, int from, int to, boolean outwards, ByteWriter out) {
        int p = from;
        for (int q = from; q + TAG.length() < to; q++) {
            int value = q + TAG.length();
            if (!Ascii.equalsIgnoreCase(b, q, value, TAG)) {
                continue;
            }
            int end = wordEnd(b, value, to);
            putText(b, p, value, outwards, out);
            String tag = Latin.text(b, value, end);
            out.put(Latin.bytes(outwards ? outside(tag) : inside(tag, null)));
            p = end;
            q = end - 1;
        }
        putText(b, p, to, outwards, out);
    }

    /** Where a Call-ID or tag ends that begins there. */
    static int wordEnd(byte[] b, int from, int to) {
        int end = from;
        while (end < to && b[end] != ';' && b[end] != ',' && !Ascii.isLws(b[end])) {
            end++;
        }
        return end;
    }

    private void putText(byte[] b, int from, int to, boolean outwards, ByteWriter out) {
        if (outwards) {
            way.putText(b, from, to, out);
        } else {
            out.put(b, from, to - from);
        }
    }

    private boolean mentions(String callId) {
        byte[] b = callId.getBytes(ISO_8859_1);
        way.onAllWays();
        boolean found = way.mentions().find(b, 0, b.length);
        way.onThisWay();
        return found;
    }
}
