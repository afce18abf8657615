package io.carillon.sip.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An example of an RFC, read as a reader of the RFC reads it: line by line, with nothing of the
 * parser under test. One byte is one character.
 */
record FlowText(String startLine, List<String> lines, String body) {
    private static final Map<String, String> COMPACT =
            Map.of("v", "via", "f", "from", "t", "to", "i", "call-id", "l", "content-length");
    private static final Pattern TAG = Pattern.compile(";\\s*tag\\s*=\\s*([^;,\\s]+)");
    private static final Pattern CSEQ = Pattern.compile("0*(\\d+)\\s*(\\S+)");
    private static final Pattern SENT_BY =
            Pattern.compile(
                    "SIP\\s*/\\s*2.0\\s*/\\s*(\\w+)\\s+(?:[^@;,\\s]+@)?(\\[[^]]*]|[^:;,\\s]+)");
    private static final Pattern BRANCH = Pattern.compile(";\\s*branch\\s*=\\s*([^;,\\s]+)");

    static FlowText of(byte[] b) {
        String text = new String(b, ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        String head = end < 0 ? text : text.substring(0, end);
        List<String> lines = List.of(head.strip().split("\r\n(?![ \t])"));
        return new FlowText(
                lines.getFirst(),
                lines.subList(1, lines.size()),
                end < 0 ? "" : text.substring(end + 4));
    }

    boolean response() {
        return startLine.startsWith("SIP/2.0 ");
    }

    /** The status of a response, the method of a request. */
    String kind() {
        return startLine.split(" ")[response() ? 1 : 0];
    }

    /** What stands behind it: the reason phrase of a response, the Request-URI of a request. */
    String rest() {
        String[] words = startLine.split(" ", 3);
        return response() ? words.length < 3 ? "" : words[2] : words[1];
    }

    private static String name(String line) {
        String name = line.substring(0, line.indexOf(':')).strip().toLowerCase(Locale.ROOT);
        return COMPACT.getOrDefault(name, name);
    }

    /** The value of the first header of that name, null when there is none. */
    @Nullable String first(String name) {
        for (String line : lines) {
            if (name(line).equals(name)) {
                return line.substring(line.indexOf(':') + 1).replaceAll("\r\n[ \t]+", " ").strip();
            }
        }
        return null;
    }

    private static @Nullable String group(Pattern pattern, int group, @Nullable String value) {
        Matcher matcher = pattern.matcher(value == null ? "" : value);
        return matcher.find() ? matcher.group(group) : null;
    }

    /** The tag of From or To. */
    @Nullable String tag(String name) {
        return group(TAG, 1, first(name));
    }

    @Nullable String cseqNumber() {
        return group(CSEQ, 1, first("cseq"));
    }

    @Nullable String cseqMethod() {
        return group(CSEQ, 2, first("cseq"));
    }

    /** The host of the top Via: who sent a request, whom a response is for. */
    @Nullable String sentBy() {
        return group(SENT_BY, 2, first("via"));
    }

    @Nullable String branch() {
        return group(BRANCH, 1, first("via"));
    }

    /** The branches of all Vias, from the top. */
    List<String> branches() {
        List<String> out = new ArrayList<>();
        for (String line : lines) {
            Matcher matcher = BRANCH.matcher(name(line).equals("via") ? line : "");
            while (matcher.find()) {
                out.add(matcher.group(1));
            }
        }
        return out;
    }

    /** Of Via, From, To, Call-ID and CSeq what is not there (RFC 3261 8.1.1, 8.2.6.2). */
    List<String> missing() {
        List<String> out = new ArrayList<>(List.of("Via", "From", "To", "Call-ID", "CSeq"));
        out.removeIf(name -> first(name.toLowerCase(Locale.ROOT)) != null);
        return out;
    }

    /**
     * The headers that a strict reader takes offence at. RFC 3261 8.1.1: "A valid SIP request
     * formulated by a UAC MUST, at a minimum, contain the following header fields"; 8.1.1.5: "The
     * method MUST match that of the request."; 25.1 for the rest.
     */
    List<String> wrong() {
        List<String> out = new ArrayList<>(missing());
        String cseq = first("cseq");
        if (cseq != null
                && (!cseq.matches("\\d+\\s+\\S+")
                        || (!response() && !kind().equals(cseqMethod())))) {
            out.add("CSeq");
        }
        String from = first("from");
        if (from != null && !from.contains(":") && !from.contains("<")) {
            out.add("From");
        }
        if (lines.stream().anyMatch(line -> line.matches("Route: .*:\\d+:.*"))) {
            out.add("Route");
        }
        return out;
    }

    /** Whether its Content-Length promises more than the RFC prints. */
    boolean cut() {
        String length = first("content-length");
        return length != null && length.matches("\\d+") && Integer.parseInt(length) > body.length();
    }

    /** "Content-Length: ...", as RFCs print it where they do not count. */
    boolean lengthElided() {
        return "...".equals(first("content-length"));
    }

    /**
     * The message with what the RFC left out: the headers of its neighbours in the flow, and the
     * length of the body.
     */
    byte[] completed() {
        StringBuilder out = new StringBuilder(startLine).append("\r\n");
        for (String name : missing()) {
            out.append(name).append(": ").append(filler(name)).append("\r\n");
        }
        for (String line : lines) {
            if (!name(line).equals("content-length")) {
                out.append(line).append("\r\n");
            }
        }
        out.append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
        return out.toString().getBytes(ISO_8859_1);
    }

    private String filler(String name) {
        return switch (name) {
            case "Via" -> "SIP/2.0/UDP filler.example.com;branch=z9hG4bKfiller";
            case "Call-ID" -> "filler@example.com";
            case "CSeq" -> "1 " + (response() ? "INVITE" : kind());
            default -> "<sip:filler@example.com>;tag=filler";
        };
    }
}
