package io.carillon.it.registration;

import io.carillon.it.line.Line;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A call by UDP to a registered phone: INVITE, ACK, BYE. One thread. */
final class FlowCall implements AutoCloseable {
    private static final long T1_MILLIS = 500;
    private static final long LAST_MILLIS = 32_000;

    private final Line line;
    private final String user;
    private final String id;
    private String target;
    private String to;
    private List<String> routes = List.of();

    FlowCall(InetSocketAddress router, String user, String id) throws IOException {
        this.line = Line.open("udp", router);
        this.user = user;
        this.id = id;
        this.target = "sip:" + user + "@127.0.0.1";
        this.to = "<" + target + ">";
    }

    String id() {
        return id;
    }

    /** Calls; when the 200 came. */
    long invite() throws IOException {
        String answer = request("INVITE", 1);
        long at = System.nanoTime();
        if (!answer.startsWith("SIP/2.0 200 ")) {
            throw new IOException("INVITE for " + user + ": " + FlowPhone.first(answer));
        }
        to = value(answer, "To").getFirst();
        String contact = value(answer, "Contact").getFirst();
        target = contact.substring(contact.indexOf('<') + 1, contact.indexOf('>'));
        List<String> backwards = new ArrayList<>(value(answer, "Record-Route"));
        Collections.reverse(backwards);
        routes = List.copyOf(backwards);
        line.send(text("ACK", 1));
        return at;
    }

    void bye() throws IOException {
        String answer = request("BYE", 2);
        if (!answer.startsWith("SIP/2.0 200 ")) {
            throw new IOException("BYE for " + user + ": " + FlowPhone.first(answer));
        }
    }

    /** All values of a header; several may stand in a line. */
    private static List<String> value(String message, String name) {
        List<String> all = new ArrayList<>();
        message.lines()
                .takeWhile(each -> !each.isEmpty())
                .filter(each -> each.startsWith(name + ":"))
                .map(each -> each.substring(name.length() + 1).strip())
                .forEach(each -> all.addAll(List.of(each.split(",(?=\\s*<)", -1))));
        return all;
    }

    /** Repeated as RFC 3261 17.1 says; the final answer. */
    private String request(String method, int cseq) throws IOException {
        String message = text(method, cseq);
        long begin = System.nanoTime();
        long wait = T1_MILLIS;
        boolean rings = false;
        while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(LAST_MILLIS)) {
            if (!rings) {
                line.send(message);
            }
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
            for (long left = wait; left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                String answer = line.receive(left);
                if (answer.contains("CSeq: " + cseq + " " + method)) {
                    if (answer.matches("(?s)SIP/2\\.0 [2-6].*")) {
                        return answer;
                    }
                    rings |= method.equals("INVITE") && answer.startsWith("SIP/2.0 1");
                }
            }
            wait = Math.min(2 * wait, 4_000);
        }
        throw new IOException(method + " for " + user + " was not answered");
    }

    private String text(String method, int cseq) {
        StringBuilder all = new StringBuilder(512);
        all.append(method).append(' ').append(target).append(" SIP/2.0\r\n");
        all.append("Via: SIP/2.0/UDP ").append(line.local());
        all.append(";rport;branch=z9hG4bK").append(id).append(method).append("\r\n");
        all.append("Max-Forwards: 70\r\nFrom: <sip:caller@127.0.0.1>;tag=caller\r\n");
        all.append("To: ").append(to).append("\r\nCall-ID: ").append(id);
        all.append("\r\nCSeq: ").append(cseq).append(' ').append(method).append("\r\n");
        for (String route : routes) {
            all.append("Route: ").append(route).append("\r\n");
        }
        all.append("Contact: <sip:caller@").append(line.local()).append(">\r\n");
        return all.append("Content-Length: 0\r\n\r\n").toString();
    }

    @Override
    public void close() throws IOException {
        line.close();
    }
}
