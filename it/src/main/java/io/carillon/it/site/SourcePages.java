package io.carillon.it.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files of the checkout that pages lead to, shown as they are; folders as lists. Stateless. */
final class SourcePages {
    private static final long LARGEST = 300_000;

    private SourcePages() {}

    /** Where the page is that shows it. */
    static String place(Path root, Path source) {
        String path = source.toString().replace('\\', '/');
        return Files.isDirectory(root.resolve(source))
                ? "source/" + path + "/index.html"
                : "source/" + path + ".html";
    }

    /** The page's content as HTML. */
    static String content(Path root, Path source) throws IOException {
        Path file = root.resolve(source);
        StringBuilder html = new StringBuilder("<h1>").append(source).append("</h1>\n");
        if (Files.isDirectory(file)) {
            html.append("<ul>\n");
            for (Path one : list(file)) {
                html.append("<li>").append(Html.text(String.valueOf(one.getFileName())));
                html.append(Files.isDirectory(one) ? "/" : "").append("</li>\n");
            }
            return html.append("</ul>\n").toString();
        }
        String text =
                Files.size(file) > LARGEST
                        ? "This file is too long to be shown here."
                        : Files.readString(file);
        return html.append("<pre><code>")
                .append(Html.attribute(text))
                .append("</code></pre>\n")
                .toString();
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(one -> !one.endsWith("target") && !one.endsWith("node_modules"))
                    .sorted()
                    .toList();
        }
    }
}
