package io.carillon.lab.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a SIPp has written into its folder until now: calls ({@code -trace_stat}) and messages
 * ({@code -trace_counts}), cumulative.
 *
 * @param made calls begun
 * @param failed by cause; the causes are SIPp's, in words of ours
 * @param held calls that are up
 */
record SippTables(
        long made,
        long completed,
        Map<String, Long> failed,
        long held,
        long retransmissionsSent,
        long retransmissionsReceived,
        long unexpected) {

    /** Nothing yet. */
    static final SippTables NONE = new SippTables(0, 0, Map.of(), 0, 0, 0, 0);

    private static final Map<String, String> CAUSES = new LinkedHashMap<>();

    static {
        CAUSES.put("FailedCannotSendMessage(C)", FailureCauses.TRANSPORT);
        CAUSES.put("FailedMaxUDPRetrans(C)", FailureCauses.TIMEOUT);
        CAUSES.put("FailedTcpConnect(C)", FailureCauses.TRANSPORT);
        CAUSES.put("FailedTcpClosed(C)", FailureCauses.TRANSPORT);
        CAUSES.put("FailedUnexpectedMessage(C)", FailureCauses.UNEXPECTED);
        CAUSES.put("FailedCallRejected(C)", "rejected");
        CAUSES.put("FailedTimeoutOnRecv(C)", FailureCauses.TIMEOUT);
        CAUSES.put("FailedTimeoutOnSend(C)", FailureCauses.TIMEOUT);
    }

    /** Reads the last whole lines; {@link #NONE} while SIPp has written none. */
    static SippTables read(Path folder) throws IOException {
        Map<String, String> calls = last(folder, "*_[0-9]*[0-9]_.csv");
        Map<String, String> messages = last(folder, "*_counts.csv");
        if (calls.isEmpty()) {
            return NONE;
        }
        Map<String, Long> failed = new LinkedHashMap<>();
        long known = 0;
        for (Map.Entry<String, String> cause : CAUSES.entrySet()) {
            long count = number(calls, cause.getKey());
            known += count;
            if (count > 0) {
                failed.merge(cause.getValue(), count, Long::sum);
            }
        }
        long others = number(calls, "FailedCall(C)") - known;
        if (others > 0) {
            failed.merge("other (SIPp)", others, Long::sum);
        }
        long[] again = again(messages);
        return new SippTables(
                number(calls, "TotalCallCreated"),
                number(calls, "SuccessfulCall(C)"),
                failed,
                number(calls, "CurrentCall"),
                again[0],
                again[1],
                ending(messages, "_Unexp"));
    }

    /**
     * Messages sent and received again. SIPp calls both columns _Retrans; which it is tells the
     * column before it, of the same message.
     */
    private static long[] again(Map<String, String> messages) {
        long sent = 0;
        long received = 0;
        for (String name : messages.keySet()) {
            if (name.endsWith("_Retrans")) {
                String message = name.substring(0, name.length() - "_Retrans".length());
                if (messages.containsKey(message + "_Sent")) {
                    sent += number(messages, name);
                } else {
                    received += number(messages, name);
                }
            }
        }
        return new long[] {sent, received};
    }

    private static long ending(Map<String, String> table, String ending) {
        long sum = 0;
        for (String name : table.keySet()) {
            if (name.endsWith(ending)) {
                sum += number(table, name);
            }
        }
        return sum;
    }

    private static long number(Map<String, String> table, String name) {
        String text = table.getOrDefault(name, "").strip();
        return text.matches("[0-9]+") ? Long.parseLong(text) : 0;
    }

    /** The columns of the last whole line of a table by their names. */
    private static Map<String, String> last(Path folder, String glob) throws IOException {
        Map<String, String> row = new LinkedHashMap<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
            for (Path file : found) {
                String text = Files.readString(file);
                // SIPp may be in the middle of a line.
                List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
                if (lines.size() < 2) {
                    return row;
                }
                String[] names = lines.getFirst().split(";");
                String[] values = lines.getLast().split(";");
                for (int i = 0; i < Math.min(names.length, values.length); i++) {
                    row.put(names[i], values[i]);
                }
                return row;
            }
        }
        return row;
    }

    /** Response times that came since an offset of the file of {@code -trace_rtt}. */
    static final class ResponseTimes {
        private long offset;

        /** Milliseconds each. */
        List<Double> next(Path folder) throws IOException {
            List<Double> times = new ArrayList<>();
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*_rtt.csv")) {
                for (Path file : found) {
                    byte[] all = Files.readAllBytes(file);
                    int end = all.length;
                    while (end > offset && all[end - 1] != '\n') {
                        end--;
                    }
                    String text =
                            new String(
                                    all,
                                    (int) offset,
                                    end - (int) offset,
                                    java.nio.charset.StandardCharsets.US_ASCII);
                    offset = end;
                    text.lines().forEach(line -> time(line, times));
                }
            }
            return times;
        }

        private static void time(String line, List<Double> times) {
            String[] fields = line.split(";");
            if (fields.length > 1 && fields[1].strip().matches("[0-9]+(\\.[0-9]+)?")) {
                times.add(Double.parseDouble(fields[1].strip()));
            }
        }
    }

    /** The caller's calls; the failures and the messages of both sides. */
    SippTables with(SippTables callee) {
        Map<String, Long> both = new LinkedHashMap<>(failed);
        callee.failed.forEach((cause, count) -> both.put(FailureCauses.CALLEE + cause, count));
        return new SippTables(
                made,
                completed,
                both,
                held,
                retransmissionsSent + callee.retransmissionsSent,
                retransmissionsReceived + callee.retransmissionsReceived,
                unexpected + callee.unexpected);
    }
}
