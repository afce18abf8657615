package io.carillon.lab.rig;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;

/**
 * A caller and a callee in one thread: each message is timed from the moment it is sent to the
 * moment its forwarded copy arrives, on one nanosecond clock. One call at a time, six forwarded
 * messages per call.
 */
public final class LatencyProbe implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 1000;

    private final DatagramSocket caller;
    private final DatagramSocket callee;
    private final InetSocketAddress server;
    private final String user;
    private final Histogram nanos = new Histogram(10_000_000_000L, 3);
    private final byte[] buffer = new byte[65_535];
    private final String run = Long.toString(System.nanoTime(), 36);
    private int calls;
    private int lost;

    public LatencyProbe(int serverPort) throws IOException {
        this(serverPort, 0, 0);
    }

    /** From fixed ports, for a server that tells the two sides by them; 0: any. */
    public LatencyProbe(int serverPort, int callerPort, int calleePort) throws IOException {
        this(serverPort, callerPort, calleePort, "");
    }

    /**
     * The same with calls to one user.
     *
     * @param user user part of the Request-URIs; empty: another one for each call
     */
    public LatencyProbe(int serverPort, int callerPort, int calleePort, String user)
            throws IOException {
        this.user = user;
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        caller = new DatagramSocket(callerPort, loopback);
        callee = new DatagramSocket(calleePort, loopback);
        caller.setSoTimeout(TIMEOUT_MILLIS);
        callee.setSoTimeout(TIMEOUT_MILLIS);
        server = new InetSocketAddress(loopback, serverPort);
    }

    /** Nanoseconds per forwarded message. */
    public Histogram nanos() {
        return nanos;
    }

    public int lost() {
        return lost;
    }

    /** One call; a message that does not arrive within a second counts as lost and ends it. */
    public void call() throws IOException {
        String id = "p" + (++calls);
        try {
            String invite = request("INVITE", uri(id), id, 1, "", "");
            String atCallee = pass(caller, invite, server, callee, "INVITE ", id);
            InetSocketAddress back = source;
            pass(callee, response(atCallee, 180, "Ringing", id), back, caller, "SIP/2.0 180", id);
            String ok =
                    pass(
                            callee,
                            response(atCallee, 200, "OK", id),
                            back,
                            caller,
                            "SIP/2.0 200",
                            id);
            String target = between(line(ok, "Contact:"), "<", ">");
            String route = routes(ok);
            String to = line(ok, "To:");
            pass(caller, request("ACK", target, id, 1, to, route), server, callee, "ACK ", id);
            String bye = request("BYE", target, id, 2, to, route);
            String byeAtCallee = pass(caller, bye, server, callee, "BYE ", id);
            pass(callee, response(byeAtCallee, 200, "OK", id), source, caller, "SIP/2.0 200", id);
        } catch (SocketTimeoutException e) {
            lost++;
        }
    }

    private InetSocketAddress source = new InetSocketAddress(0);

    private String pass(
            DatagramSocket from,
            String text,
            InetSocketAddress to,
            DatagramSocket at,
            String start,
            String id)
            throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        long sent = System.nanoTime();
        from.send(new DatagramPacket(bytes, bytes.length, to));
        while (true) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            at.receive(packet);
            long arrived = System.nanoTime();
            String message =
                    new String(
                            packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
            boolean ofCall =
                    at == callee
                            ? message.startsWith(start + known(start, id))
                            : message.startsWith(start) && message.contains(callId(id));
            if (ofCall) {
                nanos.recordValue(Math.max(1, arrived - sent));
                source = (InetSocketAddress) packet.getSocketAddress();
                return message;
            }
        }
    }

    private String uri(String id) {
        return "sip:" + (user.isEmpty() ? id : user) + "@" + at(callee);
    }

    /**
     * How the Request-URI of a call's message begins at the callee: the application may have
     * written a user of its own into an INVITE, what follows goes to the Contact of this call.
     */
    private String known(String start, String id) {
        return !user.isEmpty() && start.equals("INVITE ") ? "" : "sip:" + id + "@";
    }

    private String callId(String id) {
        return id + "-" + run + "@probe";
    }

    private static String at(DatagramSocket socket) {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private String request(
            String method, String uri, String id, int cseq, String to, String route) {
        return method
                + " "
                + uri
                + " SIP/2.0\r\n"
                + "Via: SIP/2.0/UDP "
                + at(caller)
                + ";branch=z9hG4bK"
                + run
                + id
                + method
                + "\r\n"
                + route
                + "From: <sip:probe@"
                + at(caller)
                + ">;tag=f"
                + id
                + "\r\n"
                + "To: "
                + (to.isEmpty() ? "<" + uri(id) + ">" : to)
                + "\r\n"
                + "Call-ID: "
                + callId(id)
                + "\r\nCSeq: "
                + cseq
                + " "
                + method
                + "\r\n"
                + "Contact: <sip:probe@"
                + at(caller)
                + ">\r\nMax-Forwards: 70\r\n"
                + "Content-Length: 0\r\n\r\n";
    }

    private String response(String request, int status, String reason, String id) {
        StringBuilder text = new StringBuilder("SIP/2.0 " + status + " " + reason + "\r\n");
        for (String header : request.split("\r\n")) {
            String name = header.substring(0, Math.max(0, header.indexOf(':')));
            if (name.equals("To") && !header.contains(";tag=")) {
                text.append(header).append(";tag=t").append(id).append("\r\n");
            } else if (name.equals("Via")
                    || name.equals("Record-Route")
                    || name.equals("From")
                    || name.equals("To")
                    || name.equals("Call-ID")
                    || name.equals("CSeq")) {
                text.append(header).append("\r\n");
            }
        }
        return text + "Contact: <sip:" + id + "@" + at(callee) + ">\r\nContent-Length: 0\r\n\r\n";
    }

    /** RFC 3261 12.1.2: the Record-Route values in reverse order are the caller's route set. */
    private static String routes(String ok) {
        StringBuilder routes = new StringBuilder();
        for (String header : ok.split("\r\n")) {
            if (header.startsWith("Record-Route:")) {
                routes.insert(0, "Route:" + header.substring(13) + "\r\n");
            }
        }
        return routes.toString();
    }

    private static String line(String message, String name) {
        int start = message.indexOf("\r\n" + name) + 2 + name.length();
        return message.substring(start, message.indexOf("\r\n", start)).trim();
    }

    private static String between(String text, String left, String right) {
        int start = text.indexOf(left) + 1;
        return text.substring(start, text.indexOf(right, start));
    }

    @Override
    public void close() {
        caller.close();
        callee.close();
    }
}
