package io.carillon.it.site;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks for links of a finished site that lead nowhere. One use, one thread. */
final class SiteLinks {
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
    private static final Pattern ANCHOR = Pattern.compile("(?:id|name)=\"([^\"]+)\"");

    /** The JDK makes these, and looks after them. */
    private static final String JAVADOC = "javadoc";

    private final Path site;
    private final Map<Path, Set<String>> anchors = new HashMap<>();

    SiteLinks(Path site) {
        this.site = site.toAbsolutePath().normalize();
    }

    /** A line for each: the page, and the link. */
    List<String> dead() throws IOException {
        List<Path> pages;
        try (Stream<Path> all = Files.walk(site)) {
            pages =
                    all.filter(one -> one.toString().endsWith(".html"))
                            .filter(one -> !one.startsWith(site.resolve(JAVADOC)))
                            .sorted()
                            .toList();
        }
        List<String> dead = new ArrayList<>();
        for (Path page : pages) {
            // What code shows is text.
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                if (!leads(page, link.group(1).replace("&amp;", "&"))) {
                    dead.add(site.relativize(page) + ": " + link.group(1));
                }
            }
        }
        return dead;
    }

    private boolean leads(Path page, String link) throws IOException {
        if (link.contains("://") || link.startsWith("mailto:") || link.startsWith("data:")) {
            return true;
        }
        int hash = link.indexOf('#');
        String file =
                URLDecoder.decode(
                        hash < 0 ? link : link.substring(0, hash), StandardCharsets.UTF_8);
        Path at = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!at.startsWith(site) || !Files.isRegularFile(at)) {
            return false;
        }
        return hash < 0
                || at.startsWith(site.resolve(JAVADOC))
                || anchors(at)
                        .contains(
                                URLDecoder.decode(
                                        link.substring(hash + 1), StandardCharsets.UTF_8));
    }

    private Set<String> anchors(Path page) throws IOException {
        Set<String> known = anchors.get(page);
        if (known == null) {
            known = new HashSet<>();
            Matcher anchor = ANCHOR.matcher(Files.readString(page));
            while (anchor.find()) {
                known.add(anchor.group(1));
            }
            anchors.put(page, known);
        }
        return known;
    }
}
