package io.carillon.it.attack;

import java.util.ArrayList;
import java.util.List;

/** The messages of the attacks; {@code ########} stands for a number that is new each time. */
final class AttackTexts {
    private AttackTexts() {}

    /** A request that is right in every way. */
    static String request(String method, String more) {
        return request(method, "UDP", more, "");
    }

    static String stream(String method, String more) {
        return request(method, "TCP", more, "");
    }

    private static String request(String method, String transport, String more, String body) {
        return method
                + " sip:victim-########@127.0.0.1 SIP/2.0\nVia: SIP/2.0/"
                + transport
                + " 127.0.0.1:9;branch=z9hG4bK########;rport\nMax-Forwards: 70\n"
                + "From: <sip:attacker@127.0.0.1>;tag=########\nTo: <sip:victim@127.0.0.1>\n"
                + "Call-ID: ########@attack\nCSeq: 1 "
                + method
                + "\nContact: <sip:attacker@127.0.0.1:9>\n"
                + more
                + "Content-Length: "
                + body.length()
                + "\n\n"
                + body;
    }

    /** Requests that belong to no dialog of ours, with tags that were guessed. */
    static List<String> guesses() {
        List<String> all = new ArrayList<>();
        for (String method : List.of("BYE", "INVITE", "ACK", "CANCEL", "INFO", "UPDATE")) {
            all.add(
                    request(method, "")
                            .replace("<sip:victim@127.0.0.1>", "<sip:v@127.0.0.1>;tag=########"));
        }
        all.add(
                "SIP/2.0 200 OK\nVia: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bK########\n"
                        + "From: <sip:a@x>;tag=########\nTo: <sip:b@y>;tag=########\n"
                        + "Call-ID: ########\nCSeq: 1 INVITE\nContent-Length: 0\n\n");
        return all;
    }

    /** One fault each. */
    static List<String> malformed() {
        String good = request("INVITE", "");
        return List.of(
                good.replace("CSeq: 1 INVITE", "CSeq: 4294967296 INVITE"),
                good.replace("CSeq: 1 INVITE", "CSeq: INVITE"),
                good.replace("To: <sip:victim@127.0.0.1>\n", ""),
                good.replace("Call-ID: ########@attack\n", ""),
                good.replace("From: <sip:", "From: <<sip:"),
                good.replace("SIP/2.0\nVia", "SIP/7.0\nVia"),
                good.replace("Max-Forwards: 70", "Max-Forwards: -1"),
                good.replace("Content-Length: 0", "Content-Length: 99999"),
                good.replace("Via: SIP/2.0/UDP", "Via: \u001b[2J${jndi:ldap://x}"),
                good.replace("To: <sip:victim@127.0.0.1>", "To: <sip:v@x>;tag=a\nTo: <sip:w@x>"),
                "\u0000\u0001\u0002garbage ########\n\n",
                "GET / HTTP/1.1\nHost: ########\n\n");
    }

    /** As many headers and parameters as there is room for. */
    static List<String> large() {
        String header = "X-Header-Field: ########, of a message that wants to be expensive\n";
        return List.of(
                request("OPTIONS", header.repeat(400)),
                request("OPTIONS", "Accept: " + "a/b, ".repeat(5_000) + "c/d\n"),
                request("OPTIONS", "Via: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKx\n".repeat(400)),
                request("OPTIONS", "Route: <sip:10.0.0.1;lr>\n".repeat(400)));
    }

    /** 60 kB of one character in each field in turn. */
    static List<String> longFields() {
        List<String> all = new ArrayList<>();
        String good = request("OPTIONS", "Carillon: x\n");
        for (String c : List.of("a", " ", ",", ";", "\"", "<", "%", "(", "\\")) {
            String much = c.repeat(60_000);
            all.add(good.replace("Carillon: x", "Carillon: " + much));
            all.add(good.replace("<sip:attacker@127.0.0.1>;", much + "<sip:a@x>;"));
            all.add(good.replace("sip:victim-########", "sip:" + much));
            all.add(good.replace(";rport", ";" + much));
        }
        return all;
    }

    /** Lengths that lie, each on a connection of its own. */
    static List<String> lengths() {
        String good = stream("OPTIONS", "");
        List<String> all = new ArrayList<>();
        for (String length :
                List.of("-1", "abc", "4294967299", "999999999", "0\nContent-Length: 5", "")) {
            all.add(good.replace("Content-Length: 0", "Content-Length: " + length));
        }
        return all;
    }

    /** Call-IDs, tags and branches with the same String.hashCode. */
    static List<String> collisions() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 4096; i++) {
            StringBuilder id = new StringBuilder();
            for (int bit = 0; bit < 12; bit++) {
                id.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            all.add(request("MESSAGE", "").replace("########", id));
        }
        return all;
    }

    /** Multipart bodies that lead nowhere, a hundred levels of them. */
    static List<String> multipart() {
        String type = "Content-Type: multipart/mixed;boundary=b\n";
        String deep = "--b\n" + type + "\n";
        return List.of(
                request("MESSAGE", "UDP", type, deep.repeat(100)),
                request("MESSAGE", "UDP", type.replace(";boundary=b", ""), deep),
                request("MESSAGE", "UDP", type.replace("=b", "=" + "b".repeat(8_000)), deep));
    }

    static String scanner(String method) {
        return request(method, "User-Agent: friendly-scanner\n");
    }
}
