package io.carillon.sip.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.uri.SipUri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 5626 5.2: unique to a flow, the flow can be recovered, and nobody else can make one. */
class FlowTokensTest {
    private static final FlowTokens TOKENS = new FlowTokens();

    private static InetSocketAddress at(String literal, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
    }

    private static String token(Hop flow) {
        String token = TOKENS.encode(flow);
        assertThat(token).isNotNull();
        return token;
    }

    @ParameterizedTest
    @CsvSource({
        "UDP, 192.0.2.1, 203.0.113.9, 0",
        "TCP, 192.0.2.1, 203.0.113.9, 1",
        "TLS, 2001:db8::1, 2001:db8::9, 72057594037927935",
        "WSS, 2001:db8::1, 2001:db8::9, 7",
        "UDP, , 2001:db8::9, 0",
        "TCP, ::, 203.0.113.9, 5"
    })
    void theFlowIsRecovered(Transport transport, String local, String remote, long connection) {
        Hop flow =
                new Hop(
                        transport,
                        local == null ? null : at(local, 5060),
                        at(remote, 65_535),
                        connection);
        String token = token(flow);
        FlowTokens.Read read = TOKENS.read(token, null);
        assertThat(read.verdict()).isEqualTo(FlowTokens.Verdict.VALID);
        assertThat(read.flow()).isNotNull();
        assertThat(FlowTokens.same(read.flow(), flow)).isTrue();
        assertThat(token).isEqualTo(TOKENS.encode(flow)).hasSizeLessThan(FlowTokens.MOST_CHARS);
        // As the user part of a URI it needs no escape.
        assertThat(SipUri.of(token, "x", -1).rawUser()).isEqualTo(token);
    }

    /** RFC 5626 5.2 lets a proxy decide how long; a connection ends by itself. */
    @Test
    void aTokenOverUdpEndsAfterAWeek() {
        AtomicLong hour = new AtomicLong(472_222);
        FlowTokens tokens = new FlowTokens(hour::get);
        String udp = tokens.encode(new Hop(Transport.UDP, null, at("203.0.113.9", 5060), 0));
        String tcp = tokens.encode(new Hop(Transport.TCP, null, at("203.0.113.9", 5060), 3));
        hour.addAndGet(7 * 24);
        assertThat(tokens.read(udp, null).verdict()).isEqualTo(FlowTokens.Verdict.VALID);
        hour.incrementAndGet();
        assertThat(tokens.read(udp, null).verdict()).isEqualTo(FlowTokens.Verdict.STALE);
        assertThat(tokens.read(udp, null).flow()).isNull();
        assertThat(tokens.read(tcp, null).verdict()).isEqualTo(FlowTokens.Verdict.VALID);
        String again = tokens.encode(new Hop(Transport.UDP, null, at("203.0.113.9", 5060), 0));
        assertThat(tokens.read(again, null).verdict()).isEqualTo(FlowTokens.Verdict.VALID);
    }

    @Test
    void everyFlowHasItsOwn() {
        Set<String> seen = new HashSet<>();
        for (int port = 1; port <= 100; port++) {
            for (long connection = 1; connection <= 10; connection++) {
                seen.add(token(new Hop(Transport.TCP, null, at("10.0.0.1", port), connection)));
            }
            seen.add(token(new Hop(Transport.UDP, null, at("10.0.0.1", port), 0)));
        }
        assertThat(seen).hasSize(1100);
    }

    @Test
    void noBitCanBeChanged() {
        String token = token(new Hop(Transport.TCP, null, at("10.0.0.1", 5060), 1));
        int valid = 0;
        for (int i = FlowTokens.PREFIX.length(); i < token.length(); i++) {
            for (char c : "AZaz09-_".toCharArray()) {
                String other = token.substring(0, i) + c + token.substring(i + 1);
                FlowTokens.Read read = TOKENS.read(other, null);
                if (read.verdict() == FlowTokens.Verdict.VALID) {
                    // The last character may carry bits that belong to nothing.
                    assertThat(read).isEqualTo(TOKENS.read(token, null));
                    valid++;
                }
            }
        }
        assertThat(valid).isLessThan(100);
    }

    @ParameterizedTest
    @CsvSource({"flow-", "flow-!!!!", "flow-AAAA", "flow-====", "flow-AA.AA"})
    void whatIsNoTokenIsForged(String text) {
        assertThat(FlowTokens.isToken(text)).isTrue();
        assertThat(TOKENS.read(text, null).verdict()).isEqualTo(FlowTokens.Verdict.FORGED);
        assertThat(TOKENS.read("flow-" + "A".repeat(5000), null).verdict())
                .isEqualTo(FlowTokens.Verdict.FORGED);
    }

    @Test
    void oneOfACallIsForgedInEveryOther() {
        Hop flow = new Hop(Transport.UDP, null, at("203.0.113.9", 5060), 0);
        String token = TOKENS.encode(flow, "a@x");
        assertThat(TOKENS.read(token, "a@x").flow()).isNotNull();
        assertThat(TOKENS.read(token, "b@x").verdict()).isEqualTo(FlowTokens.Verdict.FORGED);
        assertThat(TOKENS.read(token, null).verdict()).isEqualTo(FlowTokens.Verdict.FORGED);
        assertThat(TOKENS.read(token(flow), "b@x").flow()).isNotNull();
    }

    @Test
    void anotherServersTokenIsStale() {
        String token = token(new Hop(Transport.UDP, null, at("10.0.0.1", 5060), 0));
        FlowTokens.Read read = new FlowTokens().read(token, null);
        assertThat(read.verdict()).isEqualTo(FlowTokens.Verdict.STALE);
        assertThat(read.flow()).isNull();
    }

    @Test
    void whatIsNoFlowHasNoToken() {
        Hop flow = new Hop(Transport.UDP, null, at("10.0.0.1", 5060), 0);
        assertThat(TOKENS.encode(Hop.internal(flow, "x"))).isNull();
        assertThat(
                        TOKENS.encode(
                                Hop.to(
                                        Transport.UDP,
                                        InetSocketAddress.createUnresolved("x", 5060))))
                .isNull();
    }

    @Test
    void tokensOfTheKeyBeforeAreReadWhileKeysChange() {
        byte[] old = new byte[64];
        byte[] key = new byte[64];
        Arrays.fill(key, (byte) 1);
        Hop flow = new Hop(Transport.TCP, null, new InetSocketAddress("192.0.2.7", 4_000), 5);
        String before = new FlowTokens(old).encode(flow);
        FlowTokens now = new FlowTokens(key, () -> 0, new FlowTokens(old));
        assertThat(now.read(before, null).flow()).isEqualTo(flow);
        assertThat(now.encode(flow)).isEqualTo(new FlowTokens(key).encode(flow));
        assertThat(new FlowTokens(key).read(before, null).verdict())
                .isEqualTo(FlowTokens.Verdict.STALE);
    }

    @Test
    void aShortKeyIsRefused() {
        assertThatThrownBy(() -> new FlowTokens(new byte[34]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
