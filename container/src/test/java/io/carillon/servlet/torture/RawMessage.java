package io.carillon.servlet.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A message as its bytes say, one character per byte; knows nothing of what headers mean. */
final class RawMessage {
    final String startLine;

    /** Each header with its folds, as written. */
    final List<String> headers = new ArrayList<>();

    final String body;

    RawMessage(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        String[] lines = text.substring(0, end).split("\r\n", -1);
        startLine = lines[0];
        for (int i = 1; i < lines.length; i++) {
            if (lines[i].startsWith(" ") || lines[i].startsWith("\t")) {
                headers.add(headers.removeLast() + "\r\n" + lines[i]);
            } else {
                headers.add(lines[i]);
            }
        }
        body = text.substring(end + 4);
    }

    static String name(String header) {
        String name = header.substring(0, header.indexOf(':')).strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "v" -> "via";
            case "l" -> "content-length";
            default -> name;
        };
    }

    /** The headers that are none of these, in order, as written. */
    List<String> without(List<String> names) {
        return headers.stream().filter(h -> !names.contains(name(h))).toList();
    }
}
