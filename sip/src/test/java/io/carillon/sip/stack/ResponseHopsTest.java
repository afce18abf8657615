package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.server.ServerTransaction;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Responses that cannot go where their request came from. */
class ResponseHopsTest {
    private static final String B = "z9hG4bK-1";

    private final StackHarness h = new StackHarness();

    private ServerTransaction tx() {
        return h.transactions.getLast();
    }

    @Test
    @DisplayName(
            "RFC 3263 5: connection gone, client's address dead: the name in sent-by is looked up, each of its hops is tried")
    void sentByIsLookedUp() {
        Hop tcp = StackHarness.tcp("192.0.2.1", 40_000, 7);
        Hop one = StackHarness.tcp("192.0.2.61", 5060, 0);
        Hop two = StackHarness.tcp("192.0.2.62", 5060, 0);
        h.targets.put("pc.example.com", List.of(StackHarness.udp("192.0.2.60", 5060), one, two));
        for (String method : List.of("INVITE", "OPTIONS")) {
            h.sent.clear();
            h.receive(
                    text(method, B, "")
                            .replace("UDP", "TCP")
                            .replace("192.0.2.1:", "pc.example.com:"),
                    tcp);
            tx().respond(h.response(tx(), 404));
            h.failLast();
            assertThat(h.last().to()).isEqualTo(StackHarness.tcp("192.0.2.1", 5060, 0));
            h.failLast();
            assertThat(h.last().to()).isEqualTo(one);
            h.failLast();
            assertThat(h.last().to()).isEqualTo(two);
            assertThat(h.last().name()).isEqualTo("404 " + method);
            h.failLast();
            assertThat(h.sent).hasSize(4);
        }
        assertThat(h.count(Counter.TRANSPORT_FAILURES)).isEqualTo(2);
        assertThat(h.errors).isEmpty();
    }

    @Test
    @DisplayName("RFC 3263 5: an address in digits that is not the source is not followed")
    void sentByInDigits() {
        Hop tcp = StackHarness.tcp("192.0.2.1", 40_000, 7);
        h.receive(
                text("OPTIONS", B, "").replace("UDP", "TCP").replace("192.0.2.1:", "10.0.0.9:"),
                tcp);
        tx().respond(h.response(tx(), 404));
        h.failLast();
        h.failLast();
        assertThat(h.sent).allMatch(s -> s.to().remoteHost().equals("192.0.2.1"));
    }
}
