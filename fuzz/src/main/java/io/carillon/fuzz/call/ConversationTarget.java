package io.carillon.fuzz.call;

import io.carillon.fuzz.check.Finding;
import io.carillon.fuzz.server.MemoryServer;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams of two peers at a whole server with an application: nothing fails inside, what the
 * server sends can be read, and some minutes later nothing is left of it all.
 *
 * <p>An input is a number of steps, each behind a byte {@value #STEP}. The next byte says who acts
 * (bit 0) and how long after the step before (the other bits, in 32 ms). Then either a digit comes:
 * an answer of that class to the last request that this peer got, with the headers that follow; or
 * a datagram, in which the bytes 1 to 6 stand for what the last message to this peer says (see
 * {@link Said}). When all steps are done the peers answer whatever still comes, or stay silent
 * where the input begins with an s.
 *
 * <p>One thread. The server lives from input to input, until one fails.
 */
public final class ConversationTarget {
    static final char STEP = 0x1E;

    private static final String SILENT = "s";

    private static final int MOST_STEPS = 24;
    private static final long STEP_MILLIS = 32;

    /** A hop takes a millisecond. */
    private static final Duration THERE_AND_BACK = Duration.ofMillis(4);

    /** Timer C and the session's expiry, then 64*T1 for what these send. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(181 + 60 + 33 + 33);

    /** A peer's: what the server takes, with what a proxy adds to it. */
    private static final MessageParser PARSER =
            new MessageParser(
                    Compliance.LENIENT, new MessageLimits(65_535, 65_535, 256 + 16, 16_384 + 1024));

    private static final String WARM =
            """
            \036\000INVITE sip:b@10.0.0.1 SIP/2.0
            Via: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bK1
            Max-Forwards: 70
            From: <sip:a@10.0.0.2>;tag=a
            To: <sip:b@10.0.0.1>
            Call-ID: 1
            CSeq: 1 INVITE
            Contact: <sip:a@10.0.0.2>
            Content-Length: 0

            \036\0012\000\
            """
                    .replace("\n", "\r\n");

    private static @Nullable ConversationTarget living;

    private final MemoryServer server = new MemoryServer("fuzz", "main", FuzzedServlet::new);
    private final SimulatedNetwork network = server.network();
    private boolean polite;
    private final Peer caller = new Peer("10.0.0.2");
    private final Peer callee = new Peer("10.0.0.3");

    private ConversationTarget() {
        network.otherDomains(callee.address);
        network.elsewhere((bytes, transport, from, to) -> received(bytes));
    }

    /** Loads the classes: by Jazzer, before its first input. */
    public static void fuzzerInitialize() {
        fuzzerTestOneInput(WARM.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        ConversationTarget target = living == null ? new ConversationTarget() : living;
        living = null;
        target.tried(new String(data, StandardCharsets.ISO_8859_1));
        living = target;
    }

    private void tried(String input) {
        caller.last = null;
        callee.last = null;
        polite = false;
        int steps = 0;
        for (int at = input.indexOf(STEP); at >= 0 && steps < MOST_STEPS; steps++) {
            int next = input.indexOf(STEP, at + 1);
            String step = input.substring(at + 1, next < 0 ? input.length() : next);
            if (step.length() > 2) {
                server.run(Duration.ofMillis((step.charAt(0) >> 1) * STEP_MILLIS));
                ((step.charAt(0) & 1) == 0 ? caller : callee).act(step);
                server.run(THERE_AND_BACK);
            }
            at = next;
        }
        polite = !input.startsWith(SILENT);
        server.run(LONG_ENOUGH);
        server.assertNothingLeft();
    }

    /** What the server sends is a message. */
    private static @Nullable SipMessage received(byte[] bytes) {
        ParseResult result = PARSER.parseDatagram(bytes, bytes.length);
        if (result instanceof ParseResult.Parsed(SipMessage message)) {
            return message;
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        // RFC 3261 8.2.6.2: the answer to a malformed request repeats its faults.
        if (!text.startsWith("SIP/2.0 4") && !text.startsWith("SIP/2.0 5")) {
            throw new Finding("the server sent " + result + ":\n" + text);
        }
        return null;
    }

    /** Stands for a part of the last message to a peer. */
    private enum Said {
        NOTHING,
        /** Its To tag. */
        TO_TAG,
        /** Its From value. */
        FROM,
        /** Its To value. */
        TO,
        /** Its Call-ID. */
        CALL_ID,
        /** Its Contact's URI. */
        CONTACT,
        /** Its Via lines. */
        VIAS;

        private static final Said[] ALL = values();
    }

    private final class Peer {
        final InetSocketAddress address;
        @Nullable SipMessage last;

        Peer(String host) {
            address = SimulatedNetwork.address(host, 5060);
            network.bind(
                    address,
                    (bytes, transport, from, to) -> {
                        SipMessage message = received(bytes);
                        last = message == null ? last : message;
                        if (polite && message != null) {
                            end(message);
                        }
                    });
        }

        void act(String step) {
            char kind = step.charAt(1);
            if (kind >= '1' && kind <= '6') {
                answer((kind - '0') * 100 + (step.charAt(2) & 0x7f), step.substring(3));
            } else {
                send(filled(step.substring(1)).getBytes(StandardCharsets.ISO_8859_1));
            }
        }

        private void end(SipMessage message) {
            if (message instanceof SipRequest) {
                answer(200, "");
            } else if (message instanceof SipResponse response
                    && response.status() >= 200
                    && response.cseqMethod().equals("INVITE")) {
                String ack =
                        "ACK \5 SIP/2.0\r\n"
                                + (response.status() < 300
                                        ? "Via: SIP/2.0/UDP 10.0.0.9;branch=z9hG4bKack\r\n"
                                        : "\6")
                                + "From: \2\r\nTo: \3\r\nCall-ID: \4\r\nCSeq: "
                                + response.cseqNumber()
                                + " ACK\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n";
                send(filled(ack).getBytes(StandardCharsets.ISO_8859_1));
            }
        }

        private void send(byte[] datagram) {
            network.send(Transport.UDP, address, MemoryServer.ADDRESS, datagram);
        }

        private void answer(int status, String more) {
            if (last instanceof SipRequest request && !request.is("ACK")) {
                String contact = "Contact: <sip:peer@" + address.getHostString() + ">\r\n";
                SipMessage plain =
                        MessageDraft.responseTo(request, Math.min(699, status), null, "peer")
                                .freeze();
                String text = plain.toString();
                int end = text.indexOf("\r\n\r\n");
                send(
                        (text.substring(0, end + 2) + contact + filled(more) + "\r\n")
                                .getBytes(StandardCharsets.ISO_8859_1));
            }
        }

        private String filled(String text) {
            StringBuilder filled = new StringBuilder(text.length() + 200);
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c > 0 && c < Said.ALL.length) {
                    filled.append(said(Said.ALL[c]));
                } else {
                    filled.append(c);
                }
            }
            return filled.toString();
        }

        private String said(Said what) {
            SipMessage message = last;
            if (message == null) {
                return "";
            }
            return switch (what) {
                case NOTHING -> "";
                case TO_TAG -> String.valueOf(message.toTag());
                case FROM -> String.valueOf(message.header(HeaderName.FROM));
                case TO -> String.valueOf(message.header(HeaderName.TO));
                case CALL_ID -> message.callId();
                case CONTACT -> contact(message);
                case VIAS -> vias(message);
            };
        }

        private static String contact(SipMessage message) {
            NameAddress contact = message.contact();
            return contact == null || contact.wildcard()
                    ? "sip:fuzz@10.0.0.1"
                    : contact.uri().toString();
        }

        private static String vias(SipMessage message) {
            StringBuilder lines = new StringBuilder();
            for (String via : message.headers(HeaderName.VIA)) {
                lines.append("Via: ").append(via).append("\r\n");
            }
            return lines.toString();
        }
    }
}
