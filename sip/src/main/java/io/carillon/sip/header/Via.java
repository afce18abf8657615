package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.bytes.RecentTexts;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;
import io.carillon.sip.uri.UriScan;
import org.jspecify.annotations.Nullable;

/** One Via element (RFC 3261 section 20.42, RFC 3581). Immutable and thread safe. */
public final class Via {
    /** What every RFC 3261 branch begins with (8.1.1.7). */
    public static final String MAGIC_COOKIE = "z9hG4bK";

    private static final byte[] NO_BYTES = {};

    /** In place of a parsed one's bytes: a Via of ours that asks for rport. */
    private static final byte[] RPORT = {};

    private static final String[] TRANSPORTS = {
        "UDP", "TCP", "TLS", "WS", "WSS", "SCTP", "TLS-SCTP"
    };

    private final String transport;
    private final String host;
    private final int port;

    private final @Nullable String branch;

    /**
     * All parameters: a Params, or the bytes in which those of a parsed one stand. Most are never
     * asked for but the branch. Params are made on first use; two threads may make the same twice.
     */
    private Object rest;

    private final int paramsStart;
    private final int paramsEnd;

    /** May there be one of received, rport, maddr, ttl? */
    private final boolean tagged;

    /** Asks it for keep-alives (RFC 6223)? */
    private final boolean keep;

    /** Does it take part in overload control (RFC 7339)? */
    private final boolean oc;

    private Via(String transport, String host, int port, Params params) {
        this.transport = transport;
        this.host = host;
        this.port = port;
        this.branch = params.get("branch");
        this.rest = params;
        this.paramsStart = 0;
        this.paramsEnd = 0;
        this.tagged = true;
        String asked = params.get("keep");
        this.keep = asked != null && asked.isEmpty();
        this.oc = params.has("oc");
    }

    private Via(String transport, String host, int port, String branch, byte[] ours) {
        this.transport = transport;
        this.host = host;
        this.port = port;
        this.branch = branch;
        this.rest = ours;
        this.paramsStart = 0;
        this.paramsEnd = 0;
        this.tagged = true;
        this.keep = false;
        this.oc = false;
    }

    private Via(ViaScan scan, byte[] b, boolean branchOfOurs) {
        this.transport = transport(b, scan.transportStart(), scan.transportEnd());
        this.host = RecentTexts.of(b, scan.hostStart(), scan.hostEnd());
        this.port = scan.port();
        this.rest = b;
        this.paramsStart = scan.paramsStart();
        this.paramsEnd = scan.end();
        this.tagged = scan.tagged();
        this.keep = scan.keep();
        this.oc = scan.oc();
        int at = scan.branchStart();
        if (at < 0) {
            this.branch = tagged ? Params.value(b, paramsStart, paramsEnd, "branch") : null;
        } else if (branchOfOurs && b[at] != '"') {
            this.branch = RecentTexts.of(b, at, scan.branchEnd());
        } else {
            this.branch = Params.plain(b, at, scan.branchEnd());
        }
    }

    /**
     * A Via of our own.
     *
     * @param transport token, "UDP"
     * @param host name, IPv4 address or bracketed IPv6 reference
     * @param port -1 for none
     * @param branch null for none
     * @throws IllegalArgumentException when a part does not fit the grammar
     */
    public static Via of(String transport, String host, int port, @Nullable String branch) {
        if (!Ascii.isToken(transport)
                || UriScan.scanHost(Ascii.masked(host), 0, host.length()) != host.length()
                || port > 65535) {
            throw new IllegalArgumentException("not a Via: " + transport + ' ' + host + ' ' + port);
        }
        Params params =
                branch == null ? ListedParams.NONE : ListedParams.NONE.with("branch", branch);
        return new Via(transport, host, port, params);
    }

    /**
     * The Via of a request that leaves, of parts that the server made itself: they are not checked.
     *
     * @param port -1 for none
     * @param rport asks for the response to where the request came from (RFC 3581)
     */
    public static Via ours(String transport, String host, int port, String branch, boolean rport) {
        // The responses will have it.
        RecentTexts.remember(branch);
        return new Via(transport, host, port, branch, rport ? RPORT : NO_BYTES);
    }

    /** Parses one element. */
    public static Via parse(String text) throws SipParseException {
        byte[] b = WireText.bytes(text);
        ViaScan scan = new ViaScan();
        Via via = parse(scan, b, 0, b.length);
        if (scan.end() != b.length) {
            throw new SipParseException("Comma In Single Via");
        }
        return via;
    }

    /** Parses the first element of {@code [from, to)}. */
    public static Via parseFirst(byte[] b, int from, int to) throws SipParseException {
        return parse(Scans.mine().via(), b, from, to);
    }

    /** Parses the element at {@code from}; the scan tells where it ended. */
    public static Via parse(ViaScan scan, byte[] b, int from, int to) throws SipParseException {
        String error = scan.scan(b, from, to);
        if (error != null) {
            throw new SipParseException(error);
        }
        return new Via(scan, b, false);
    }

    /**
     * The element that the scan has found to be well formed.
     *
     * @param response of a response: then its branch is one that we made, and kept
     */
    public static Via scanned(ViaScan scan, byte[] b, boolean response) {
        return new Via(scan, b, response);
    }

    private static String transport(byte[] b, int from, int to) {
        for (String known : TRANSPORTS) {
            if (Ascii.equals(b, from, to, known)) {
                return known;
            }
        }
        return Ascii.string(b, from, to);
    }

    /** Transport token as written, "UDP"; unknown ones are kept. */
    public String transport() {
        return transport;
    }

    /** Host of sent-by; an IPv6 address in its brackets. */
    public String host() {
        return host;
    }

    /** Port of sent-by, -1 when none is written. */
    public int port() {
        return port;
    }

    public @Nullable String branch() {
        return branch;
    }

    /** What tells this Via from others: its branch, without one all of it. */
    public String branchOrText() {
        return branch == null ? toString() : branch;
    }

    // RFC 3261 17.2.3: "the branch parameter in the topmost Via ... begins with the magic cookie";
    // the
    // bare cookie identifies nothing (RFC 4475 3.2.1).
    /** Does the branch identify the transaction, as RFC 3261 wants it? */
    public boolean hasTransactionId() {
        return branch != null
                && branch.length() > MAGIC_COOKIE.length()
                && branch.startsWith(MAGIC_COOKIE);
    }

    /** Value of received without brackets (RFC 5118 4.5), null when absent. */
    public @Nullable String received() {
        String value = tagged ? param("received") : null;
        return value != null && value.startsWith("[") && value.endsWith("]")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    /**
     * Port in rport: -1 when absent (or no port number), 0 when it is a flag still to be filled in.
     */
    public int rport() {
        String value = tagged ? param("rport") : null;
        if (value == null) {
            return -1;
        }
        return value.isEmpty() ? 0 : (int) Math.max(-1, Ascii.parseDecimal(value, 65535));
    }

    /** RFC 6223 4.3: a {@code keep} without a value asks whether keep-alives are wanted. */
    public boolean asksForKeepAlives() {
        return keep;
    }

    /**
     * RFC 7339 4.1: is there an {@code oc}? Without a value it says in a request that its sender
     * supports overload control; with one in a response, by how much less is to be sent.
     */
    public boolean hasOverloadControl() {
        return oc;
    }

    /** Value of ttl, -1 when absent or no number up to 255. */
    public int ttl() {
        String value = tagged ? param("ttl") : null;
        return value == null ? -1 : (int) Math.max(-1, Ascii.parseDecimal(value, 255));
    }

    public @Nullable String maddr() {
        return tagged ? param("maddr") : null;
    }

    /** Parameter without quotes, "" for a flag, null when absent. */
    public @Nullable String param(String name) {
        return rest instanceof byte[] b && b.length > 0
                ? Params.value(b, paramsStart, paramsEnd, name)
                : params().get(name);
    }

    public boolean hasParam(String name) {
        return param(name) != null;
    }

    public Params params() {
        Object known = rest;
        if (known instanceof Params made) {
            return made;
        }
        Params made =
                known instanceof byte[] b && b.length > 0
                        ? Params.read(b, paramsStart, paramsEnd)
                        : Params.ofOurs(branch, known == RPORT);
        rest = made;
        return made;
    }

    /**
     * Sets received (RFC 3261 18.2.1).
     *
     * @param address IP address without brackets (RFC 3261 25.1: via-received holds none)
     */
    public Via withReceived(String address) {
        return new Via(transport, host, port, params().with("received", address));
    }

    /** Fills in rport (RFC 3581 section 4). */
    public Via withRport(int sourcePort) {
        return withParam("rport", Integer.toString(sourcePort));
    }

    public Via withBranch(String branch) {
        return withParam("branch", branch);
    }

    /** Sets a parameter; a null value makes it a flag. */
    public Via withParam(String name, @Nullable String value) {
        return new Via(transport, host, port, params().with(name, value));
    }

    /** Sets a parameter to a quoted string, whether its text needs the quotes or not. */
    public Via withQuotedParam(String name, String text) {
        return new Via(transport, host, port, params().withQuoted(name, Quoting.quote(text)));
    }

    public Via withoutParam(String name) {
        return new Via(transport, host, port, params().without(name));
    }

    public void print(ByteWriter out) {
        out.put("SIP/2.0/").put(transport).put(' ').put(host);
        if (port >= 0) {
            out.put(':').putDecimal(port);
        }
        Object known = rest;
        if (branch != null && (known == RPORT || known == NO_BYTES)) {
            // The parts of every request that leaves: no object is made for them.
            out.put(";branch=").put(branch);
            if (known == RPORT) {
                out.put(";rport");
            }
        } else {
            params().print(out);
        }
    }

    @Override
    public String toString() {
        ByteWriter out = new ByteWriter(96);
        print(out);
        return out.toString();
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof Via other
                && transport.equals(other.transport)
                && host.equals(other.host)
                && port == other.port
                && params().equals(other.params());
    }

    @Override
    public int hashCode() {
        return 31 * host.hashCode() + params().hashCode();
    }
}
