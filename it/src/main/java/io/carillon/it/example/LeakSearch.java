package io.carillon.it.example;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks for what must not be seen: an address, names, and ports behind a colon. Knows nothing of
 * how it is hidden. Immutable.
 */
final class LeakSearch {
    private static final String RECEIVED = "message received";
    private static final String SEPARATOR = "-----------------------------------------------";

    private final Pattern secrets;
    private final byte[] address;

    LeakSearch(String address, List<String> names, List<Integer> ports) {
        StringBuilder pattern = new StringBuilder(Pattern.quote(address));
        for (String name : names) {
            pattern.append('|').append(Pattern.quote(name.toLowerCase(Locale.ROOT)));
        }
        for (int port : ports) {
            pattern.append("|:").append(port).append("(?!\\d)");
        }
        this.secrets = Pattern.compile(pattern.toString());
        this.address = new byte[4];
        String[] parts = address.split("\\.", -1);
        for (int i = 0; i < parts.length; i++) {
            this.address[i] = (byte) Integer.parseInt(parts[i]);
        }
    }

    /**
     * Searches what a SIPp received that ran in that folder with {@code -trace_msg}.
     *
     * @param found gets what was found, and how often
     * @return messages received
     */
    int received(Path sipp, Map<String, Integer> found) throws IOException {
        int messages = 0;
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(sipp, "*_messages.log")) {
            for (Path log : logs) {
                for (String part : Files.readString(log, ISO_8859_1).split(SEPARATOR, -1)) {
                    if (part.contains(RECEIVED)) {
                        messages++;
                        search(part.substring(part.indexOf(RECEIVED)), found);
                    }
                }
            }
        }
        return messages;
    }

    /**
     * Searches a capture: its packets, and where they came from.
     *
     * @return false when none was made
     */
    boolean captured(Path folder, Map<String, Integer> found) throws IOException {
        Path file = folder.resolve(Capture.FILE);
        if (!Files.exists(file)) {
            return false;
        }
        byte[] bytes = Files.readAllBytes(file);
        search(new String(bytes, ISO_8859_1), found);
        // An IPv4 header: source and destination, one behind the other.
        byte[] loopback = {127, 0, 0, 1};
        for (int i = 0; i + 8 <= bytes.length; i++) {
            if (at(bytes, i, address) && at(bytes, i + 4, loopback)) {
                found.merge("sent from the address inside", 1, Integer::sum);
            }
        }
        return true;
    }

    private static boolean at(byte[] b, int from, byte[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (b[from + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    private void search(String text, Map<String, Integer> found) {
        Matcher matcher = secrets.matcher(text.toLowerCase(Locale.ROOT));
        while (matcher.find()) {
            found.merge(matcher.group(), 1, Integer::sum);
        }
    }
}
