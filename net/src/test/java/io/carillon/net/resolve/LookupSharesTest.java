package io.carillon.net.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.listen.Listener;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.uri.Uri;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;

/**
 * Some name hosts of ever new zones whose servers are silent, others hosts that answer. The time of
 * the DNS is virtual: a silent server is given up after four seconds of it.
 */
class LookupSharesTest {
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long GIVEN_UP = TimeUnit.SECONDS.toNanos(4);

    /** Each flooding source names so many in a step: 150 a second. */
    private static final int NAMES = 15;

    /** Ten seconds: more than twice what a silent server is waited for. */
    private static final int STEPS = 100;

    private static final Sources SOURCES = new Sources(source -> false, 7);

    private record Unanswered(CompletableFuture<Message> answer, long untilNanos) {}

    private final ShardGroup group =
            new ShardGroup(1, false, new LoopCounts[] {new LoopCounts()}, System.nanoTime());
    private final ShardLoop loop = group.loop(0);
    private final MemoryZone zone = new MemoryZone();
    private final AtomicLong clock = new AtomicLong();
    private final Queue<Unanswered> unanswered = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Executor> dns = new ArrayDeque<>();
    private final DnsConfig config = DnsConfig.defaults().withHostsFile(null);
    private final DnsQuestions questions =
            new DnsQuestions(
                    config,
                    executor -> {
                        dns.add(executor);
                        return this::ask;
                    },
                    clock::get);
    private final TargetResolver resolver =
            new TargetResolver(questions, config.limits(), RandomGenerator.of("L64X128MixRandom"));
    private final OutboundPaths ways = ways();
    private int names;

    @AfterEach
    void stop() {
        questions.close();
        group.close();
    }

    private static OutboundPaths ways() {
        InetSocketAddress local = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.100"), 5060);
        ListeningPoint point = new ListeningPoint(Transport.UDP, "192.0.2.100", 5060, null, 0);
        LocalAddresses addresses =
                new LocalAddresses(List.of(new Listener(0, point, local)), List.of());
        EgressFilter filter = new EgressFilter(EgressConfig.defaults(), addresses);
        return new OutboundPaths(addresses, filter, transport -> transport == Transport.UDP);
    }

    private CompletionStage<Message> ask(Message question) {
        if (!question.getQuestion().getName().toString().contains("silent")) {
            return zone.ask(question);
        }
        CompletableFuture<Message> answer = new CompletableFuture<>();
        unanswered.add(new Unanswered(answer, clock.get() + GIVEN_UP));
        return answer;
    }

    /** What is to happen at this time has happened. */
    private void settle() throws Exception {
        for (int i = 0; i < 8; i++) {
            CompletableFuture<Void> over = new CompletableFuture<>();
            dns.getFirst().execute(() -> loop.execute(() -> over.complete(null)));
            over.get(20, TimeUnit.SECONDS);
        }
    }

    private void step() throws Exception {
        long now = clock.addAndGet(STEP);
        while (!unanswered.isEmpty() && unanswered.peek().untilNanos() - now <= 0) {
            CompletableFuture<Message> answer = unanswered.remove().answer();
            dns.getFirst().execute(() -> answer.completeExceptionally(new IOException("silent")));
        }
        settle();
    }

    private CompletableFuture<List<Hop>> resolve(String host, int place) {
        CompletableFuture<List<Hop>> answer = new CompletableFuture<>();
        loop.execute(() ->
                resolver.resolve(
                        uri("sip:u@" + host),
                        null,
                        new RequestBudget(place),
                        loop,
                        ways,
                        answer::complete));
        return answer;
    }

    private static Uri uri(String text) {
        try {
            return Uri.parse(text);
        } catch (SipParseException e) {
            throw new AssertionError(e);
        }
    }

    /** Names so many hosts of zones that nobody has named. */
    private void flood(int place, int count) {
        for (int i = 0; i < count; i++) {
            CompletableFuture<List<Hop>> answer = resolve("h.silent" + names++, place);
            assertThat(answer).as("not before the names are known").isNotNull();
        }
    }

    /** A host that nobody has named, with an SRV record. */
    private String fresh() {
        String domain = "honest" + names++ + ".example";
        zone.add("_sip._udp." + domain, "SRV 1 1 5060 h." + domain + ".")
                .add("h." + domain, "A 192.0.2.1");
        return domain;
    }

    private static int place(int source) {
        return SOURCES.place(source);
    }

    /**
     * Each step those sources flood, and that one names a new host: which are not found at once?
     */
    private List<String> missed(int honest, int... flooding) throws Exception {
        List<String> missed = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            for (int source : flooding) {
                flood(source, NAMES);
            }
            String host = fresh();
            CompletableFuture<List<Hop>> answer = resolve(host, honest);
            step();
            if (!answer.isDone() || answer.join().isEmpty()) {
                missed.add(host);
            }
        }
        return missed;
    }

    private static int[] sources(int count) {
        int[] places = new int[count];
        for (int i = 0; i < count; i++) {
            places[i] = place(100 + i);
        }
        return places;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 10})
    @DisplayName("ever new silent zones, 150 a second of each of some sources: another's are found")
    void silentZonesOfSomeSources(int flooding) throws Exception {
        assertThat(missed(place(1), sources(flooding))).isEmpty();
        assertThat(questions.waiting()).isLessThanOrEqualTo(config.questions().maxWaiting());
    }

    /** A zone is two labels: below eu.org, or of one carrier, there are many who share it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    @DisplayName("ever new silent names of one zone: another's that are of that zone are found")
    void silentNamesOfAZoneThatOthersShare(int flooding) throws Exception {
        int[] sources = sources(flooding);
        List<String> missed = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            for (int source : sources) {
                for (int k = 0; k < 2 * NAMES; k++) {
                    assertThat(resolve("silent" + names++ + ".shared.example", source)).isNotNull();
                }
            }
            String host = "honest" + names++ + ".shared.example";
            zone.add("_sip._udp." + host, "SRV 1 1 5060 " + host + ".").add(host, "A 192.0.2.1");
            CompletableFuture<List<Hop>> answer = resolve(host, place(1));
            step();
            step(); // its questions wait for places of the zone, as one that has fewest
            if (!answer.isDone() || answer.join().isEmpty()) {
                missed.add(host);
            }
        }
        assertThat(missed).isEmpty();
        assertThat(questions.waiting()).isLessThanOrEqualTo(config.questions().maxWaiting());
    }

    /** Who holds most of the zone himself is refused, and the zones of others have room. */
    @Test
    @DisplayName("one source alone in a zone holds the half of the places, and no more")
    void aZoneHasItsBound() throws Exception {
        for (int i = 0; i < STEPS; i++) {
            for (int k = 0; k < 2 * NAMES; k++) {
                assertThat(resolve("silent" + names++ + ".shared.example", place(1))).isNotNull();
            }
            settle();
            assertThat(questions.waiting())
                    .isLessThanOrEqualTo(config.questions().maxWaiting() / 2);
        }
    }

    @Test
    @DisplayName("the same: what an application asks by itself is found")
    void ownRequestsBesideAFlood() throws Exception {
        assertThat(missed(Sources.NOBODY, sources(10))).isEmpty();
    }

    @Test
    @DisplayName("an application names ever new silent zones: what others ask is found")
    void floodOfOwnRequests() throws Exception {
        assertThat(missed(place(1), Sources.NOBODY)).isEmpty();
    }

    @Test
    @DisplayName("a host that one of many questions is about is asked for when another names it")
    void namedByTheFloodBefore() throws Exception {
        for (int i = 0; i < STEPS; i++) {
            flood(place(2), NAMES);
            String host = fresh();
            CompletableFuture<List<Hop>> his = resolve(host, place(2));
            CompletableFuture<List<Hop>> answer = resolve(host, place(1));
            step();
            assertThat(his).as("whoever asked first").isNotNull();
            assertThat(answer).as(host).isCompletedWithValueMatching(hops -> !hops.isEmpty());
        }
    }

    @Test
    @DisplayName("after a flood nothing is left of it")
    void afterwardsNobodyWaits() throws Exception {
        missed(place(1), sources(8));
        for (int i = 0; i < 1000 && questions.waiting() > 0; i++) {
            step();
        }
        assertThat(questions.waiting()).isZero();
        assertThat(questions.held()).as("zones and sources").isZero();
    }
}
