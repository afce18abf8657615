package io.carillon.sip.edge;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.HeaderForm;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import org.jspecify.annotations.Nullable;

/**
 * Header lines in the form that a peer wants: long or compact names, lists joined or taken apart,
 * no line longer than so many characters. A line that is too long is parted at the commas of a
 * list, then folded where the grammar has white space; what cannot be parted is refused.
 *
 * <p>Owner: one shard's thread.
 */
final class LineForms {
    private final Printing printing = new Printing();
    private final LineFold fold = new LineFold();
    private Peer peer = Peer.named("");
    private ByteWriter out = new ByteWriter(0);

    /** The message in the forms of that peer; null when one of its lines cannot be short enough. */
    @Nullable SipMessage formed(SipMessage message, Peer wanted) {
        peer = wanted;
        out = printing.begin();
        byte[] b = message.bytes();
        int end = Ascii.indexOf(b, 0, message.length(), '\r');
        if (peer.maxLine() > 0 && end > peer.maxLine()) {
            return null; // RFC 3261 7.1: a start line has no folds
        }
        if (message instanceof SipRequest request) {
            out.put(b, 0, request.uriEnd());
            printing.uriEnds();
            out.put(b, request.uriEnd(), end - request.uriEnd());
        } else {
            out.put(b, 0, end);
        }
        out.putCrLf();
        for (int i = 0; i < message.headerCount(); i++) {
            if (!line(message, i)) {
                return null;
            }
        }
        return printing.end(message, b, message.bodyOffset(), message.bodyLength());
    }

    private boolean line(SipMessage message, int i) {
        HeaderName name = message.nameAt(i);
        // A line that is kept as text has a name, but is no list that anybody could read.
        boolean list = name.list() && message.idAt(i) >= 0;
        if (list && peer.lists() == ListForm.JOINED) {
            return message.find(name, 0) != i || joined(message, name, i);
        }
        byte[] b = message.bytes();
        int from = message.valueStart(i);
        int to = message.valueEnd(i);
        if (list && (peer.lists() == ListForm.SEPARATE || tooLong(message, i, name))) {
            boolean all = peer.lists() == ListForm.SEPARATE;
            return all ? separate(message, i, name) : parted(message, i, name);
        }
        int start = out.length();
        putName(message, i, name);
        out.put(b, from, to - from).putCrLf();
        return folded(start, name);
    }

    private boolean tooLong(SipMessage message, int i, HeaderName name) {
        int value = message.valueEnd(i) - message.valueStart(i);
        return peer.maxLine() > 0 && name.text().length() + 2 + value > peer.maxLine();
    }

    private void putName(SipMessage message, int i, HeaderName name) {
        if (peer.names() == HeaderForm.DEFAULT || name.id() < 0) {
            int p = message.lineStart(i);
            int start = p;
            while (Ascii.isToken(message.bytes()[p])) {
                p++;
            }
            out.put(message.bytes(), start, p - start).put(": ");
        } else {
            out.put(name.linePrefix(peer.names() == HeaderForm.COMPACT));
        }
    }

    /** All elements of that name in one line. */
    private boolean joined(SipMessage message, HeaderName name, int first) {
        int start = out.length();
        putName(message, first, name);
        boolean any = false;
        for (int i = first; i >= 0; i = message.find(name, i + 1)) {
            int from = message.valueStart(i);
            out.put(any ? ", " : "").put(message.bytes(), from, message.valueEnd(i) - from);
            any = true;
        }
        out.putCrLf();
        return folded(start, name);
    }

    /** Each element in a line of its own. */
    private boolean separate(SipMessage message, int i, HeaderName name) {
        byte[] b = message.bytes();
        int to = message.valueEnd(i);
        for (int p = message.valueStart(i); p < to; ) {
            int end = HeaderElements.end(b, p, to);
            int from = Ascii.skipLws(b, p, end);
            int until = Ascii.trimEnd(b, from, end);
            if (until > from) {
                int start = out.length();
                putName(message, i, name);
                out.put(b, from, until - from).putCrLf();
                if (!folded(start, name)) {
                    return false;
                }
            }
            p = end + 1;
        }
        return true;
    }

    /** As many elements in each line as fit. */
    private boolean parted(SipMessage message, int i, HeaderName name) {
        byte[] b = message.bytes();
        int to = message.valueEnd(i);
        int start = -1;
        for (int p = message.valueStart(i); p < to; ) {
            int end = HeaderElements.end(b, p, to);
            int from = Ascii.skipLws(b, p, end);
            int until = Ascii.trimEnd(b, from, end);
            p = end + 1;
            if (until == from) {
                continue;
            }
            if (start >= 0 && out.length() - start + 2 + until - from <= peer.maxLine()) {
                out.put(", ").put(b, from, until - from);
                continue;
            }
            if (start >= 0 && !folded(start, name, true)) {
                return false;
            }
            start = out.length();
            putName(message, i, name);
            out.put(b, from, until - from);
        }
        return start < 0 || folded(start, name, true);
    }

    private boolean folded(int start, HeaderName name, boolean open) {
        if (open) {
            out.putCrLf();
        }
        return folded(start, name);
    }

    /** Folds the line that was printed last, which begins there, where it is too long. */
    private boolean folded(int start, HeaderName name) {
        return peer.maxLine() == 0
                || out.length() - start - 2 <= peer.maxLine()
                || fold.fold(out, start, name, peer.maxLine());
    }
}
