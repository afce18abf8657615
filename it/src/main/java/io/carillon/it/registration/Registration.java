package io.carillon.it.registration;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A phone of the load: registers again and again with one Call-ID. Each time the preference (q) of
 * its contact changes, and every tenth time the contact itself, the old one being removed in the
 * same request: so its bindings tell which of its registrations was done last. One thread.
 */
final class Registration {
    private static final int TIMES_PER_CONTACT = 10;
    private static final int NONE = -1;
    private static final Pattern CONTACT = Pattern.compile("<([^>]+)>([^,<\r]*)");
    private static final Pattern PREFERENCE = Pattern.compile(";q=([0-9.]+)");

    final String user;
    final DigestAnswer digest;
    private final int port;
    private final String callId;
    private int cseq;
    private int sent = NONE;
    private int acknowledged = NONE;

    Registration(String user, String password, String algorithm, int port, String run) {
        this.user = user;
        this.digest = new DigestAnswer(algorithm, user, password);
        this.port = port;
        this.callId = user + '-' + run;
    }

    /** Begins the next registration; its requests ask for {@link #contacts}. */
    void next() {
        sent++;
    }

    /** The registration that was begun last was answered with 200. */
    void acknowledge() {
        acknowledged = sent;
    }

    boolean everAcknowledged() {
        return acknowledged != NONE;
    }

    /** Contact headers of the registration that was begun last. */
    String contacts() {
        StringBuilder headers = new StringBuilder();
        headers.append("Contact: <")
                .append(contact(sent))
                .append(">;expires=3600;q=0.")
                .append(Integer.toString(1000 + sent % 1000), 1, 4)
                .append("\r\n");
        if (everAcknowledged() && !contact(acknowledged).equals(contact(sent))) {
            headers.append("Contact: <").append(contact(acknowledged)).append(">;expires=0\r\n");
        }
        return headers.toString();
    }

    private String contact(int number) {
        return "sip:" + user + "@127.0.0.1:" + port + ";line=" + number / TIMES_PER_CONTACT;
    }

    /** What a binding of that registration looks like in {@link #bindings}. */
    private String binding(int number) {
        return contact(number) + " q=" + number % 1000;
    }

    /** Bindings that a 200 lists, each as its contact and its preference in thousandths. */
    static Set<String> bindings(String response) {
        Set<String> found = new HashSet<>();
        for (String line : response.split("\r\n")) {
            if (line.startsWith("Contact:")) {
                Matcher contact = CONTACT.matcher(line);
                while (contact.find()) {
                    Matcher q = PREFERENCE.matcher(contact.group(2));
                    float preference = q.find() ? Float.parseFloat(q.group(1)) : 1;
                    found.add(contact.group(1) + " q=" + Math.round(preference * 1000));
                }
            }
        }
        return found;
    }

    /**
     * Whether the bindings are those of the last registration that was acknowledged, or of the one
     * that was on its way when the server was killed.
     */
    boolean agrees(Set<String> bindings) {
        if (bindings.equals(Set.of(binding(sent)))) {
            acknowledged = sent; // done, though its answer was lost
            return true;
        }
        boolean kept =
                acknowledged == NONE
                        ? bindings.isEmpty()
                        : bindings.equals(Set.of(binding(acknowledged)));
        sent = acknowledged;
        return kept;
    }

    String expected() {
        return acknowledged == NONE ? "nothing" : binding(acknowledged);
    }

    /**
     * The next request.
     *
     * @param headers lines with their ends
     */
    String request(String branch, int localPort, String headers) {
        cseq++;
        return "REGISTER sip:127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:"
                + localPort
                + ";branch="
                + branch
                + "\r\nMax-Forwards: 70\r\nFrom: <sip:"
                + user
                + "@127.0.0.1>;tag=f"
                + cseq
                + "\r\nTo: <sip:"
                + user
                + "@127.0.0.1>\r\nCall-ID: "
                + callId
                + "\r\nCSeq: "
                + cseq
                + " REGISTER\r\n"
                + headers
                + "Content-Length: 0\r\n\r\n";
    }
}
