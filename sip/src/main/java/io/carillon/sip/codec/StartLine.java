package io.carillon.sip.codec;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.uri.UriScan;

/**
 * Reads the first line of a message (RFC 3261 7.1, 7.2) without allocating and leaves its offsets.
 * Not thread safe; the parser reuses one.
 */
final class StartLine {
    /** What the line is. */
    enum Kind {
        /** Nothing a SIP element would send. */
        NOT_SIP,
        REQUEST,
        RESPONSE,
        /** A response that nobody can use. */
        BAD_RESPONSE
    }

    private final UriScan uri = new UriScan();
    private boolean spaceMissing;
    private int status;
    private String error = "";
    private int methodEnd;
    private int uriEnd;

    /** Reads the line in {@code [0, end)}, its CRLF not included. */
    Kind read(byte[] b, int end) {
        error = "";
        status = 0;
        spaceMissing = false;
        if (end >= 4 && Ascii.equalsIgnoreCase(b, 0, 4, "SIP/")) {
            return response(b, end);
        }
        int p = 0;
        while (p < end && Ascii.isToken(b[p])) {
            p++;
        }
        methodEnd = p;
        if (p == 0 || p >= end || b[p] != ' ') {
            return Kind.NOT_SIP;
        }
        int version = lastVersion(b, p, end);
        if (version < 0) {
            return Kind.NOT_SIP;
        }
        request(b, version, end);
        return Kind.REQUEST;
    }

    /** Offset of the last " SIP/" in the line, -1 without. */
    private static int lastVersion(byte[] b, int from, int end) {
        for (int p = end - 5; p >= from; p--) {
            if (b[p] == ' ' && Ascii.equalsIgnoreCase(b, p + 1, p + 5, "SIP/")) {
                return p;
            }
        }
        return -1;
    }

    // RFC 3261 7.1: Request-Line = Method SP Request-URI SP SIP-Version CRLF. "No CR or LF are
    // allowed
    // except in the end-of-line CRLF sequence. No linear whitespace (LWS) is allowed in any of the
    // elements."
    private void request(byte[] b, int versionSpace, int end) {
        uriEnd = Math.max(versionSpace, methodEnd + 1);
        int version = versionSpace + 5;
        if (!Ascii.equals(b, version, end, "2.0")) {
            // RFC 3261 21.5.6: 505 for a version that the server does not support.
            boolean number = end > version;
            for (int p = version; p < end; p++) {
                number &= Ascii.isDigit(b[p]) || b[p] == '.';
            }
            fail(number ? 505 : 400, number ? "Version Not Supported" : "Bad Request-Line");
            return;
        }
        if (versionSpace <= methodEnd) {
            fail(400, "Bad Request-Line");
            return;
        }
        String bad = uri.scan(b, methodEnd + 1, versionSpace);
        if (bad != null) {
            fail(400, "Bad Request-URI");
        } else if (isSip() && uri.headersStart() < versionSpace) {
            // RFC 3261 19.1.1, table 1: headers are not allowed in a Request-URI.
            fail(400, "Headers In Request-URI");
        }
    }

    /** Has the Request-URI a semicolon with no parameter behind it? */
    boolean emptyParameter() {
        return uri.emptyParameter();
    }

    private boolean isSip() {
        return uri.kind() == UriScan.Kind.SIP || uri.kind() == UriScan.Kind.SIPS;
    }

    private void fail(int code, String reason) {
        status = code;
        error = reason;
    }

    private Kind response(byte[] b, int end) {
        if (end < 11
                || !Ascii.equals(b, 4, 8, "2.0 ")
                || !(Ascii.isDigit(b[8]) && Ascii.isDigit(b[9]) && Ascii.isDigit(b[10]))) {
            return Kind.BAD_RESPONSE;
        }
        status = (b[8] - '0') * 100 + (b[9] - '0') * 10 + b[10] - '0';
        if (status < 100 || status > 699) {
            return Kind.BAD_RESPONSE;
        }
        if (end == 11) {
            spaceMissing = true;
            return Kind.RESPONSE;
        }
        return b[11] == ' ' ? Kind.RESPONSE : Kind.BAD_RESPONSE;
    }

    /** Status of a response; for a request 0, or why it must be refused. */
    int status() {
        return status;
    }

    /** Reason for the refusal of a request. */
    String error() {
        return error;
    }

    boolean spaceMissing() {
        return spaceMissing;
    }

    int methodEnd() {
        return methodEnd;
    }

    int uriEnd() {
        return uriEnd;
    }
}
