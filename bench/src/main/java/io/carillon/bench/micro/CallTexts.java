package io.carillon.bench.micro;

/** The messages of a call, shaped like those of the load scenarios. */
final class CallTexts {
    private static final String SDP =
            """
            v=0\r
            o=phone 20260501 1000000001 IN IP4 127.0.0.1\r
            s=-\r
            c=IN IP4 127.0.0.1\r
            t=0 0\r
            m=audio 6000 RTP/AVP 0\r
            a=rtpmap:0 PCMU/8000\r
            """;

    private CallTexts() {}

    static String invite(int number) {
        return "INVITE sip:callee@127.0.0.1:5071 SIP/2.0\r\n"
                + via("INVITE", number)
                + ("From: \"caller\" <sip:caller@127.0.0.1:5081>;tag=4711c" + number + "\r\n")
                + "To: <sip:callee@127.0.0.1:5071>\r\n"
                + ("Call-ID: " + number + "-4711@127.0.0.1\r\n")
                + "CSeq: 1 INVITE\r\nContact: <sip:caller@127.0.0.1:5081;transport=UDP>\r\n"
                + "Max-Forwards: 70\r\nSubject: load\r\nContent-Type: application/sdp\r\n"
                + ("Content-Length: " + SDP.length() + "\r\n\r\n" + SDP);
    }

    private static String via(String method, int number) {
        return "Via: SIP/2.0/UDP 127.0.0.1:5081;branch=z9hG4bK-4711-" + method + number + "\r\n";
    }

    static String response(String status, String request) {
        String to = lines(request, "To");
        boolean invite = request.startsWith("INVITE");
        String contact = invite ? "Contact: <sip:callee@127.0.0.1:5071;transport=UDP>\r\n" : "";
        boolean body = invite && status.startsWith("200");
        return ("SIP/2.0 " + status + "\r\n")
                + lines(request, "Via")
                + lines(request, "Record-Route")
                + lines(request, "From")
                + (to.contains(";tag=") ? to : to.replace("\r\n", ";tag=815\r\n"))
                + lines(request, "Call-ID")
                + lines(request, "CSeq")
                + contact
                + (body
                        ? "Content-Type: application/sdp\r\nContent-Length: "
                                + SDP.length()
                                + "\r\n\r\n"
                                + SDP
                        : "Content-Length: 0\r\n\r\n");
    }

    static String inDialog(String method, int cseq, int number, String response) {
        String contact = lines(response, "Contact");
        String target = contact.substring(contact.indexOf('<') + 1, contact.indexOf('>'));
        return (method + " " + target + " SIP/2.0\r\n")
                + via(method, number)
                + lines(response, "From")
                + lines(response, "To")
                + lines(response, "Call-ID")
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
}
