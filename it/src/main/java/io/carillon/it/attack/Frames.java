package io.carillon.it.attack;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What an attacker says on a WebSocket port (RFC 6455): upgrades and frames, right and wrong. */
final class Frames {
    private static final int CONTINUATION = 0x00;
    private static final int TEXT = 0x81;
    private static final int TEXT_BEGINS = 0x01;
    private static final int PING = 0x89;
    private static final int PONG = 0x8A;
    private static final int MASKED = 0x80;

    private static final String HEAD =
            "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

    private Frames() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** An upgrade that is accepted. */
    static byte[] upgrade() {
        return bytes(HEAD + "Sec-WebSocket-Protocol: sip\r\n\r\n");
    }

    /** An upgrade that never ends. */
    static byte[] halfUpgrade() {
        return bytes(HEAD + "Cookie: " + "x".repeat(12_000));
    }

    /** Upgrades that have to be refused, each for another reason. */
    static List<Template> refused() {
        String protocol = "Sec-WebSocket-Protocol: sip\r\n\r\n";
        return List.of(
                raw(HEAD + "Sec-WebSocket-Protocol: chat\r\n\r\n"),
                raw(HEAD + "\r\n"),
                raw(HEAD.replace("Version: 13", "Version: 7") + protocol),
                raw(HEAD.replace("GET / ", "GET /other ") + protocol),
                raw(HEAD.replace("GET", "POST") + protocol),
                raw(HEAD + "Content-Length: 5\r\n" + protocol + "12345"),
                raw(HEAD + "Origin: https://evil.example\r\nOrigin: https://b\r\n" + protocol),
                raw("GET /" + "a".repeat(8_000) + " HTTP/1.1\r\n" + "\n".repeat(8_000)));
    }

    static Template raw(String text) {
        return new Template(bytes(text));
    }

    /** One message in one frame. The mask is zero: the text stays readable for a template. */
    static Template message(String text) {
        return new Template(frame(TEXT, bytes(text.replace("\n", "\r\n"))));
    }

    static Template ping() {
        return new Template(frame(PING, bytes("x".repeat(125))));
    }

    /** An upgrade and the beginning of a message. */
    static byte[] upgradeAndBegin() {
        return joined(upgrade(), frame(TEXT_BEGINS, bytes("O")));
    }

    /** Pieces of a byte each, and empty ones, of a message that never ends. */
    static List<Template> fragments() {
        return List.of(
                new Template(repeat(frame(CONTINUATION, bytes("x")), 500)),
                new Template(repeat(frame(CONTINUATION, bytes("")), 500)));
    }

    /** Pieces without a byte, as many as a write takes. */
    static Template emptyFragments() {
        return new Template(repeat(frame(CONTINUATION, bytes("")), 10_000));
    }

    /** Messages that hold nothing, and pongs that nobody asked for. */
    static List<Template> nothing() {
        return List.of(
                new Template(repeat(frame(TEXT, bytes("")), 1_000)),
                new Template(repeat(frame(TEXT, bytes("\r\n")), 1_000)),
                new Template(repeat(frame(PONG, bytes("")), 1_000)));
    }

    /** Frames that break a rule, one each. */
    static List<Template> wrong() {
        byte[] unmasked = {(byte) TEXT, 5, 'h', 'e', 'l', 'l', 'o'};
        byte[] huge = {(byte) TEXT, (byte) 0xFF, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        byte[] negative = {(byte) TEXT, (byte) 0xFF, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0};
        byte[] tooBig = {(byte) TEXT, (byte) 0xFF, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0};
        return List.of(
                new Template(unmasked),
                new Template(huge),
                new Template(negative),
                new Template(tooBig),
                new Template(frame(0xF1, bytes("reserved bits"))),
                new Template(frame(0x83, bytes("an unknown opcode"))),
                new Template(frame(0x80, bytes("a continuation of nothing"))),
                new Template(frame(TEXT, new byte[] {(byte) 0xC0, (byte) 0xAF})),
                new Template(frame(0x88, new byte[] {0})));
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] repeat(byte[] bytes, int times) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            all.writeBytes(bytes);
        }
        return all.toByteArray();
    }

    private static byte[] frame(int first, byte[] payload) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(first);
        if (payload.length < 126) {
            frame.write(MASKED | payload.length);
        } else {
            frame.write(MASKED | 126);
            frame.write(payload.length >> 8);
            frame.write(payload.length);
        }
        frame.writeBytes(new byte[4]);
        frame.writeBytes(payload);
        return frame.toByteArray();
    }
}
