package io.carillon.server.trace;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Hides what must not be shown of a message: each hidden byte becomes a star, so lengths stay
 * right. Everything that leaves this package went through here. Any thread.
 *
 * <p>Always hidden: what proves an identity in Authorization, Proxy-Authorization, their -Info and
 * Identity headers, passwords in URIs, the keys of media in a session description, and the values
 * of headers that the configuration names. Bodies are hidden unless they are asked for, but for
 * session descriptions and the first line of a message/sipfrag.
 */
public final class MessageMask {
    private static final byte STAR = '*';

    private final Set<String> whole = new TreeSet<>();

    /**
     * @param headers further headers whose values are hidden
     */
    public MessageMask(List<String> headers) {
        headers.forEach(name -> whole.add(name.strip().toLowerCase(Locale.ROOT)));
    }

    /**
     * A copy with its secrets hidden.
     *
     * @param bodies shows bodies of every kind, their keys excepted
     */
    public byte[] of(byte[] message, boolean bodies) {
        return new Run(message.clone(), bodies).mask();
    }

    /** The work on one message. */
    private final class Run {
        private final byte[] bytes;
        private final boolean bodies;
        private String contentType = "";

        Run(byte[] bytes, boolean bodies) {
            this.bytes = bytes;
            this.bodies = bodies;
        }

        byte[] mask() {
            int end = lineEnd(0);
            passwords(0, end);
            int at = next(end);
            while (at < bytes.length) {
                end = headerEnd(at);
                if (end == at) {
                    body(next(end));
                    break;
                }
                header(at, end);
                at = next(end);
            }
            return bytes;
        }

        /** The end of a header with its folded lines. */
        private int headerEnd(int at) {
            int end = lineEnd(at);
            while (end > at) {
                int following = next(end);
                if (following >= bytes.length
                        || (bytes[following] != ' ' && bytes[following] != '\t')) {
                    break;
                }
                end = lineEnd(following);
            }
            return end;
        }

        private void header(int start, int end) {
            int colon = find(':', start, end);
            if (colon < 0) {
                return;
            }
            int value = skipBlanks(colon + 1, end);
            String name = text(start, colon).strip().toLowerCase(Locale.ROOT);
            switch (name) {
                case "authorization", "proxy-authorization" -> credentials(value, end);
                case "authentication-info", "proxy-authentication-info" ->
                        parameter("rspauth", value, end);
                case "identity", "y" -> stars(value, endOfToken(value, end));
                case "content-type", "c" ->
                        contentType =
                                text(value, endOfToken(value, end))
                                        .strip()
                                        .toLowerCase(Locale.ROOT);
                default -> {
                    if (whole.contains(name)) {
                        stars(value, end);
                    }
                }
            }
            passwords(value, end);
        }

        /** RFC 3261 22.4: of a digest the response proves something; of other schemes all may. */
        private void credentials(int value, int end) {
            int scheme = value;
            while (scheme < end && bytes[scheme] > ' ') {
                scheme++;
            }
            if (text(value, scheme).equalsIgnoreCase("Digest")) {
                parameter("response", scheme, end);
            } else {
                stars(scheme, end);
            }
        }

        private void parameter(String name, int from, int end) {
            String all = text(from, end).toLowerCase(Locale.ROOT);
            for (int at = all.indexOf(name); at >= 0; at = all.indexOf(name, at + 1)) {
                boolean begins = at == 0 || " \t\r\n,".indexOf(all.charAt(at - 1)) >= 0;
                int equals = skipBlanks(from + at + name.length(), end);
                if (begins && equals < end && bytes[equals] == '=') {
                    value(skipBlanks(equals + 1, end), end);
                }
            }
        }

        private void value(int start, int end) {
            int at = start;
            if (at < end && bytes[at] == '"') {
                at++;
                while (at < end && bytes[at] != '"') {
                    bytes[at++] = STAR;
                }
            } else {
                while (at < end && bytes[at] > ' ' && bytes[at] != ',') {
                    bytes[at++] = STAR;
                }
            }
        }

        /** RFC 3261 19.1.1: a URI may have a password, which is "NOT RECOMMENDED". */
        private void passwords(int start, int end) {
            for (int at = start; at + 4 < end; at++) {
                if ((bytes[at] | 0x20) != 's' || !schemeAt(at, end)) {
                    continue;
                }
                int user = find(':', at, end) + 1;
                int colon = -1;
                int i = user;
                while (i < end && " \t<>\"@\r\n".indexOf(bytes[i]) < 0) {
                    if (bytes[i] == ':' && colon < 0) {
                        colon = i;
                    }
                    i++;
                }
                if (colon >= 0 && i < end && bytes[i] == '@') {
                    stars(colon + 1, i);
                }
                at = user;
            }
        }

        private boolean schemeAt(int at, int end) {
            String scheme = text(at, Math.min(end, at + 5)).toLowerCase(Locale.ROOT);
            return scheme.startsWith("sip:") || scheme.equals("sips:");
        }

        private void body(int start) {
            boolean description = contentType.startsWith("application/sdp");
            if (!bodies && !description) {
                boolean fragment = contentType.startsWith("message/sipfrag");
                stars(fragment ? lineEnd(start) : start, bytes.length);
                return;
            }
            for (int at = start; at < bytes.length; at = next(lineEnd(at))) {
                line(at, lineEnd(at));
            }
        }

        /** Keys in a session description: RFC 4568, RFC 8839, RFC 8866, RFC 4567. */
        private void line(int start, int end) {
            String line = text(start, end);
            if (line.startsWith("a=crypto:")) {
                for (int at = line.indexOf("inline:");
                        at >= 0;
                        at = line.indexOf("inline:", at + 1)) {
                    int key = start + at + "inline:".length();
                    while (key < end && "|; \t".indexOf(bytes[key]) < 0) {
                        bytes[key++] = STAR;
                    }
                }
            } else if (line.startsWith("a=ice-pwd:") || line.startsWith("a=key-mgmt:")) {
                stars(start + line.indexOf(':') + 1, end);
            } else if (line.startsWith("k=")) {
                stars(start + 2, end);
            }
        }

        private int endOfToken(int start, int end) {
            int at = start;
            while (at < end && bytes[at] != ';') {
                at++;
            }
            return at;
        }

        private int skipBlanks(int start, int end) {
            int at = start;
            while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) {
                at++;
            }
            return at;
        }

        private void stars(int start, int end) {
            for (int i = start; i < end; i++) {
                if (bytes[i] != '\r' && bytes[i] != '\n') {
                    bytes[i] = STAR;
                }
            }
        }

        private int find(char c, int start, int end) {
            for (int i = start; i < end; i++) {
                if (bytes[i] == c) {
                    return i;
                }
            }
            return -1;
        }

        /** Where the line's text ends: at its CR, LF or the end. */
        private int lineEnd(int start) {
            for (int i = start; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    return i > start && bytes[i - 1] == '\r' ? i - 1 : i;
                }
            }
            return bytes.length;
        }

        /** Behind the line break. */
        private int next(int lineEnd) {
            int at = lineEnd;
            if (at < bytes.length && bytes[at] == '\r') {
                at++;
            }
            return Math.min(at + 1, bytes.length);
        }

        private String text(int start, int end) {
            return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
        }
    }
}
