package io.carillon.net.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.Listener;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Type;

/** RFC 3263 and RFC 7984 on a DNS in memory. */
class ResolutionTest {
    private final LoopCounts tally = new LoopCounts();
    private final ShardGroup group =
            new ShardGroup(1, false, new LoopCounts[] {tally}, System.nanoTime());
    private final ShardLoop loop = group.loop(0);
    private final MemoryZone zone = new MemoryZone();
    private final AtomicLong clock = new AtomicLong();
    private Set<Transport> sends = EnumSet.allOf(Transport.class);
    private DnsConfig config = DnsConfig.defaults().withHostsFile(null);
    private @Nullable DnsQuestions questions;
    private Executor afterAnswers = Runnable::run;
    private RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

    @TempDir Path folder;

    @BeforeEach
    void seed() {
        random = java.util.random.RandomGeneratorFactory.of("L64X128MixRandom").create(42);
    }

    @AfterEach
    void stop() {
        if (questions != null) {
            questions.close();
        }
        group.close();
    }

    private static Listener listener(int index, Transport transport, String host, int port) {
        ListeningPoint point =
                new ListeningPoint(
                        transport, host, port, index == 0 ? "sip.outer.example" : null, 0);
        return new Listener(index, point, new InetSocketAddress(InetAddress.ofLiteral(host), port));
    }

    private OutboundPaths ways(String... hosts) {
        List<Listener> listeners = new ArrayList<>();
        for (String host : hosts) {
            listeners.add(listener(listeners.size(), Transport.UDP, host, 5060));
            listeners.add(listener(listeners.size(), Transport.TCP, host, 5060));
        }
        LocalAddresses addresses = new LocalAddresses(listeners, List.of("our.example"));
        return new OutboundPaths(
                addresses, new EgressFilter(EgressConfig.defaults(), addresses), sends::contains);
    }

    private List<Hop> resolve(String target) throws Exception {
        return resolve(target, null, ways("192.0.2.100"));
    }

    private List<Hop> resolve(String target, @Nullable Transport preferred, OutboundPaths ways)
            throws Exception {
        return resolve(target, preferred, ways, RequestBudget.ofNobody());
    }

    private List<Hop> resolve(
            String target, @Nullable Transport preferred, OutboundPaths ways, RequestBudget budget)
            throws Exception {
        DnsQuestions asked = questions;
        if (asked == null) {
            asked =
                    new DnsQuestions(
                            config,
                            executor -> {
                                afterAnswers = executor;
                                return zone;
                            },
                            clock::get);
            questions = asked;
        }
        // A new resolver each time: only answers of the DNS are remembered.
        TargetResolver resolver = new TargetResolver(asked, config.limits(), random);
        CompletableFuture<List<Hop>> answer = new CompletableFuture<>();
        loop.execute(() ->
                resolver.resolve(uri(target), preferred, budget, loop, ways, answer::complete));
        return answer.get(20, TimeUnit.SECONDS);
    }

    /**
     * Who asked is told first; then the answer is weighed, on the thread of the questions. The next
     * question makes room for what was weighed before it.
     */
    private void answerIsWeighed() throws Exception {
        CompletableFuture.runAsync(() -> {}, afterAnswers).get(20, TimeUnit.SECONDS);
    }

    private static Uri uri(String text) {
        try {
            return Uri.parse(text);
        } catch (SipParseException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> texts(List<Hop> hops) {
        return hops.stream().map(Hop::toString).toList();
    }

    // 4.1 and 4.2

    @Test
    @DisplayName("4.1: NAPTR chooses the transport, SRV the servers, A their addresses")
    void naptrSrvA() throws Exception {
        zone.add("example.com", "NAPTR 50 50 \"s\" \"SIP+D2T\" \"\" _sip._tcp.example.com.")
                .add("example.com", "NAPTR 90 50 \"s\" \"SIP+D2U\" \"\" _sip._udp.example.com.")
                .add("_sip._tcp.example.com", "SRV 0 1 5070 one.example.com.")
                .add("_sip._tcp.example.com", "SRV 1 1 5071 two.example.com.")
                .add("_sip._udp.example.com", "SRV 0 1 5080 one.example.com.")
                .add("one.example.com", "A 192.0.2.1")
                .add("two.example.com", "A 192.0.2.2");
        assertThat(texts(resolve("sip:a@Example.COM")))
                .containsExactly("TCP 192.0.2.1:5070", "TCP 192.0.2.2:5071");
    }

    @Test
    @DisplayName("4.1: services that we cannot use are discarded; SIPS is kept for a SIP URI")
    void naptrWhatWeSupport() throws Exception {
        zone.add("example.com", "NAPTR 10 50 \"s\" \"SIP+D2S\" \"\" _sip._sctp.example.com.")
                .add("example.com", "NAPTR 20 50 \"s\" \"SIPS+D2T\" \"\" _sips._tcp.example.com.")
                .add("example.com", "NAPTR 30 50 \"s\" \"SIP+D2U\" \"\" _sip._udp.example.com.")
                .add("_sips._tcp.example.com", "SRV 0 1 5061 one.example.com.")
                .add("_sip._udp.example.com", "SRV 0 1 5060 one.example.com.")
                .add("one.example.com", "A 192.0.2.1");
        List<Hop> hops = resolve("sip:a@example.com");
        assertThat(texts(hops)).containsExactly("TLS 192.0.2.1:5061");
        assertThat(hops.getFirst().domain())
                .as("RFC 5922 4: the name the client had")
                .isEqualTo("example.com");
        sends = EnumSet.of(Transport.UDP, Transport.TCP);
        assertThat(texts(resolve("sip:a@example.com"))).containsExactly("UDP 192.0.2.1:5060");
    }

    @Test
    @DisplayName("4.1: for SIPS any service that is not SIPS MUST be discarded")
    void sips() throws Exception {
        zone.add("example.com", "NAPTR 10 50 \"s\" \"SIP+D2T\" \"\" _sip._tcp.example.com.")
                .add("example.com", "NAPTR 30 50 \"s\" \"SIPS+D2W\" \"\" _sips._ws.example.com.")
                .add("_sip._tcp.example.com", "SRV 0 1 5060 one.example.com.")
                .add("_sips._ws.example.com", "SRV 0 1 443 one.example.com.")
                .add("one.example.com", "A 192.0.2.1");
        assertThat(texts(resolve("sips:a@example.com"))).containsExactly("WSS 192.0.2.1:443");
        sends = EnumSet.of(Transport.UDP, Transport.TCP);
        assertThat(resolve("sips:a@example.com")).isEmpty();
        assertThat(tally.get(NetworkCounter.TARGETS_UNSUPPORTED)).isEqualTo(1);
    }

    @Test
    @DisplayName("4.1: no NAPTR: SRV for each transport that we support, ours first")
    void srvWithoutNaptr() throws Exception {
        zone.add("_sip._tcp.example.com", "SRV 0 1 5070 one.example.com.")
                .add("_sip._udp.example.com", "SRV 0 1 5080 one.example.com.")
                .add("one.example.com", "A 192.0.2.1");
        assertThat(texts(resolve("sip:a@example.com")))
                .containsExactly("UDP 192.0.2.1:5080", "TCP 192.0.2.1:5070");
        assertThat(texts(resolve("sip:a@example.com", Transport.TCP, ways("192.0.2.100"))))
                .containsExactly("TCP 192.0.2.1:5070", "UDP 192.0.2.1:5080");
    }

    @Test
    @DisplayName("4.1, 4.2: neither NAPTR nor SRV: A with UDP, for SIPS TLS, and the default port")
    void addressOnly() throws Exception {
        zone.add("example.com", "A 192.0.2.1").add("example.com", "A 192.0.2.2");
        assertThat(texts(resolve("sip:a@example.com")))
                .containsExactly("UDP 192.0.2.1:5060", "UDP 192.0.2.2:5060");
        assertThat(texts(resolve("sips:a@example.com")))
                .containsExactly("TLS 192.0.2.1:5061", "TLS 192.0.2.2:5061");
        assertThat(texts(resolve("sip:a@example.com;transport=ws")))
                .first()
                .isEqualTo("WS 192.0.2.1:80");
    }

    @Test
    @DisplayName("4.2: a port in the URI: addresses only, no NAPTR and no SRV is asked for")
    void portMeansAddress() throws Exception {
        zone.add("_sip._udp.example.com", "SRV 0 1 5080 other.example.com.")
                .add("example.com", "A 192.0.2.1");
        assertThat(texts(resolve("sip:a@example.com:5090"))).containsExactly("UDP 192.0.2.1:5090");
        assertThat(zone.asked).containsExactly("example.com. A");
    }

    @Test
    @DisplayName("4.2: a transport in the URI: the SRV records of that transport")
    void transportMeansSrv() throws Exception {
        zone.add("example.com", "NAPTR 50 50 \"s\" \"SIP+D2U\" \"\" _sip._udp.example.com.")
                .add("_sip._tcp.example.com", "SRV 0 1 5070 one.example.com.")
                .add("one.example.com", "A 192.0.2.1");
        assertThat(texts(resolve("sip:a@example.com;transport=tcp")))
                .containsExactly("TCP 192.0.2.1:5070");
        assertThat(zone.count("example.com. NAPTR")).isZero();
    }

    @Test
    @DisplayName("4: maddr is the TARGET, the host is what the certificate has to say")
    void maddr() throws Exception {
        zone.add("edge.example.com", "A 192.0.2.9");
        List<Hop> hops = resolve("sips:a@example.com:5071;maddr=edge.example.com");
        assertThat(texts(hops)).containsExactly("TLS 192.0.2.9:5071");
        assertThat(hops.getFirst().domain()).isEqualTo("example.com");
    }

    @Test
    @DisplayName(
            "RFC 2782: a target of \".\": decidedly not available, the addresses are not tried")
    void notAvailable() throws Exception {
        zone.add("_sip._tcp.example.com", "SRV 0 0 0 .").add("example.com", "A 192.0.2.1");
        assertThat(resolve("sip:a@example.com;transport=tcp")).isEmpty();
    }

    @Test
    @DisplayName("RFC 2782: priorities in order, weights by chance: 1 to 3 is 1 to 3")
    void weights() throws Exception {
        zone.add("_sip._udp.example.com", "SRV 20 5 5060 last.example.com.")
                .add("_sip._udp.example.com", "SRV 10 1 5060 one.example.com.")
                .add("_sip._udp.example.com", "SRV 10 3 5060 three.example.com.")
                .add("one.example.com", "A 192.0.2.1")
                .add("three.example.com", "A 192.0.2.3")
                .add("last.example.com", "A 192.0.2.20");
        Map<String, Integer> first = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            List<Hop> hops = resolve("sip:a@example.com;transport=udp");
            assertThat(hops).hasSize(3);
            assertThat(hops.getLast().remoteHost()).isEqualTo("192.0.2.20");
            first.merge(hops.getFirst().remoteHost(), 1, Integer::sum);
        }
        // "a uniform random number between 0 and the sum computed (inclusive)": 0 and 1 of 0 to 4
        // are the first one's.
        assertThat(first.get("192.0.2.1")).isBetween(340, 460);
        assertThat(zone.asked).as("all but the first out of memory").hasSize(4);
    }

    // RFC 7984

    @Test
    @DisplayName("RFC 7984 4.2: both families; addresses of two servers are not mixed")
    void bothFamilies() throws Exception {
        zone.add("_sip._udp.example.com", "SRV 0 1 5060 one.example.com.")
                .add("_sip._udp.example.com", "SRV 1 1 5060 two.example.com.")
                .add("one.example.com", "A 192.0.2.1")
                .add("one.example.com", "AAAA 2001:db8::1")
                .add("two.example.com", "A 192.0.2.2")
                .add("two.example.com", "AAAA 2001:db8::2");
        OutboundPaths ways = ways("192.0.2.100", "2001:db8::100");
        List<String> six = List.of("2001:db8:0:0:0:0:0:1", "192.0.2.1");
        List<String> hosts =
                resolve("sip:a@example.com;transport=udp", null, ways).stream()
                        .map(Hop::remoteHost)
                        .toList();
        assertThat(hosts.subList(0, 2))
                .containsExactlyElementsOf(ways.addresses().prefersSix() ? six : six.reversed());
        assertThat(hosts).hasSize(4);
    }

    @Test
    @DisplayName("RFC 7984: a family that no listening point reaches is not asked for")
    void oneFamily() throws Exception {
        zone.add("example.com", "A 192.0.2.1").add("example.com", "AAAA 2001:db8::1");
        assertThat(texts(resolve("sip:a@example.com:5060"))).containsExactly("UDP 192.0.2.1:5060");
        assertThat(zone.asked).containsExactly("example.com. A");
        assertThat(texts(resolve("sip:a@example.com:5060", null, ways("2001:db8::100"))))
                .containsExactly("UDP 2001:db8:0:0:0:0:0:1:5060");
    }

    // Limits

    @Test
    @DisplayName("100 SRV records and more: those of the best priority, and so many hops only")
    void manyRecords() throws Exception {
        for (int i = 0; i < 150; i++) {
            zone.add(
                            "_sip._udp.example.com",
                            "SRV " + (200 - i) + " 1 5060 s" + i + ".example.com.")
                    .add("s" + i + ".example.com", "A 198.51.100." + (i + 1));
        }
        List<Hop> hops = resolve("sip:a@example.com;transport=udp");
        assertThat(hops).hasSize(16);
        assertThat(hops.getFirst().remoteHost()).isEqualTo("198.51.100.150");
        assertThat(zone.asked).hasSize(1 + 16);
        assertThat(tally.get(NetworkCounter.LOOKUPS_LIMITED)).isEqualTo(1);
    }

    @Test
    @DisplayName("many NAPTR records, each to a name of its own: so many questions and no more")
    void manyNaptr() throws Exception {
        for (int i = 0; i < 200; i++) {
            zone.add(
                    "example.com",
                    "NAPTR 1 " + i + " \"s\" \"SIP+D2U\" \"\" n" + i + ".example.com.");
            for (int j = 0; j < 20; j++) {
                zone.add(
                        "n" + i + ".example.com", "SRV 1 1 5060 h" + i + "x" + j + ".example.com.");
            }
        }
        assertThat(resolve("sip:a@example.com")).isEmpty();
        assertThat(zone.asked).hasSizeLessThanOrEqualTo(config.limits().maxQuestions());
        assertThat(tally.get(NetworkCounter.TARGETS_UNRESOLVED)).isEqualTo(1);
    }

    /** RFC 3263 leaves it open how many names one request may have us look up. */
    @Test
    @DisplayName("64 targets of one request with 30 SRV records each: so many questions in all")
    void manyTargetsOfOneRequest() throws Exception {
        for (int i = 0; i < 64; i++) {
            String domain = "d" + i + ".example";
            for (int j = 0; j < 30; j++) {
                zone.add("_sip._udp." + domain, "SRV 1 1 5060 h" + j + "." + domain + ".")
                        .add("h" + j + "." + domain, "A 192.0.2.1");
            }
        }
        RequestBudget budget = RequestBudget.ofNobody();
        int found = 0;
        for (int i = 0; i < 64; i++) {
            String target = "sip:u@d" + i + ".example;transport=udp";
            found += resolve(target, null, ways("192.0.2.100"), budget).isEmpty() ? 0 : 1;
        }
        assertThat(zone.asked).hasSize(config.limits().maxQuestions());
        assertThat(found).as("the first ones are found").isEqualTo(3);
        assertThat(tally.get(NetworkCounter.LOOKUPS_TOO_MANY_QUESTIONS)).isPositive();
        zone.asked.clear();
        assertThat(resolve("sip:u@d0.example;transport=udp", null, ways("192.0.2.100"), budget))
                .as("what is remembered costs nothing")
                .isNotEmpty();
        assertThat(resolve("sip:u@d63.example;transport=udp"))
                .as("the next request has a budget of its own")
                .isNotEmpty();
    }

    @Test
    @DisplayName(
            "NAPTR that names itself, SRV that names its own domain, CNAME in a circle: an end")
    void loops() throws Exception {
        zone.add("a.example", "NAPTR 1 1 \"s\" \"SIP+D2U\" \"\" a.example.")
                .add("_sip._udp.b.example", "SRV 1 1 5060 _sip._udp.b.example.")
                .add("c.example", "CNAME d.example.")
                .add("d.example", "CNAME c.example.")
                .add("e0.example", "CNAME e1.example.");
        for (int i = 1; i < 40; i++) {
            zone.add("e" + i + ".example", "CNAME e" + (i + 1) + ".example.");
        }
        for (String target :
                List.of("a.example", "b.example", "c.example:5060", "e0.example:5060")) {
            zone.asked.clear();
            assertThat(resolve("sip:u@" + target)).as(target).isEmpty();
            assertThat(zone.asked).as(target).hasSizeLessThan(16);
        }
    }

    @Test
    @DisplayName("aliases are followed, within an answer and over several")
    void aliases() throws Exception {
        zone.add("www.example.com", "CNAME host.example.net.")
                .add("host.example.net", "A 192.0.2.1");
        assertThat(texts(resolve("sip:a@www.example.com:5060")))
                .containsExactly("UDP 192.0.2.1:5060");
    }

    @Test
    @DisplayName("a server that lies: records of other names are not believed and not remembered")
    void lies() throws Exception {
        zone.add("example.com", "A 192.0.2.1")
                .lie("example.com", "bank.example", "A 203.0.113.66")
                .add("bank.example", "A 192.0.2.77");
        assertThat(texts(resolve("sip:a@example.com:5060"))).containsExactly("UDP 192.0.2.1:5060");
        assertThat(texts(resolve("sip:a@bank.example:5060")))
                .containsExactly("UDP 192.0.2.77:5060");
    }

    @Test
    @DisplayName("a name that leads to loopback, metadata or broadcast leads nowhere")
    void rebinding() throws Exception {
        zone.add("evil.example", "A 127.0.0.1")
                .add("evil.example", "A 169.254.169.254")
                .add("evil.example", "A 255.255.255.255")
                .add("evil.example", "A 224.0.0.1")
                .add("evil.example", "A 0.0.0.0")
                .add("evil.example", "A 192.0.2.1");
        assertThat(texts(resolve("sip:a@evil.example:5060"))).containsExactly("UDP 192.0.2.1:5060");
        assertThat(tally.get(NetworkCounter.TARGETS_REFUSED)).isEqualTo(5);
        assertThat(tally.get(NetworkCounter.EGRESS_LINK_LOCAL)).isEqualTo(1);
    }

    @Test
    @DisplayName("a slow server: the whole resolution has an end, and nobody waits on a thread")
    void slow() throws Exception {
        config = config.withLimits(new DnsConfig.Limits(50, 16, 100, 16, 48));
        zone.silent("example.com");
        assertThat(resolve("sip:a@example.com:5060")).isEmpty();
        assertThat(tally.get(NetworkCounter.LOOKUPS_TIMED_OUT)).isEqualTo(1);
        assertThat(questions.waiting()).isEqualTo(1);
        assertThat(resolve("sip:a@example.com:5060")).isEmpty();
        assertThat(zone.count("example.com. A")).as("one question on its way").isEqualTo(1);
    }

    @Test
    @DisplayName("an address that is there does not wait for one that is late")
    void grace() throws Exception {
        zone.add("_sip._udp.example.com", "SRV 1 1 5060 silent.example.com.")
                .add("_sip._udp.example.com", "SRV 2 1 5060 there.example.com.")
                .silent("silent.example.com")
                .add("there.example.com", "A 192.0.2.1");
        assertThat(texts(resolve("sip:a@example.com;transport=udp")))
                .containsExactly("UDP 192.0.2.1:5060");
        assertThat(tally.get(NetworkCounter.LOOKUPS_TIMED_OUT)).isZero();
    }

    @Test
    @DisplayName("too many wait: the next of their zone has no answer at once")
    void tooManyWait() throws Exception {
        config =
                config.withQuestions(new DnsConfig.Questions(1000, 1, 10, 1))
                        .withLimits(new DnsConfig.Limits(50, 16, 100, 16, 48));
        zone.silent("a.z.example").add("b.z.example", "A 192.0.2.1");
        assertThat(resolve("sip:u@a.z.example:5060")).isEmpty();
        assertThat(resolve("sip:u@b.z.example:5060")).isEmpty();
        assertThat(tally.get(NetworkCounter.LOOKUPS_TOO_MANY_WAITING)).isEqualTo(1);
        assertThat(zone.count("b.z.example. A")).isZero();
    }

    /** Names of one zone that nobody answers for; they wait on. */
    private void askSilent(String behind, int count) throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        for (int i = 0; i < count; i++) {
            zone.silent("n" + i + behind);
        }
        loop.execute(() -> {
            for (int i = 0; i < count; i++) {
                questions.ask(
                        "n" + i + behind, Type.A, RequestBudget.ofNobody(), loop, answer -> {});
            }
            asked.complete(null);
        });
        asked.get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({
        "a.b.example.com, example.com",
        "_sip._udp.example.com, example.com",
        "example.com, example.com",
        "pbx, pbx",
        "a.example.co.uk, example.co.uk",
        "example.co.uk, example.co.uk",
        "co.uk, co.uk",
        "a.b.xy.de, xy.de"
    })
    @DisplayName("a zone is what somebody has registered")
    void registered(String name, String registered) {
        assertThat(AskedZones.zone(name)).isEqualTo(registered);
    }

    @Test
    @DisplayName("names of a zone that is silent do not keep the names of others from being asked")
    void silentZone() throws Exception {
        config = config.withQuestions(new DnsConfig.Questions(1000, 1, 8, 16));
        zone.add("a.other.example", "A 192.0.2.1").add("b.other.example", "A 192.0.2.2");
        assertThat(resolve("sip:u@a.other.example:5060")).isNotEmpty();
        askSilent(".silent.example", 64);
        assertThat(texts(resolve("sip:u@b.other.example:5060")))
                .containsExactly("UDP 192.0.2.2:5060");
        assertThat(tally.get(NetworkCounter.LOOKUPS_TOO_MANY_WAITING)).isGreaterThanOrEqualTo(48);
        assertThat(questions.waiting()).isLessThanOrEqualTo(16);
    }

    @Test
    @DisplayName("many silent zones: the one that waited longest gives way to who asks first")
    void silentZones() throws Exception {
        config = config.withQuestions(new DnsConfig.Questions(1000, 1, 64, 16));
        zone.add("a.other", "A 192.0.2.1").add("b.other", "A 192.0.2.2");
        assertThat(resolve("sip:u@a.other:5060")).isNotEmpty();
        for (int i = 0; i < 32; i++) {
            askSilent(".silent" + i + ".example", 1);
        }
        assertThat(questions.waiting()).isEqualTo(16);
        assertThat(texts(resolve("sip:u@b.other:5060"))).containsExactly("UDP 192.0.2.2:5060");
        assertThat(questions.waiting()).isLessThanOrEqualTo(16);
    }

    @Test
    @DisplayName("RFC 8767: an answer that had its time serves where its zone may ask no more")
    void staleWhereTooManyWait() throws Exception {
        config = config.withQuestions(new DnsConfig.Questions(1000, 1, 8, 16));
        zone.add("a.z.example", "A 192.0.2.1");
        assertThat(resolve("sip:u@a.z.example:5060")).isNotEmpty();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(400));
        askSilent(".z.example", 64);
        assertThat(texts(resolve("sip:u@a.z.example:5060"))).containsExactly("UDP 192.0.2.1:5060");
        assertThat(tally.get(NetworkCounter.LOOKUPS_STALE)).isEqualTo(1);
    }

    @Test
    @DisplayName("a flood of names of one zone pushes out its own answers, not those of others")
    void floodOfOneZone() throws Exception {
        config = config.withCache(new DnsConfig.Cache(32, 1, 3600, 60, 5, 3600));
        zone.add("a.other.example", "A 192.0.2.1").add("b.other.example", "A 192.0.2.2");
        assertThat(resolve("sip:u@a.other.example:5060")).isNotEmpty();
        assertThat(resolve("sip:u@b.other.example:5060")).isNotEmpty();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(400)); // they may serve while nobody answers
        for (int i = 0; i < 200; i++) {
            zone.add("n" + i + ".flood.example", "A 192.0.2.9");
            resolve("sip:u@n" + i + ".flood.example:5060");
        }
        assertThat(questions.remembered()).isLessThanOrEqualTo(33);
        zone.failing(true);
        assertThat(texts(resolve("sip:u@a.other.example:5060")))
                .containsExactly("UDP 192.0.2.1:5060");
        assertThat(texts(resolve("sip:u@b.other.example:5060")))
                .containsExactly("UDP 192.0.2.2:5060");
    }

    // Memory

    @Test
    @DisplayName("an answer is kept for its TTL, and asked for again then")
    void ttl() throws Exception {
        zone.add("example.com", "A 192.0.2.1");
        resolve("sip:a@example.com:5060");
        clock.addAndGet(TimeUnit.SECONDS.toNanos(299));
        resolve("sip:a@EXAMPLE.com.:5060");
        assertThat(zone.count("example.com. A")).isEqualTo(1);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
        resolve("sip:a@example.com:5060");
        assertThat(zone.count("example.com. A")).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "RFC 2308: that there is nothing is kept for the minimum of the SOA, a minute at most")
    void negative() throws Exception {
        assertThat(resolve("sip:a@none.example:5060")).isEmpty();
        resolve("sip:a@none.example:5060");
        assertThat(zone.count("none.example. A")).as("without SOA nothing is kept").isEqualTo(2);
        zone.add("short", "SOA ns.short. admin.short. 1 2 3 4 20")
                .add("long", "SOA ns.long. admin.long. 1 2 3 4 86400");
        for (String name : List.of("no.short", "no.long")) {
            assertThat(resolve("sip:a@" + name + ":5060")).isEmpty();
            clock.addAndGet(TimeUnit.SECONDS.toNanos(19));
            resolve("sip:a@" + name + ":5060");
            assertThat(zone.count(name + ". A")).isEqualTo(1);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
            resolve("sip:a@" + name + ":5060");
            assertThat(zone.count(name + ". A")).isEqualTo(name.equals("no.short") ? 2 : 1);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
            resolve("sip:a@" + name + ":5060");
            assertThat(zone.count(name + ". A")).isEqualTo(name.equals("no.short") ? 3 : 2);
        }
    }

    @Test
    @DisplayName("RFC 8767: an answer that had its time serves while no server answers")
    void stale() throws Exception {
        zone.add("example.com", "A 192.0.2.1");
        resolve("sip:a@example.com:5060");
        zone.failing(true);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(400));
        assertThat(texts(resolve("sip:a@example.com:5060"))).containsExactly("UDP 192.0.2.1:5060");
        assertThat(tally.get(NetworkCounter.LOOKUPS_STALE)).isEqualTo(1);
        resolve("sip:a@example.com:5060");
        assertThat(zone.count("example.com. A")).as("not asked for 5 s").isEqualTo(2);
        clock.addAndGet(TimeUnit.HOURS.toNanos(2));
        assertThat(resolve("sip:a@example.com:5060")).isEmpty();
        assertThat(tally.get(NetworkCounter.LOOKUPS_FAILED)).isEqualTo(1);
    }

    @Test
    @DisplayName("a flood of names does not fill the memory")
    void manyNames() throws Exception {
        config = config.withCache(new DnsConfig.Cache(32, 1, 3600, 60, 5, 3600));
        for (int i = 0; i < 200; i++) {
            zone.add("n" + i + ".example", "A 192.0.2.1");
            resolve("sip:a@n" + i + ".example:5060");
        }
        assertThat(questions.remembered()).isLessThanOrEqualTo(33);
    }

    @Test
    @DisplayName("a flood of names with many records each does not fill the memory")
    void floodOfRecords() throws Exception {
        config = config.withCache(new DnsConfig.Cache(32, 1, 3600, 60, 5, 3600));
        for (int i = 0; i < 64; i++) {
            for (int k = 1; k <= 100; k++) {
                zone.add("n" + i + ".example", "A 192.0.2." + k);
            }
            assertThat(resolve("sip:a@n" + i + ".example:5060")).isNotEmpty();
            answerIsWeighed();
        }
        assertThat(questions.records()).isLessThanOrEqualTo(4 * 32 + 100);
        assertThat(questions.records()).isEqualTo(questions.remembered() * 100L);
        assertThat(tally.get(NetworkCounter.DNS_CACHE_FORGOTTEN))
                .isEqualTo(64 - questions.remembered());
    }

    @Test
    @DisplayName("the hosts file comes before the DNS, and is read again when it changes")
    void hosts() throws Exception {
        Path hosts = folder.resolve("hosts");
        Files.writeString(
                hosts,
                "# ours\n192.0.2.5\tgateway.lan gw # the gateway\nfe80::1%eth0 v6only\nnonsense x\n");
        config = config.withHostsFile(hosts);
        assertThat(texts(resolve("sip:a@GW:5060"))).containsExactly("UDP 192.0.2.5:5060");
        assertThat(texts(resolve("sip:a@gateway.lan:5060"))).containsExactly("UDP 192.0.2.5:5060");
        assertThat(zone.asked).isEmpty();
        assertThat(HostsFile.parse(Files.readAllLines(hosts)))
                .containsOnlyKeys("gateway.lan", "gw", "v6only");
    }

    // Ourselves

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sip:a@our.example",
                "sip:a@OUR.example.",
                "sip:a@our.example:5060",
                "sip:a@sip.outer.example",
                "sip:a@sip.outer.example:5060",
                "sip:a@192.0.2.100",
                "sip:a@192.512.2.100:5060;maddr=192.0.2.100",
                "sip:a@[::ffff:192.0.2.100]:5060",
                "sip:a@x.example;maddr=our.example",
            })
    @DisplayName(
            "our own address under any name: to our own listening point, and the DNS is not asked")
    void inward(String target) throws Exception {
        assertThat(texts(resolve(target))).containsExactly("UDP 192.0.2.100:5060");
        assertThat(zone.asked).isEmpty();
    }

    @Test
    @DisplayName("numbers that some resolvers take for an address are ours, or nobody's")
    void oddNumbers() {
        LocalAddresses addresses = ways("127.0.0.1").addresses();
        for (String host :
                List.of(
                        "127.1",
                        "127.0.1",
                        "2130706433",
                        "0x7f000001",
                        "0x7f.1",
                        "0177.0.0.1",
                        "0X7F.0.0.1",
                        "127.0.0.1.",
                        "::ffff:127.0.0.1",
                        "[::FFFF:7F00:1]",
                        "[0:0:0:0:0:ffff:127.0.0.1]",
                        "127.1.")) {
            assertThat(addresses.isLocal(host, 5060)).as(host).isTrue();
            assertThat(HostLiteral.isNoName(host)).as(host).isTrue();
        }
        for (String host :
                List.of("127.2", "0x7f.2", "1.2.3.4.5", "09.1", "4294967296", "127.0.0.999")) {
            assertThat(addresses.isLocal(host, 5060)).as(host).isFalse();
        }
    }

    @Test
    @DisplayName("a host that ends in a number is no name: the DNS is not asked")
    void noName() throws Exception {
        assertThat(resolve("sip:a@x.example:5060;maddr=127.1")).isEmpty();
        assertThat(resolve("sip:a@x.example:5060;maddr=3221225985")).isEmpty();
        for (String zone : List.of("[::1%251]", "[fe80::1%25lo]")) {
            assertThat(resolve("sip:a@x.example:5060;maddr=" + zone)).as(zone).isEmpty();
        }
        assertThat(zone.asked).isEmpty();
    }

    @Test
    @DisplayName("an SRV record that leads to ourselves ends at our own listening point")
    void srvToOurselves() throws Exception {
        zone.add("_sip._udp.example.com", "SRV 1 1 5060 our.example.");
        assertThat(texts(resolve("sip:a@example.com;transport=udp")))
                .containsExactly("UDP 192.0.2.100:5060");
    }
}
