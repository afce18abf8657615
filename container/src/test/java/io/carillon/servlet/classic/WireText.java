package io.carillon.servlet.classic;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A message as lines of text, read without the parser under test. Each byte is one character
 * (Latin-1), so that nothing is lost. Faults of its form are errors of the test, whatever the
 * script asks for.
 */
record WireText(String start, List<Line> lines, String body) {
    /** One header line; a name in compact form is written out. */
    record Line(String name, String value) {}

    /** RFC 3261 7.3.3 and the RFCs of the single headers. */
    private static final Map<String, String> COMPACT =
            Map.ofEntries(
                    Map.entry("a", "Accept-Contact"),
                    Map.entry("i", "Call-ID"),
                    Map.entry("m", "Contact"),
                    Map.entry("e", "Content-Encoding"),
                    Map.entry("l", "Content-Length"),
                    Map.entry("c", "Content-Type"),
                    Map.entry("f", "From"),
                    Map.entry("s", "Subject"),
                    Map.entry("k", "Supported"),
                    Map.entry("t", "To"),
                    Map.entry("v", "Via"),
                    Map.entry("o", "Event"),
                    Map.entry("u", "Allow-Events"),
                    Map.entry("r", "Refer-To"),
                    Map.entry("b", "Referred-By"),
                    Map.entry("x", "Session-Expires"));

    /**
     * @throws AssertionError when this is no well-formed SIP message
     */
    static WireText read(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new AssertionError("no empty line behind the headers:\n" + text);
        }
        String head = text.substring(0, end);
        if (head.replace("\r\n", "").matches("(?s).*[\r\n].*")) {
            throw new AssertionError("a CR or LF alone:\n" + text);
        }
        String[] parts = head.split("\r\n", -1);
        List<Line> lines = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            lines.add(line(parts[i], text));
        }
        WireText message = new WireText(parts[0], List.copyOf(lines), text.substring(end + 4));
        String fault = message.fault();
        if (!fault.isEmpty()) {
            throw new AssertionError(fault + ":\n" + text);
        }
        return message;
    }

    private static Line line(String text, String whole) {
        int colon = text.indexOf(':');
        if (colon <= 0 || !text.substring(0, colon).matches("[\\w.!%*+`'~-]+")) {
            throw new AssertionError("no header: '" + text + "' in\n" + whole);
        }
        String name = text.substring(0, colon);
        return new Line(
                COMPACT.getOrDefault(name.toLowerCase(Locale.ROOT), name),
                text.substring(colon + 1).trim());
    }

    /** What RFC 3261 8.1.1, 8.2.6 and 20 want of every message; empty when nothing is wrong. */
    private String fault() {
        if (!start.matches("SIP/2\\.0 [1-6]\\d\\d .*|[A-Z]+ \\S+ SIP/2\\.0")) {
            return "no start line";
        }
        for (String once : List.of("From", "To", "Call-ID", "CSeq", "Content-Length")) {
            if (values(once).size() != 1) {
                return once + " " + values(once).size() + " times";
            }
        }
        if (values("Via").isEmpty() || !values("Via").getFirst().contains(";branch=z9hG4bK")) {
            return "no Via with a branch";
        }
        if (Integer.parseInt(values("Content-Length").getFirst()) != body.length()) {
            return "Content-Length is not the body's";
        }
        if (!values("From").getFirst().contains(";tag=")) {
            return "no tag in From";
        }
        for (Line line : lines) {
            if (brackets(line.value())) {
                return "brackets around what is no IPv6 address in " + line.name();
            }
        }
        if (brackets(start)) {
            return "brackets around what is no IPv6 address in the Request-URI";
        }
        return request() ? requestFault() : responseFault();
    }

    /** RFC 3261 25.1: IPv6reference. */
    private static boolean brackets(String value) {
        return value.matches(".*sips?:([^@\\s]*@)?\\[[^\\]:]*(:[^\\]:]*)?\\].*");
    }

    private String requestFault() {
        if (values("Max-Forwards").size() != 1) {
            return "Max-Forwards " + values("Max-Forwards").size() + " times";
        }
        String cseq = values("CSeq").getFirst();
        if (!cseq.matches("\\d+ " + method())) {
            return "CSeq of another method";
        }
        boolean target = List.of("INVITE", "SUBSCRIBE", "NOTIFY", "REFER").contains(method());
        return target && values("Contact").size() != 1 ? "not one Contact" : "";
    }

    private String responseFault() {
        boolean tag = values("To").getFirst().contains(";tag=");
        if (!start.startsWith("SIP/2.0 100") && !tag) {
            return "no tag in To";
        }
        boolean call = values("CSeq").getFirst().endsWith(" INVITE");
        return call && start.startsWith("SIP/2.0 2") && values("Contact").size() != 1
                ? "not one Contact"
                : "";
    }

    boolean request() {
        return !start.startsWith("SIP/2.0 ");
    }

    boolean trying() {
        return start.startsWith("SIP/2.0 100 ");
    }

    private String method() {
        return start.substring(0, start.indexOf(' '));
    }

    /** The values of all lines with this name, in order. */
    List<String> values(String name) {
        return lines.stream()
                .filter(line -> line.name().equalsIgnoreCase(name))
                .map(Line::value)
                .toList();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("  ").append(start);
        lines.forEach(
                line -> text.append("\n  ").append(line.name()).append(": ").append(line.value()));
        return body.isEmpty() ? text.toString() : text + "\n\n  " + body.replace("\r\n", "\n  ");
    }
}
