package io.carillon.sip.edge;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists of routes. Outside, a list has one entry of ours, whose token holds the entries that are
 * hidden; where lines must be short, several entries of ours have a part of them each. All are
 * ours, so the peer sends what is routed by them to us, and we put the list back.
 *
 * <p>Owner: one shard's thread.
 */
final class HiddenRoutes {
    /** What is sealed begins with one of these: how the list goes on in a Route header. */
    private static final char BEHIND_THIS = 'R';

    /** The entry with the token stands for nothing itself. */
    private static final char IN_PLACE = 'X';

    /** Sealed in a response, in the order in which the caller routes. */
    private static final char BEHIND_THIS_FOR_CALLER = 'S';

    /** The next part of the list that the entry before begins. */
    private static final char MORE = 'M';

    /** A list whose tokens would be shorter than this is better refused for its length. */
    private static final int LEAST_ROOM = 8;

    private final Crossing way;
    private final HiddenUris uris;

    HiddenRoutes(Crossing way, HiddenUris uris) {
        this.way = way;
        this.uris = uris;
    }

    static void split(byte[] b, int from, int to, List<String> out) {
        for (int p = from; p < to; ) {
            int end = HeaderElements.end(b, p, to);
            String element = Latin.unfolded(b, p, end).strip();
            if (!element.isEmpty()) {
                out.add(element);
            }
            p = end + 1;
        }
    }

    /**
     * Record-Route or Path of a request that leaves: the own entry on top hides all below it.
     *
     * @return the entries that leave
     */
    List<String> outwards(List<String> entries, int nameLength) {
        boolean own = isOwn(entries.getFirst());
        List<String> hidden = own ? entries.subList(1, entries.size()) : entries;
        return hidden.isEmpty()
                ? entries
                : sealed(
                        own ? entries.getFirst() : entry(),
                        own ? BEHIND_THIS : IN_PLACE,
                        hidden,
                        nameLength);
    }

    /**
     * Record-Route of a response that leaves: what is above the own entry is inside, what is below
     * is the peer's. The peer will turn the list around.
     */
    List<String> backwards(List<String> entries, int nameLength) {
        int own = -1;
        for (int i = 0; i < entries.size(); i++) {
            byte[] b = bytes(entries.get(i));
            if (HiddenUris.find(b, 0, b.length) < 0 && isOwn(entries.get(i))) {
                own = i;
            }
        }
        if (own <= 0) {
            return own == 0 ? entries : singly(entries);
        }
        List<String> tokens =
                sealed(
                        entries.get(own),
                        BEHIND_THIS_FOR_CALLER,
                        entries.subList(0, own).reversed(),
                        nameLength);
        List<String> all = new ArrayList<>(tokens.reversed());
        all.addAll(entries.subList(own + 1, entries.size()));
        return all;
    }

    /** No entry is known to be the border: each that tells something is hidden by itself. */
    private List<String> singly(List<String> entries) {
        List<String> all = new ArrayList<>();
        for (String entry : entries) {
            ByteWriter out = new ByteWriter(128);
            byte[] b = bytes(entry);
            uris.putText(b, 0, b.length, out);
            all.add(Latin.text(out));
        }
        return all;
    }

    private List<String> sealed(String first, char kind, List<String> hidden, int nameLength) {
        String text = String.join(",", hidden);
        List<String> out = new ArrayList<>();
        String entry = first;
        char as = kind;
        int at = 0;
        do {
            int room = room(entry, nameLength);
            int end = Math.min(text.length(), at + room);
            out.add(with(entry, way.seal().close(as + text.substring(at, end))));
            at = end;
            as = MORE;
            entry = entry();
        } while (at < text.length());
        return out;
    }

    /** So many characters can be hidden in the token of that entry. */
    private int room(String entry, int nameLength) {
        int line = way.peer().maxLine();
        if (line == 0) {
            return Integer.MAX_VALUE / 2;
        }
        int around = nameLength + 2 + entry.length() + HiddenUris.PARAM.length() + 2;
        int room = Seal.room(line - around) - 1;
        return room < LEAST_ROOM ? Integer.MAX_VALUE / 2 : room;
    }

    /** The parameter goes to the end of the URI, before its bracket. */
    private static String with(String entry, String token) {
        int close = entry.lastIndexOf('>');
        return entry.substring(0, close)
                + ';'
                + HiddenUris.PARAM
                + '='
                + token
                + entry.substring(close);
    }

    private String entry() {
        ByteWriter out = new ByteWriter(64).put("<sip:");
        way.putAddress(out, false);
        return out.put(";lr>").toString();
    }

    private boolean isOwn(String entry) {
        SipUri uri = uri(entry);
        return uri != null && entry.indexOf('>') > 0 && way.isOwn(uri.host(), uri.port());
    }

    private static @Nullable SipUri uri(String entry) {
        byte[] b = bytes(entry);
        try {
            return NameAddress.parse(b, 0, b.length).uri() instanceof SipUri sip ? sip : null;
        } catch (SipParseException e) {
            return null; // then it is not ours
        }
    }

    private static byte[] bytes(String text) {
        return Latin.bytes(text);
    }

    // Inwards

    /** What came of a list. */
    enum Outcome {
        AS_IT_WAS,
        SHOWN,
        /** It holds a token that is none of ours. */
        FORGED
    }

    /**
     * Puts hidden entries back.
     *
     * @param route of the Route header of a request; else of the Record-Route of a response, where
     *     only what was sealed in the request is put back
     * @param out gets the entries
     */
    Outcome inwards(List<String> entries, boolean route, List<String> out) {
        Outcome outcome = Outcome.AS_IT_WAS;
        StringBuilder open = new StringBuilder();
        boolean going = false;
        for (String entry : entries) {
            byte[] b = bytes(entry);
            int param = HiddenUris.find(b, 0, b.length);
            String opened = param < 0 ? null : uris.opened(b, param, b.length);
            if (param >= 0 && opened == null && route && leadsHere(entry)) {
                return Outcome.FORGED;
            }
            char kind = opened == null ? ' ' : opened.charAt(0);
            if (opened != null && kind == MORE && going) {
                open.append(opened, 1, opened.length());
                continue;
            }
            flush(open, out);
            going = opened != null && begins(kind, route);
            if (opened != null && going) {
                outcome = Outcome.SHOWN;
                open.append(opened, 1, opened.length());
                if (kind == BEHIND_THIS || kind == BEHIND_THIS_FOR_CALLER) {
                    int end = HiddenUris.tokenEnd(b, param, b.length);
                    out.add(entry.substring(0, param) + entry.substring(end));
                }
            } else if (opened != null && route && UriTokens.isUri(opened)) {
                outcome = Outcome.SHOWN;
                out.add(shown(b, param, opened));
            } else {
                out.add(entry);
            }
        }
        flush(open, out);
        return outcome;
    }

    /** A peer may hide its own topology in the same way: its tokens are not for us to read. */
    boolean leadsHere(String entry) {
        SipUri uri = uri(entry);
        return uri != null && way.isLocal(uri);
    }

    boolean leadsInside(String entry) {
        byte[] b = bytes(entry);
        return way.mentions().find(b, 0, b.length);
    }

    private static boolean begins(char kind, boolean route) {
        return kind == BEHIND_THIS || kind == IN_PLACE || (route && kind == BEHIND_THIS_FOR_CALLER);
    }

    private String shown(byte[] b, int param, String opened) {
        ByteWriter out = new ByteWriter(128);
        // A display name may have brackets in its quotes.
        int start = param;
        while (start > 0 && b[start - 1] != '<') {
            start--;
        }
        int end = Ascii.indexOf(b, param, b.length, '>');
        int stop = end < 0 ? b.length : end;
        out.put(b, 0, start);
        uris.putShown(b, start, stop, param, opened, out);
        return Latin.text(out.put(b, stop, b.length - stop));
    }

    private static void flush(StringBuilder open, List<String> out) {
        if (!open.isEmpty()) {
            byte[] b = bytes(open.toString());
            split(b, 0, b.length, out);
            open.setLength(0);
        }
    }
}
