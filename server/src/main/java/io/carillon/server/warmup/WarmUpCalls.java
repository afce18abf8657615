package io.carillon.server.warmup;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Caller and callee of the warm-up's calls, on one datagram socket of the loopback interface: what
 * comes as a request is for the callee, what comes as a response for the caller. As little as such
 * a peer needs, so that the time goes into the server: nothing is repeated, and a call that stands
 * still is given up with the others. Owner: the thread that runs it.
 */
final class WarmUpCalls implements AutoCloseable {
    /** As many as a server of moderate load has open at once. */
    private static final int OPEN_CALLS = 16;

    private static final int QUIET_MILLIS = 100;

    /** So often nothing came: who is not up by then is not waited for. */
    private static final int PATIENCE = 5;

    private static final String SDP =
            """
            v=0\r
            o=warm 1 1 IN IP4 127.0.0.1\r
            s=-\r
            c=IN IP4 127.0.0.1\r
            t=0 0\r
            m=audio 6000 RTP/AVP 0\r
            a=rtpmap:0 PCMU/8000\r
            """;

    private final DatagramSocket socket;
    private final InetSocketAddress server;
    private final String own;
    private final String run;
    private final byte[] received = new byte[65_535];
    private final DatagramPacket packet = new DatagramPacket(received, received.length);

    /** By call, the BYEs of those that are up; empty where calls end at once. */
    private final Map<Integer, String> held = new HashMap<>();

    private boolean holds;

    private int begun;
    private int ended;
    private boolean quiet;

    WarmUpCalls(InetSocketAddress server) throws IOException {
        this.server = server;
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.setSoTimeout(QUIET_MILLIS);
        own = "127.0.0.1:" + socket.getLocalPort();
        run = Long.toString(new Random().nextLong() >>> 1, 36);
    }

    /**
     * Makes calls, a few at a time, until so many have ended or the time is over.
     *
     * @return how many ended
     */
    int run(int calls, long deadlineNanos) throws IOException {
        for (int i = 0; i < Math.min(OPEN_CALLS, calls); i++) {
            begin();
        }
        while (ended < calls && before(deadlineNanos)) {
            if (next() && begun < calls) {
                begin();
            }
        }
        return ended;
    }

    /**
     * Makes as many calls as are open at once, and hangs up when something has been done. Repeats a
     * BYE that is not answered, as phones do. Ends when nothing is under way, or nothing came for
     * half a second.
     *
     * @param meanwhile called when all are up
     */
    void runHeld(Runnable meanwhile) throws IOException {
        holds = true;
        for (int i = 0; i < OPEN_CALLS; i++) {
            begin();
        }
        int silent = 0;
        while (held.size() < OPEN_CALLS && silent < PATIENCE) {
            next();
            silent = quiet ? silent + 1 : 0;
        }
        meanwhile.run();
        holds = false;
        for (int tries = 0; !held.isEmpty() && tries < PATIENCE; tries++) {
            for (String bye : List.copyOf(held.values())) {
                send(bye);
            }
            do {
                next();
            } while (!quiet && !held.isEmpty());
        }
        held.clear();
    }

    /** How many were ended by a BYE that was answered 2xx. */
    int ended() {
        return ended;
    }

    private static boolean before(long deadlineNanos) {
        return System.nanoTime() - deadlineNanos < 0;
    }

    /** Takes what comes next; true when a call ended by that. */
    private boolean next() throws IOException {
        packet.setLength(received.length);
        quiet = false;
        try {
            socket.receive(packet);
        } catch (SocketTimeoutException e) {
            quiet = true; // a slow machine, or a lost datagram: whoever asks knows how long to wait
            return false;
        }
        String text = new String(received, 0, packet.getLength(), StandardCharsets.ISO_8859_1);
        if (!text.startsWith("SIP/2.0 ")) {
            answer(text);
            return false;
        }
        return go(text);
    }

    private void begin() throws IOException {
        int call = begun++;
        String user = call % 2 == 0 ? "b2bua" : WarmUpServlet.PROXY;
        send(
                ("INVITE sip:" + user + "@" + own + " SIP/2.0\r\n")
                        + via("i", call)
                        + ("From: <sip:caller@" + own + ">;tag=f" + call + "\r\n")
                        + ("To: <sip:" + user + "@" + own + ">\r\n")
                        + ("Call-ID: " + call + "-" + run + "\r\n")
                        + "CSeq: 1 INVITE\r\nMax-Forwards: 70\r\nSubject: warm-up\r\n"
                        + ("Contact: <sip:caller@" + own + ">\r\n")
                        + "Content-Type: application/sdp\r\n"
                        + ("Content-Length: " + SDP.length() + "\r\n\r\n")
                        + SDP);
    }

    private String via(String prefix, int call) {
        return "Via: SIP/2.0/UDP " + own + ";branch=z9hG4bK" + prefix + call + run + "\r\n";
    }

    /** The callee: rings and answers, and takes the BYE. */
    private void answer(String request) throws IOException {
        String method = request.substring(0, request.indexOf(' '));
        if (method.equals("INVITE")) {
            send(response("180 Ringing", request) + "Content-Length: 0\r\n\r\n");
            send(
                    response("200 OK", request)
                            + ("Contact: <sip:callee@" + own + ">\r\n")
                            + "Content-Type: application/sdp\r\n"
                            + ("Content-Length: " + SDP.length() + "\r\n\r\n")
                            + SDP);
        } else if (method.equals("BYE")) {
            send(response("200 OK", request) + "Content-Length: 0\r\n\r\n");
        }
    }

    private static String response(String status, String request) {
        String to = lines(request, "To");
        return "SIP/2.0 "
                + status
                + "\r\n"
                + lines(request, "Via")
                + lines(request, "Record-Route")
                + lines(request, "From")
                + (to.contains(";tag=") ? to : to.replace("\r\n", ";tag=callee\r\n"))
                + lines(request, "Call-ID")
                + lines(request, "CSeq");
    }

    /** The caller: acknowledges and hangs up, at once as a rule. True when a call ended by that. */
    private boolean go(String response) throws IOException {
        if (lines(response, "CSeq").contains("BYE")) {
            held.remove(call(response)); // whatever it says, nothing more is to come
        }
        if (!response.startsWith("SIP/2.0 2")) {
            return false;
        }
        if (lines(response, "CSeq").contains("BYE")) {
            ended++;
            return true;
        }
        String contact = lines(response, "Contact");
        if (contact.isEmpty()) {
            return false;
        }
        String target = contact.substring(contact.indexOf('<') + 1, contact.indexOf('>'));
        send(inDialog("ACK", 1, target, response));
        String bye = inDialog("BYE", 2, target, response);
        if (holds) {
            held.put(call(response), bye);
        } else {
            send(bye);
        }
        return false;
    }

    private static int call(String message) {
        String callId = lines(message, "Call-ID");
        return Integer.parseInt(callId.substring(callId.indexOf(' ') + 1, callId.indexOf('-', 8)));
    }

    private String inDialog(String method, int cseq, String target, String response) {
        String callId = lines(response, "Call-ID");
        int call = call(response);
        return (method + " " + target + " SIP/2.0\r\n")
                + via(method, call)
                + lines(response, "From")
                + lines(response, "To")
                + callId
                + ("CSeq: " + cseq + " " + method + "\r\n")
                + lines(response, "Record-Route").replace("Record-Route:", "Route:")
                + "Max-Forwards: 70\r\nContent-Length: 0\r\n\r\n";
    }

    /** All lines of a header, with their ends; the server prints names in full. */
    private static String lines(String message, String name) {
        String start = "\r\n" + name + ":";
        StringBuilder found = new StringBuilder();
        int at = message.indexOf(start);
        while (at >= 0) {
            int end = message.indexOf("\r\n", at + 2);
            found.append(message, at + 2, end + 2);
            at = message.indexOf(start, end);
        }
        return found.toString();
    }

    private void send(String message) throws IOException {
        byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
        socket.send(new DatagramPacket(bytes, bytes.length, server));
    }

    @Override
    public void close() {
        socket.close();
    }
}
