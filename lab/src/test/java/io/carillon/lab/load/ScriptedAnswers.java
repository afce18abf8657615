package io.carillon.lab.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.stream.Collectors;

/** Answers of a server that a test writes itself. */
final class ScriptedAnswers {
    private ScriptedAnswers() {}

    /**
     * A response to a request: its Via, From, To, Call-ID and CSeq.
     *
     * @param status code and reason
     * @param more further header lines, each with its line break
     */
    static byte[] answer(String request, String status, String more) {
        String copied =
                request.lines()
                        .filter(line -> line.matches("(Via|From|To|Call-ID|CSeq|Record-Route):.*"))
                        .map(line ->
                                line.startsWith("To:") && !line.contains(";tag=")
                                        ? line + ";tag=server"
                                        : line)
                        .collect(Collectors.joining("\r\n"));
        return ("SIP/2.0 " + status + "\r\n" + copied + "\r\n" + more + "Content-Length: 0\r\n\r\n")
                .getBytes(US_ASCII);
    }

    /**
     * A request of the server to the callee's side.
     *
     * @param tag what follows the To
     */
    static byte[] toCallee(String method, String tag) {
        return ("""
        %s sip:callee@10.0.1.1:15002 SIP/2.0
        Via: SIP/2.0/UDP 10.0.9.1:5060;branch=z9hG4bKserver
        From: <sip:server@10.0.9.1>;tag=server
        To: <sip:callee@10.0.1.1>%s
        Call-ID: one@10.0.9.1
        CSeq: 1 %s
        Contact: <sip:server@10.0.9.1:5060>
        Max-Forwards: 70
        Content-Length: 0

        """
                        .formatted(method, tag, method))
                .replace("\n", "\r\n")
                .getBytes(US_ASCII);
    }
}
