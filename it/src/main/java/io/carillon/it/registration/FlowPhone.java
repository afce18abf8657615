package io.carillon.it.registration;

import io.carillon.it.line.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A phone with a flow by each of two routers (RFC 5626): registers both, answers what comes by
 * either. Made and closed by one thread; each flow is heard by one of its own.
 */
final class FlowPhone implements AutoCloseable {
    private static final String ALGORITHM = "SHA-256";
    private static final long PATIENCE_SECONDS = 32;
    private static final long HEAR_MILLIS = 1_000;

    private final String user;
    private final DigestAnswer digest;
    private final String instance = "urn:uuid:" + UUID.randomUUID();
    private final List<Line> flows = new ArrayList<>();
    private final ConcurrentHashMap<String, Integer> callsByFlow = new ConcurrentHashMap<>();
    private int number;
    private volatile boolean closed;

    FlowPhone(String user, String password) {
        this.user = user;
        this.digest = new DigestAnswer(ALGORITHM, user, password);
    }

    String user() {
        return user;
    }

    /** Registers one more flow, the newest of all, and answers what comes by it from then on. */
    void register(Line line, int regId) throws IOException {
        flows.add(line);
        String challenge = exchange(line, regId, "");
        if (!challenge.startsWith("SIP/2.0 401 ")) {
            throw new IOException("REGISTER of " + user + ": " + first(challenge));
        }
        String credentials = digest.to(challenge, "REGISTER", "sip:127.0.0.1", "c" + regId);
        String answer = exchange(line, regId, "Authorization: " + credentials + "\r\n");
        if (!answer.startsWith("SIP/2.0 200 ") || !answer.contains("reg-id=" + regId)) {
            throw new IOException("REGISTER of " + user + ": " + first(answer));
        }
        Thread.ofVirtual().start(() -> hear(line, regId));
    }

    static String first(String message) {
        return message.lines().findFirst().orElse("nothing");
    }

    private String exchange(Line line, int regId, String more) throws IOException {
        number++;
        line.send(
                String.join(
                                "\r\n",
                                "REGISTER sip:127.0.0.1 SIP/2.0",
                                "Via: SIP/2.0/"
                                        + line.transport()
                                        + " "
                                        + line.local()
                                        + ";branch=z9hG4bK"
                                        + user
                                        + "r"
                                        + number
                                        + ";rport",
                                "Max-Forwards: 70",
                                "From: <sip:" + user + "@127.0.0.1>;tag=" + user,
                                "To: <sip:" + user + "@127.0.0.1>",
                                "Call-ID: " + user + "-" + regId,
                                "CSeq: " + number + " REGISTER",
                                "Supported: path, outbound",
                                "Contact: "
                                        + contact(line)
                                        + ";reg-id="
                                        + regId
                                        + ";+sip.instance=\"<"
                                        + instance
                                        + ">\"",
                                "Expires: 600",
                                "Content-Length: 0")
                        + "\r\n"
                        + more
                        + "\r\n");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() - end < 0) {
            String answer = line.receive(HEAR_MILLIS);
            if (answer.matches("(?s)SIP/2\\.0 [2-6].*") && answer.contains("CSeq: " + number)) {
                return answer;
            }
        }
        throw new IOException("REGISTER of " + user + " was not answered");
    }

    private String contact(Line line) {
        return "<sip:" + user + "@" + line.local() + line.parameter() + ";ob>";
    }

    private void hear(Line line, int regId) {
        try {
            while (!closed) {
                String message = line.receive(HEAR_MILLIS);
                if (message.isEmpty()
                        || message.startsWith("SIP/2.0")
                        || message.startsWith("ACK")) {
                    continue;
                }
                if (message.startsWith("INVITE")) {
                    callsByFlow.putIfAbsent(callId(message), regId);
                }
                line.send(ok(line, message));
            }
        } catch (IOException e) {
            // Its router is dead: the other flow goes on.
            return;
        }
    }

    private static String callId(String message) {
        return message.lines()
                .filter(line -> line.startsWith("Call-ID: "))
                .map(line -> line.substring("Call-ID: ".length()))
                .findFirst()
                .orElse("");
    }

    private String ok(Line line, String request) {
        StringBuilder answer = new StringBuilder("SIP/2.0 200 OK\r\n");
        request.lines()
                .takeWhile(each -> !each.isEmpty())
                .filter(each -> each.matches("(Via|Record-Route|From|To|Call-ID|CSeq):.*"))
                .map(each ->
                        each.startsWith("To:") && !each.contains(";tag=")
                                ? each + ";tag=" + user
                                : each)
                .forEach(each -> answer.append(each).append("\r\n"));
        return answer.append("Contact: ")
                .append(contact(line))
                .append("\r\nContent-Length: 0\r\n\r\n")
                .toString();
    }

    /** By which flow that call came; 0 when it did not. */
    int flowOf(String callId) {
        return callsByFlow.getOrDefault(callId, 0);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (Line line : flows) {
            line.close();
        }
    }
}
