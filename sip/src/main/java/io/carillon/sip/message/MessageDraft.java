package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Via;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one mutable overlay over a message: what will be printed. Lines that nobody touches stay the
 * bytes that came in. Owned by whoever holds the turn; not thread safe.
 *
 * <p>A value that holds CR, LF or NUL, or a malformed value of a header that the core reads (see
 * {@link HeaderSyntax}), is refused by the setter with IllegalArgumentException. Content-Length is
 * always printed right, whatever is set.
 */
public final class MessageDraft {
    private static final byte[] NO_BYTES = {};

    private final HeaderLines lines;
    private final boolean request;
    private String method = "";
    private @Nullable Uri requestUri;
    private @Nullable SipRequest sameUri;
    private int status;
    private String reason = "";
    private byte @Nullable [] body;
    private HeaderForm form = HeaderForm.DEFAULT;

    private MessageDraft(HeaderLines lines, boolean request) {
        this.lines = lines;
        this.request = request;
    }

    private MessageDraft(MessageDraft o) {
        lines = new HeaderLines(o.lines);
        request = o.request;
        method = o.method;
        requestUri = o.requestUri;
        sameUri = o.sameUri;
        status = o.status;
        reason = o.reason;
        body = o.body;
        form = o.form;
    }

    /** A draft with everything of the message. */
    public static MessageDraft copyOf(SipMessage message) {
        MessageDraft draft =
                new MessageDraft(HeaderLines.allOf(message), message instanceof SipRequest);
        switch (message) {
            case SipRequest r -> {
                draft.method = r.method();
                draft.sameUri = r;
            }
            case SipResponse r -> {
                draft.status = r.status();
                draft.reason = r.reason();
            }
        }
        return draft;
    }

    /** A request without any header. */
    public static MessageDraft request(String method, Uri uri) {
        return requestWith(new HeaderLines(null, 12), method).setRequestUri(uri);
    }

    /** A response without any header; a null reason takes the registered phrase. */
    public static MessageDraft response(int status, @Nullable String reason) {
        return responseWith(new HeaderLines(null, 12), status, reason);
    }

    static MessageDraft requestWith(HeaderLines lines, String method) {
        return new MessageDraft(lines, true).noBody().setMethod(method);
    }

    static MessageDraft responseWith(HeaderLines lines, int status, @Nullable String reason) {
        return new MessageDraft(lines, false).noBody().setStatus(status, reason);
    }

    MessageDraft sameUriAs(SipRequest other) {
        sameUri = other;
        return this;
    }

    private MessageDraft noBody() {
        body = NO_BYTES;
        return this;
    }

    /** A response by RFC 3261 8.2.6.2; see {@link DerivedMessages#response}. */
    public static MessageDraft responseTo(
            SipRequest request, int status, @Nullable String reason, @Nullable String toTag) {
        return DerivedMessages.response(request, status, reason, toTag);
    }

    /** The CANCEL of an INVITE as it was sent, RFC 3261 9.1. */
    public static MessageDraft cancelOf(SipRequest invite) {
        return DerivedMessages.cancel(invite);
    }

    /** The ACK of a final response other than 2xx, RFC 3261 17.1.1.3. */
    public static MessageDraft ackOf(SipRequest invite, SipResponse non2xx) {
        return DerivedMessages.ack(invite, non2xx);
    }

    public boolean isRequest() {
        return request;
    }

    /** Method of a request; that of CSeq for a response. */
    public String method() {
        return request ? method : cseq().method();
    }

    /** Sets the method; CSeq is not changed. */
    public MessageDraft setMethod(String newMethod) {
        if (!Ascii.isToken(newMethod)) {
            throw new IllegalArgumentException("not a method");
        }
        method = Methods.intern(newMethod);
        return this;
    }

    public Uri requestUri() {
        Uri uri = requestUri;
        if (uri != null) {
            return uri;
        }
        if (sameUri == null) {
            throw new IllegalStateException("a response has no Request-URI");
        }
        return sameUri.requestUri();
    }

    public MessageDraft setRequestUri(Uri uri) {
        if (!request) {
            throw new IllegalStateException("a response has no Request-URI");
        }
        requestUri = uri;
        return this;
    }

    /** Status code of a response, 0 for a request. */
    public int status() {
        return status;
    }

    public String reason() {
        return reason;
    }

    /**
     * Sets status code and reason phrase of a response.
     *
     * @param newReason null takes the registered phrase
     */
    public MessageDraft setStatus(int newStatus, @Nullable String newReason) {
        if (request || newStatus < 100 || newStatus > 699) {
            throw new IllegalArgumentException("not a status code of a response: " + newStatus);
        }
        String phrase = newReason == null ? ReasonPhrases.of(newStatus) : newReason;
        if (Ascii.hasLineBreak(phrase)) {
            throw new IllegalArgumentException("line break in a reason phrase");
        }
        status = newStatus;
        reason = phrase;
        return this;
    }

    private static String checked(HeaderName name, String value) {
        if (Ascii.breaksLine(value)) {
            throw new IllegalArgumentException("line break in a header value");
        }
        if (HeaderSyntax.covers(name.id())) {
            PrintSpace space = PrintSpace.mine();
            String error = space.check(name.id(), value);
            if (error != null) {
                throw new IllegalArgumentException(name + ": " + error);
            }
        }
        return value;
    }

    public boolean has(HeaderName name) {
        return lines.find(name, 0) >= 0;
    }

    /** Number of header lines. */
    public int headerCount() {
        return lines.size();
    }

    public HeaderName nameAt(int i) {
        return lines.name(i);
    }

    public String valueAt(int i) {
        return lines.text(i);
    }

    /** Value of the first line of that name (all of it, commas included), null when absent. */
    public @Nullable String get(HeaderName name) {
        int i = lines.find(name, 0);
        return i < 0 ? null : lines.text(i);
    }

    /** Every value of that name in order; list headers are taken apart at their commas. */
    public List<String> all(HeaderName name) {
        List<String> out = new ArrayList<>(4);
        lines.all(name, out);
        return out;
    }

    /** Replaces all lines of that name by one, where the first one stood, else at the end. */
    public MessageDraft set(HeaderName name, String value) {
        lines.set(name, checked(name, value));
        return this;
    }

    /** Adds a line before all lines of that name; a first Via before everything. */
    public MessageDraft addFirst(HeaderName name, String value) {
        lines.addFirst(name, checked(name, value));
        return this;
    }

    /** Adds a line after all others. */
    public MessageDraft addLast(HeaderName name, String value) {
        lines.insert(lines.size(), name, checked(name, value));
        return this;
    }

    public MessageDraft remove(HeaderName name) {
        lines.removeAll(name);
        return this;
    }

    /** Removes one element: the first line of that name, or its part before the first comma. */
    public MessageDraft removeFirst(HeaderName name) {
        lines.removeFirst(name);
        return this;
    }

    /** The topmost Via, null when there is none. */
    public @Nullable Via topVia() {
        int i = lines.find(HeaderName.VIA, 0);
        if (i < 0) {
            return null;
        }
        if (lines.typed(i) instanceof Via via) {
            return via;
        }
        byte[] b = WireText.bytes(lines.text(i));
        try {
            return Via.parseFirst(b, 0, b.length);
        } catch (SipParseException e) {
            throw new IllegalStateException("malformed Via in a rejected message", e);
        }
    }

    public MessageDraft prependVia(Via via) {
        lines.addFirst(HeaderName.VIA, via);
        return this;
    }

    public MessageDraft replaceTopVia(Via via) {
        lines.replaceFirst(HeaderName.VIA, via);
        return this;
    }

    public NameAddress from() {
        return required(HeaderName.FROM);
    }

    public MessageDraft setFrom(NameAddress from) {
        lines.set(HeaderName.FROM, from);
        return this;
    }

    public NameAddress to() {
        return required(HeaderName.TO);
    }

    public MessageDraft setTo(NameAddress to) {
        lines.set(HeaderName.TO, to);
        return this;
    }

    /** The first Contact, null when there is none. */
    public @Nullable NameAddress contact() {
        return address(HeaderName.CONTACT);
    }

    /** Replaces all Contacts by one. */
    public MessageDraft setContact(NameAddress contact) {
        lines.set(HeaderName.CONTACT, contact);
        return this;
    }

    private NameAddress required(HeaderName name) {
        NameAddress address = address(name);
        if (address == null) {
            throw new IllegalStateException("no " + name + " yet");
        }
        return address;
    }

    /** The first address of that header, null when absent. */
    public @Nullable NameAddress address(HeaderName name) {
        int i = lines.find(name, 0);
        if (i < 0) {
            return null;
        }
        if (lines.typed(i) instanceof NameAddress typed) {
            return typed;
        }
        byte[] b = WireText.bytes(lines.text(i));
        try {
            return NameAddress.parseFirst(b, 0, b.length);
        } catch (SipParseException e) {
            throw new IllegalStateException("malformed " + name, e);
        }
    }

    /** Every address of that header in order. */
    public List<NameAddress> addresses(HeaderName name) {
        List<NameAddress> out = new ArrayList<>(4);
        try {
            for (int i = lines.find(name, 0); i >= 0; i = lines.find(name, i + 1)) {
                if (lines.typed(i) instanceof NameAddress typed) {
                    out.add(typed);
                } else {
                    byte[] b = WireText.bytes(lines.text(i));
                    out.addAll(NameAddress.parseList(b, 0, b.length));
                }
            }
        } catch (SipParseException e) {
            throw new IllegalStateException("malformed " + name, e);
        }
        return out;
    }

    /** Replaces all lines of that name by one line per address. */
    public MessageDraft setAddresses(HeaderName name, List<NameAddress> addresses) {
        lines.removeAll(name);
        for (int i = addresses.size() - 1; i >= 0; i--) {
            lines.addFirst(name, addresses.get(i));
        }
        return this;
    }

    /** Adds an address on top of that header: Route, Record-Route, Path. */
    public MessageDraft prepend(HeaderName name, NameAddress address) {
        lines.addFirst(name, address);
        return this;
    }

    public List<NameAddress> routes() {
        return addresses(HeaderName.ROUTE);
    }

    public MessageDraft setRoutes(List<NameAddress> routes) {
        return setAddresses(HeaderName.ROUTE, routes);
    }

    public MessageDraft prependRoute(NameAddress route) {
        return prepend(HeaderName.ROUTE, route);
    }

    public MessageDraft prependRecordRoute(NameAddress route) {
        return prepend(HeaderName.RECORD_ROUTE, route);
    }

    /** The Call-ID, null when there is none yet. */
    public @Nullable String callId() {
        return get(HeaderName.CALL_ID);
    }

    public MessageDraft setCallId(String callId) {
        return set(HeaderName.CALL_ID, callId);
    }

    public CSeq cseq() {
        String value = get(HeaderName.CSEQ);
        if (value == null) {
            throw new IllegalStateException("no CSeq yet");
        }
        try {
            CSeq seq = CSeq.parse(value);
            return new CSeq(seq.number(), Methods.intern(seq.method()));
        } catch (SipParseException e) {
            throw new IllegalStateException("malformed CSeq", e);
        }
    }

    public MessageDraft setCSeq(long number, String cseqMethod) {
        return set(HeaderName.CSEQ, number + " " + cseqMethod);
    }

    /** Max-Forwards, -1 when absent or above 255. */
    public int maxForwards() {
        String value = get(HeaderName.MAX_FORWARDS);
        return value == null ? -1 : (int) Math.max(-1, Ascii.parseDecimal(value, 255));
    }

    public MessageDraft setMaxForwards(int hops) {
        if (has(HeaderName.MAX_FORWARDS)) {
            return set(HeaderName.MAX_FORWARDS, Ascii.decimal(hops));
        }
        return addFirst(HeaderName.MAX_FORWARDS, Ascii.decimal(hops));
    }

    /**
     * Sets the body. The array is not copied before {@link #freeze()}.
     *
     * @param bytes may be empty
     * @param contentType null leaves Content-Type as it is, or removes it from an empty body
     */
    public MessageDraft body(byte[] bytes, @Nullable String contentType) {
        if (contentType != null) {
            set(HeaderName.CONTENT_TYPE, contentType);
        } else if (bytes.length == 0) {
            remove(HeaderName.CONTENT_TYPE);
        }
        body = bytes;
        return this;
    }

    /** It is not printed again: a body that was set here need not be kept. */
    public void letGoOfBody() {
        if (body != null) {
            body = NO_BYTES;
        }
    }

    /** Length of a body that was set here, and is no part of the message that it was made of. */
    public int ownBodyLength() {
        return body == null ? 0 : body.length;
    }

    /** A copy of the body as it would be printed. */
    public byte[] body() {
        if (body != null) {
            return body.clone();
        }
        return lines.source == null ? NO_BYTES : lines.source.body();
    }

    public int bodyLength() {
        if (body != null) {
            return body.length;
        }
        return lines.source == null ? 0 : lines.source.bodyLength();
    }

    public MessageDraft headerForm(HeaderForm newForm) {
        form = newForm;
        return this;
    }

    /** So many bytes the printed message has at most. */
    public int mostBytes() {
        // Method or reason, version, and a Content-Length where there is none yet.
        int startLine = 64 + method.length() + 3 * reason.length();
        Uri uri = requestUri;
        if (uri != null) {
            startLine += 3 * uri.toString().length();
        } else if (sameUri != null) {
            startLine += sameUri.uriEnd() - sameUri.uriStart();
        }
        return startLine + lines.mostBytes() + bodyLength();
    }

    /** An independent draft with the same content. */
    public MessageDraft copy() {
        return new MessageDraft(this);
    }

    /** Prints the message. The draft can be changed and printed again. */
    public SipMessage freeze() {
        return request ? freezeRequest() : freezeResponse();
    }

    public SipRequest freezeRequest() {
        if (!request) {
            throw new IllegalStateException("a response");
        }
        if (requestUri == null && sameUri != null) {
            return printer().request(method, null, sameUri);
        }
        return printer().request(method, requestUri(), null);
    }

    public SipResponse freezeResponse() {
        if (request) {
            throw new IllegalStateException("a request");
        }
        return printer().response(status, reason);
    }

    private MessagePrinter printer() {
        byte[] own = body;
        SipMessage source = lines.source;
        if (own == null && source != null) {
            return PrintSpace.mine()
                    .printer()
                    .begin(lines, source.bytes, source.bodyOffset(), source.bodyLength(), form);
        }
        byte[] bytes = own == null ? NO_BYTES : own;
        return PrintSpace.mine().printer().begin(lines, bytes, 0, bytes.length, form);
    }
}
