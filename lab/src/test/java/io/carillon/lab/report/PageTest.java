package io.carillon.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {
    private static final String EVIL = "</script><script>alert(\"1\" & '2')</script>";
    private static final String HARMLESS =
            "&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;";

    /** Whatever a server or a user wrote, wherever it stands. */
    @Test
    void noTextBecomesMarkup() throws IOException {
        Table table =
                new Table(
                        List.of(EVIL, EVIL),
                        List.of(
                                Table.Row.group(EVIL),
                                Table.Row.plain(EVIL, List.of(EVIL)),
                                Table.Row.of(EVIL, List.of(EVIL), new double[] {1}, true)));
        Chart chart =
                new Chart(
                        EVIL,
                        EVIL,
                        false,
                        Chart.Style.LINE,
                        List.of(1.0),
                        List.of(new Chart.Line(EVIL, 0, List.of(1.0))),
                        List.of(new Chart.Mark(1, EVIL)));
        String html =
                new Page(EVIL)
                        .verdict(EVIL, EVIL)
                        .failedVerdict(EVIL, EVIL)
                        .heading(EVIL)
                        .paragraph(EVIL)
                        .warning(EVIL)
                        .code(EVIL)
                        .bars(EVIL, List.of(new Page.Bar(EVIL, 1, EVIL, 0, true)))
                        .table(table)
                        .chart(chart)
                        .beginDetails(EVIL)
                        .endDetails()
                        .html();

        assertThat(html).doesNotContain("<script>alert").contains(HARMLESS);
        // The page's own two: the data, and what draws them.
        assertThat(html.split("<script", -1)).hasSize(3);
        assertThat(html.split("</script", -1)).hasSize(3);
    }

    @Test
    void nothingIsFetchedFromAnywhere() throws IOException {
        String html = new Page("t").html();

        assertThat(html).doesNotContain("src=", "@import", "url(http", "<link");
        assertThat(html).contains("Leon Sorokin", "Permission is hereby granted");
    }

    @Test
    void aValueThatIsMissingIsNullInTheData() throws IOException {
        Chart chart =
                new Chart(
                        "c",
                        "s",
                        true,
                        Chart.Style.POINTS,
                        List.of(1.0, 2.0),
                        List.of(new Chart.Line("l", 3, Arrays.asList(1.5, null))),
                        List.of());

        assertThat(new Page("t").chart(chart).html()).contains("\"values\":[1.5,null]");
    }

    @Test
    void theBestOfARowIsMarkedUnlessAllAreAlike() {
        assertThat(row(true, 3, 1, 2).best()).containsExactly(1);
        assertThat(row(false, 3, 1, 3).best()).containsExactly(0, 2);
        assertThat(row(true, 3, Double.NaN, 3).best()).containsExactly(0, 2);
        assertThat(row(true, 0, 0, 0).best()).isEmpty();
    }

    private static Table.Row row(boolean least, double... values) {
        return Table.Row.of("r", List.of("a", "b", "c"), values, least);
    }
}
