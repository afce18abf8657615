package io.carillon.web;

import java.nio.charset.StandardCharsets;

/** Session descriptions. Stateless. */
final class Descriptions {
    private Descriptions() {}

    /**
     * An answer that takes none of the offered streams. RFC 3264 section 6: "To reject an offered
     * stream, the port number in the corresponding stream in the answer MUST be set to zero."
     */
    static byte[] refusing(byte[] offer) {
        StringBuilder answer = new StringBuilder();
        for (String line : new String(offer, StandardCharsets.UTF_8).split("\\r?\\n")) {
            int space = line.indexOf(' ');
            int end = line.indexOf(' ', space + 1);
            if (line.startsWith("m=") && space > 0 && end > 0) {
                answer.append(line, 0, space).append(" 0").append(line.substring(end));
            } else {
                answer.append(line);
            }
            answer.append("\r\n");
        }
        return answer.toString().getBytes(StandardCharsets.UTF_8);
    }
}
