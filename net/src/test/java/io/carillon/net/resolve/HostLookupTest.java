package io.carillon.net.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.net.NetworkConfig;
import io.carillon.net.NetworkCounter;
import io.carillon.net.Tally;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostLookupTest {

    private static final InetAddress FOUND = InetAddress.ofLiteral("192.0.2.1");

    private final Tally tally = new Tally();
    private final ShardGroup group =
            new ShardGroup(1, false, new Tally[] {tally}, System.nanoTime());
    private final ShardLoop loop = group.loop(0);
    private final AtomicInteger questions = new AtomicInteger();
    private final LinkedBlockingQueue<InetAddress[]> answers = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        group.close();
    }

    private InetAddress[] source(String host) throws UnknownHostException {
        questions.incrementAndGet();
        if (host.startsWith("no")) {
            throw new UnknownHostException(host);
        }
        if (host.startsWith("bug")) {
            throw new IllegalStateException("a bad plug-in");
        }
        return new InetAddress[] {FOUND};
    }

    private void ask(HostLookup lookup, String host) {
        loop.execute(() -> lookup.find(host, loop, this::answer));
    }

    private void answer(InetAddress[] found) {
        assertThat(loop.inShard()).isTrue();
        answers.add(found);
    }

    private InetAddress[] next() throws InterruptedException {
        return answers.poll(10, TimeUnit.SECONDS);
    }

    private static NetworkConfig.Lookup limits(int threads, int waiting, int cached, int millis) {
        return new NetworkConfig.Lookup(threads, waiting, cached, millis, millis);
    }

    @Test
    void anAnswerIsRemembered() throws Exception {
        try (HostLookup lookup = new HostLookup(limits(1, 10, 10, 60_000), this::source)) {
            for (int i = 0; i < 3; i++) {
                ask(lookup, "a.example");
                assertThat(next()).containsExactly(FOUND);
                ask(lookup, "no.example");
                assertThat(next()).isEmpty();
            }
            assertThat(questions).hasValue(2);
        }
    }

    @Test
    void anOldAnswerIsAskedForAgain() throws Exception {
        try (HostLookup lookup = new HostLookup(limits(1, 10, 10, 1), this::source)) {
            await().until(() -> {
                ask(lookup, "a.example");
                assertThat(next()).containsExactly(FOUND);
                return questions.get() > 2;
            });
        }
    }

    @Test
    void manyWhoAskForOneNameWaitForOneAnswer() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        try (HostLookup lookup =
                new HostLookup(
                        limits(2, 10, 10, 60_000),
                        host -> {
                            held(hold);
                            return source(host);
                        })) {
            for (int i = 0; i < 100; i++) {
                ask(lookup, "a.example");
            }
            hold.countDown();
            for (int i = 0; i < 100; i++) {
                assertThat(next()).containsExactly(FOUND);
            }
            assertThat(questions).hasValue(1);
        }
    }

    @Test
    void whenTooManyWaitTheNextHasNoAnswerAndNothingIsRememberedOfIt() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        try (HostLookup lookup =
                new HostLookup(
                        limits(1, 1, 10, 60_000),
                        host -> {
                            held(hold);
                            return source(host);
                        })) {
            ask(lookup, "a.example");
            ask(lookup, "b.example");
            ask(lookup, "c.example");
            assertThat(next()).as("c, refused at once").isEmpty();
            assertThat(tally.get(NetworkCounter.LOOKUPS_REJECTED)).isEqualTo(1);
            hold.countDown();
            assertThat(next()).containsExactly(FOUND);
            assertThat(next()).containsExactly(FOUND);
            ask(lookup, "c.example");
            assertThat(next()).containsExactly(FOUND);
        }
    }

    @Test
    void aResolverThatFailsIsNoAnswer() throws Exception {
        try (HostLookup lookup = new HostLookup(limits(1, 10, 10, 60_000), this::source)) {
            ask(lookup, "bug.example");
            assertThat(next()).isEmpty();
        }
    }

    @Test
    void manyNamesDoNotFillTheMemory() throws Exception {
        try (HostLookup lookup = new HostLookup(limits(2, 10, 32, 60_000), this::source)) {
            for (int i = 0; i < 200; i++) {
                ask(lookup, "a" + i + ".example");
                assertThat(next()).containsExactly(FOUND);
            }
            assertThat(lookup.remembered()).isLessThanOrEqualTo(33);
        }
    }

    private static void held(CountDownLatch hold) {
        try {
            hold.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
