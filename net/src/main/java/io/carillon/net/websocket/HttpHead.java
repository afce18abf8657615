package io.carillon.net.websocket;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1.1 message: all that an upgrade consists of. RFC 9112 as far as a handshake
 * needs it: no folded lines, no bare line feeds, no white space before a colon. Immutable.
 */
public final class HttpHead {
    /** Longest head that is read: cookies of a web page travel with its upgrade. */
    static final int MAX_BYTES = 16_384;

    private static final int MAX_HEADERS = 64;

    private final String[] start;
    private final Map<String, List<String>> headers = new HashMap<>();

    private HttpHead(String[] start) {
        this.start = start;
    }

    /** Collects the bytes of a head as they come. Owner: the connection's thread. */
    public static final class Reader {
        private byte[] bytes = {};
        private int length;
        private boolean failed;
        private boolean inFirstLine = true;

        /**
         * Takes bytes up to the end of the head.
         *
         * @return how many were taken; fewer than given once the head is whole
         */
        public int feed(byte[] b, int off, int len) {
            int taken = 0;
            while (taken < len && !whole() && !failed) {
                byte next = b[off + taken];
                // A head begins with a method or a version: anything else is no HTTP, and need not
                // be waited for.
                if (next == 0 || length == MAX_BYTES || (length == 0 && !letter(next))) {
                    failed = true;
                    return taken;
                }
                if (length == bytes.length) {
                    bytes = Arrays.copyOf(bytes, grown(len - taken));
                }
                bytes[length++] = next;
                taken++;
                if (next == '\n' && inFirstLine) {
                    inFirstLine = false;
                    failed = !namesHttp();
                }
            }
            return taken;
        }

        private int grown(int came) {
            return Math.min(MAX_BYTES, Math.max(length + came, length * 2));
        }

        private static boolean letter(byte b) {
            return (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
        }

        private boolean namesHttp() {
            return new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains("HTTP/1.");
        }

        /** Bytes of memory held, also what of it is not used yet. */
        public int bytesBuffered() {
            return bytes.length;
        }

        /** True when the empty line was read. */
        public boolean whole() {
            return length >= 4
                    && bytes[length - 1] == '\n'
                    && bytes[length - 2] == '\r'
                    && bytes[length - 3] == '\n'
                    && bytes[length - 4] == '\r';
        }

        /** True when this is no head of HTTP, or one that is too long. */
        public boolean failed() {
            return failed;
        }

        /** The head, or null when its syntax is wrong; once it is {@link #whole}. */
        public @Nullable HttpHead head() {
            return parse(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        }
    }

    static @Nullable HttpHead parse(String text) {
        String[] lines = text.split("\r\n", -1);
        String[] start = lines[0].split(" ", 3);
        if (start.length < 2 || lines.length > MAX_HEADERS + 3) {
            return null;
        }
        HttpHead head = new HttpHead(start);
        for (int i = 1; i < lines.length - 2; i++) {
            String line = lines[i];
            int colon = line.indexOf(':');
            if (colon <= 0 || !token(line, colon) || control(line)) {
                return null;
            }
            head.headers
                    .computeIfAbsent(
                            line.substring(0, colon).toLowerCase(Locale.ROOT),
                            name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return control(lines[0]) ? null : head;
    }

    private static boolean token(String line, int end) {
        for (int i = 0; i < end; i++) {
            char c = line.charAt(i);
            boolean good =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
            if (!good) {
                return false;
            }
        }
        return true;
    }

    private static boolean control(String line) {
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7F) {
                return true;
            }
        }
        return false;
    }

    /**
     * A word of the first line: of a request method, target, version; of a response version,
     * status, phrase.
     */
    public String start(int word) {
        return word < start.length ? start[word] : "";
    }

    /** The only value of a header, or null when there is none or more than one. */
    public @Nullable String only(String name) {
        List<String> values = headers.get(name);
        return values == null || values.size() != 1 ? null : values.getFirst();
    }

    /** Whether there is such a header. */
    public boolean has(String name) {
        return headers.containsKey(name);
    }

    /** Whether a list of tokens names this one, in any case. */
    public boolean lists(String name, String token) {
        for (String value : headers.getOrDefault(name, List.of())) {
            for (String each : value.split(",", -1)) {
                if (each.strip().equalsIgnoreCase(token)) {
                    return true;
                }
            }
        }
        return false;
    }
}
