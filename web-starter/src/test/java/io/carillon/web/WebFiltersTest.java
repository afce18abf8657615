package io.carillon.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.boot.KnownHosts;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What the filters of the pages let through. */
class WebFiltersTest {
    /** Reads the body as what reads JSON does, which takes the error for a bad body. */
    private static final HttpServlet READER =
            new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void service(HttpServletRequest request, HttpServletResponse response) {
                    try {
                        request.getInputStream().readAllBytes();
                    } catch (IOException e) {
                        response.setStatus(400);
                    }
                }
            };

    private static MockHttpServletResponse through(Filter filter, MockHttpServletRequest request)
            throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        new MockFilterChain(READER, filter).doFilter(request, response);
        return response;
    }

    private static int toHost(String name) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/calls");
        request.addHeader("Host", name);
        KnownHosts hosts = new KnownHosts(List.of("phone.example.com", ".branch.example"));
        return through(hosts, request).getStatus();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:8080",
                "app.localhost",
                "127.0.0.1:8080",
                "192.168.1.7",
                "[::1]:8080",
                "phone.example.com",
                "PHONE.example.com.",
                "a.b.branch.example:443"
            })
    void ownNamesAndAddressesAreServed(String name) throws Exception {
        assertThat(toHost(name)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "xphone.example.com",
                "branch.example",
                "0x7f.1.evil"
            })
    void aNameThatIsNotOursIsMisdirected(String name) throws Exception {
        assertThat(toHost(name)).isEqualTo(421);
    }

    private static MockHttpServletRequest body(int bytes) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/api/calls");
        request.setContent(new byte[bytes]);
        return request;
    }

    @Test
    void aBodyThatNoRequestHasIsRefusedUnread() throws Exception {
        assertThat(through(new SmallBodies(), body(SmallBodies.MOST)).getStatus()).isEqualTo(200);
        MockHttpServletResponse refused = through(new SmallBodies(), body(SmallBodies.MOST + 1));
        assertThat(refused.getStatus()).isEqualTo(413);
        assertThat(refused.getContentType()).isEqualTo("application/problem+json");
    }

    @Test
    void soIsOneWhoseChunksSayNoLength() throws Exception {
        MockHttpServletRequest chunked =
                new MockHttpServletRequest("POST", "/api/calls") {
                    @Override
                    public long getContentLengthLong() {
                        return -1;
                    }
                };
        chunked.setContent(new byte[SmallBodies.MOST + 1]);
        assertThat(through(new SmallBodies(), chunked).getStatus()).isEqualTo(413);
    }
}
