package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.RecentTexts;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AddressScan;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Scans;
import io.carillon.sip.header.Via;
import io.carillon.sip.header.ViaScan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A SIP message: one byte array and a flat index of its header lines. Immutable and thread safe;
 * typed views are made on first use and kept (two threads may make the same view twice, which is
 * harmless).
 *
 * <p>Via, From, To, Call-ID, CSeq, Max-Forwards, Contact, Route and Record-Route are well formed in
 * every message that a parser accepted or a draft printed. The best-effort request of a rejected
 * message promises its top Via only; there, a view of anything else may throw
 * IllegalStateException.
 */
public abstract sealed class SipMessage permits SipRequest, SipResponse {
    /** Stands for "looked for, not there" in caches. */
    @SuppressWarnings("StringOperationCanBeSimplified") // must not be the interned empty string
    private static final String ABSENT = new String("");

    final byte[] bytes;
    final int length;
    final int headersEnd;

    /**
     * As {@link MessageIndex} describes it. Null in a printed message until somebody asks for a
     * header.
     */
    private int @Nullable [] lines;

    @Nullable Via topVia;

    /** What is known of From: a NameAddress, or its tag alone (a String), or nothing yet. */
    @Nullable Object from;

    /** The same of To. */
    @Nullable Object to;

    @Nullable String callId;

    SipMessage(byte[] bytes, int length, int headersEnd, int @Nullable [] lines) {
        this.bytes = bytes;
        this.length = length;
        this.headersEnd = headersEnd;
        this.lines = lines;
    }

    /** The index; made on first use in a message that we printed. */
    final int[] lines() {
        int[] known = lines;
        if (known == null) {
            known = MessageIndex.of(bytes, headersEnd);
            lines = known;
        }
        return known;
    }

    /** Takes the views over that another message with the same values has. */
    final void copyViews(SipMessage o) {
        from = o.from;
        to = o.to;
        callId = o.callId;
    }

    /**
     * The message's bytes from offset 0; may be longer than {@link #length()}. Not to be written
     * to.
     */
    public final byte[] bytes() {
        return bytes;
    }

    /**
     * The message as bytes and nothing else, for who has to keep it for long. Not to be written to.
     */
    public final byte[] keptBytes() {
        return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
    }

    /** Is it the very same message, byte for byte? */
    public final boolean repeats(SipMessage other) {
        return length == other.length
                && Arrays.equals(bytes, 0, length, other.bytes, 0, other.length);
    }

    /** Bytes that belong to the message. */
    public final int length() {
        return length;
    }

    /** Number of header lines. */
    public final int headerCount() {
        return lines().length;
    }

    /**
     * Name of header line {@code i}. A line that was kept as text (an unreadable Contact) has its
     * name here, but is not found by it.
     */
    public final HeaderName nameAt(int i) {
        int id = idAt(i);
        return id >= 0 ? HeaderName.byId(id) : HeaderName.match(bytes, lineStart(i), nameEnd(i));
    }

    /** Value of header line {@code i}: unfolded and trimmed. */
    public final String valueAt(int i) {
        return odd(i)
                ? Ascii.unfolded(bytes, valueStart(i), valueEnd(i))
                : Ascii.string(bytes, valueStart(i), valueEnd(i));
    }

    /** Does header line {@code i} hold a fold, or do bytes that are no header follow it? */
    private boolean odd(int i) {
        return lines()[i] < 0;
    }

    /** {@link HeaderName#id()} of header line {@code i}. */
    public final int idAt(int i) {
        return MessageIndex.idOf(lines()[i]);
    }

    /** Offset in {@link #bytes()} where header line {@code i} begins. */
    public final int lineStart(int i) {
        return lines()[i] & MessageIndex.OFFSET_MASK;
    }

    /** Offset where the trimmed value of header line {@code i} begins. */
    public final int valueStart(int i) {
        int colon = lineStart(i);
        while (bytes[colon] != ':') {
            colon++;
        }
        // Nearly always one space and the value.
        if (bytes[colon + 1] == ' ' && !Ascii.isLws(bytes[colon + 2])) {
            return colon + 2;
        }
        int end = lineEnd(i) - 2;
        int start = Ascii.skipLws(bytes, colon + 1, end);
        return start == end ? colon + 1 : start;
    }

    /** Offset where the trimmed value of header line {@code i} ends. */
    public final int valueEnd(int i) {
        // Not beyond the colon, which is no white space.
        int p = lineEnd(i) - 2;
        while (Ascii.isLws(bytes[p - 1])) {
            p--;
        }
        return p;
    }

    /** Offset after the line break of header line {@code i}, its folds included. */
    public final int lineEnd(int i) {
        int[] index = lines();
        if (index[i] < 0) {
            return MessageIndex.lineEnd(bytes, index[i] & MessageIndex.OFFSET_MASK, headersEnd);
        }
        return i + 1 < index.length ? index[i + 1] & MessageIndex.OFFSET_MASK : headersEnd;
    }

    private int nameEnd(int i) {
        int p = lineStart(i);
        while (Ascii.isToken(bytes[p])) {
            p++;
        }
        return p;
    }

    /** Does header line {@code i} bear this name? */
    public final boolean isNamed(int i, HeaderName name) {
        int id = idAt(i);
        return id >= 0
                ? id == name.id()
                : name.id() < 0 && name.spelledBy(bytes, lineStart(i), nameEnd(i));
    }

    /** Index of the first line of that name at or after {@code start}, else -1. */
    public final int find(HeaderName name, int start) {
        int[] index = lines();
        int id = name.id();
        for (int i = start; i < index.length; i++) {
            if (MessageIndex.idOf(index[i]) == id && (id >= 0 || isNamed(i, name))) {
                return i;
            }
        }
        return -1;
    }

    public final boolean has(HeaderName name) {
        return find(name, 0) >= 0;
    }

    /** Value of the first line of that name (all of it, commas included), null when absent. */
    public final @Nullable String header(HeaderName name) {
        int i = find(name, 0);
        return i < 0 ? null : valueAt(i);
    }

    /** Every value of that name in order; list headers are taken apart at their commas. */
    public final List<String> headers(HeaderName name) {
        int i = find(name, 0);
        if (i < 0) {
            return List.of();
        }
        List<String> out = new ArrayList<>();
        for (; i >= 0; i = find(name, i + 1)) {
            if (name.list()) {
                HeaderElements.split(bytes, valueStart(i), valueEnd(i), out);
            } else {
                out.add(valueAt(i));
            }
        }
        return out;
    }

    /** How many elements the headers of that name have together; makes no objects. */
    public final int count(HeaderName name) {
        int count = 0;
        for (int i = find(name, 0); i >= 0; i = find(name, i + 1)) {
            int end = valueEnd(i);
            for (int p = valueStart(i); p < end; p = HeaderElements.end(bytes, p, end) + 1) {
                count++;
            }
        }
        return count;
    }

    /** The topmost Via. */
    public final Via topVia() {
        Via via = topVia;
        if (via == null) {
            int i = require(HeaderName.VIA);
            try {
                via = Via.parseFirst(bytes, valueStart(i), valueEnd(i));
            } catch (SipParseException e) {
                throw unchecked(HeaderName.VIA, e);
            }
            topVia = via;
        }
        return via;
    }

    /** All Via elements, topmost first. */
    public final List<Via> vias() {
        List<Via> out = new ArrayList<>(4);
        ViaScan scan = Scans.mine().via();
        try {
            for (int i = find(HeaderName.VIA, 0); i >= 0; i = find(HeaderName.VIA, i + 1)) {
                int end = valueEnd(i);
                for (int p = valueStart(i); p < end; p = scan.end() + 1) {
                    out.add(Via.parse(scan, bytes, p, end));
                }
            }
        } catch (SipParseException e) {
            throw unchecked(HeaderName.VIA, e);
        }
        return out;
    }

    public final NameAddress from() {
        if (from instanceof NameAddress known) {
            return known;
        }
        NameAddress address = single(HeaderName.FROM);
        from = address;
        return address;
    }

    public final NameAddress to() {
        if (to instanceof NameAddress known) {
            return known;
        }
        NameAddress address = single(HeaderName.TO);
        to = address;
        return address;
    }

    private NameAddress single(HeaderName name) {
        int i = require(name);
        try {
            return NameAddress.parse(bytes, valueStart(i), valueEnd(i));
        } catch (SipParseException e) {
            throw unchecked(name, e);
        }
    }

    /** Tag of From, null when absent (RFC 2543). Does not make the whole address. */
    public final @Nullable String fromTag() {
        Object known = from;
        if (known instanceof NameAddress address) {
            return address.writtenTag();
        }
        if (known == null) {
            known = tag(HeaderName.FROM);
            from = known;
        }
        return orNull(known);
    }

    /** Tag of To, null when absent. Does not make the whole address. */
    public final @Nullable String toTag() {
        Object known = to;
        if (known instanceof NameAddress address) {
            return address.writtenTag();
        }
        if (known == null) {
            known = tag(HeaderName.TO);
            to = known;
        }
        return orNull(known);
    }

    @SuppressWarnings("ReferenceEquality") // one sentinel object
    private static @Nullable String orNull(Object tag) {
        return tag != ABSENT && tag instanceof String text ? text : null;
    }

    private String tag(HeaderName name) {
        int i = find(name, 0);
        if (i < 0) {
            return ABSENT;
        }
        AddressScan scan = Scans.mine().address();
        scan.scanTag(bytes, valueStart(i), valueEnd(i));
        return scan.tagStart() < 0 ? ABSENT : RecentTexts.of(bytes, scan.tagStart(), scan.tagEnd());
    }

    public final String callId() {
        String id = callId;
        if (id == null) {
            int i = require(HeaderName.CALL_ID);
            id = RecentTexts.of(bytes, valueStart(i), valueEnd(i));
            callId = id;
        }
        return id;
    }

    /** CSeq, read from the bytes each time. */
    public final CSeq cseq() {
        return new CSeq(cseqNumber(), cseqMethod());
    }

    /** The number of CSeq, 0 to 2^32 - 1; makes no object. */
    public final long cseqNumber() {
        int i = require(HeaderName.CSEQ);
        long number = CSeq.number(bytes, valueStart(i), valueEnd(i));
        if (number < 0) {
            throw new IllegalStateException("bad CSeq in a rejected message");
        }
        return number;
    }

    /** The method of CSeq; a constant of {@link Methods} when it is one of them. */
    public final String cseqMethod() {
        int i = require(HeaderName.CSEQ);
        int end = valueEnd(i);
        int method = Ascii.skipLws(bytes, CSeq.digitsEnd(bytes, valueStart(i), end), end);
        if (method == end) {
            throw new IllegalStateException("bad CSeq in a rejected message");
        }
        return Methods.intern(bytes, method, end);
    }

    // RFC 4475 3.1.2.4: a Max-Forwards above 255 may be treated as absent.
    /** Max-Forwards, -1 when absent or above 255. */
    public final int maxForwards() {
        int i = find(HeaderName.MAX_FORWARDS, 0);
        return i < 0
                ? -1
                : (int) Math.max(-1, Ascii.parseDecimal(bytes, valueStart(i), valueEnd(i), 255));
    }

    /** All Route elements, topmost first. */
    public final List<NameAddress> routes() {
        return addresses(HeaderName.ROUTE);
    }

    /** All Record-Route elements, topmost first. */
    public final List<NameAddress> recordRoutes() {
        return addresses(HeaderName.RECORD_ROUTE);
    }

    /** All Contact elements; a star is one with {@link NameAddress#wildcard()}. */
    public final List<NameAddress> contacts() {
        return addresses(HeaderName.CONTACT);
    }

    /** The topmost Route element, null when there is none. */
    public final @Nullable NameAddress topRoute() {
        return first(HeaderName.ROUTE);
    }

    /** The first Contact element, null when there is none. */
    public final @Nullable NameAddress contact() {
        return first(HeaderName.CONTACT);
    }

    private @Nullable NameAddress first(HeaderName name) {
        int i = find(name, 0);
        if (i < 0) {
            return null;
        }
        try {
            return NameAddress.parseFirst(bytes, valueStart(i), valueEnd(i));
        } catch (SipParseException e) {
            throw unchecked(name, e);
        }
    }

    private List<NameAddress> addresses(HeaderName name) {
        int i = find(name, 0);
        if (i < 0) {
            return List.of();
        }
        List<NameAddress> out = new ArrayList<>(4);
        try {
            for (; i >= 0; i = find(name, i + 1)) {
                NameAddress.parseInto(out, bytes, valueStart(i), valueEnd(i));
            }
        } catch (SipParseException e) {
            throw unchecked(name, e);
        }
        return out;
    }

    private int require(HeaderName name) {
        int i = find(name, 0);
        if (i < 0) {
            throw new IllegalStateException("no " + name + " in a rejected or unfinished message");
        }
        return i;
    }

    private static IllegalStateException unchecked(HeaderName name, SipParseException e) {
        return new IllegalStateException("malformed " + name + " in a rejected message", e);
    }

    /** Offset of the body. */
    public final int bodyOffset() {
        return Math.min(headersEnd + 2, length);
    }

    public final int bodyLength() {
        return length - bodyOffset();
    }

    /** A copy of the body; empty when there is none. */
    public final byte[] body() {
        return Arrays.copyOfRange(bytes, bodyOffset(), length);
    }

    /** The whole message as text, for people. */
    @Override
    public final String toString() {
        return Ascii.string(bytes, 0, length);
    }
}
