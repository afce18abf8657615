package io.carillon.sip.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.codec.Violation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who a peer is, and what is passed over in his messages. */
class PeersTest {
    private static final Peer WIDE = Peer.named("wide");
    private static final Peer NARROW = Peer.named("narrow");
    private static final Peer SIX = Peer.named("six");
    private static final Peer REST = Peer.named("rest");

    private final PeerTable table =
            PeerTable.builder()
                    .add(WIDE, List.of(AddressRange.parse("192.0.2.0/24")), List.of())
                    .add(NARROW, List.of(AddressRange.parse("192.0.2.128/25")), List.of())
                    .add(SIX, List.of(AddressRange.parse("2001:db8::/33")), List.of())
                    .add(REST, List.of(), List.of("203.0.113.1:5070", "EDGE.example"))
                    .build();

    private @Nullable Peer at(String address) {
        return table.of(InetAddress.ofLiteral(address));
    }

    @Test
    void theNarrowestNetworkDecides() {
        assertThat(at("192.0.2.127")).isEqualTo(WIDE);
        assertThat(at("192.0.2.128")).isEqualTo(NARROW);
        assertThat(at("192.0.3.1")).isNull();
        assertThat(at("2001:db8:7fff::1")).isEqualTo(SIX);
        assertThat(at("2001:db8:8000::1")).isNull();
        assertThat(table.through("203.0.113.1", 5070)).isEqualTo(REST);
        assertThat(table.through("203.0.113.1", 5060)).isNull();
        assertThat(table.through("edge.EXAMPLE", 9)).isEqualTo(REST);
    }

    @Test
    void twoPeersCannotHaveTheSameAddress() {
        PeerTable.Builder builder =
                PeerTable.builder()
                        .add(WIDE, List.of(AddressRange.parse("192.0.2.0/24")), List.of());
        assertThatThrownBy(() ->
                        builder.add(NARROW, List.of(AddressRange.parse("192.0.2.9/24")), List.of()))
                .hasMessageContaining("wide")
                .hasMessageContaining("narrow");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"192.0.2.0/33", "192.0.2", "example.com", "::1/129", "1.2.3.4/", "/8", ""})
    void whatIsNoNetworkIsRefused(String text) {
        assertThatThrownBy(() -> AddressRange.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sip", "ab", "tag", "a b", "-x", "localhost"})
    void aNameThatMessagesConsistOfCannotBeLookedFor(String name) {
        assertThatThrownBy(() -> new InternalHosts(List.of(), List.of(name)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String mention(String text) {
        Mentions mentions =
                new Mentions(
                        new InternalHosts(
                                InternalHosts.UNREACHABLE, List.of(".core.example", "node7")));
        mentions.about(
                "10.0.0.77",
                InetAddress.ofLiteral("10.0.0.66"),
                List.of(AddressRange.parse("10.5.0.0/16")));
        byte[] b = text.getBytes(StandardCharsets.ISO_8859_1);
        return mentions.find(b, 0, b.length)
                ? text.substring(mentions.start(), mentions.end())
                : "";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1", "x@{10.0.0.1:5060};y", "({192.168.255.255}).", "sip:{127.0.0.1}>",
                "[fd00::1]", "sip:a@{[fd00::1]:5060};x", "IN IP6 {fe80::1:2}", "{::1} x",
                "{node7}", "\"{NODE7}\"", "z9hG4bK{-node7-}1", "{a.b.core.example:5060};lr",
                "{CORE.EXAMPLE}.", "%40{10.0.0.1}%3B", "abc{10.0.0.1}", "a,{10.0.0.1},b",
                "1.2.3.4 {10.0.0.1}", "{172.31.0.1}", "x={100.64.0.1}",
            })
    void internalHostsAreFoundInText(String marked) {
        String text = marked.replace("{", "").replace("}", "");
        String wanted =
                marked.contains("{")
                        ? marked.substring(marked.indexOf('{') + 1, marked.indexOf('}'))
                        : marked;
        if (marked.contains("bK{")) {
            wanted = "z9hG4bK-node7-1"; // the whole word
        }
        assertThat(mention(text)).isEqualTo(wanted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "8.8.8.8",
                "10.0.0",
                "10.0.0.256",
                "1.10.0.0.1",
                "10.0.0.1.2",
                "mynode7",
                "node77",
                "score.example",
                "core.example.com",
                "2001:db8::1",
                "12:34:56",
                "10.0.0.77",
                "10.0.0.66",
                "10.5.1.1",
                "172.32.0.1",
                "AB:CD:EF:01:23:45:67:89:AB:CD:EF",
            })
    void whatIsNotInsideIsLeft(String text) {
        assertThat(mention(text)).isEmpty();
    }

    private static boolean accepts(Border border, String host, String text) {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        MessageParser parser = border.edge.parser(Border.hop(host, 5060));
        return parser.parseDatagram(bytes, bytes.length) instanceof ParseResult.Parsed;
    }

    @Test
    void whatIsToleratedIsOfThePeer() {
        String unfinished =
                "OPTIONS sip:a SIP/2.0\nVia: SIP/2.0/UDP x;branch=z9hG4bK1\nFrom: <sip:a>;tag=a\n"
                        + "To: <sip:b>\nCall-ID: c\nCSeq: 1 OPTIONS\nMax-Forwards: 70\n";
        String careless = unfinished.replace(";tag=a", "") + "\n";
        Border border =
                new Border(
                        Peer.named("old")
                                .tolerating(
                                        Set.of(Violation.EMPTY_LINE_MISSING),
                                        Set.of(Violation.FROM_TAG_MISSING)));
        assertThat(accepts(border, "198.51.100.7", unfinished)).isTrue();
        assertThat(accepts(border, "192.0.2.1", unfinished)).isFalse();
        assertThat(accepts(border, "198.51.100.7", careless)).isFalse();
        assertThat(accepts(border, "192.0.2.1", careless)).isTrue();
    }

    @Test
    void peersChangeWhileTheServerRuns() {
        Border border = new Border(Peer.named("one"));
        assertThat(border.edge.local(Border.OUT)).isNull();
        InetSocketAddress local = new InetSocketAddress(InetAddress.ofLiteral("203.0.113.1"), 0);
        border.config.peers(
                PeerTable.builder()
                        .add(
                                Peer.named("one").from(local),
                                List.of(AddressRange.parse("198.51.100.7")),
                                List.of())
                        .build());
        assertThat(border.edge.local(Border.OUT)).isEqualTo(local);
        assertThat(border.edge.local(Border.IN)).isNull();
    }

    @Test
    void aServerWithPeersHasTheUsualLimits() {
        Border border = new Border(Border.CARRIER);
        assertThat(border.config.open(border, MessageLimits.DEFAULT, c -> {}).parser(null))
                .isNotNull();
        assertThat(Peer.named("x").compliance(Compliance.STRICT).tolerated()).isEmpty();
    }
}
