package io.carillon.it.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A page of the site.
 *
 * @param source its path from the root of the checkout
 * @param place in the site, with slashes
 * @param text in Markdown
 */
record SitePage(Path source, String place, String text) {
    private static final String PAGES = "docs/";
    private static final String FIRST = "README.md";

    /**
     * README, the changelog, all of docs, and what examples say of themselves.
     *
     * @param root of the checkout
     */
    static List<SitePage> all(Path root) throws IOException {
        List<Path> sources = new ArrayList<>(List.of(Path.of(FIRST), Path.of("CHANGELOG.md")));
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            docs.filter(one -> one.toString().endsWith(".md"))
                    .map(root::relativize)
                    .sorted()
                    .forEach(sources::add);
        }
        try (Stream<Path> examples = Files.walk(root.resolve("examples"))) {
            examples.filter(one -> one.endsWith(FIRST))
                    .map(root::relativize)
                    .filter(one -> !one.toString().contains("node_modules"))
                    .sorted()
                    .forEach(sources::add);
        }
        List<SitePage> pages = new ArrayList<>();
        for (Path source : sources) {
            pages.add(new SitePage(source, place(source), Files.readString(root.resolve(source))));
        }
        return pages;
    }

    private static String place(Path source) {
        String path = source.toString().replace('\\', '/');
        if (path.equals(PAGES + FIRST)) {
            return "pages.html";
        }
        if (path.startsWith(PAGES)) {
            path = path.substring(PAGES.length());
        }
        path = path.equals("CHANGELOG.md") ? "changelog.md" : path;
        return path.endsWith(FIRST)
                ? path.substring(0, path.length() - FIRST.length()) + "index.html"
                : path.replaceFirst("\\.md$", ".html");
    }

    /** What leads from this page to the root of the site: empty, or {@code ../} and more of it. */
    String up() {
        return up(place);
    }

    static String up(String place) {
        return "../".repeat((int) place.chars().filter(c -> c == '/').count());
    }
}
