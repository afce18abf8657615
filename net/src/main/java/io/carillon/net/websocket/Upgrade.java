package io.carillon.net.websocket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The opening handshake: RFC 6455 section 4 with the subprotocol of RFC 7118. Stateless; any
 * thread.
 */
public final class Upgrade {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String SUBPROTOCOL = "sip";

    private Upgrade() {}

    /**
     * Our answer to a client.
     *
     * @param accepted frames follow; else the connection ends after the answer
     * @param text the whole answer
     * @param why for people: why it was refused
     */
    public record Answer(boolean accepted, String text, String why) {
        /** The answer's bytes. */
        public byte[] bytes() {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /**
     * Answers a request on a WebSocket port.
     *
     * @param head null when its syntax is wrong
     * @param path the one path that there is
     * @param origins Origins that may connect, in lower case; empty: all
     */
    public static Answer answer(@Nullable HttpHead head, String path, List<String> origins) {
        if (head == null || !head.start(2).equals("HTTP/1.1")) {
            return refuse("400 Bad Request", "no request of HTTP/1.1", "");
        }
        // RFC 6455 4.2.1: "An HTTP/1.1 or higher GET request, including a "Request-URI""
        if (!head.start(0).equals("GET")) {
            return refuse("405 Method Not Allowed", "method " + head.start(0), "Allow: GET\r\n");
        }
        if (head.only("host") == null) {
            return refuse("400 Bad Request", "no Host", "");
        }
        if (head.has("content-length") || head.has("transfer-encoding")) {
            // What followed the head would be read as frames.
            return refuse("400 Bad Request", "a body", "");
        }
        String target = head.start(1);
        int query = target.indexOf('?');
        if (!path.equals(query < 0 ? target : target.substring(0, query))) {
            return refuse("404 Not Found", "path " + target, "");
        }
        if (!head.lists("upgrade", "websocket") || !head.lists("connection", "upgrade")) {
            return refuse(
                    "426 Upgrade Required",
                    "no WebSocket upgrade",
                    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
        }
        // 4.4: "If this version does not match a version understood by the server, the server MUST
        // [...] send an appropriate HTTP error code (such as 426 Upgrade Required) and a
        // |Sec-WebSocket-Version| header field".
        if (!"13".equals(head.only("sec-websocket-version"))) {
            return refuse(
                    "426 Upgrade Required",
                    "another version of WebSocket",
                    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
        }
        String key = head.only("sec-websocket-key");
        if (key == null || !sixteenBytes(key)) {
            return refuse("400 Bad Request", "a bad Sec-WebSocket-Key", "");
        }
        // RFC 7118 4.1: "The client MUST include the value "sip" in the Sec-WebSocket-Protocol
        // header in its handshake request."
        if (!head.lists("sec-websocket-protocol", SUBPROTOCOL)) {
            return refuse("400 Bad Request", "the subprotocol is not sip", "");
        }
        if (head.has("origin") && !origins.isEmpty()) {
            String origin = head.only("origin");
            if (origin == null || !origins.contains(origin.toLowerCase(Locale.ROOT))) {
                return refuse("403 Forbidden", "origin " + origin, "");
            }
        }
        return new Answer(
                true,
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + accept(key)
                        + "\r\nSec-WebSocket-Protocol: sip\r\n\r\n",
                "");
    }

    private static Answer refuse(String status, String why, String headers) {
        String body = status + ": this port speaks SIP over WebSocket (RFC 7118).\n";
        return new Answer(
                false,
                "HTTP/1.1 "
                        + status
                        + "\r\n"
                        + headers
                        + "Connection: close\r\nContent-Type: text/plain\r\nContent-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body,
                status.substring(0, 3) + " for " + why);
    }

    private static boolean sixteenBytes(String key) {
        try {
            return Base64.getDecoder().decode(key).length == 16;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** A key for a request of ours. */
    public static String newKey() {
        byte[] bytes = new byte[16];
        ThreadLocalRandom.current().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * A request of ours.
     *
     * @param host the server's name or address with its port, as Host prints them
     */
    public static byte[] request(String host, String path, String key) {
        return ("GET "
                        + path
                        + " HTTP/1.1\r\nHost: "
                        + host
                        + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
                        + key
                        + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: sip\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * What is wrong with the server's answer to a request of ours: RFC 6455 4.1.
     *
     * @return null when frames may follow
     */
    public static @Nullable String fault(@Nullable HttpHead head, String key) {
        if (head == null || !head.start(0).startsWith("HTTP/1.")) {
            return "the answer to the WebSocket upgrade is no HTTP";
        }
        if (!head.start(1).equals("101")) {
            return "the WebSocket upgrade was answered with " + printable(head.start(1));
        }
        if (!head.lists("upgrade", "websocket")
                || !head.lists("connection", "upgrade")
                || !accept(key).equals(head.only("sec-websocket-accept"))) {
            return "the answer to the WebSocket upgrade does not fit its request";
        }
        String protocol = head.only("sec-websocket-protocol");
        if (!SUBPROTOCOL.equals(protocol) || head.has("sec-websocket-extensions")) {
            return "the server speaks no SIP over WebSocket";
        }
        return null;
    }

    private static String printable(String status) {
        return status.length() == 3 && status.chars().allMatch(c -> c >= '0' && c <= '9')
                ? status
                : "no status";
    }

    static String accept(String key) {
        try {
            // RFC 6455 4.2.2 names SHA-1; nothing is kept secret by it.
            byte[] hash =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
