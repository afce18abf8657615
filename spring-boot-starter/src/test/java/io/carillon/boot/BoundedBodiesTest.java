package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

/** 60 bytes for one body, 100 for all, of which four are read at once. */
class BoundedBodiesTest {
    private static final FilterChain READS =
            (request, response) -> request.getInputStream().readAllBytes();

    private final BoundedBodies bodies = new BoundedBodies(60, 100, 4, trusted -> false);
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

    /** Reads the first byte, and waits for the rest while the other request is served. */
    private FilterChain slow(FilterChain meanwhile) {
        return (request, response) -> {
            assertThat(request.getInputStream().read()).isZero();
            meanwhile.doFilter(request, response);
        };
    }

    private FilterChain asks(String from, Answer told, FilterChain chain) {
        return (request, response) -> bodies.doFilter(body(from, 2), told.servlet, chain);
    }

    @Test
    void slowBodiesOfOneSourceLeavePlacesForOthers() throws Exception {
        Answer third = new Answer();
        Answer other = new Answer();
        FilterChain two = slow(asks("192.0.2.1", third, answering400(READS)));
        FilterChain served = asks("192.0.2.2", other, READS);
        bodies.doFilter(
                body("192.0.2.1", 2),
                answer.servlet,
                slow((request, response) -> {
                    asks("192.0.2.1", new Answer(), two).doFilter(request, response);
                    asks("192.0.2.1", new Answer(), slow(served)).doFilter(request, response);
                }));
        assertThat(third.status).as("with two of four it has as many as are free").isEqualTo(503);
        assertThat(other.status).isEqualTo(200);
    }

    /** What was read to its end keeps no thread, however long the answer takes. */
    @Test
    void whatIsReadToItsEndGivesItsPlaceBack() throws Exception {
        Answer[] told = new Answer[8];
        FilterChain chain = (request, response) -> {};
        for (int i = 0; i < told.length; i++) {
            told[i] = new Answer();
            FilterChain next = chain;
            Answer own = told[i];
            chain =
                    (request, response) ->
                            bodies.doFilter(
                                    body("192.0.2.1", 2),
                                    own.servlet,
                                    (inner, out) -> {
                                        READS.doFilter(inner, out);
                                        next.doFilter(inner, out);
                                    });
        }
        chain.doFilter(body("192.0.2.1", 0), answer.servlet);
        assertThat(told).allSatisfy(one -> assertThat(one.status).isEqualTo(200));
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
