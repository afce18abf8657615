package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

/** 60 bytes for one body, 100 for all. */
class BoundedBodiesTest {
    private static final FilterChain READS =
            (request, response) -> request.getInputStream().readAllBytes();

    private final BoundedBodies bodies = new BoundedBodies(60, 100, trusted -> false);
    private final Answer answer = new Answer();

    /** A response of which nothing has left yet. */
    private static final class Answer {
        int status = 200;
        final HttpServletResponse servlet =
                (HttpServletResponse)
                        Proxy.newProxyInstance(
                                HttpServletResponse.class.getClassLoader(),
                                new Class<?>[] {HttpServletResponse.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().matches("setStatus|sendError")) {
                                        status = (Integer) arguments[0];
                                    }
                                    return method.getReturnType() == boolean.class ? false : null;
                                });
    }

    private static MockHttpServletRequest body(String from, int bytes) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/calls");
        request.setRemoteAddr(from);
        request.setContent(new byte[bytes]);
        return request;
    }

    /** As Spring does with a body that cannot be read. */
    private static FilterChain answering400(FilterChain chain) {
        return (request, response) -> {
            try {
                chain.doFilter(request, response);
            } catch (IOException unreadable) {
                ((HttpServletResponse) response).setStatus(400);
            }
        };
    }

    @Test
    void whatIsAnnouncedTooLongIsNotRead() throws Exception {
        bodies.doFilter(
                body("192.0.2.1", 61),
                answer.servlet,
                (request, response) -> assertThat(request).as("not to be read").isNull());
        assertThat(answer.status).isEqualTo(413);
    }

    @Test
    void whatAnnouncesNothingIsReadAsFarAsItMay() throws Exception {
        MockHttpServletRequest chunked =
                new MockHttpServletRequest("POST", "/calls") {
                    @Override
                    public long getContentLengthLong() {
                        return -1;
                    }
                };
        chunked.setContent(new byte[61]);
        bodies.doFilter(chunked, answer.servlet, answering400(READS));
        assertThat(answer.status).isEqualTo(413);
    }

    @Test
    void aSourceHasHalfOfTheRoomAloneAndAQuarterOfWhatOthersLeave() throws Exception {
        Answer again = new Answer();
        Answer other = new Answer();
        Answer more = new Answer();
        bodies.doFilter(
                body("192.0.2.1", 50),
                answer.servlet,
                (request, response) -> {
                    READS.doFilter(request, response);
                    bodies.doFilter(body("192.0.2.1", 1), again.servlet, answering400(READS));
                    bodies.doFilter(body("192.0.2.2", 12), other.servlet, READS);
                    bodies.doFilter(body("192.0.2.3", 13), more.servlet, answering400(READS));
                });
        assertThat(answer.status).isEqualTo(200);
        assertThat(again.status).isEqualTo(503);
        assertThat(other.status).isEqualTo(200);
        assertThat(more.status).as("a quarter of 50 are 12").isEqualTo(503);
    }

    @Test
    void whatWasReadMakesRoomWithItsAnswer() throws Exception {
        for (int i = 0; i < 10; i++) {
            bodies.doFilter(body("192.0.2.1", 50), answer.servlet, READS);
        }
        FilterChain fails =
                (request, response) -> {
                    READS.doFilter(request, response);
                    throw new IOException("broken");
                };
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> bodies.doFilter(body("192.0.2.1", 50), answer.servlet, fails))
                    .hasMessage("broken");
        }
    }
}
