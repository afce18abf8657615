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

    /** Null in a printed message until somebody asks for a header. */
    private int @Nullable [] lines;

    @Nullable Via topVia;
    @Nullable NameAddress from;
    @Nullable NameAddress to;
    @Nullable String fromTag;
    @Nullable String toTag;
    @Nullable String callId;
    @Nullable CSeq cseq;

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
        fromTag = o.fromTag;
        toTag = o.toTag;
        callId = o.callId;
        cseq = o.cseq;
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

    /** Bytes that belong to the message. */
    public final int length() {
        return length;
    }

    /** Number of header lines. */
    public final int headerCount() {
        return lines().length / MessageIndex.STRIDE;
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
        return folded(i)
                ? Ascii.unfolded(bytes, valueStart(i), valueEnd(i))
                : Ascii.string(bytes, valueStart(i), valueEnd(i));
    }

    /** Does header line {@code i} go on behind a line fold? */
    final boolean folded(int i) {
        return lines()[i * MessageIndex.STRIDE + 1] < 0;
    }

    /** {@link HeaderName#id()} of header line {@code i}. */
    public final int idAt(int i) {
        return (lines()[i * MessageIndex.STRIDE] >>> MessageIndex.ID_SHIFT) - 1;
    }

    /** Offset in {@link #bytes()} where header line {@code i} begins. */
    public final int lineStart(int i) {
        return lines()[i * MessageIndex.STRIDE] & MessageIndex.OFFSET_MASK;
    }

    /** Offset where the trimmed value of header line {@code i} begins. */
    public final int valueStart(int i) {
        return lines()[i * MessageIndex.STRIDE + 1] & MessageIndex.OFFSET_MASK;
    }

    /** Offset where the trimmed value of header line {@code i} ends. */
    public final int valueEnd(int i) {
        return lines()[i * MessageIndex.STRIDE + 2];
    }

    /** Offset after the line break of header line {@code i}, its folds included. */
    public final int lineEnd(int i) {
        int p = valueEnd(i);
        for (; ; ) {
            while (bytes[p] != '\n') {
                p++;
            }
            p++;
            if (p >= headersEnd || !Ascii.isBlank(bytes[p])) {
                return p;
            }
        }
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
        int count = headerCount();
        for (int i = start; i < count; i++) {
            if (isNamed(i, name)) {
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
        NameAddress address = from;
        if (address == null) {
            address = single(HeaderName.FROM);
            from = address;
        }
        return address;
    }

    public final NameAddress to() {
        NameAddress address = to;
        if (address == null) {
            address = single(HeaderName.TO);
            to = address;
        }
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
        String tag = fromTag;
        if (tag == null) {
            tag = tag(HeaderName.FROM);
            fromTag = tag;
        }
        return isAbsent(tag) ? null : tag;
    }

    /** Tag of To, null when absent. Does not make the whole address. */
    public final @Nullable String toTag() {
        String tag = toTag;
        if (tag == null) {
            tag = tag(HeaderName.TO);
            toTag = tag;
        }
        return isAbsent(tag) ? null : tag;
    }

    @SuppressWarnings("ReferenceEquality") // one sentinel object
    private static boolean isAbsent(String tag) {
        return tag == ABSENT;
    }

    private String tag(HeaderName name) {
        int i = find(name, 0);
        if (i < 0) {
            return ABSENT;
        }
        AddressScan scan = Scans.mine().address();
        return scan.scan(bytes, valueStart(i), valueEnd(i)) != null || scan.tagStart() < 0
                ? ABSENT
                : RecentTexts.of(bytes, scan.tagStart(), scan.tagEnd());
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

    public final CSeq cseq() {
        CSeq seq = cseq;
        if (seq == null) {
            int i = require(HeaderName.CSEQ);
            int end = valueEnd(i);
            int digits = CSeq.digitsEnd(bytes, valueStart(i), end);
            long number = CSeq.number(bytes, valueStart(i), end);
            int method = Ascii.skipLws(bytes, digits, end);
            if (number < 0 || method == end) {
                throw new IllegalStateException("bad CSeq in a rejected message");
            }
            seq = new CSeq(number, Methods.intern(bytes, method, end));
            cseq = seq;
        }
        return seq;
    }

    /** The number of {@link #cseq}, without an object for it. */
    public final long cseqNumber() {
        CSeq seq = cseq;
        if (seq != null) {
            return seq.number();
        }
        int i = require(HeaderName.CSEQ);
        return CSeq.number(bytes, valueStart(i), valueEnd(i));
    }

    /** The method of {@link #cseq}, without an object for it. */
    public final String cseqMethod() {
        CSeq seq = cseq;
        if (seq != null) {
            return seq.method();
        }
        int i = require(HeaderName.CSEQ);
        int end = valueEnd(i);
        int digits = CSeq.digitsEnd(bytes, valueStart(i), end);
        return Methods.intern(bytes, Ascii.skipLws(bytes, digits, end), end);
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
