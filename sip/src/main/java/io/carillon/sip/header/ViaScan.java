package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.uri.UriScan;
import org.jspecify.annotations.Nullable;

/**
 * Checks one Via element (RFC 3261 section 20.42) without allocating more than itself and leaves
 * its offsets. Stops at the end of the slice or at a comma. Not thread safe.
 */
public final class ViaScan {
    private final ParamScan params = new ParamScan();
    private int transportStart;
    private int transportEnd;
    private int hostStart;
    private int hostEnd;
    private int port;
    private int paramsStart;
    private int branchStart;
    private int branchEnd;
    private boolean keep;
    private boolean oc;
    private boolean tagged;
    private int end;
    private int faults;

    public int transportStart() {
        return transportStart;
    }

    public int transportEnd() {
        return transportEnd;
    }

    public int hostStart() {
        return hostStart;
    }

    public int hostEnd() {
        return hostEnd;
    }

    /** Port of sent-by, -1 without one. */
    public int port() {
        return port;
    }

    public int paramsStart() {
        return paramsStart;
    }

    /** Offset of the branch parameter's value, -1 without one. */
    public int branchStart() {
        return branchStart;
    }

    public int branchEnd() {
        return branchEnd;
    }

    /**
     * Are there parameters that decide where responses go: received, rport, maddr or ttl? Or a
     * branch without a value, which is as rare.
     */
    public boolean tagged() {
        return tagged;
    }

    /** RFC 6223: does the sender ask whether keep-alives are wanted? */
    boolean keep() {
        return keep;
    }

    /** RFC 7339: is there an {@code oc}, with a value or without? */
    public boolean oc() {
        return oc;
    }

    /** Faults passed over since {@link #clearFaults}, as bits of {@link AddressScan#faults()}. */
    public int faults() {
        return faults;
    }

    public void clearFaults() {
        faults = 0;
    }

    /** End of the element: the end of the slice, or the position of the comma. */
    public int end() {
        return end;
    }

    /**
     * Scans one element.
     *
     * @return null when it is well formed, else what is wrong with it (a constant)
     */
    public @Nullable String scan(byte[] b, int from, int to) {
        // sent-protocol = protocol-name SLASH protocol-version SLASH transport
        int name = Ascii.skipLws(b, from, to);
        int p = token(b, name, to);
        int nameEnd = p;
        p = separator(b, p, to, '/');
        p = p < 0 ? -1 : token(b, p, to);
        p = separator(b, p, to, '/');
        transportStart = p;
        p = p < 0 ? -1 : token(b, p, to);
        transportEnd = p;
        // The version decides nothing here: a request of another one gets its 505 (RFC 4475
        // 3.1.2.16).
        if (p < 0 || !Ascii.equalsIgnoreCase(b, name, nameEnd, "SIP")) {
            return "Bad Via Protocol";
        }
        int host = Ascii.skipLws(b, p, to);
        return host == p ? "Bad Via Sent-By" : sentBy(b, host, to);
    }

    private @Nullable String sentBy(byte[] b, int from, int to) {
        hostStart = from;
        hostEnd = UriScan.scanHost(b, from, to);
        if (hostEnd > 0 && hostEnd < to && b[hostEnd] == '@') {
            faults |= AddressScan.USER_IN_VIA;
            hostStart = hostEnd + 1;
            hostEnd = UriScan.scanHost(b, hostStart, to);
        }
        if (hostEnd < 0) {
            return "Bad Via Sent-By";
        }
        port = -1;
        int p = Ascii.skipLws(b, hostEnd, to);
        if (p < to && b[p] == ':') {
            int digits = Ascii.skipLws(b, p + 1, to);
            int q = digits;
            while (q < to && Ascii.isDigit(b[q])) {
                q++;
            }
            port = (int) Ascii.parseDecimal(b, digits, q, 65535);
            if (port < 0) {
                return "Bad Via Port";
            }
            p = q;
        }
        params.begin(b, p, to, false);
        paramsStart = params.pos();
        branchStart = -1;
        branchEnd = -1;
        tagged = false;
        keep = false;
        oc = false;
        while (params.next()) {
            parameter();
        }
        end = params.pos();
        if (params.empty()) {
            faults |= AddressScan.EMPTY_PARAMETER;
        }
        return !params.bad() && (end == to || b[end] == ',') ? null : "Bad Via Parameter";
    }

    private void parameter() {
        switch (params.nameEnd() - params.nameStart()) {
            case 2 -> oc |= params.nameIs("oc");
            case 3 -> tagged |= params.nameIs("ttl");
            case 4 -> keep |= params.nameIs("keep") && params.valueStart() < 0;
            case 5 -> tagged |= params.nameIs("rport") || params.nameIs("maddr");
            case 6 -> {
                if (branchStart < 0 && params.nameIs("branch")) {
                    branchStart = params.valueStart();
                    branchEnd = params.valueEnd();
                    tagged |= branchStart < 0;
                }
            }
            case 8 -> tagged |= params.nameIs("received");
            default -> {
                // Read when somebody asks for it.
            }
        }
    }

    private static int token(byte[] b, int from, int to) {
        int p = from;
        while (p < to && Ascii.isToken(b[p])) {
            p++;
        }
        return p > from ? p : -1;
    }

    private static int separator(byte[] b, int from, int to, char c) {
        if (from < 0) {
            return -1;
        }
        int p = Ascii.skipLws(b, from, to);
        return p < to && b[p] == c ? Ascii.skipLws(b, p + 1, to) : -1;
    }

    /** Scans a comma separated list, every element of it. */
    public @Nullable String scanList(byte[] b, int from, int to) {
        for (int p = from; ; p = end + 1) {
            String error = scan(b, p, to);
            if (error != null || end == to) {
                return error;
            }
        }
    }
}
