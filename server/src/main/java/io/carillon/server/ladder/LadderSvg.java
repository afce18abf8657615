package io.carillon.server.ladder;

import java.util.Locale;

/**
 * A call as a drawing: one file without anything from elsewhere, for light and dark surroundings,
 * narrow enough for a phone. Each message can be read in full where the pointer rests.
 */
public final class LadderSvg {
    private static final int TIME_WIDTH = 76;
    private static final int FIRST_COLUMN = TIME_WIDTH + 82;

    /** Between two lifelines: as the longest label over an arrow wants it, within these. */
    private static final int NARROWEST_COLUMN = 168;

    private static final int WIDEST_COLUMN = 336;

    /** Of a character of a label, with some room. */
    private static final double LABEL_CHARACTER = 7.2;

    /** What a label leaves free of the width of its column. */
    private static final int BESIDE_LABEL = 16;

    private static final int ROW_HEIGHT = 34;
    private static final int HEAD_HEIGHT = 112;
    private static final int LEG_COLOURS = 6;

    /** A call with one column has notes that are as wide as others'. */
    private static final int NARROWEST = 500;

    private static final String STYLE =
            """
            svg { --paper: #ffffff; --ink: #1b2430; --soft: #66758a; --line: #d5dce6; --pill: #f1f4f9;
              --app: #e8f3ec; --appline: #3f8f5f; --bad: #b3261e; --badpaper: #fdecea; --again: #b26a00;
              --l1: #1f5fbf; --l2: #7a3fb0; --l3: #0b7f7a; --l4: #a8471a; --l5: #8a6a00; --l6: #b02a6b;
              background: var(--paper); font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
            @media (prefers-color-scheme: dark) {
              svg { --paper: #12161c; --ink: #e8edf4; --soft: #94a3b8; --line: #333d4b; --pill: #1d242e;
                --app: #16291e; --appline: #6fc48f; --bad: #ff8a80; --badpaper: #3a1815; --again: #ffb74d;
                --l1: #7fb0ff; --l2: #c79bff; --l3: #5fd3cc; --l4: #ff9f70; --l5: #e3c04f; --l6: #ff8dc0; } }
            .paper { fill: var(--paper); } text { fill: var(--ink); font-size: 13.5px; }
            .title { font-size: 15px; font-weight: 600; } .soft { fill: var(--soft); font-size: 12px; }
            .time { fill: var(--soft); font-size: 11px; text-anchor: end; font-variant-numeric: tabular-nums; }
            .mid { text-anchor: middle; } .name { font-size: 13px; font-weight: 600; text-anchor: middle; }
            .life { stroke: var(--line); stroke-width: 1.5; } .pill { fill: var(--pill); stroke: var(--line); }
            .own { fill: var(--app); stroke: var(--appline); } .app { fill: var(--app); stroke: var(--appline); }
            .bad { fill: var(--badpaper); stroke: var(--bad); } .badtext { fill: var(--bad); }
            .arrow { stroke-width: 1.8; fill: none; } .again { stroke-dasharray: 5 4; } .againtext { fill: var(--again); }
            """;

    private final Ladder ladder;
    private final StringBuilder out = new StringBuilder(16_384);
    private final int columnWidth;
    private final int width;

    private LadderSvg(Ladder ladder) {
        this.ladder = ladder;
        int longest = 0;
        for (Ladder.Row row : ladder.rows()) {
            TraceEvent.Message message = row.event().message();
            if (message != null && row.from() != row.to()) {
                longest = Math.max(longest, LadderNotes.message(message).length());
            }
        }
        int wanted = (int) Math.ceil(longest * LABEL_CHARACTER) + BESIDE_LABEL;
        this.columnWidth = Math.clamp(wanted, NARROWEST_COLUMN, WIDEST_COLUMN);
        this.width = Math.max(NARROWEST, x(ladder.columns().size() - 1) + 84);
    }

    /** The drawing, as UTF-8 text. */
    public static String of(CallTrace call) {
        LadderSvg svg = new LadderSvg(Ladder.of(call));
        svg.draw();
        return svg.out.toString();
    }

    private int x(int column) {
        return FIRST_COLUMN + column * columnWidth;
    }

    private void draw() {
        int height = HEAD_HEIGHT + ladder.rows().size() * ROW_HEIGHT + 26;
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ")
                .append(width)
                .append(' ')
                .append(height)
                .append("\" width=\"100%\" style=\"max-width: ")
                .append(width * 5 / 4)
                .append("px; display: block; margin: 0 auto\">\n<title>Call ")
                .append(escaped(ladder.call().id()))
                .append("</title>\n<style>\n")
                .append(STYLE);
        for (int i = 1; i <= LEG_COLOURS; i++) {
            out.append(".l").append(i).append(" { stroke: var(--l").append(i).append("); }\n");
            out.append(".h").append(i).append(" { fill: var(--l").append(i).append("); }\n");
        }
        out.append("</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
        head(height);
        int y = HEAD_HEIGHT + 12;
        for (Ladder.Row row : ladder.rows()) {
            y += ROW_HEIGHT;
            row(row, y - ROW_HEIGHT / 2);
        }
        out.append("</svg>\n");
    }

    private void head(int height) {
        CallTrace call = ladder.call();
        text(14, 24, "title", shortened("Call " + call.id(), 58));
        StringBuilder about = new StringBuilder();
        if (!call.events().isEmpty()) {
            about.append(call.events().getFirst().time().replace('T', ' '));
        }
        if (call.legs().size() > 1) {
            about.append(" · ").append(call.legs().size()).append(" legs");
        }
        if (call.beginningLost()) {
            about.append(" · older events may be gone");
        }
        text(14, 43, "soft", about.toString());
        for (int i = 0; i < ladder.columns().size(); i++) {
            Ladder.Column column = ladder.columns().get(i);
            out.append(
                    "<line class=\"life\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
                            .formatted(x(i), HEAD_HEIGHT - 4, x(i), height - 12));
            out.append(
                    "<rect class=\"%s\" x=\"%d\" y=\"58\" width=\"148\" height=\"46\" rx=\"10\"/>\n"
                            .formatted(i == ladder.own() ? "own" : "pill", x(i) - 74));
            text(x(i), 77, "name", shortened(column.name(), 21));
            text(x(i), 95, "soft mid", shortened(column.under(), 24));
        }
    }

    private void row(Ladder.Row row, int y) {
        TraceEvent event = row.event();
        text(TIME_WIDTH - 8, y + 4, "time", since(row.sinceMicros()));
        TraceEvent.Message message = event.message();
        TraceEvent.Handler handler = event.handler();
        TraceEvent.Note note = event.note();
        if (message != null) {
            out.append("<g><title>").append(escaped(message.shown())).append("</title>\n");
            if (row.from() == row.to()) {
                pill(y, "pill", "", "↻ " + LadderNotes.message(message));
            } else {
                arrow(row, message, y);
            }
            out.append("</g>\n");
        } else if (handler != null) {
            out.append("<g><title>")
                    .append(escaped(handler.servlet() + ", " + LadderNotes.ran(handler)))
                    .append("</title>\n");
            pill(
                    y,
                    handler.threw() ? "bad" : "app",
                    handler.threw() ? "badtext" : "",
                    LadderNotes.handler(handler) + " · " + LadderNotes.ran(handler));
            out.append("</g>\n");
        } else if (note != null && event.takeOver()) {
            out.append(
                    "<line class=\"arrow again own\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
                            .formatted(TIME_WIDTH, y + 4, width - 8, y + 4));
            pill(y, "pill", "", LadderNotes.takenOver(note));
        } else if (note != null) {
            pill(y, "bad", "badtext", LadderNotes.note(note));
        }
    }

    private void arrow(Ladder.Row row, TraceEvent.Message message, int y) {
        int from = x(row.from());
        int to = x(row.to());
        int colour = (row.leg() - 1) % LEG_COLOURS + 1;
        int point = to > from ? -9 : 9;
        int line = y + 8;
        out.append(
                "<line class=\"arrow l%d%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
                        .formatted(
                                colour,
                                message.again() ? " again" : "",
                                from,
                                line,
                                to + point,
                                line));
        out.append(
                "<path class=\"h%d\" d=\"M%d %d l%d -5 v10 z\"/>\n"
                        .formatted(colour, to, line, point));
        // Over the part of the way that is next to the far end.
        int far = row.from() == ladder.own() ? to : from;
        int near = far > x(ladder.own()) ? far - columnWidth : far + columnWidth;
        text(
                (far + near) / 2,
                y + 1,
                message.again() ? "mid againtext" : "mid",
                shortened(
                        LadderNotes.message(message),
                        (int) ((columnWidth - BESIDE_LABEL) / LABEL_CHARACTER)));
    }

    /** On the server's lifeline, but within the drawing. */
    private void pill(int y, String kind, String textKind, String label) {
        String shown = shortened(label, (width - TIME_WIDTH - 24) * 10 / 76);
        int half = (int) Math.ceil(shown.length() * 3.7) + 10;
        int middle = Math.max(TIME_WIDTH + half + 4, Math.min(x(ladder.own()), width - half - 6));
        out.append(
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"23\" rx=\"11.5\"/>\n"
                        .formatted(kind, middle - half, y - 8, 2 * half));
        text(middle, y + 8, "mid " + textKind, shown);
    }

    private void text(int x, int y, String kind, String text) {
        out.append("<text class=\"")
                .append(kind.strip())
                .append("\" x=\"")
                .append(x)
                .append("\" y=\"")
                .append(y)
                .append("\">")
                .append(escaped(text))
                .append("</text>\n");
    }

    private static String since(long micros) {
        return micros >= 1_000_000
                ? String.format(Locale.ROOT, "+%.3f s", micros / 1e6)
                : String.format(Locale.ROOT, "+%.1f ms", micros / 1e3);
    }

    private static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, Math.max(1, most - 1)) + "…";
    }

    /** For XML 1.0: what it cannot hold becomes a mark. */
    private static String escaped(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\r' -> {}
                case '\n', '\t' -> safe.append(c);
                default ->
                        safe.append(
                                c < ' ' || Character.isSurrogate(c) || c >= 0xFFFE ? '\uFFFD' : c);
            }
        }
        return safe.toString();
    }
}
