package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FrontPageTest {
    private static ServerStatus with(List<String> applications, List<String> pages) {
        ServerStatus s = StatusTextTest.STATUS;
        return new ServerStatus(
                s.version(),
                s.pid(),
                s.state(),
                s.uptimeSeconds(),
                s.sip(),
                s.http(),
                pages,
                applications,
                s.calls(),
                s.messages(),
                s.transactions(),
                s.applicationSessions(),
                s.connections(),
                s.kernelDrops(),
                s.gcPauses(),
                s.heap(),
                s.slowHandlers(),
                s.counters(),
                s.tls(),
                null,
                s.overload(),
                s.raised(),
                s.handlersApart());
    }

    @Test
    void whatRunsAndWhatToTry() {
        assertThat(FrontPage.html(StatusTextTest.STATUS))
                .contains("Carillon is running", "<dt>Calls held</dt><dd>3</dd>")
                .contains("<li>uas <a href=\"/uas/\">/uas/</a>")
                .contains("sip:uas@127.0.0.1:5060")
                .contains("href=\"/status\"", "href=\"/metrics\"")
                .contains("class=\"wrong\">the database jdbc:h2:file:/data/carillon has failed");
    }

    @Test
    void anApplicationWithoutPagesHasNoLink() {
        assertThat(FrontPage.html(with(List.of("uas", "a"), List.of("http://h/ua"))))
                .contains("<li>uas</li>", "<li>a</li>");
        assertThat(FrontPage.html(with(List.of(), List.of()))).contains("None is deployed");
    }

    /** The browser may know the server by another name than the address it listens at. */
    @Test
    void linksNameAnotherPlaceOnlyWhereThePagesAreElsewhere() {
        assertThat(FrontPage.html(with(List.of("uas"), List.of("http://127.0.0.1:8080/uas"))))
                .contains("<a href=\"/uas/\">/uas/</a>");
        assertThat(FrontPage.html(with(List.of("uas"), List.of("http://127.0.0.1:80801/uas"))))
                .contains("<a href=\"http://127.0.0.1:80801/uas/\">");
    }

    @Test
    void namesAreText() {
        String html = FrontPage.html(with(List.of("<script>\"&"), List.of()));
        assertThat(html).contains("&lt;script&gt;&quot;&amp;").doesNotContain("<script>");
    }

    /** WCAG 2.2, 1.4.3: "a contrast ratio of at least 4.5:1". The grounds are those of browsers. */
    @Test
    void dimTextCanBeReadByDayAndByNight() {
        List<Double> dim =
                Pattern.compile("--dim: #([0-9a-f]{6});")
                        .matcher(FrontPage.html(StatusTextTest.STATUS))
                        .results()
                        .map(found -> luminance(Integer.parseInt(found.group(1), 16)))
                        .toList();
        assertThat(dim).hasSize(2);
        double white = luminance(0xFFFFFF);
        assertThat((white + 0.05) / (dim.getFirst() + 0.05)).isGreaterThanOrEqualTo(4.5);
        double night = luminance(0x121212);
        assertThat((dim.getLast() + 0.05) / (night + 0.05)).isGreaterThanOrEqualTo(4.5);
    }

    /** WCAG 2.2, "relative luminance". */
    private static double luminance(int rgb) {
        return 0.2126 * linear(rgb >> 16)
                + 0.7152 * linear(rgb >> 8 & 0xFF)
                + 0.0722 * linear(rgb & 0xFF);
    }

    private static double linear(int channel) {
        double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    }

    /** A browser asks for an icon of its own, and logs that there is none. */
    @Test
    void noIconIsAskedFor() {
        assertThat(FrontPage.html(StatusTextTest.STATUS))
                .contains("<link rel=\"icon\" href=\"data:,\">");
    }
}
