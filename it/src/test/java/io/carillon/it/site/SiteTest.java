package io.carillon.it.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of this checkout has every page, and no link of it leads nowhere. */
class SiteTest {
    private static final Path ROOT = Path.of("..");

    @TempDir private Path site;

    @Test
    void everyPageIsThereAndNoLinkLeadsNowhere() throws Exception {
        int pages = new Site(ROOT, site, "1.2.3").make(false);

        assertThat(pages).isGreaterThan(60);
        assertThat(new SiteLinks(site).dead()).isEmpty();
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            for (Path page : docs.filter(one -> one.toString().endsWith(".md")).toList()) {
                if (!page.endsWith("README.md")) {
                    String name = ROOT.resolve("docs").relativize(page).toString();
                    assertThat(site.resolve(name.replace(".md", ".html"))).exists();
                }
            }
        }
        assertThat(Files.readString(site.resolve("guides/tls.html")))
                .contains("<title>", "1.2.3", "aria-current=\"page\"", "../index.html")
                .doesNotContain("@CONTENT@", "@NAVIGATION@");
    }

    @Test
    void headingsHaveTheNamesThatLinksUse() throws Exception {
        Path root =
                Files.createDirectories(site.resolve("root/docs/guides")).getParent().getParent();
        Files.writeString(
                Files.createDirectories(root.resolve("examples")).resolve("README.md"),
                "# Examples\n");
        Files.writeString(
                root.resolve("README.md"), "# All\n\n[a](docs/guides/a.md#two-words-1)\n");
        Files.writeString(root.resolve("CHANGELOG.md"), "# Changes\n");
        Files.writeString(root.resolve("docs/README.md"), "# Pages\n\n[a](guides/a.md)\n");
        Files.writeString(
                root.resolve("docs/guides/a.md"),
                "# A `b`\n\n## Two words\n\n## Two words\n\n| x |\n| --- |\n| [up](../../README.md) |\n");
        Path out = site.resolve("out");

        new Site(root, out, "1").make(false);

        assertThat(out.resolve("guides/a.html"))
                .content()
                .contains("id=\"a-b\"", "id=\"two-words\"", "id=\"two-words-1\"")
                .contains("<table>", "href=\"../index.html\"");
        assertThat(new SiteLinks(out).dead()).isEmpty();

        Files.writeString(
                root.resolve("README.md"), "[a](docs/guides/a.md#none) [b](nothing.md)\n");
        new Site(root, out, "1").make(false);
        assertThat(new SiteLinks(out).dead())
                .isEqualTo(List.of("index.html: guides/a.html#none", "index.html: nothing.md"));
    }
}
