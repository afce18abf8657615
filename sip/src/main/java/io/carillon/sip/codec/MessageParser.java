package io.carillon.sip.codec;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.AddressScan;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.header.ViaScan;
import io.carillon.sip.message.HeaderSyntax;
import io.carillon.sip.message.MessageIndex;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the header lines of one message in one pass and checks what decides over accepting it: the
 * start line, mandatory and repeated headers, CSeq, Content-Length, and the grammar of the headers
 * the core reads. Makes no String. Anything malformed is an outcome, never an exception.
 *
 * <p>Owned by one thread (one per shard): it reuses its index and scans.
 */
public final class MessageParser {
    private static final long MANDATORY =
            bit(HeaderName.VIA)
                    | bit(HeaderName.FROM)
                    | bit(HeaderName.TO)
                    | bit(HeaderName.CALL_ID)
                    | bit(HeaderName.CSEQ);

    private final MessageLimits limits;
    private final MessageIndex index = new MessageIndex(32);
    private final StartLine startLine = new StartLine();
    private final HeaderSyntax syntax = new HeaderSyntax();
    private final Verdict verdict;

    private boolean isRequest;
    private boolean bracketsMissing;
    private long seen;
    private boolean fromTag;
    private boolean star;
    private int contacts;
    private int headersEnd;
    private ParseResult refusal = new ParseResult.Dropped("nothing yet");

    public MessageParser(Compliance compliance, MessageLimits limits) {
        this.verdict = new Verdict(compliance);
        this.limits = limits;
    }

    private static long bit(HeaderName name) {
        return 1L << name.id();
    }

    /** How often this parser tolerated that violation. */
    public long tolerated(Violation violation) {
        return verdict.tolerated(violation);
    }

    /**
     * Parses one datagram. Bytes after the body that Content-Length declares are cut off (RFC 3261
     * 18.3).
     *
     * @param owned from now on the message's; the caller may not write to it again
     * @param len bytes received
     */
    public ParseResult parseDatagram(byte[] owned, int len) {
        return result(parse(owned, len, false));
    }

    /**
     * Parses what a framer (or a WebSocket frame) says is exactly one message; a body of another
     * length than Content-Length declares is refused.
     */
    public ParseResult parseFramed(byte[] owned, int len) {
        return result(parse(owned, len, true));
    }

    private ParseResult result(@Nullable SipMessage message) {
        return message == null ? refusal : new ParseResult.Parsed(message);
    }

    /**
     * The same as {@link #parseFramed} and {@link #parseDatagram}, without an object for what is
     * the rule.
     *
     * @return null when there is no message: then {@link #refusal()} tells why
     */
    public @Nullable SipMessage message(byte[] owned, int len, boolean framed) {
        return parse(owned, len, framed);
    }

    /** What became of the bytes that were no message last: Rejected or Dropped. */
    public ParseResult refusal() {
        return refusal;
    }

    private @Nullable SipMessage dropped(String cause) {
        refusal = new ParseResult.Dropped(cause);
        return null;
    }

    private @Nullable SipMessage parse(byte[] bytes, int received, boolean framed) {
        byte[] b = bytes;
        int len = received;
        // RFC 3261 7.5: "Implementations processing SIP messages over stream-oriented transports
        // MUST
        // ignore any CRLF appearing before the start-line"; datagrams are treated alike.
        int start = 0;
        while (start < len && (b[start] == '\r' || b[start] == '\n')) {
            start++;
        }
        if (start == len) {
            return dropped("keep-alive");
        }
        if (start > 0) {
            b = Arrays.copyOfRange(b, start, len);
            len -= start;
        }
        if (len > limits.maxMessageBytes()) {
            return dropped("too large");
        }
        int lineEnd = endOfStartLine(b, len);
        if (lineEnd < 0) {
            return dropped("no SIP");
        }
        reset();
        StartLine.Kind kind = startLine.read(b, lineEnd);
        if (kind == StartLine.Kind.NOT_SIP) {
            return dropped("no SIP");
        }
        if (kind == StartLine.Kind.BAD_RESPONSE) {
            return dropped("malformed response");
        }
        isRequest = kind == StartLine.Kind.REQUEST;
        if (isRequest && startLine.status() != 0) {
            verdict.fail(startLine.status(), startLine.error());
        }
        if (isRequest && startLine.status() == 0 && startLine.emptyParameter()) {
            verdict.tolerate(Violation.EMPTY_PARAMETER, "Empty Parameter In Request-URI");
        }
        if (startLine.spaceMissing()) {
            verdict.tolerate(Violation.REASON_PHRASE_SPACE_MISSING, "Bad Status-Line");
        }
        readHeaders(b, lineEnd + 2, len);
        if (bracketsMissing && verdict.good()) {
            b = RouteBrackets.added(b, len, index);
            len = b.length;
            reset();
            readHeaders(b, lineEnd + 2, len);
        }
        int end = checkBody(b, len, framed);
        checkHeaders(b);
        return verdict.good() ? parsed(b, end) : refused(b, len);
    }

    /** Do later requests, or a binding, go to the Contact of this message? */
    private boolean contactDecides(byte[] b) {
        if (!isRequest) {
            return false;
        }
        String method = Methods.intern(b, 0, startLine.methodEnd());
        return Methods.createsDialog(method)
                || method.equals(Methods.UPDATE)
                || method.equals(Methods.REGISTER);
    }

    private void reset() {
        bracketsMissing = false;
        index.clear();
        seen = 0;
        fromTag = false;
        star = false;
        contacts = 0;
        verdict.clear();
    }

    private SipMessage parsed(byte[] b, int end) {
        return isRequest
                ? index.request(b, end, headersEnd, startLine.methodEnd(), startLine.uriEnd())
                : index.response(b, end, headersEnd, startLine.status());
    }

    private @Nullable SipMessage refused(byte[] b, int len) {
        if (!isRequest) {
            return dropped("malformed response");
        }
        refusal = new ParseResult.Rejected(verdict.status(), verdict.reason(), bestEffort(b, len));
        return null;
    }

    /** The request as far as it could be read, if an answer to it can find its way. */
    private @Nullable SipRequest bestEffort(byte[] b, int len) {
        int via = find(HeaderName.VIA);
        if (via < 0) {
            return null;
        }
        boolean usable = new ViaScan().scan(b, index.valueStart(via), index.valueEnd(via)) == null;
        // RFC 3261 17: an ACK is never answered.
        boolean ack = Ascii.equals(b, 0, startLine.methodEnd(), Methods.ACK);
        return usable && !ack
                ? index.request(b, len, headersEnd, startLine.methodEnd(), startLine.uriEnd())
                : null;
    }

    private int find(HeaderName name) {
        for (int i = 0; i < index.count(); i++) {
            if (index.id(i) == name.id()) {
                return i;
            }
        }
        return -1;
    }

    /** Offset of the first CRLF, -1 when there is none or another control character before it. */
    private int endOfStartLine(byte[] b, int len) {
        int max = Math.min(len - 1, limits.maxHeaderBytes());
        int p = Ascii.findControl(b, 0, max);
        return p < max && b[p] == '\r' && b[p + 1] == '\n' ? p : -1;
    }

    private void readHeaders(byte[] b, int from, int len) {
        int p = from;
        while (p + 1 < len) {
            if (b[p] == '\r' && b[p + 1] == '\n') {
                headersEnd = p;
                return;
            }
            if (index.count() == limits.maxHeaders()) {
                verdict.fail(400, "Too Many Headers");
                headersEnd = len;
                return;
            }
            p = readLine(b, p, len);
            if (p < 0) {
                break;
            }
        }
        headersEnd = len;
        if (p < 0) {
            verdict.fail(400, "Truncated Header");
        } else {
            verdict.tolerate(Violation.EMPTY_LINE_MISSING, "Missing Empty Line");
        }
    }

    // RFC 3261 25.1: HCOLON = *( SP / HTAB ) ":" SWS. White space before the colon belongs to the
    // separator, so a name followed by it is the same name; a fold there is not.
    /** Reads one line and returns the offset after it, -1 when it does not end. */
    private int readLine(byte[] b, int lineStart, int len) {
        int p = lineStart;
        while (p < len && Ascii.isToken(b[p])) {
            p++;
        }
        int nameEnd = p;
        while (p < len && Ascii.isBlank(b[p])) {
            p++;
        }
        boolean named = nameEnd > lineStart && p < len && b[p] == ':';
        int valueFrom = named ? p + 1 : lineStart;
        int end = valueFrom;
        boolean folded = false;
        for (; ; ) {
            end = endOfLine(b, end, len);
            if (end < 0) {
                return -1;
            }
            if (end + 2 >= len || !Ascii.isBlank(b[end + 2])) {
                break;
            }
            folded = true;
            end += 3;
        }
        if (end - lineStart > limits.maxHeaderBytes()) {
            verdict.fail(400, "Header Line Too Long");
        } else if (named) {
            int valueStart = Ascii.skipLws(b, valueFrom, end);
            int valueEnd = Ascii.trimEnd(b, valueStart, end);
            header(b, lineStart, nameEnd, valueStart, valueEnd, end + 2, folded);
        } else if (Ascii.indexOf(b, lineStart, end, ':') < 0) {
            verdict.tolerate(Violation.HEADER_LINE_WITHOUT_COLON, "Bad Header Line");
        } else {
            // A fold or a stray character before the colon: what it hides is not for us to guess.
            verdict.fail(400, "Bad Header Line");
        }
        return end + 2;
    }

    /** Offset of the next CRLF, -1 when there is none. */
    private int endOfLine(byte[] b, int from, int len) {
        int p = from;
        for (; ; ) {
            p = Ascii.findControl(b, p, len);
            if (p + 1 >= len) {
                return -1;
            }
            if (b[p] == '\r' && b[p + 1] == '\n') {
                return p;
            }
            if (b[p] != '\t') {
                controlCharacter(b, p);
            }
            p++;
        }
    }

    private void controlCharacter(byte[] b, int p) {
        if (b[p] == '\r' || b[p] == '\n') {
            verdict.fail(400, "Bad Line Break");
        } else if (b[p - 1] != '\\') {
            // A quoted pair may hold any control character, NUL too (RFC 4475 3.1.1.2).
            if (b[p] == 0) {
                verdict.fail(400, "NUL In Header");
            } else {
                verdict.tolerate(Violation.CONTROL_CHARACTER, "Control Character In Header");
            }
        }
    }

    private void header(
            byte[] b,
            int lineStart,
            int nameEnd,
            int valueStart,
            int valueEnd,
            int lineEnd,
            boolean folded) {
        int id = HeaderName.idOf(b, lineStart, nameEnd);
        if (id == HeaderName.GENERIC) {
            index.add(HeaderName.GENERIC, lineStart, valueStart, valueEnd, lineEnd, folded);
            return;
        }
        boolean firstVia = id == HeaderName.VIA.id() && (seen & bit(HeaderName.VIA)) == 0;
        index.add(id, lineStart, valueStart, valueEnd, lineEnd, folded);
        if (HeaderName.single(id)) {
            long bit = 1L << id;
            if ((seen & bit) != 0) {
                repeated(HeaderName.byId(id));
            }
            seen |= bit;
        } else if (id == HeaderName.VIA.id()) {
            seen |= bit(HeaderName.VIA);
        }
        if (HeaderSyntax.covers(id)) {
            String error =
                    firstVia
                            ? syntax.checkTopVia(b, valueStart, valueEnd, !isRequest)
                            : syntax.check(id, b, valueStart, valueEnd);
            if (firstVia) {
                index.topVia(syntax.topVia());
            }
            if (error != null) {
                malformed(b, id, error);
            } else if (id == HeaderName.FROM.id()) {
                fromTag = syntax.tagSeen();
            } else if (id == HeaderName.CONTACT.id()) {
                contacts++;
                star |= syntax.starSeen();
            }
            if (syntax.faults() != 0) {
                verdict.faults(syntax.faults());
            }
        }
    }

    private void malformed(byte[] b, int id, String error) {
        if ((syntax.faults() & AddressScan.BRACKETS_MISSING) != 0) {
            verdict.tolerate(Violation.ROUTE_WITHOUT_BRACKETS, error);
            bracketsMissing = true;
        } else if (id == HeaderName.CONTACT.id() && !contactDecides(b)) {
            verdict.tolerate(Violation.CONTACT_UNREADABLE, error);
            index.keepLastAsText();
        } else {
            verdict.fail(400, error);
        }
    }

    // RFC 3261 7.3.1: "Multiple header field rows with the same field-name MAY be present in a
    // message
    // if and only if the entire field-value for that header field is defined as a comma-separated
    // list".
    private void repeated(HeaderName name) {
        if (name.informational()) {
            verdict.tolerate(Violation.INFORMATIONAL_HEADER_REPEATED, "Repeated Header");
        } else {
            verdict.fail(400, "Repeated " + name.text());
        }
    }

    /** Checks Content-Length against what came, and returns the end of the message. */
    private int checkBody(byte[] b, int len, boolean framed) {
        int line = find(HeaderName.CONTENT_LENGTH);
        if (line < 0) {
            return len;
        }
        long declared =
                Ascii.parseDecimal(
                        b, index.valueStart(line), index.valueEnd(line), Integer.MAX_VALUE);
        if (declared == -1 && !framed && !hasDigit(b, line)) {
            verdict.tolerate(Violation.CONTENT_LENGTH_WITHOUT_DIGITS, "Bad Content-Length");
            return len;
        }
        int available = Math.max(0, len - headersEnd - 2);
        // RFC 3261 18.3: "If the transport packet ends before the end of the message body, this is
        // considered an error. If the message is a request, the element SHOULD generate a 400."
        if (declared < 0) {
            verdict.fail(400, "Bad Content-Length");
        } else if (declared > available) {
            verdict.fail(400, "Content-Length Beyond Message");
        } else if (framed && declared < available) {
            verdict.fail(400, "Bytes After Body");
        } else {
            // RFC 3261 18.3: "If there are additional bytes in the transport packet beyond the end
            // of
            // the body, they MUST be discarded."
            return (int) Math.min(len, headersEnd + 2 + declared);
        }
        return len;
    }

    private boolean hasDigit(byte[] b, int line) {
        for (int p = index.valueStart(line); p < index.valueEnd(line); p++) {
            if (Ascii.isDigit(b[p])) {
                return true;
            }
        }
        return false;
    }

    private void checkHeaders(byte[] b) {
        // RFC 3261 8.1.1: "A valid SIP request formulated by a UAC MUST, at a minimum, contain the
        // following header fields: To, From, CSeq, Call-ID, Max-Forwards, and Via".
        if ((seen & MANDATORY) != MANDATORY) {
            verdict.fail(400, missing());
        }
        if (star && contacts > 1) {
            verdict.fail(400, "Star Beside Other Contacts");
        }
        if (verdict.good()) {
            checkCSeq(b);
        }
        if (isRequest && verdict.good()) {
            checkRequest(b);
        }
    }

    private String missing() {
        long bits = ~seen & MANDATORY;
        return "Missing " + HeaderName.byId(Long.numberOfTrailingZeros(bits)).text();
    }

    private void checkCSeq(byte[] b) {
        int line = find(HeaderName.CSEQ);
        int from = index.valueStart(line);
        int to = index.valueEnd(line);
        if (CSeq.number(b, from, to) > Integer.MAX_VALUE) {
            verdict.tolerate(Violation.CSEQ_ABOVE_2_31, "CSeq Out Of Range");
        }
        if (!isRequest) {
            return;
        }
        int method = Ascii.skipLws(b, CSeq.digitsEnd(b, from, to), to);
        int methodEnd = startLine.methodEnd();
        if (!Arrays.equals(b, method, to, b, 0, methodEnd)) {
            // RFC 3261 8.1.1.5: "The method MUST match that of the request." For a method that
            // nobody
            // knows 501 tells more (RFC 4475 3.1.2.18).
            boolean known = Methods.isKnown(Ascii.string(b, 0, methodEnd));
            verdict.fail(known ? 400 : 501, known ? "CSeq Method Mismatch" : "Not Implemented");
        }
    }

    private void checkRequest(byte[] b) {
        if (!fromTag) {
            verdict.tolerate(Violation.FROM_TAG_MISSING, "Missing From Tag");
        }
        int line = find(HeaderName.MAX_FORWARDS);
        if (line < 0) {
            verdict.tolerate(Violation.MAX_FORWARDS_MISSING, "Missing Max-Forwards");
        } else if (Ascii.parseDecimal(b, index.valueStart(line), index.valueEnd(line), 255) < 0) {
            verdict.tolerate(Violation.MAX_FORWARDS_ABOVE_255, "Bad Max-Forwards");
        }
        int via = find(HeaderName.VIA);
        if (!hasCookie(b, index.valueStart(via), index.valueEnd(via))) {
            verdict.tolerate(Violation.BRANCH_WITHOUT_COOKIE, "Missing Branch");
        }
    }

    /**
     * Is there a magic cookie anywhere in the first Via line? A hint for strict sets, no decision.
     */
    private static boolean hasCookie(byte[] b, int from, int to) {
        for (int p = from; p + Via.MAGIC_COOKIE.length() <= to; p++) {
            if (b[p] == 'z'
                    && Ascii.equals(b, p, p + Via.MAGIC_COOKIE.length(), Via.MAGIC_COOKIE)) {
                return true;
            }
        }
        return false;
    }
}
