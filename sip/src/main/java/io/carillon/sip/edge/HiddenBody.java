package io.carillon.sip.edge;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.message.SipMessage;
import org.jspecify.annotations.Nullable;

/**
 * Bodies that leave: session descriptions, fragments of messages, states of dialogs, whether alone
 * or as parts. Lines of a session description get the address of the media; URIs and Call-IDs are
 * tokens that come back; in all else our host stands for the internal one. Bytes that are no text
 * hold no host and stay.
 *
 * <p>Owner: one shard's thread.
 */
final class HiddenBody {
    private static final String PARAMETER = "call-id=";
    private static final String HEADER = "call-id:";

    private final Crossing way;
    private final HiddenCallIds callIds;
    private final HiddenUris uris;

    HiddenBody(Crossing way, HiddenCallIds callIds, HiddenUris uris) {
        this.way = way;
        this.callIds = callIds;
        this.uris = uris;
    }

    /** The body as it leaves; null when it leaves as it is. */
    byte @Nullable [] hidden(SipMessage message) {
        byte[] b = message.bytes();
        int from = message.bodyOffset();
        int to = message.length();
        if (from == to || !way.mentions().find(b, from, to)) {
            return null;
        }
        ByteWriter out = new ByteWriter(to - from + 128);
        int p = from;
        while (p < to) {
            int feed = Ascii.indexOf(b, p, to, '\n');
            int end = feed < 0 ? to : feed + 1;
            if (way.mentions().find(b, p, end)) {
                putLine(b, p, end, out);
            } else {
                out.put(b, p, end - p);
            }
            p = end;
        }
        return out.toByteArray();
    }

    private void putLine(byte[] b, int from, int to, ByteWriter out) {
        // RFC 8866 5: "<type>=<value>", "<type> is exactly one case-significant character".
        if (to - from > 2 && b[from] >= 'a' && b[from] <= 'z' && b[from + 1] == '=') {
            putDescription(b, from, to, out);
            return;
        }
        int value = from + HEADER.length();
        if (value < to && Ascii.equalsIgnoreCase(b, from, value, HEADER)) {
            int start = Ascii.skipLws(b, value, to);
            int end = Ascii.trimEnd(b, start, to);
            out.put(b, from, start - from);
            out.put(Latin.bytes(callIds.outside(Latin.text(b, start, end))));
            out.put(b, end, to - end);
            return;
        }
        putCallIdParameters(b, from, to, out);
    }

    /** Text in which {@code call-id=} may name a call, as in dialog states and their events. */
    void putCallIdParameters(byte[] b, int from, int to, ByteWriter out) {
        int p = from;
        for (int q = from; q + PARAMETER.length() < to; q++) {
            int value = q + PARAMETER.length();
            if (!Ascii.equalsIgnoreCase(b, q, value, PARAMETER)) {
                continue;
            }
            boolean quoted = b[value] == '"' || b[value] == '\'';
            int start = quoted ? value + 1 : value;
            int end = start;
            while (end < to
                    && (quoted
                            ? b[end] != b[value]
                            : !Ascii.isLws(b[end]) && b[end] != ';' && b[end] != ',')) {
                end++;
            }
            uris.putBody(b, p, start, out);
            out.put(Latin.bytes(callIds.outside(Latin.text(b, start, end))));
            p = end;
            q = end - 1;
        }
        uris.putBody(b, p, to, out);
    }

    private void putDescription(byte[] b, int from, int to, ByteWriter out) {
        Mentions mentions = way.mentions();
        String media = way.mediaHost();
        boolean six = media.indexOf(':') >= 0;
        int p = from;
        while (mentions.find(b, p, to)) {
            int start = mentions.start();
            int end = mentions.end();
            // RFC 8866 5.7: "IN IP4 address", "IN IP6 address": the digit has to fit.
            boolean typed =
                    start - p >= 4 && Ascii.equals(b, start - 4, start - 1, six ? "IP4" : "IP6");
            out.put(b, p, start - p - (typed ? 2 : 0));
            if (typed) {
                out.put(six ? "6 " : "4 ");
            }
            out.put(media);
            p = end;
        }
        out.put(b, p, to - p);
    }
}
