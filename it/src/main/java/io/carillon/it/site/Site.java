package io.carillon.it.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import tools.jackson.databind.json.JsonMapper;

/** Makes the site of a checkout. One use, one thread. */
final class Site {
    private static final List<Extension> TABLES = List.of(TablesExtension.create());
    private static final List<String> FILES = List.of("site.css", "site.js");

    /** Deeper headings are not found by the search. */
    private static final int SEARCHED_LEVEL = 3;

    private final Path root;
    private final Path out;
    private final String version;
    private final Parser parser = Parser.builder().extensions(TABLES).build();
    private final Map<Path, String> places = new HashMap<>();
    private final TreeSet<Path> copied = new TreeSet<>();
    private final TreeSet<Path> shown = new TreeSet<>();
    private final List<List<String>> search = new ArrayList<>();

    /**
     * @param root of the checkout
     * @param out a folder; what else lies in it stays
     * @param version of the sources
     */
    Site(Path root, Path out, String version) {
        this.root = root.toAbsolutePath().normalize();
        this.out = out.toAbsolutePath().normalize();
        this.version = version;
    }

    /**
     * Writes it.
     *
     * @param javadoc is it in the folder {@code javadoc} of the site?
     * @return how many pages
     */
    int make(boolean javadoc) throws IOException {
        List<SitePage> pages = SitePage.all(root);
        Map<SitePage, Node> parsed = new LinkedHashMap<>();
        Map<String, String> titles = new HashMap<>();
        for (SitePage page : pages) {
            places.put(page.source(), page.place());
            Node node = parser.parse(page.text());
            parsed.put(page, node);
            titles.put(page.place(), Headings.of(node).title());
        }
        Navigation navigation =
                new Navigation(Files.readString(root.resolve("docs/README.md")), titles, javadoc);
        String template = resource("page.html");
        for (Map.Entry<SitePage, Node> page : parsed.entrySet()) {
            write(page.getKey(), page.getValue(), navigation, template);
        }
        for (Path source : shown) {
            String place = SourcePages.place(root, source);
            String content = SourcePages.content(root, source);
            write(place, filled(template, navigation, place, source.toString(), content));
        }
        for (Path file : copied) {
            Path to = out.resolve(PageLinks.copyPlace(file));
            Files.createDirectories(to.getParent());
            Files.copy(root.resolve(file), to, StandardCopyOption.REPLACE_EXISTING);
        }
        for (String file : FILES) {
            write(file, resource(file));
        }
        write(
                "search.js",
                "const PAGES = " + JsonMapper.builder().build().writeValueAsString(search) + ";\n");
        return pages.size() + shown.size();
    }

    private void write(SitePage page, Node node, Navigation navigation, String template)
            throws IOException {
        Headings headings = Headings.of(node);
        node.accept(new PageLinks(root, page, places, copied, shown));
        HtmlRenderer renderer =
                HtmlRenderer.builder()
                        .extensions(TABLES)
                        .attributeProviderFactory(context ->
                                (at, tag, attributes) -> {
                                    String name = headings.names().get(at);
                                    if (name != null) {
                                        attributes.put("id", name);
                                    }
                                })
                        .build();
        headings.names()
                .forEach((heading, name) -> {
                    if (heading instanceof Heading one && one.getLevel() <= SEARCHED_LEVEL) {
                        search.add(
                                List.of(
                                        headings.title(),
                                        one.getLevel() == 1 ? "" : Headings.text(one),
                                        page.place() + (one.getLevel() == 1 ? "" : "#" + name)));
                    }
                });
        write(
                page.place(),
                filled(
                        template,
                        navigation,
                        page.place(),
                        headings.title(),
                        renderer.render(node)));
    }

    private String filled(
            String template, Navigation navigation, String place, String title, String content) {
        return template.replace("@TITLE@", Html.text(title))
                .replace("@UP@", SitePage.up(place))
                .replace("@VERSION@", Html.text(version))
                .replace("@NAVIGATION@", navigation.html(place))
                .replace("@CONTENT@", content);
    }

    private void write(String place, String text) throws IOException {
        Path to = out.resolve(place);
        Files.createDirectories(to.getParent());
        Files.writeString(to, text);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Site.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("the site's " + name + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
