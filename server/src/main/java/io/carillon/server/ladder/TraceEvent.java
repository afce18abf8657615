package io.carillon.server.ladder;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * One event of a call. Of the parts at its end it has one. Immutable.
 *
 * @param sequence larger than those recorded before
 * @param time with microseconds, ISO 8601 in UTC
 * @param leg the Call-ID
 * @param message one that came or left
 * @param handler application code that ran; its time is when it began
 * @param note what befell a message
 */
public record TraceEvent(
        long sequence,
        String time,
        String leg,
        @Nullable Message message,
        @Nullable Handler handler,
        @Nullable Note note) {

    /** What a {@link Note} says of a call of another node that goes on here. */
    public static final String TAKEN_OVER = "taken_over";

    /** Does the call come here from another node by it? */
    public boolean takeOver() {
        return note != null && note.what().equals(TAKEN_OVER);
    }

    /** The time in microseconds since 1970. */
    public long micros() {
        Instant instant = Instant.parse(time);
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
    }

    /** That time as text. */
    public static String time(long micros) {
        return Instant.ofEpochSecond(
                        Math.floorDiv(micros, 1_000_000L),
                        Math.floorMod(micros, 1_000_000L) * 1000L)
                .toString();
    }

    /**
     * A message.
     *
     * @param received came it in, or went it out?
     * @param again did the same bytes come or go before?
     * @param transport UDP, TCP, TLS, WS or WSS
     * @param local our HOST:PORT; empty when it is not known
     * @param remote the peer's
     * @param internal from one application of this server to another
     * @param text the message, when it is UTF-8
     * @param base64 its bytes, when it is not
     */
    public record Message(
            boolean received,
            boolean again,
            String transport,
            String local,
            String remote,
            boolean internal,
            @Nullable String text,
            @Nullable String base64) {

        /** With the bytes in the form that holds them. */
        public static Message of(
                boolean received,
                boolean again,
                String transport,
                String local,
                String remote,
                boolean internal,
                byte[] bytes) {
            String text = null;
            String base64 = null;
            try {
                text =
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .decode(ByteBuffer.wrap(bytes))
                                .toString();
            } catch (CharacterCodingException e) {
                base64 = Base64.getEncoder().encodeToString(bytes); // that is what it is for
            }
            return new Message(received, again, transport, local, remote, internal, text, base64);
        }

        /** The message's bytes. */
        public byte[] bytes() {
            if (text != null) {
                return text.getBytes(StandardCharsets.UTF_8);
            }
            return base64 == null ? new byte[0] : Base64.getDecoder().decode(base64);
        }

        /** The message as text, whatever its bytes are. */
        public String shown() {
            return text != null ? text : new String(bytes(), StandardCharsets.ISO_8859_1);
        }

        /** Start line without the SIP version. */
        public String startLine() {
            String all = shown();
            int end = all.indexOf('\n');
            return (end < 0 ? all : all.substring(0, end)).strip();
        }

        /** As a ladder labels it: {@code INVITE (SDP)}, {@code 200 OK (INVITE)}. */
        public String label() {
            String start = startLine();
            String label;
            if (start.startsWith("SIP/2.0 ")) {
                label = start.substring("SIP/2.0 ".length()) + " (" + method() + ")";
            } else {
                int blank = start.indexOf(' ');
                label = blank < 0 ? start : start.substring(0, blank);
            }
            return hasDescription() ? label + " SDP" : label;
        }

        /** As a handler names it: the method, or the status and its method. */
        public String what() {
            String start = startLine();
            boolean response = start.startsWith("SIP/2.0 ") && start.length() >= 11;
            return response ? start.substring(8, 11) + " " + method() : method();
        }

        /** The method of the CSeq header; a question mark without one. */
        public String method() {
            String cseq = header("CSeq");
            int blank = cseq.lastIndexOf(' ');
            return blank < 0 ? "?" : cseq.substring(blank + 1);
        }

        private boolean hasDescription() {
            String type = header("Content-Type");
            return (type.isEmpty() ? header("c") : type).startsWith("application/sdp");
        }

        /** The first header of that name, stripped; empty without one. */
        public String header(String name) {
            for (String line : shown().split("\r?\n", -1)) {
                if (line.isEmpty()) {
                    break;
                }
                int colon = line.indexOf(':');
                if (colon > 0 && line.substring(0, colon).strip().equalsIgnoreCase(name)) {
                    return line.substring(colon + 1).strip();
                }
            }
            return "";
        }
    }

    /**
     * Application code.
     *
     * @param application its name
     * @param servlet the servlet's name, or the listener's class
     * @param what a method, a status and its method, or the listener's method
     * @param tookMicros how long it ran
     * @param waitedMicros since its message came: for the turn, and in the queues before; null for
     *     a listener, and where the message is not known
     * @param threw did it end by an exception?
     */
    public record Handler(
            String application,
            String servlet,
            String what,
            long tookMicros,
            @Nullable Long waitedMicros,
            boolean threw) {}

    /**
     * What befell a message.
     *
     * @param what the counter's name, as in the status
     * @param about a method, or a status and its method
     * @param remote the peer's HOST:PORT; empty when it is not known
     * @param cause in words; may be empty
     */
    public record Note(String what, String about, String remote, String cause) {}
}
