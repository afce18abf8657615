package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.sip.token.RandomSource;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionBindingEvent;
import javax.servlet.sip.SipSessionBindingListener;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two threads, each inside the turn of one application session, that call the other's: neither may
 * wait, and nothing of a session is changed by two at once.
 */
class ForeignTurnTest {
    private static final String FROM = "sip:a@x";
    private static final String TO = "sip:b@10.0.0.9";
    private static final int TIMERS = 600;

    /** Sends, and has timers. */
    private static final class Sender extends SipServlet implements TimerListener {
        private static final long serialVersionUID = 1L;

        @Override
        public void timeout(ServletTimer timer) {}
    }

    private interface Work {
        void run() throws Exception;
    }

    private final Server server = Server.fresh(1);
    private final Sender sender = new Sender();
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final CyclicBarrier bothInside = new CyclicBarrier(2);
    private SipFactory factory;
    private TimerService timers;
    private ApplicationSession one;
    private ApplicationSession other;

    @BeforeEach
    void deploy() {
        server.deploy(sender, ExecutionMode.BLOCKING, sender);
        factory = (SipFactory) sender.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        timers = (TimerService) sender.getServletContext().getAttribute(SipServlet.TIMER_SERVICE);
        one = (ApplicationSession) factory.createApplicationSession();
        other = (ApplicationSession) factory.createApplicationSession();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        server.assertClean();
    }

    private Future<?> inTurnOf(ApplicationSession session, Work work) {
        return threads.submit(() -> {
            assertThat(session.enter()).isTrue();
            try {
                meet();
                work.run();
                meet();
            } finally {
                session.exit();
            }
            return null;
        });
    }

    private void meet() throws InterruptedException, BrokenBarrierException {
        bothInside.await();
    }

    private void both(Work inOne, Work inOther) throws Exception {
        Future<?> first = inTurnOf(one, inOne);
        Future<?> second = inTurnOf(other, inOther);
        try {
            second.get();
            first.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception inner ? inner : e;
        }
    }

    private SipServletRequest request(ApplicationSession in) throws Exception {
        return factory.createRequest(in, "OPTIONS", FROM, TO);
    }

    /** What a piece of work did, or that it was refused. */
    private static void unlessRefused(Work work) throws Exception {
        try {
            work.run();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("is busy");
        }
    }

    @Test
    void aRequestIsNotMadeInABusySessionByAThreadThatHoldsAnother() throws Exception {
        SipSession session = request(one).getSession();
        both(
                () -> {},
                () -> {
                    assertThatThrownBy(() -> request(one))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(one.getId())
                            .hasMessageContaining(other.getId())
                            .hasMessageContaining("io.carillon.turn");
                    assertThatThrownBy(() -> session.createRequest("MESSAGE"))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("io.carillon.turn");
                    assertThatThrownBy(() -> one.getSessions().next())
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("io.carillon.turn");
                });
        assertThat(one.sessions()).as("nothing was made").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void noTwoSessionsOrTimersHaveOneNumber(long seed) throws Exception {
        Collection<String> made = new ConcurrentLinkedQueue<>();
        both(() -> many(seed, made), () -> many(-seed, made));
        assertThat(made).doesNotHaveDuplicates();
        assertThat(one.sessions().stream().map(SipSession::getId)).doesNotHaveDuplicates();
        server.run(Duration.ofSeconds(1));
        List<String> timerIds = new ArrayList<>();
        one.getTimers().forEach(timer -> timerIds.add(timer.getId()));
        other.getTimers().forEach(timer -> timerIds.add(timer.getId()));
        assertThat(timerIds).as("each timer made lives").hasSize(2 * TIMERS);
    }

    /** Sessions and timers in both, in an order that the seed decides. */
    private void many(long seed, Collection<String> made) throws Exception {
        RandomSource random = RandomSource.seeded(seed);
        for (int i = 0; i < TIMERS; i++) {
            ApplicationSession session = random.nextLong() < 0 ? one : other;
            made.add(timers.createTimer(session, 1_000_000, false, "").getId());
            if (i % 10 == 0) {
                unlessRefused(() -> made.add(request(session).getSession().getId()));
            }
        }
    }

    @Test
    void numbersOfChildrenAreDrawnByTwoThreadsAtOnce() throws Exception {
        int[][] drawn = new int[2][200_000];
        both(() -> draw(drawn[0]), () -> draw(drawn[1]));
        int[] all = IntStream.concat(IntStream.of(drawn[0]), IntStream.of(drawn[1])).toArray();
        assertThat(IntStream.of(all).distinct().count()).isEqualTo(all.length);
    }

    private void draw(int[] into) {
        for (int i = 0; i < into.length; i++) {
            into[i] = one.nextOrdinal();
        }
    }

    /** What changes a session and gives nothing back waits for its turn. */
    @Test
    void whatIsToldToABusySessionHappensInItsTurn() throws Exception {
        SipSession session = request(one).getSession();
        List<String> order = new CopyOnWriteArrayList<>();
        both(
                () -> {
                    meet();
                    order.add("the work in progress");
                },
                () -> {
                    session.setAttribute("bound", new Bound(order));
                    session.setInvalidateWhenReady(false);
                    one.setExpires(7);
                    meet();
                });
        server.run(Duration.ofSeconds(1));
        assertThat(order).containsExactly("the work in progress", "bound");
        assertThat(session.getInvalidateWhenReady()).isFalse();
        assertThat(one.getExpirationTime() - server.container.millis())
                .isBetween(1L, Duration.ofMinutes(7).toMillis());
    }

    /** An attribute that hears when it is set. */
    private record Bound(List<String> order) implements SipSessionBindingListener, Serializable {
        @Override
        public void valueBound(SipSessionBindingEvent event) {
            order.add("bound");
        }

        @Override
        public void valueUnbound(SipSessionBindingEvent event) {}
    }

    @Test
    void noTwoRequestsOfASessionHaveOneCSeq() throws Exception {
        SipSession session = request(one).getSession();
        Collection<String> numbers = new ConcurrentLinkedQueue<>();
        Work draws =
                () -> {
                    for (int i = 0; i < 2_000; i++) {
                        unlessRefused(() -> numbers.add(cseq(session.createRequest("MESSAGE"))));
                    }
                };
        both(draws, draws);
        assertThat(numbers).hasSizeGreaterThanOrEqualTo(2_000).doesNotHaveDuplicates();
    }

    private static String cseq(SipServletRequest request) {
        String value = request.getHeader("CSeq");
        return value.substring(0, value.indexOf(' '));
    }
}
