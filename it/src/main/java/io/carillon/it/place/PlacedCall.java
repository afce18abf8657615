package io.carillon.it.place;

import io.carillon.it.line.Line;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One call of a phone to a cluster's application {@code uas}, by a line of its own. What goes by
 * datagrams is sent again as RFC 3261 17.1 says, all else once. One thread.
 */
final class PlacedCall implements AutoCloseable {
    private static final int T1_MILLIS = 500;
    private static final int T2_MILLIS = 4_000;
    private static final int LAST_MILLIS = 32_000;
    private static final Pattern TAG = Pattern.compile("(?im)^To:.*;tag=([^;\\s]+)");
    private static final Pattern CONTACT = Pattern.compile("(?im)^Contact:\\s*<([^>]+)>");

    private final InetSocketAddress cluster;
    private final String id;
    private Line line;
    private String tag = "";
    private String target;
    private int number;
    private int repeats;

    /** The caller's end of it goes by that line, which is closed with it. */
    PlacedCall(InetSocketAddress cluster, String id, Line line) {
        this.cluster = cluster;
        this.id = id;
        this.line = line;
        this.target = "sip:uas@" + cluster.getHostString() + ":" + cluster.getPort();
    }

    /** The Call-ID. */
    String id() {
        return id;
    }

    /** The phone goes on by another line. */
    void by(Line other) throws IOException {
        line.close();
        line = other;
    }

    /** Calls, or changes the call. */
    void invite() throws IOException {
        number++;
        String answer = request("INVITE", number);
        Matcher to = TAG.matcher(answer);
        Matcher contact = CONTACT.matcher(answer);
        if (!answer.startsWith("SIP/2.0 200") || !to.find() || !contact.find()) {
            throw new IOException("INVITE of " + id + ": " + first(answer));
        }
        tag = to.group(1);
        target = contact.group(1);
        line.send(text("ACK", number, "ack" + number));
    }

    private static String first(String answer) {
        return answer.lines().findFirst().orElse("");
    }

    void bye() throws IOException {
        number++;
        String answer = request("BYE", number);
        if (!answer.startsWith("SIP/2.0 200")) {
            throw new IOException("BYE of " + id + ": " + first(answer));
        }
    }

    /** Is it there? Its application says so. */
    void update() throws IOException {
        number++;
        String answer = request("UPDATE", number);
        if (!answer.startsWith("SIP/2.0 200")) {
            throw new IOException("UPDATE of " + id + ": " + first(answer));
        }
    }

    /** Ends it when a BYE may have been taken whose answer did not come. */
    void byeAgain() throws IOException {
        number++;
        String answer = request("BYE", number);
        if (!answer.startsWith("SIP/2.0 200") && !answer.startsWith("SIP/2.0 481")) {
            throw new IOException("BYE of " + id + ": " + first(answer));
        }
    }

    /** How many requests were sent again. */
    int repeats() {
        return repeats;
    }

    /** The request that changes the call next, before it is sent. */
    String next() {
        return text("INVITE", number + 1, "next");
    }

    private String request(String method, int cseq) throws IOException {
        String message = text(method, cseq, method.toLowerCase(Locale.ROOT) + cseq);
        int wait = line.reliable() ? LAST_MILLIS : T1_MILLIS;
        for (int waited = 0; waited < LAST_MILLIS; waited += wait) {
            line.send(message);
            repeats += waited > 0 ? 1 : 0;
            String answer = answer(method, cseq, wait);
            if (!answer.isEmpty()) {
                return answer;
            }
            wait = Math.min(2 * wait, line.reliable() ? LAST_MILLIS : T2_MILLIS);
        }
        throw new IOException(method + " of " + id + " was not answered");
    }

    /** The final one to that request; empty where none comes in that time. */
    private String answer(String method, int cseq, int millis) throws IOException {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (true) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return "";
            }
            String text = line.receive(left);
            if (text.matches("(?s)SIP/2\\.0 [2-6].*")
                    && text.contains("CSeq: " + cseq + " " + method)) {
                return text;
            }
        }
    }

    private String text(String method, int cseq, String branch) {
        String me = line.local();
        String contact = me + line.parameter();
        String body =
                method.equals("INVITE")
                        ? """
                        v=0\r
                        o=- 1 %d IN IP4 127.0.0.1\r
                        s=-\r
                        c=IN IP4 127.0.0.1\r
                        t=0 0\r
                        m=audio 40000 RTP/AVP 0\r
                        """
                                .formatted(cseq)
                        : "";
        return String.join(
                "\r\n",
                method + " " + target + " SIP/2.0",
                "Via: SIP/2.0/"
                        + line.transport()
                        + " "
                        + me
                        + ";branch=z9hG4bK"
                        + Integer.toHexString(id.hashCode())
                        + branch
                        + ";rport",
                "Max-Forwards: 70",
                "From: <sip:caller@127.0.0.1>;tag=caller",
                "To: <sip:uas@"
                        + cluster.getHostString()
                        + ">"
                        + (tag.isEmpty() ? "" : ";tag=" + tag),
                "Call-ID: " + id,
                "CSeq: " + cseq + " " + method,
                "Contact: <sip:caller@" + contact + ">",
                (body.isEmpty() ? "" : "Content-Type: application/sdp\r\n")
                        + "Content-Length: "
                        + body.length(),
                "",
                body);
    }

    @Override
    public void close() throws IOException {
        line.close();
    }
}
