package io.carillon.sip.header;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.carillon.sip.bytes.Ascii;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name of a header field. Known names are constants with a small number; any other token is a
 * generic name. Names compare without regard to case, and a compact form is the same name as its
 * long form. Immutable and thread safe.
 */
public final class HeaderName {
    /** How often a header may stand in a message, and whether commas part its values. */
    private enum Shape {
        /** Once, and it decides something: a second line makes the message ambiguous. */
        SINGLE,
        /** Once by the grammar, but nothing is decided by it. */
        INFORMATIONAL,
        /** Comma separated list; several lines are one list (RFC 3261 7.3.1). */
        LIST,
        /**
         * May repeat, commas belong to the value (the authentication headers of 7.3.1 and the
         * like).
         */
        LINES
    }

    /** {@link #id()} of names that have no constant. */
    public static final int GENERIC = -1;

    private static final List<HeaderName> KNOWN = new ArrayList<>(128);

    public static final HeaderName VIA = known("Via", "v", Shape.LIST);
    public static final HeaderName FROM = known("From", "f", Shape.SINGLE);
    public static final HeaderName TO = known("To", "t", Shape.SINGLE);
    public static final HeaderName CALL_ID = known("Call-ID", "i", Shape.SINGLE);
    public static final HeaderName CSEQ = known("CSeq", null, Shape.SINGLE);
    public static final HeaderName MAX_FORWARDS = known("Max-Forwards", null, Shape.SINGLE);
    public static final HeaderName CONTACT = known("Contact", "m", Shape.LIST);
    public static final HeaderName ROUTE = known("Route", null, Shape.LIST);
    public static final HeaderName RECORD_ROUTE = known("Record-Route", null, Shape.LIST);
    public static final HeaderName CONTENT_LENGTH = known("Content-Length", "l", Shape.SINGLE);
    public static final HeaderName CONTENT_TYPE = known("Content-Type", "c", Shape.SINGLE);
    public static final HeaderName CONTENT_DISPOSITION =
            known("Content-Disposition", null, Shape.SINGLE);
    public static final HeaderName EXPIRES = known("Expires", null, Shape.SINGLE);
    public static final HeaderName MIN_EXPIRES = known("Min-Expires", null, Shape.SINGLE);
    public static final HeaderName EVENT = known("Event", "o", Shape.SINGLE);
    public static final HeaderName RACK = known("RAck", null, Shape.SINGLE);
    public static final HeaderName RSEQ = known("RSeq", null, Shape.SINGLE);
    public static final HeaderName REFER_TO = known("Refer-To", "r", Shape.SINGLE);
    public static final HeaderName REFERRED_BY = known("Referred-By", "b", Shape.SINGLE);
    public static final HeaderName REPLACES = known("Replaces", null, Shape.SINGLE);
    public static final HeaderName JOIN = known("Join", null, Shape.SINGLE);
    public static final HeaderName TARGET_DIALOG = known("Target-Dialog", null, Shape.SINGLE);
    public static final HeaderName SESSION_EXPIRES = known("Session-Expires", "x", Shape.SINGLE);
    public static final HeaderName MIN_SE = known("Min-SE", null, Shape.SINGLE);
    public static final HeaderName SIP_ETAG = known("SIP-ETag", null, Shape.SINGLE);
    public static final HeaderName SIP_IF_MATCH = known("SIP-If-Match", null, Shape.SINGLE);
    public static final HeaderName SUBSCRIPTION_STATE =
            known("Subscription-State", null, Shape.SINGLE);
    public static final HeaderName MAX_BREADTH = known("Max-Breadth", null, Shape.SINGLE);
    public static final HeaderName REFER_SUB = known("Refer-Sub", null, Shape.SINGLE);
    public static final HeaderName ANSWER_MODE = known("Answer-Mode", null, Shape.SINGLE);
    public static final HeaderName PRIV_ANSWER_MODE = known("Priv-Answer-Mode", null, Shape.SINGLE);
    public static final HeaderName DATE = known("Date", null, Shape.INFORMATIONAL);
    public static final HeaderName MIME_VERSION = known("MIME-Version", null, Shape.INFORMATIONAL);
    public static final HeaderName ORGANIZATION = known("Organization", null, Shape.INFORMATIONAL);
    public static final HeaderName PRIORITY = known("Priority", null, Shape.INFORMATIONAL);
    public static final HeaderName REPLY_TO = known("Reply-To", null, Shape.INFORMATIONAL);
    public static final HeaderName RETRY_AFTER = known("Retry-After", null, Shape.INFORMATIONAL);
    public static final HeaderName SERVER = known("Server", null, Shape.INFORMATIONAL);
    public static final HeaderName SUBJECT = known("Subject", "s", Shape.INFORMATIONAL);
    public static final HeaderName TIMESTAMP = known("Timestamp", null, Shape.INFORMATIONAL);
    public static final HeaderName USER_AGENT = known("User-Agent", null, Shape.INFORMATIONAL);
    public static final HeaderName ACCEPT = known("Accept", null, Shape.LIST);
    public static final HeaderName ACCEPT_ENCODING = known("Accept-Encoding", null, Shape.LIST);
    public static final HeaderName ACCEPT_LANGUAGE = known("Accept-Language", null, Shape.LIST);
    public static final HeaderName ACCEPT_CONTACT = known("Accept-Contact", "a", Shape.LIST);
    public static final HeaderName REJECT_CONTACT = known("Reject-Contact", "j", Shape.LIST);
    public static final HeaderName REQUEST_DISPOSITION =
            known("Request-Disposition", "d", Shape.LIST);
    public static final HeaderName ALERT_INFO = known("Alert-Info", null, Shape.LIST);
    public static final HeaderName ALLOW = known("Allow", null, Shape.LIST);
    public static final HeaderName ALLOW_EVENTS = known("Allow-Events", "u", Shape.LIST);
    public static final HeaderName AUTHENTICATION_INFO =
            known("Authentication-Info", null, Shape.LINES);
    public static final HeaderName AUTHORIZATION = known("Authorization", null, Shape.LINES);
    public static final HeaderName CALL_INFO = known("Call-Info", null, Shape.LIST);
    public static final HeaderName CONTENT_ENCODING = known("Content-Encoding", "e", Shape.LIST);
    public static final HeaderName CONTENT_LANGUAGE = known("Content-Language", null, Shape.LIST);
    public static final HeaderName ERROR_INFO = known("Error-Info", null, Shape.LIST);
    public static final HeaderName IN_REPLY_TO = known("In-Reply-To", null, Shape.LIST);
    public static final HeaderName PROXY_AUTHENTICATE =
            known("Proxy-Authenticate", null, Shape.LINES);
    public static final HeaderName PROXY_AUTHORIZATION =
            known("Proxy-Authorization", null, Shape.LINES);
    public static final HeaderName PROXY_REQUIRE = known("Proxy-Require", null, Shape.LIST);
    public static final HeaderName REQUIRE = known("Require", null, Shape.LIST);
    public static final HeaderName SUPPORTED = known("Supported", "k", Shape.LIST);
    public static final HeaderName UNSUPPORTED = known("Unsupported", null, Shape.LIST);
    public static final HeaderName WARNING = known("Warning", null, Shape.LIST);
    public static final HeaderName WWW_AUTHENTICATE = known("WWW-Authenticate", null, Shape.LINES);
    public static final HeaderName PATH = known("Path", null, Shape.LIST);
    public static final HeaderName SERVICE_ROUTE = known("Service-Route", null, Shape.LIST);
    public static final HeaderName REASON = known("Reason", null, Shape.LIST);
    public static final HeaderName PRIVACY = known("Privacy", null, Shape.LINES);
    public static final HeaderName IDENTITY = known("Identity", "y", Shape.LIST);
    public static final HeaderName IDENTITY_INFO = known("Identity-Info", "n", Shape.LINES);
    public static final HeaderName P_ASSERTED_IDENTITY =
            known("P-Asserted-Identity", null, Shape.LIST);
    public static final HeaderName P_PREFERRED_IDENTITY =
            known("P-Preferred-Identity", null, Shape.LIST);
    public static final HeaderName P_ASSOCIATED_URI = known("P-Associated-URI", null, Shape.LIST);
    public static final HeaderName P_CALLED_PARTY_ID =
            known("P-Called-Party-ID", null, Shape.LINES);
    public static final HeaderName P_VISITED_NETWORK_ID =
            known("P-Visited-Network-ID", null, Shape.LIST);
    public static final HeaderName P_ACCESS_NETWORK_INFO =
            known("P-Access-Network-Info", null, Shape.LIST);
    public static final HeaderName P_CHARGING_VECTOR =
            known("P-Charging-Vector", null, Shape.LINES);
    public static final HeaderName P_CHARGING_FUNCTION_ADDRESSES =
            known("P-Charging-Function-Addresses", null, Shape.LINES);
    public static final HeaderName P_EARLY_MEDIA = known("P-Early-Media", null, Shape.LINES);
    public static final HeaderName P_ASSERTED_SERVICE =
            known("P-Asserted-Service", null, Shape.LIST);
    public static final HeaderName P_PREFERRED_SERVICE =
            known("P-Preferred-Service", null, Shape.LIST);
    public static final HeaderName SECURITY_CLIENT = known("Security-Client", null, Shape.LIST);
    public static final HeaderName SECURITY_SERVER = known("Security-Server", null, Shape.LIST);
    public static final HeaderName SECURITY_VERIFY = known("Security-Verify", null, Shape.LIST);
    public static final HeaderName HISTORY_INFO = known("History-Info", null, Shape.LIST);
    public static final HeaderName DIVERSION = known("Diversion", null, Shape.LIST);
    public static final HeaderName GEOLOCATION = known("Geolocation", null, Shape.LIST);
    public static final HeaderName GEOLOCATION_ROUTING =
            known("Geolocation-Routing", null, Shape.LINES);
    public static final HeaderName GEOLOCATION_ERROR =
            known("Geolocation-Error", null, Shape.LINES);
    public static final HeaderName FEATURE_CAPS = known("Feature-Caps", null, Shape.LIST);
    public static final HeaderName FLOW_TIMER = known("Flow-Timer", null, Shape.LINES);
    public static final HeaderName INFO_PACKAGE = known("Info-Package", null, Shape.LINES);
    public static final HeaderName RECV_INFO = known("Recv-Info", null, Shape.LIST);
    public static final HeaderName RESOURCE_PRIORITY = known("Resource-Priority", null, Shape.LIST);
    public static final HeaderName ACCEPT_RESOURCE_PRIORITY =
            known("Accept-Resource-Priority", null, Shape.LIST);
    public static final HeaderName USER_TO_USER = known("User-to-User", null, Shape.LIST);
    public static final HeaderName SESSION_ID = known("Session-ID", null, Shape.LINES);
    public static final HeaderName SUPPRESS_IF_MATCH =
            known("Suppress-If-Match", null, Shape.LINES);
    public static final HeaderName PERMISSION_MISSING =
            known("Permission-Missing", null, Shape.LIST);
    public static final HeaderName TRIGGER_CONSENT = known("Trigger-Consent", null, Shape.LIST);

    private static final HeaderName[] BY_ID = KNOWN.toArray(new HeaderName[0]);
    private static final NameTable SHORT_NAMES = new NameTable(KNOWN);
    private static final long SINGLE = singleNames();
    private static final int TABLE_SIZE = 512;
    private static final HeaderName[][] TABLE = table();
    private static final @Nullable HeaderName[] BY_LETTER = letters();

    private final int id;
    private final String text;
    private final @Nullable String compact;
    private final byte[] line;
    private final byte[] compactLine;
    private final Shape shape;

    private HeaderName(int id, String text, @Nullable String compact, Shape shape) {
        this.id = id;
        this.text = text;
        this.compact = compact;
        this.shape = shape;
        this.line = (text + ": ").getBytes(US_ASCII);
        this.compactLine = compact == null ? line : (compact + ": ").getBytes(US_ASCII);
    }

    private static HeaderName known(String text, @Nullable String compact, Shape shape) {
        HeaderName name = new HeaderName(KNOWN.size(), text, compact, shape);
        KNOWN.add(name);
        return name;
    }

    private static HeaderName[][] table() {
        HeaderName[][] table = new HeaderName[TABLE_SIZE][0];
        for (HeaderName name : BY_ID) {
            byte[] b = name.text.getBytes(US_ASCII);
            int slot = slot(b, 0, b.length);
            HeaderName[] longer = java.util.Arrays.copyOf(table[slot], table[slot].length + 1);
            longer[longer.length - 1] = name;
            table[slot] = longer;
        }
        return table;
    }

    private static long singleNames() {
        long bits = 0;
        for (HeaderName name : KNOWN) {
            bits |= name.single() ? 1L << name.id : 0;
        }
        return bits;
    }

    private static @Nullable HeaderName[] letters() {
        @Nullable HeaderName[] letters = new @Nullable HeaderName[32];
        for (HeaderName name : BY_ID) {
            if (name.compact != null) {
                letters[name.compact.charAt(0) & 31] = name;
            }
        }
        return letters;
    }

    // Length, first, middle and last letter tell almost all names apart; case bits are dropped.
    private static int slot(byte[] b, int from, int to) {
        int n = to - from;
        int h =
                n * 37
                        + (b[from] & 31) * 7
                        + (b[from + (n >> 1)] & 31) * 61
                        + (b[to - 1] & 31) * 131;
        return (h ^ (h >>> 7)) & (TABLE_SIZE - 1);
    }

    /**
     * The constant for the name in {@code [from, to)}, long or compact, in any case; null for a
     * generic name. Allocates nothing.
     */
    public static @Nullable HeaderName known(byte[] b, int from, int to) {
        if (to - from == 1) {
            return Ascii.isAlpha(b[from]) ? BY_LETTER[b[from] & 31] : null;
        }
        if (to <= from) {
            return null;
        }
        for (HeaderName name : TABLE[slot(b, from, to)]) {
            if (same(b, from, to, name.line)) {
                return name;
            }
        }
        return null;
    }

    /**
     * {@link #id()} of the name in {@code [from, to)}, as by {@link #known}; {@link #GENERIC} for
     * one that is not known.
     *
     * @param to the end of a token that begins at {@code from}
     */
    public static int idOf(byte[] b, int from, int to) {
        if (NameTable.holds(b, from, to)) {
            return to > from ? SHORT_NAMES.find(b, from, to) : GENERIC;
        }
        HeaderName name = known(b, from, to);
        return name == null ? GENERIC : name.id;
    }

    /** Is {@link #single()} true of the known name with this number? */
    public static boolean single(int id) {
        // Those that may stand once have the smallest numbers.
        return id < Long.SIZE && (SINGLE >>> id & 1) != 0;
    }

    private static boolean same(byte[] b, int from, int to, byte[] line) {
        int n = to - from;
        if (n != line.length - 2) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (b[from + i] != line[i] && Ascii.lower(b[from + i]) != Ascii.lower(line[i])) {
                return false;
            }
        }
        return true;
    }

    /** The name in {@code [from, to)}: its constant, else a new generic name. */
    public static HeaderName match(byte[] b, int from, int to) {
        HeaderName known = known(b, from, to);
        return known != null
                ? known
                : new HeaderName(GENERIC, Ascii.string(b, from, to), null, Shape.LINES);
    }

    /**
     * The name for a text, long or compact, in any case.
     *
     * @throws IllegalArgumentException when the text is no token, so that no header could bear it
     */
    public static HeaderName of(String text) {
        if (!Ascii.isToken(text)) {
            throw new IllegalArgumentException(
                    "not a header name: " + text.length() + " characters");
        }
        byte[] b = text.getBytes(US_ASCII);
        return match(b, 0, b.length);
    }

    /** The constant with this {@link #id()}. */
    public static HeaderName byId(int id) {
        return BY_ID[id];
    }

    /** Number of constants; ids are below it. */
    public static int knownCount() {
        return BY_ID.length;
    }

    /** Small number of a known name, {@link #GENERIC} for any other. */
    public int id() {
        return id;
    }

    /** The long form, as the RFC writes it; a generic name as it was given. */
    public String text() {
        return text;
    }

    /** The compact form, null when there is none. */
    public @Nullable String compact() {
        return compact;
    }

    /** Is the value a comma separated list, so that lines and commas are the same thing? */
    public boolean list() {
        return shape == Shape.LIST;
    }

    /** May the header stand only once in a message? */
    public boolean single() {
        return shape == Shape.SINGLE || shape == Shape.INFORMATIONAL;
    }

    /** Is a second line of this single header harmless, because nothing is decided by its value? */
    public boolean informational() {
        return shape == Shape.INFORMATIONAL;
    }

    /** "Name: " in bytes. Not to be written to. */
    public byte[] linePrefix(boolean compactForm) {
        return compactForm ? compactLine : line;
    }

    /** Does the slice spell this name, long or compact, in any case? */
    public boolean spelledBy(byte[] b, int from, int to) {
        return same(b, from, to, line)
                || (compact != null && to - from == 1 && same(b, from, to, compactLine));
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return this == o
                || (o instanceof HeaderName other
                        && id == GENERIC
                        && other.id == GENERIC
                        && Ascii.equalsIgnoreCase(text, other.text));
    }

    @Override
    public int hashCode() {
        return Ascii.hashIgnoreCase(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
