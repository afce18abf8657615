package io.carillon.server.ladder;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A call as a ladder of text. */
public final class LadderText {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS xxx", Locale.ROOT);
    private static final int NARROWEST = 26;
    private static final int WIDEST = 44;

    /** Time, and milliseconds since the beginning. */
    private static final int LEFT = 25;

    private final Ladder ladder;
    private final ZoneId zone;
    private final int width;
    private final int margin;
    private final StringBuilder out = new StringBuilder(4096);

    private LadderText(Ladder ladder, ZoneId zone) {
        this.ladder = ladder;
        this.zone = zone;
        int longest = NARROWEST;
        for (Ladder.Row row : ladder.rows()) {
            TraceEvent.Message message = row.event().message();
            if (message != null) {
                longest = Math.max(longest, LadderNotes.message(message).length() + 7);
            }
        }
        int widestName = 0;
        for (Ladder.Column column : ladder.columns()) {
            widestName = Math.max(widestName, column.name().length());
        }
        this.width = Math.min(WIDEST, Math.max(longest, widestName + 2));
        this.margin = LEFT + (ladder.columns().getFirst().name().length() + 1) / 2 + 1;
    }

    /**
     * The ladder.
     *
     * @param zone of the times
     * @param messages prints each message in full below the ladder
     */
    public static String of(CallTrace call, ZoneId zone, boolean messages) {
        LadderText text = new LadderText(Ladder.of(call), zone);
        text.head();
        text.ladder.rows().forEach(text::row);
        if (messages) {
            text.messages();
        }
        return text.out.toString();
    }

    private void head() {
        CallTrace call = ladder.call();
        out.append("Call ").append(call.id());
        if (!call.events().isEmpty()) {
            Instant first = Instant.parse(call.events().getFirst().time());
            out.append(", from ").append(DATE.format(first.atZone(zone)));
        }
        out.append('\n');
        if (call.legs().size() > 1) {
            for (int i = 0; i < call.legs().size(); i++) {
                out.append("  leg ").append(i + 1).append(": ");
                out.append(call.legs().get(i)).append('\n');
            }
        }
        if (!call.applicationSessions().isEmpty()) {
            out.append("  application sessions: ");
            out.append(String.join(", ", call.applicationSessions())).append('\n');
        }
        if (call.beginningLost()) {
            out.append("  older events may have been overwritten (trace.buffer)\n");
        }
        out.append('\n');
        centred(ladder.columns().stream().map(Ladder.Column::name).toList());
        centred(ladder.columns().stream().map(Ladder.Column::under).toList());
    }

    private int x(int column) {
        return margin + column * width;
    }

    private void centred(List<String> texts) {
        char[] line = blank(Math.max(0, x(texts.size() - 1)) + WIDEST);
        for (int i = 0; i < texts.size(); i++) {
            put(line, Math.max(0, x(i) - texts.get(i).length() / 2), texts.get(i));
        }
        add(line);
    }

    private void row(Ladder.Row row) {
        TraceEvent event = row.event();
        char[] line = blank(x(ladder.columns().size() - 1) + 120);
        put(line, 0, TIME.format(Instant.parse(event.time()).atZone(zone)));
        String since = String.format(Locale.ROOT, "%.1f", row.sinceMicros() / 1000.0);
        put(line, LEFT - 1 - since.length(), since);
        for (int i = 0; i < ladder.columns().size(); i++) {
            line[x(i)] = '│';
        }
        TraceEvent.Message message = event.message();
        TraceEvent.Handler handler = event.handler();
        TraceEvent.Note note = event.note();
        int own = x(ladder.own());
        if (message != null && row.from() != row.to()) {
            arrow(line, x(row.from()), x(row.to()), LadderNotes.message(message), message.again());
        } else if (message != null) {
            put(
                    line,
                    own + 2,
                    "↻ " + LadderNotes.message(message) + ", to another application here");
        } else if (handler != null) {
            line[own] = '█';
            put(line, own + 2, LadderNotes.handler(handler) + ", " + LadderNotes.ran(handler));
        } else if (note != null && event.takeOver()) {
            across(line, LadderNotes.takenOver(note));
        } else if (note != null) {
            line[own] = '✗';
            put(line, own + 2, LadderNotes.note(note));
        }
        add(line);
    }

    /** From the first lifeline to the last, with the text behind the first one. */
    private void across(char[] line, String text) {
        int from = x(0);
        for (int i = from; i <= x(ladder.columns().size() - 1); i++) {
            line[i] = '═';
        }
        put(line, from + 2, " " + text + " ");
    }

    private static void arrow(char[] line, int from, int to, String label, boolean again) {
        boolean right = to > from;
        int start = Math.min(from, to) + 1;
        int end = Math.max(from, to) - 1;
        for (int i = start; i <= end; i++) {
            if (line[i] != '│') {
                line[i] = again ? '╌' : '─';
            }
        }
        line[right ? end : start] = right ? '▶' : '◀';
        // Beside the server, where it is crossed by no lifeline.
        int width = Math.min(end - start - 2, label.length() + 2);
        int nearest = start + (end - start + 1 - width) / 2;
        put(line, nearest, (" " + label + " ").substring(0, width));
    }

    private void messages() {
        int number = 0;
        for (Ladder.Row row : ladder.rows()) {
            TraceEvent.Message message = row.event().message();
            if (message == null) {
                continue;
            }
            number++;
            out.append("\n#").append(number).append(' ').append(row.event().time()).append(' ');
            out.append(message.received() ? "received from " : "sent to ");
            out.append(message.transport()).append(' ').append(message.remote()).append('\n');
            out.append(message.shown().replace("\r\n", "\n"));
            if (out.charAt(out.length() - 1) != '\n') {
                out.append('\n');
            }
        }
    }

    /**
     * Events one a line, as they come: for who follows.
     *
     * @param zone of the times
     */
    public static List<String> lines(List<TraceEvent> events, ZoneId zone) {
        List<String> lines = new ArrayList<>(events.size());
        for (TraceEvent event : events) {
            StringBuilder line = new StringBuilder();
            line.append(TIME.format(Instant.parse(event.time()).atZone(zone))).append(' ');
            TraceEvent.Message message = event.message();
            TraceEvent.Handler handler = event.handler();
            TraceEvent.Note note = event.note();
            if (message != null) {
                line.append(message.received() ? "<- " : "-> ").append(message.transport());
                line.append(' ').append(message.internal() ? "(internal)" : message.remote());
                line.append("  ").append(LadderNotes.message(message));
            } else if (handler != null) {
                line.append("== ").append(LadderNotes.handler(handler)).append(", ");
                line.append(LadderNotes.ran(handler));
            } else if (note != null) {
                line.append("!! ").append(LadderNotes.note(note));
            }
            lines.add(line.append("  [").append(event.leg()).append(']').toString());
        }
        return lines;
    }

    private static char[] blank(int length) {
        char[] line = new char[length];
        Arrays.fill(line, ' ');
        return line;
    }

    private static void put(char[] line, int at, String text) {
        for (int i = 0; i < text.length() && at + i < line.length; i++) {
            if (at + i >= 0) {
                line[at + i] = text.charAt(i);
            }
        }
    }

    private void add(char[] line) {
        out.append(new String(line).stripTrailing()).append('\n');
    }
}
