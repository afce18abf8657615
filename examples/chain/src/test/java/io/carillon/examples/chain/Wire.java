package io.carillon.examples.chain;

import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.SimulatedNetwork;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the server sends to phones: method, receiver, and how many Via headers there are. */
final class Wire {
    private final List<String> requests = new ArrayList<>();

    Wire(SipTestServer server) {
        server.network()
                .tap((at, fate, by, from, to, bytes) -> {
                    String text = new String(bytes, StandardCharsets.UTF_8);
                    if (fate == SimulatedNetwork.Fate.DELIVERED
                            && from.getHostString().equals(SipTestServer.HOST)
                            && !text.startsWith("SIP/2.0")) {
                        requests.add(line(text, to));
                    }
                });
    }

    private static String line(String text, InetSocketAddress to) {
        String[] words = text.substring(0, text.indexOf("\r\n")).replace(":5060 ", " ").split(" ");
        long vias = text.lines().filter(line -> line.startsWith("Via:")).count();
        return words[0] + " " + words[1] + " " + vias + (to.getPort() == 5060 ? "" : " " + to);
    }

    List<String> requests() {
        return requests;
    }

    void clear() {
        requests.clear();
    }
}
