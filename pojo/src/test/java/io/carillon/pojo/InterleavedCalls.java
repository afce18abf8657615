package io.carillon.pojo;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.pojo.engine.BeanSource;
import io.carillon.pojo.engine.HandlerBean;
import io.carillon.pojo.engine.ScopedInstance;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletMessage;
import org.jspecify.annotations.Nullable;

/** 1,000 bridged calls at once, for the tests of both frameworks. */
public final class InterleavedCalls {
    private static final int CALLS = 1_000;
    private static final int THREADS = 4;
    private static final int CALLS_OF_THREAD = 100;

    private InterleavedCalls() {}

    /**
     * The same beans in as many containers as there are threads, each with its own calls. In each
     * message all threads wait for each other inside their handlers, so that each looks at what was
     * injected while the others are at theirs.
     */
    public static void runOnThreads(BeanSource source) throws Exception {
        InterleavedHandler.WRONG.clear();
        InterleavedHandler.LOOKED.set(0);
        int before = Belongings.ALIVE.get();
        CyclicBarrier together = new CyclicBarrier(THREADS);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        InterleavedHandler.meanwhile =
                () -> {
                    threads.add(Thread.currentThread());
                    meet(together);
                };
        Shared shared = new Shared(source);
        List<Callable<Void>> servers = new ArrayList<>();
        for (int i = 1; i <= THREADS; i++) {
            int seed = i;
            servers.add(() -> {
                callsOfOneThread(SipTestServer.open(seed, false), shared);
                return null;
            });
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            for (Future<Void> each : pool.invokeAll(servers)) {
                each.get();
            }
        } finally {
            InterleavedHandler.meanwhile = () -> {};
            source.close();
        }
        assertThat(InterleavedHandler.WRONG).isEmpty();
        assertThat(threads).hasSize(THREADS);
        assertThat(InterleavedHandler.LOOKED.get()).isEqualTo(8 * CALLS_OF_THREAD * THREADS);
        assertThat(Belongings.ALIVE.get()).as("destroyed with their sessions").isEqualTo(before);
    }

    private static void meet(CyclicBarrier together) {
        try {
            // Far longer than it takes: who fails lets the others go by breaking it.
            together.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("another thread failed", e);
        }
    }

    private static void callsOfOneThread(SipTestServer server, BeanSource beans) throws Exception {
        try {
            server.deploy(PlainHandlers.describe("interleaved", beans).build());
            UserAgent alice = server.phone("alice");
            server.phone("bob")
                    .onCall(call -> {
                        call.ring();
                        call.answer();
                    });
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < CALLS_OF_THREAD; i++) {
                calls.add(alice.call(server.uri("bob")));
            }
            server.advance(Duration.ofSeconds(2));
            assertThat(calls).allMatch(call -> call.state() == Call.State.ESTABLISHED);
            calls.forEach(Call::info);
            server.advance(Duration.ofSeconds(1));
            calls.forEach(Call::bye);
            server.assertNothingLeft();
        } finally {
            server.close();
        }
    }

    /** One framework's beans for several containers: started once, ended by the test. */
    private static final class Shared implements BeanSource {
        private final BeanSource source;
        private @Nullable List<HandlerBean> handlers;

        Shared(BeanSource source) {
            this.source = source;
        }

        @Override
        public synchronized List<HandlerBean> start(ServletContext context)
                throws ServletException {
            List<HandlerBean> known = handlers;
            if (known == null) {
                known = source.start(context);
                handlers = known;
            }
            return known;
        }

        @Override
        public void destroy(ScopedInstance instance) {
            source.destroy(instance);
        }

        @Override
        public boolean hasCallScope() {
            return source.hasCallScope();
        }

        @Override
        public boolean observe(SipServletMessage message) {
            return source.observe(message);
        }
    }

    /** Runs them, and fails when anything belonged to another call, or outlived its own. */
    public static void run(SipTestServer server, BeanSource source, boolean blocking)
            throws Exception {
        InterleavedHandler.WRONG.clear();
        InterleavedHandler.LOOKED.set(0);
        int before = Belongings.ALIVE.get();
        server.deploy(
                PlainHandlers.describe("interleaved", source)
                        .contextParam(
                                "io.carillon.execution", blocking ? "blocking" : "non-blocking")
                        .build());
        UserAgent alice = server.phone("alice");
        server.phone("bob")
                .onCall(call -> {
                    call.ring();
                    call.answer();
                });
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(alice.call(server.uri("bob")));
            if (i % 100 == 0) {
                server.advance(Duration.ofMillis(3));
            }
        }
        server.advance(Duration.ofSeconds(2));
        assertThat(calls).allMatch(call -> call.state() == Call.State.ESTABLISHED);
        assertThat(Belongings.ALIVE.get() - before)
                .as("two sessions, a call and an application session for each call")
                .isEqualTo(4 * CALLS);
        calls.forEach(Call::info);
        server.advance(Duration.ofSeconds(1));
        calls.forEach(Call::bye);
        server.assertNothingLeft();
        assertThat(InterleavedHandler.WRONG).isEmpty();
        assertThat(InterleavedHandler.LOOKED.get()).isEqualTo(8 * CALLS);
        assertThat(Belongings.ALIVE.get()).as("destroyed with their sessions").isEqualTo(before);
    }
}
