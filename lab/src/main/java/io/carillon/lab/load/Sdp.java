package io.carillon.lab.load;

import io.carillon.net.address.HostLiteral;
import java.net.InetSocketAddress;

/** A session description: one audio stream that nobody listens to. */
final class Sdp {
    private Sdp() {}

    static String of(InetSocketAddress address) {
        String host = HostLiteral.print(address.getAddress()).replaceAll("[\\[\\]]", "");
        String family = host.indexOf(':') >= 0 ? "IP6 " : "IP4 ";
        return "v=0\r\no=load 20260501 1000000001 IN "
                + family
                + host
                + "\r\ns=-\r\nc=IN "
                + family
                + host
                + "\r\nt=0 0\r\nm=audio 6000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n";
    }
}
