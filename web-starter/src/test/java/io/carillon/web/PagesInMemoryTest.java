package io.carillon.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Files of {@code static/} and our own, from memory. */
class PagesInMemoryTest {
    private PagesInMemory pages;

    @BeforeEach
    void read() throws Exception {
        pages = new PagesInMemory(new PathMatchingResourcePatternResolver());
    }

    private MockHttpServletResponse ask(MockHttpServletRequest request) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();
        pages.doFilter(request, response, chain);
        if (chain.getRequest() != null) {
            response.setStatus(599); // went on
        }
        return response;
    }

    private static MockHttpServletRequest get(String path) {
        return new MockHttpServletRequest("GET", path);
    }

    @Test
    void aFileIsServedWithItsTypeAndLength() throws Exception {
        MockHttpServletResponse style = ask(get("/sub/style.css"));
        assertThat(style.getStatus()).isEqualTo(200);
        assertThat(style.getContentType()).isEqualTo("text/css;charset=UTF-8");
        assertThat(style.getContentAsString()).isEqualTo("p{}\n");
        assertThat(style.getHeader("Content-Encoding")).isNull();
        assertThat(ask(get("/carillon/components.js")).getContentType())
                .startsWith("text/javascript");
    }

    @Test
    void theWelcomePageIsTheIndex() throws Exception {
        assertThat(ask(get("/")).getContentAsString()).startsWith("<!doctype html><title>Test");
        MockHttpServletRequest within = get("/context/");
        within.setContextPath("/context");
        assertThat(ask(within).getStatus()).isEqualTo(200);
    }

    @Test
    void ourFolderShowsItsIndexToo() throws Exception {
        assertThat(ask(get("/carillon/")).getContentAsString())
                .isEqualTo(ask(get("/carillon/index.html")).getContentAsString())
                .contains("<carillon-click-to-call");
    }

    @Test
    void aBrowserThatTakesItGetsItCompressed() throws Exception {
        MockHttpServletRequest request = get("/index.html");
        request.addHeader("Accept-Encoding", "br, gzip");
        MockHttpServletResponse response = ask(request);
        assertThat(response.getHeader("Content-Encoding")).isEqualTo("gzip");
        assertThat(response.getHeader("Vary")).isEqualTo("Accept-Encoding");
        byte[] body = response.getContentAsByteArray();
        assertThat(body.length).isEqualTo(response.getContentLength()).isLessThan(300);
        try (var plain = new GZIPInputStream(new ByteArrayInputStream(body))) {
            assertThat(new String(plain.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(ask(get("/index.html")).getContentAsString());
        }
    }

    @Test
    void whoHasItIsToldSo() throws Exception {
        MockHttpServletRequest again = get("/index.html");
        again.addHeader("If-None-Match", ask(get("/index.html")).getHeader("ETag"));
        MockHttpServletResponse response = ask(again);
        assertThat(response.getStatus()).isEqualTo(304);
        assertThat(response.getContentAsByteArray()).isEmpty();
    }

    @Test
    void headHasNoBody() throws Exception {
        MockHttpServletResponse response = ask(new MockHttpServletRequest("HEAD", "/index.html"));
        assertThat(response.getContentLength()).isGreaterThan(600);
        assertThat(response.getContentAsByteArray()).isEmpty();
    }

    @Test
    void everythingElseGoesOn() throws Exception {
        assertThat(ask(new MockHttpServletRequest("POST", "/index.html")).getStatus())
                .isEqualTo(599);
        assertThat(ask(get("/sub")).getStatus()).isEqualTo(599);
        assertThat(ask(get("/../application.yml")).getStatus()).isEqualTo(599);
        assertThat(ask(get("/api/calls")).getStatus()).isEqualTo(599);
    }
}
