package io.carillon.it.telemetry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** How long SIPp says that its calls lasted, by Call-ID: from its 200 to its BYE. */
final class SippLengths {
    private static final String ANSWERED = "answered";
    private static final String ENDS = "ends";

    private SippLengths() {}

    /** A scenario that tells it, of one of a caller who talks for a time. */
    static String telling(String scenario) {
        String answer = "<recv response=\"200\" rrs=\"true\" rtd=\"true\"/>";
        if (!scenario.contains(answer) || !scenario.contains("<pause/>")) {
            throw new IllegalArgumentException("no scenario of a caller who talks");
        }
        return scenario.replace(
                        answer,
                        answer.replace("/>", ">")
                                + "<action><log message=\""
                                + ANSWERED
                                + " [call_id] [clock_tick]\"/></action></recv>")
                .replace(
                        "<pause/>",
                        "<pause distribution=\"uniform\" min=\"1000\" max=\"3000\"/>"
                                + "<nop><action><log message=\""
                                + ENDS
                                + " [call_id] [clock_tick]\"/></action></nop>");
    }

    /** Milliseconds of each call, of a SIPp that ran in that folder with -trace_logs. */
    static Map<String, Long> millis(Path folder) throws IOException {
        Map<String, Long> answered = new HashMap<>();
        Map<String, Long> lengths = new HashMap<>();
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*_logs.log")) {
            for (Path log : logs) {
                try (Stream<String> lines = Files.lines(log)) {
                    lines.forEach(line -> take(line, answered, lengths));
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                }
            }
        }
        return lengths;
    }

    private static void take(String line, Map<String, Long> answered, Map<String, Long> lengths) {
        String[] words = line.strip().split(" ");
        int at = words.length - 3;
        if (at < 0) {
            return;
        }
        if (words[at].endsWith(ANSWERED)) {
            answered.put(words[at + 1], Long.parseLong(words[at + 2]));
        } else if (words[at].endsWith(ENDS)) {
            Long began = answered.remove(words[at + 1]);
            if (began != null) {
                lengths.put(words[at + 1], Long.parseLong(words[at + 2]) - began);
            }
        }
    }
}
