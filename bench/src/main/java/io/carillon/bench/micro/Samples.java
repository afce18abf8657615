package io.carillon.bench.micro;

import java.nio.charset.StandardCharsets;

/** Messages as they come in the workload Proxy-200. */
final class Samples {
    private static final String SDP =
            "v=0\r\no=phone 20260501 1000000001 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
                    + "m=audio 6000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n";

    private Samples() {}

    static byte[] invite() {
        return bytes(
                "INVITE sip:callee@127.0.0.1:5071 SIP/2.0\r\n"
                        + "Via: SIP/2.0/UDP 127.0.0.1:5081;branch=z9hG4bK-1234-1-0\r\n"
                        + "From: \"caller\" <sip:caller@127.0.0.1:5081>;tag=1234c1\r\n"
                        + "To: <sip:callee@127.0.0.1:5071>\r\nCall-ID: 1-1234@127.0.0.1\r\nCSeq: 1 INVITE\r\n"
                        + "Contact: <sip:caller@127.0.0.1:5081;transport=UDP>\r\nMax-Forwards: 70\r\n"
                        + "Subject: load\r\nContent-Type: application/sdp\r\nContent-Length: "
                        + SDP.length()
                        + "\r\n\r\n"
                        + SDP);
    }

    static byte[] ok() {
        return bytes(
                "SIP/2.0 200 OK\r\n"
                        + "Via: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKs0-abcdef\r\n"
                        + "Via: SIP/2.0/UDP 127.0.0.1:5081;branch=z9hG4bK-1234-1-0;received=127.0.0.1\r\n"
                        + "Record-Route: <sip:127.0.0.1:5060;lr>\r\n"
                        + "From: \"caller\" <sip:caller@127.0.0.1:5081>;tag=1234c1\r\n"
                        + "To: <sip:callee@127.0.0.1:5071>;tag=99s1\r\nCall-ID: 1-1234@127.0.0.1\r\n"
                        + "CSeq: 1 INVITE\r\nContact: <sip:127.0.0.1:5071;transport=UDP>\r\n"
                        + "Content-Type: application/sdp\r\nContent-Length: "
                        + SDP.length()
                        + "\r\n\r\n"
                        + SDP);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
