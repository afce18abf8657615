package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.BOB;
import static io.carillon.sip.stack.StackHarness.answer;
import static io.carillon.sip.stack.StackHarness.invite;
import static io.carillon.sip.stack.StackHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.Tap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a trace is shown of a shard. */
class TapTest {
    private final StackHarness h = new StackHarness();
    private final List<String> seen = new ArrayList<>();

    private final Tap tap =
            new Tap() {
                @Override
                public void received(Place place, SipMessage message, Hop from) {
                    seen.add("< " + name(message));
                }

                @Override
                public void sent(Place place, SipMessage message, Hop to, boolean again) {
                    seen.add((again ? ">> " : "> ") + name(message));
                }

                @Override
                public void befell(
                        Place place,
                        Counter what,
                        SipMessage message,
                        @Nullable Hop hop,
                        @Nullable String cause) {
                    seen.add(what + " " + name(message) + (cause == null ? "" : " " + cause));
                }
            };

    private static String name(SipMessage message) {
        return switch (message) {
            case SipRequest request -> request.method();
            case SipResponse response -> response.status() + " " + response.cseqMethod();
        };
    }

    @Test
    void everyMessageIsShownAndRepetitionsAsSuch() {
        h.shard.tap(tap);
        h.onRequest = (tx, request) -> tx.respond(h.response(tx, 486));
        h.receive(invite("z9hG4bK1"), ALICE);
        h.receive(invite("z9hG4bK1"), ALICE);
        h.runTo(600);
        h.receive(StackHarness.ackFor(h.last().response(), "z9hG4bK1"), ALICE);
        assertThat(seen)
                .containsExactly(
                        "< INVITE",
                        "> 486 INVITE",
                        "< INVITE",
                        ">> 486 INVITE",
                        ">> 486 INVITE",
                        "< ACK");
        h.shard.tap(null);
        h.receive(text("OPTIONS", "z9hG4bK2", ""), ALICE);
        assertThat(seen).hasSize(6);
    }

    @Test
    void timersThatRanOutAreTold() {
        h.shard.tap(tap);
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2"));
        h.onRequest = (tx, request) -> tx.respond(h.response(tx, 486));
        h.receive(invite("z9hG4bK1"), ALICE);
        h.runTo(40_000);
        assertThat(seen).contains("CLIENT_TIMEOUTS OPTIONS", "ACK_TIMEOUTS 486 INVITE");
    }

    @Test
    void a2xxWithoutAckAndARequestWithoutAnswerAreTold() {
        h.shard.tap(tap);
        h.onRequest =
                (tx, request) -> {
                    if (request.is("INVITE")) {
                        tx.respondAsUas(h.response(tx, 200));
                    }
                };
        h.receive(invite("z9hG4bK1"), ALICE);
        h.receive(text("INFO", "z9hG4bK2", ""), ALICE);
        h.runTo(40_000);
        assertThat(seen).contains("ACKS_MISSING 200 INVITE", "EXPIRED_UNANSWERED INFO");
    }

    @Test
    void failuresOfTheTransportAreToldWithTheirCause() {
        h.targets.put("192.0.2.2", List.of(BOB, StackHarness.udp("192.0.2.3", 5060)));
        h.shard.tap(tap);
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2"));
        h.failLast();
        assertThat(seen)
                .containsExactly(
                        "> OPTIONS",
                        "TRANSPORT_FAILURES OPTIONS refused",
                        "FAILOVERS OPTIONS",
                        "> OPTIONS");
        h.onRequest = (tx, request) -> tx.respond(h.response(tx, 486));
        h.receive(invite("z9hG4bK1"), ALICE);
        h.failLast();
        assertThat(seen).endsWith("TRANSPORT_FAILURES 486 INVITE refused");
        h.targets.put("192.0.2.9", List.of());
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.9"));
        assertThat(seen).endsWith("UNRESOLVED OPTIONS");
    }

    @Test
    void whatIsDroppedOrRefusedIsTold() {
        h.shard.tap(tap);
        h.shard.refuseNew(503, 5);
        h.receive(invite("z9hG4bK1"), ALICE);
        h.receive(text("CANCEL", "z9hG4bK7", ""), ALICE);
        assertThat(seen).contains("REFUSED INVITE");
        SipRequest foreign = (SipRequest) StackHarness.parse(text("OPTIONS", "z9hG4bK9", ""));
        h.receive(answer(foreign, 200, "x"), BOB);
        assertThat(seen).endsWith("< 200 OPTIONS", "DROPPED_FOREIGN_VIA 200 OPTIONS");
        h.receive(text("OPTIONS", "z9hG4bK3", "").replace("CSeq: 1", "CSeq: x"), ALICE);
        assertThat(seen).anyMatch(line -> line.startsWith("MALFORMED_ANSWERED OPTIONS "));
    }
}
