package io.carillon.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;

/**
 * A report as one HTML file that needs nothing else: styles, scripts and data are in it. Every text
 * is escaped; what a server or a user wrote cannot become markup. Used by one thread.
 */
public final class Page {
    private final String title;
    private final StringBuilder body = new StringBuilder(16_384);
    private final List<Chart> charts = new ArrayList<>();

    public Page(String title) {
        this.title = title;
    }

    /** What the reader came for: shown large, in a box. */
    public Page verdict(String heading, String text) {
        return verdict("verdict", heading, text);
    }

    /** The same where nothing was found to be good: in the colour of what failed. */
    public Page failedVerdict(String heading, String text) {
        return verdict("verdict failed", heading, text);
    }

    private Page verdict(String kind, String heading, String text) {
        body.append("<section class=\"").append(kind).append("\"><h2>").append(escape(heading));
        body.append("</h2><p>");
        body.append(escape(text)).append("</p></section>\n");
        return this;
    }

    public Page heading(String text) {
        body.append("<h2>").append(escape(text)).append("</h2>\n");
        return this;
    }

    public Page paragraph(String text) {
        body.append("<p>").append(escape(text)).append("</p>\n");
        return this;
    }

    /** Something that speaks against trusting the figures. */
    public Page warning(String text) {
        body.append("<p class=\"warning\">").append(escape(text)).append("</p>\n");
        return this;
    }

    /** Text as it is, in a box that scrolls. */
    public Page code(String text) {
        body.append("<pre>").append(escape(text)).append("</pre>\n");
        return this;
    }

    /**
     * A bar.
     *
     * @param value its length
     * @param text what stands beside it
     * @param strong whether it is the one to look at
     */
    public record Bar(String name, double value, String text, int color, boolean strong) {}

    public Page bars(String label, List<Bar> bars) {
        double most = bars.stream().mapToDouble(Bar::value).max().orElse(0);
        body.append("<div class=\"bars\" role=\"list\" aria-label=\"")
                .append(escape(label))
                .append("\">\n");
        for (Bar bar : bars) {
            double percent = most == 0 ? 0 : 100 * bar.value() / most;
            body.append("<div role=\"listitem\"")
                    .append(bar.strong() ? " class=\"strong\"" : "")
                    .append("><span>")
                    .append(escape(bar.name()))
                    .append("</span><i class=\"track\"><i class=\"c")
                    .append(bar.color() % COLORS)
                    .append("\" style=\"width:")
                    .append(String.format(Locale.ROOT, "%.1f", percent))
                    .append("%\"></i></i><b>")
                    .append(escape(bar.text()))
                    .append("</b></div>\n");
        }
        body.append("</div>\n");
        return this;
    }

    /** As many as the style sheet knows. */
    private static final int COLORS = 8;

    public Page table(Table table) {
        body.append("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
        for (String name : table.head()) {
            body.append("<th scope=\"col\">").append(escape(name)).append("</th>");
        }
        body.append("</tr></thead><tbody>\n");
        for (Table.Row row : table.rows()) {
            row(row, table.head().size());
        }
        body.append("</tbody></table></div>\n");
        return this;
    }

    private void row(Table.Row row, int columns) {
        if (row.group()) {
            body.append("<tr class=\"group\"><th scope=\"rowgroup\">").append(escape(row.name()));
            body.append("</th><td colspan=\"").append(columns - 1).append("\"></td></tr>\n");
            return;
        }
        body.append("<tr><th scope=\"row\">").append(escape(row.name())).append("</th>");
        for (int i = 0; i < row.cells().size(); i++) {
            body.append(row.best().contains(i) ? "<td class=\"best\">" : "<td>");
            body.append(escape(row.cells().get(i))).append("</td>");
        }
        body.append("</tr>\n");
    }

    public Page chart(Chart chart) {
        body.append("<figure><figcaption>")
                .append(escape(chart.title()))
                .append("</figcaption><div class=\"chart\" data-chart=\"")
                .append(charts.size())
                .append("\"></div></figure>\n");
        charts.add(chart);
        return this;
    }

    /** Charts side by side where there is room. */
    public Page beginGrid() {
        body.append("<div class=\"grid\">\n");
        return this;
    }

    public Page endGrid() {
        body.append("</div>\n");
        return this;
    }

    /** What follows is folded away until the reader opens it; print shows it. */
    public Page beginDetails(String summary) {
        body.append("<details><summary>").append(escape(summary)).append("</summary>\n");
        return this;
    }

    public Page endDetails() {
        body.append("</details>\n");
        return this;
    }

    public void write(Path file) throws IOException {
        Files.writeString(file, html());
    }

    String html() throws IOException {
        // '<' never stands in a script, so nothing in the data can end it.
        String data =
                JsonMapper.builder().build().writeValueAsString(charts).replace("<", "\\u003c");
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                + "<meta name=\"color-scheme\" content=\"light dark\">\n<title>"
                + escape(title)
                + "</title>\n<style>\n"
                + resource("uPlot.min.css")
                + resource("page.css")
                + "</style>\n</head>\n<body>\n<main>\n<h1>"
                + escape(title)
                + "</h1>\n"
                + body
                + "<footer><p>Made by Carillon's load lab. Charts: uPlot.</p><details><summary>Licence of uPlot"
                + "</summary><pre>"
                + escape(resource("uPlot-LICENSE.txt"))
                + "</pre></details></footer>\n</main>\n<script type=\"application/json\" id=\"charts\">"
                + data
                + "</script>\n<script>\n"
                + resource("uPlot.iife.min.js")
                + "\n"
                + resource("page.js")
                + "</script>\n</body>\n</html>\n";
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing from the lab's archive");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
