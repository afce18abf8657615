package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.sip.codec.Violation;
import io.carillon.sip.edge.Peer;
import io.carillon.sip.observe.Counter;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Peers as an operator writes them. */
class PeeringTest {
    private static final String LISTEN =
            "sip: {listen: [udp:127.0.0.1:5060, udp:127.0.0.2:5070]}\n";

    @TempDir Path folder;

    private Configuration read(String text) throws ConfigurationException {
        return ConfigurationReader.read("test.yaml", LISTEN + text, folder);
    }

    @Test
    void withoutPeersNothingIsDoneToMessages() throws Exception {
        assertThat(Peering.of(read(""))).isNull();
        assertThat(Peering.of(ConfigurationReader.standard())).isNull();
    }

    @Test
    void aPeerIsWhatItsSectionSays() throws Exception {
        Files.writeString(
                folder.resolve("key"), "# ours\n" + "k".repeat(40) + "\n" + "o".repeat(40) + "\n");
        Configuration configuration =
                read(
                        """
                        peers:
                          carrier-a:
                            addresses: [198.51.100.0/24, "2001:db8::/32", localhost]
                            local-address: 127.0.0.2
                            hide-topology: true
                            media-address: 203.0.113.6
                            networks: [10.77.0.0/16]
                            max-line: on
                            header-names: compact
                            lists: separate
                            tolerate: [control-character]
                            refuse: [user-in-via, from-tag-missing]
                          others: {listeners: ["127.0.0.2:5070"], max-line: 100}
                        topology-hiding: {key-file: key, internal: [core.example, 192.0.2.0/28]}
                        """);
        try (Peering peering = Objects.requireNonNull(Peering.of(configuration))) {
            Peer peer =
                    Objects.requireNonNull(
                            peering.edge().peers().of(InetAddress.ofLiteral("198.51.100.9")));
            assertThat(peer.name()).isEqualTo("carrier-a");
            assertThat(peer.hidesTopology()).isTrue();
            assertThat(peer.maxLine()).isEqualTo(256);
            assertThat(peer.tolerate()).containsExactly(Violation.CONTROL_CHARACTER);
            assertThat(peer.refuse())
                    .containsExactlyInAnyOrder(Violation.USER_IN_VIA, Violation.FROM_TAG_MISSING);
            assertThat(Objects.requireNonNull(peer.local()).getAddress())
                    .isEqualTo(InetAddress.ofLiteral("127.0.0.2"));
            assertThat(peer.networks()).hasSizeGreaterThanOrEqualTo(3);
            assertThat(peering.edge().peers().of(InetAddress.ofLiteral("127.0.0.1")))
                    .isEqualTo(peer);
            assertThat(peering.edge().peers().of(InetAddress.ofLiteral("192.0.2.1"))).isNull();
            assertThat(peering.secret()).isEqualTo("k".repeat(40).getBytes(StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peers: {a: {addresses: [198.51.100.0/33]}} | no network",
                "peers: {a: {addresses: [198.51.100.1], networks: [core.example]}} | no network",
                "peers: {a: {addresses: [198.51.100.1], local-address: here.example}} | no network",
                "peers: {a: {addresses: [198.51.100.1], max-line: 79}} | from 80 to 65535",
                "peers: {a: {addresses: [198.51.100.1], tolerate: [everything]}} | from-tag-missing",
                "peers: {a: {addresses: [198.51.100.1], tolerate: [fold-in-uri], refuse: [fold-in-uri]}} | both name",
                "topology-hiding: {internal: [sip]} | word that every message holds",
                "topology-hiding: {internal: [10.0.0.0/40]} | no network",
                "peers: {a: {address: 198.51.100.1}} | unknown key peers.a.address",
            })
    void whatCannotBeIsToldWithItsLine(String text, String why) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("test.yaml:2")
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peers: {a: {hide-topology: true}} | neither addresses nor listeners",
                "peers: {a: {addresses: [198.51.100.1], local-address: 127.0.0.9}} | nothing listens at 127.0.0.9",
                "peers: {a: {addresses: [198.51.100.1]}, b: {addresses: [198.51.100.1/32]}} | both have 198.51.100.1",
                "peers: {a: {addresses: [198.51.100.1]}}, topology-hiding: {key-file: nowhere} | cannot be read",
                "peers: {a: {addresses: [198.51.100.1]}}, topology-hiding: {key-file: short} | shorter than 32",
                "peers: {a: {addresses: [198.51.100.1]}}, topology-hiding: {key-file: empty} | no key",
            })
    void whatDoesNotFitTogetherStopsTheStart(String text, String why) throws Exception {
        Files.writeString(folder.resolve("short"), "secret\n");
        Files.writeString(folder.resolve("empty"), "# nothing\n\n");
        Configuration configuration = read(text.replace("}}, ", "}}\n"));
        assertThatThrownBy(() -> Peering.of(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void thePageNamesEveryFaultAndCounter() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "guides/carrier.md"));
        for (Violation fault : Violation.values()) {
            assertThat(page)
                    .contains("`" + fault.name().toLowerCase(Locale.ROOT).replace('_', '-') + "`");
        }
        for (Counter counter : Counter.values()) {
            if (counter.name().startsWith("EDGE_")) {
                assertThat(page).contains("`sip." + counter.name().toLowerCase(Locale.ROOT) + "`");
            }
        }
    }
}
