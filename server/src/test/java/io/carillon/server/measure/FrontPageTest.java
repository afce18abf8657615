package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
                null);
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
}
