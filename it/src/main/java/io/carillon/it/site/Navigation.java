package io.carillon.it.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The four parts with their pages, in the order of docs/README.md; a page belongs to the part of
 * its folder. Immutable.
 */
final class Navigation {
    private static final Pattern LINK = Pattern.compile("\\]\\(([a-z-]+/[A-Za-z0-9-]+\\.md)\\)");
    private static final Map<String, String> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("start", "Start");
        PARTS.put("guides", "Guides");
        PARTS.put("reference", "Reference");
        PARTS.put("how-it-works", "How it works");
    }

    private static final String DECISIONS = "decisions/index.html";

    private final Map<String, List<String>> parts = new LinkedHashMap<>();
    private final Map<String, String> titles;
    private final boolean javadoc;

    /**
     * @param order docs/README.md
     * @param titles of all pages by their places
     * @param javadoc is it part of the site?
     */
    Navigation(String order, Map<String, String> titles, boolean javadoc) {
        this.titles = titles;
        this.javadoc = javadoc;
        PARTS.keySet().forEach(part -> parts.put(part, new ArrayList<>()));
        Matcher link = LINK.matcher(order);
        while (link.find()) {
            add(link.group(1).replaceFirst("\\.md$", ".html"));
        }
        titles.keySet().stream().sorted().forEach(this::add);
        List<String> last = parts.get("how-it-works");
        if (last != null && titles.containsKey(DECISIONS)) {
            last.add(DECISIONS);
        }
    }

    private void add(String place) {
        Path folder = Path.of(place).getParent();
        List<String> pages = folder == null ? null : parts.get(folder.toString());
        if (pages != null && titles.containsKey(place) && !pages.contains(place)) {
            pages.add(place);
        }
    }

    /** As HTML for the page at that place. */
    String html(String place) {
        String up = SitePage.up(place);
        StringBuilder html = new StringBuilder();
        for (Map.Entry<String, List<String>> part : parts.entrySet()) {
            boolean first = place.indexOf('/') < 0 && part.getKey().equals("start");
            boolean open =
                    first
                            || place.startsWith(part.getKey() + "/")
                            || isDecision(place, part.getKey());
            html.append("<details").append(open ? " open" : "").append("><summary>");
            html.append(PARTS.get(part.getKey())).append("</summary>\n<ul>\n");
            for (String page : part.getValue()) {
                line(html, up + page, titles.getOrDefault(page, page), page.equals(place));
            }
            html.append("</ul></details>\n");
        }
        html.append("<ul class=\"more\">\n");
        line(html, up + "pages.html", "All pages", place.equals("pages.html"));
        line(html, up + "examples/index.html", "Examples", place.equals("examples/index.html"));
        line(html, up + "changelog.html", "Changelog", place.equals("changelog.html"));
        if (javadoc) {
            line(html, up + "javadoc/index.html", "Javadoc", false);
        }
        return html.append("</ul>\n").toString();
    }

    private static boolean isDecision(String place, String part) {
        return place.startsWith("decisions/") && part.equals("how-it-works");
    }

    private static void line(StringBuilder html, String to, String title, boolean here) {
        html.append("<li><a href=\"").append(Html.attribute(to)).append('"');
        html.append(here ? " aria-current=\"page\"" : "").append('>');
        html.append(Html.text(title)).append("</a></li>\n");
    }
}
