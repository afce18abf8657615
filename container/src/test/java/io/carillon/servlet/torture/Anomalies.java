package io.carillon.servlet.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;

/**
 * Messages with one element wrong, in the way of the PROTOS c07-sip suite: a line, a value, a
 * number or a separator is taken out, doubled, emptied, or filled with something overlong, out of
 * range or of another grammar. What comes depends on the seed only.
 */
final class Anomalies {
    private static final String[] VALUES = {
        "",
        " ",
        ",",
        ";",
        ":",
        "\"",
        "\"a",
        "<",
        ">",
        "<>",
        "<<a>>",
        "@",
        "*",
        "%00",
        "%0d%0aVia: SIP/2.0/UDP 255.255.255.255",
        "\0",
        "\r\n ",
        "\t",
        "\u00ff\u00fe",
        "-1",
        "0",
        "255",
        "256",
        "65535",
        "65536",
        "2147483647",
        "2147483648",
        "4294967295",
        "4294967296",
        "4294967299",
        "18446744073709551616",
        "00000000000000000001",
        "1e9",
        "0x10",
        "sip:",
        "sip:@",
        "sip:a@",
        "sip:a:b:c@d:e",
        "sips:a@b;transport=udp",
        "tel:",
        "sip:[::1",
        "sip:[::1]:0",
        "sip:a@255.255.255.255",
        "sip:a@224.0.0.1",
        "sip:a@10.0.0.1",
        "sip:a@10.0.0.1:5060;maddr=255.255.255.255",
        "http://x/",
        "SIP/2.0/UDP",
        "SIP/2.0/UDP 255.255.255.255",
        "SIP/2.0/UDP x:0;branch=z9hG4bK",
        "SIP/2.0/UDP x;maddr=224.0.0.1;ttl=256",
        "1 ACK",
        "1 CANCEL",
        "1 PRACK",
        "${jndi:ldap://x/}",
        "%s%n%x",
        "Digest ,,=",
        "a".repeat(1_000),
        "a".repeat(20_000),
        ";a=b".repeat(500),
        ",".repeat(500),
        "<".repeat(500),
        "\"".repeat(501),
        "\\".repeat(500)
    };

    private static final String[] HEADERS = {
        "Via",
        "From",
        "To",
        "Call-ID",
        "CSeq",
        "Contact",
        "Max-Forwards",
        "Route",
        "Record-Route",
        "Content-Length",
        "Content-Type",
        "Content-Encoding",
        "Expires",
        "Require",
        "Proxy-Require",
        "Supported",
        "Authorization",
        "Proxy-Authorization",
        "RAck",
        "RSeq",
        "Replaces",
        "Join",
        "Event",
        "Refer-To",
        "Session-Expires",
        "Min-SE",
        "Max-Breadth",
        "Accept",
        "Path",
        "Privacy",
        "P-Asserted-Identity",
        "Date",
        "Timestamp",
        "X-Unknown"
    };

    private static final String[] METHODS = {
        "INVITE",
        "ACK",
        "BYE",
        "CANCEL",
        "OPTIONS",
        "REGISTER",
        "PRACK",
        "UPDATE",
        "INFO",
        "MESSAGE",
        "SUBSCRIBE",
        "NOTIFY",
        "REFER",
        "PUBLISH",
        "UNKNOWN"
    };

    private final SplittableRandom random;
    private int number;

    Anomalies(long seed) {
        random = new SplittableRandom(seed);
    }

    /** The next one. */
    byte[] next() {
        List<String> lines = new ArrayList<>(valid(METHODS[random.nextInt(METHODS.length)]));
        int at = random.nextInt(lines.size());
        String line = lines.get(at);
        switch (random.nextInt(8)) {
            case 0 -> lines.remove(at);
            case 1 -> lines.add(random.nextInt(lines.size() + 1), line);
            case 2 -> lines.set(at, cut(line) + value());
            case 3 -> lines.set(at, separator(line));
            case 4 -> lines.set(at, word(line));
            case 5 -> lines.add(random.nextInt(lines.size()) + 1, header() + ": " + value());
            case 6 ->
                    lines.set(at, line.replaceFirst(":", Matcher.quoteReplacement(value() + ":")));
            default -> lines.set(at, byteOf(line));
        }
        return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(ISO_8859_1);
    }

    private List<String> valid(String method) {
        number++;
        String tag = random.nextInt(4) == 0 ? ";tag=known" : "";
        return Arrays.asList(
                method + " sip:user@next.example.com;x=1 SIP/2.0",
                "Via: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bKanomaly" + number + ";rport",
                "Max-Forwards: 70",
                "From: \"A\" <sip:a@example.com>;tag=from" + number,
                "To: <sip:user@example.com>" + tag,
                "Call-ID: anomaly" + number + "@example.com",
                "CSeq: 1 " + method,
                "Contact: <sip:a@10.0.0.2>;q=0.5",
                "Content-Type: application/sdp",
                "Content-Length: 0");
    }

    private String value() {
        return VALUES[random.nextInt(VALUES.length)];
    }

    private String header() {
        return HEADERS[random.nextInt(HEADERS.length)];
    }

    /** The name of a header with its colon; the whole of a start line. */
    private static String cut(String line) {
        int colon = line.indexOf(": ");
        return colon < 0 ? line : line.substring(0, colon + 2);
    }

    /** One separator is something else. */
    private String separator(String line) {
        int from = random.nextInt(line.length());
        for (int i = 0; i < line.length(); i++) {
            int at = (from + i) % line.length();
            if (" :;=<>@./\"".indexOf(line.charAt(at)) >= 0) {
                return line.substring(0, at) + value() + line.substring(at + 1);
            }
        }
        return line + value();
    }

    /** One word is something else. */
    private String word(String line) {
        int from = random.nextInt(line.length());
        int to = from;
        while (from > 0 && Character.isLetterOrDigit(line.charAt(from - 1))) {
            from--;
        }
        while (to < line.length() && Character.isLetterOrDigit(line.charAt(to))) {
            to++;
        }
        return line.substring(0, from) + value() + line.substring(to);
    }

    private String byteOf(String line) {
        int at = random.nextInt(line.length());
        return line.substring(0, at) + (char) random.nextInt(256) + line.substring(at + 1);
    }
}
