package io.carillon.telemetry.spans;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a call did is told as it was, however much it was, and also when some of it gave way. */
class CallTapeTest {
    private static final CallSpan.Kind SERVER = CallSpan.Kind.SERVER;
    private static final CallSpan.Kind CLIENT = CallSpan.Kind.CLIENT;

    private static final CallTape.Whole CALL =
            new CallTape.Whole() {
                @Override
                public long id() {
                    return 1;
                }

                @Override
                public long id(CallSpan.Kind kind, String method, long branch) {
                    return 10 * branch + kind.ordinal();
                }

                @Override
                public String callId(int leg) {
                    return "leg" + leg;
                }
            };

    private final CallTape tape = new CallTape();

    private static Hop hop(int port) {
        return Hop.to(Transport.UDP, new InetSocketAddress("10.0.0.9", port));
    }

    private int begins(CallSpan.Kind kind, String method, long branch, int leg) {
        tape.transaction(kind, method, branch, leg, hop(5060), 100 + branch);
        return tape.find(kind, method, branch);
    }

    private List<CallSpan> spans() {
        return tape.spans(CALL, 9_999);
    }

    private static long id(CallSpan.Kind kind, long branch) {
        return CALL.id(kind, "", branch);
    }

    @Test
    void aTransactionSaysHowItWentAndByWhichWay() {
        int invite = begins(SERVER, "INVITE", -7, 0);
        tape.repeated(invite);
        tape.repeated(invite);
        tape.ended(invite, 500, 699, "699 to INVITE");
        begins(CLIENT, "BYE", 3, 1);

        CallSpan first = spans().getFirst();
        assertThat(first.kind()).isEqualTo(SERVER);
        assertThat(first.name()).isEqualTo("INVITE");
        assertThat(first.id()).isEqualTo(id(SERVER, -7));
        assertThat(first.parent()).isEqualTo(1);
        assertThat(first.callId()).isEqualTo("leg0");
        assertThat(first.hop()).isEqualTo(hop(5060));
        assertThat(first.repeats()).isEqualTo(2);
        assertThat(first.status()).isEqualTo(699);
        assertThat(first.error()).isEqualTo("699 to INVITE");
        assertThat(first.beganNanos()).isEqualTo(93);
        assertThat(first.endedNanos()).isEqualTo(500);
        CallSpan last = spans().getLast();
        assertThat(last.callId()).isEqualTo("leg1");
        assertThat(last.error()).isEqualTo("no final response");
        assertThat(last.endedNanos()).isEqualTo(9_999);
        assertThat(last.status()).isZero();
    }

    @Test
    void whatHasTheSameBranchIsToldApartByMethodAndSide() {
        int invite = begins(SERVER, "INVITE", 1, 0);
        assertThat(tape.only(SERVER, 1)).isEqualTo(invite);
        int cancel = begins(SERVER, "CANCEL", 1, 0);
        int sent = begins(CLIENT, "INVITE", 1, 1);
        assertThat(tape.only(SERVER, 1)).isEqualTo(CallTape.SEVERAL);
        assertThat(tape.only(SERVER, 2)).isEqualTo(CallTape.NONE);
        assertThat(tape.find(SERVER, "INVITE", 1)).isEqualTo(invite);
        assertThat(tape.find(SERVER, "CANCEL", 1)).isEqualTo(cancel);
        assertThat(tape.only(CLIENT, 1)).isEqualTo(sent);
        assertThat(tape.find(CLIENT, "INVITE", 2)).isEqualTo(CallTape.NONE);
    }

    @Test
    void aHandlerLiesInTheTransactionWhoseMessageItWasGiven() {
        begins(SERVER, "INVITE", 1, 0);
        begins(CLIENT, "INVITE", 2, 1);
        tape.handler(50, new CallTape.Work("app", "one", "INVITE", 0, false), 0, 10, 20);
        tape.handler(51, new CallTape.Work("app", "one", "INVITE", 180, true), 1, 30, 40);
        tape.handler(52, new CallTape.Work("app", "one", "ACK", 0, false), 0, 50, 60);
        tape.handler(53, new CallTape.Work("app", "one", "BYE", 0, false), 0, 50, 60);
        tape.handler(
                54,
                new CallTape.Work("app", "Listener", "sessionCreated", 0, false),
                CallTape.NONE,
                70,
                80);
        begins(SERVER, "INVITE", 3, 0);
        tape.handler(55, new CallTape.Work("app", "one", "INVITE", 0, false), 0, 10, 20);

        List<CallSpan> handlers =
                spans().stream().filter(one -> one.kind() == CallSpan.Kind.HANDLER).toList();
        assertThat(handlers.stream().map(CallSpan::id))
                .containsExactly(50L, 51L, 52L, 53L, 54L, 55L);
        assertThat(handlers.stream().map(CallSpan::parent))
                .containsExactly(
                        id(SERVER, 1), id(CLIENT, 2), id(SERVER, 1), 1L, 1L, id(SERVER, 3));
        assertThat(handlers.stream().map(CallSpan::name))
                .containsExactly("INVITE", "180 INVITE", "ACK", "BYE", "sessionCreated", "INVITE");
        assertThat(handlers.get(1).error()).isEqualTo("an exception");
        assertThat(handlers.get(0).error()).isNull();
        assertThat(handlers.get(1).about()).isEqualTo("app");
        assertThat(handlers.get(4).detail()).isEqualTo("Listener");
    }

    @Test
    void manyRowsAreAllThere() {
        for (int i = 0; i < 100; i++) {
            tape.ended(begins(SERVER, "UPDATE", i, 0), 200 + i, 200, null);
        }
        assertThat(tape.size()).isEqualTo(100);
        assertThat(spans().stream().map(CallSpan::endedNanos))
                .containsExactlyElementsOf(
                        IntStream.range(0, 100).mapToObj(i -> 200L + i).toList());
    }

    @Test
    void whatGoesOnStaysWithItsMomentsWhenTheRestGivesWay() {
        int over = begins(SERVER, "UPDATE", 1, 0);
        tape.event(over, 105, 183, null);
        tape.ended(over, 110, 200, null);
        tape.handler(50, new CallTape.Work("app", "one", "UPDATE", 0, false), 0, 106, 109);
        int rings = begins(SERVER, "INVITE", 2, 0);
        tape.event(rings, 115, 180, null);
        tape.event(CallTape.NONE, 116, 0, "taken over");

        assertThat(tape.strip()).isEqualTo(2);
        assertThat(tape.size()).isEqualTo(1);
        tape.ended(tape.find(SERVER, "INVITE", 2), 120, 200, null);
        assertThat(spans()).hasSize(1);
        assertThat(spans().getFirst().id()).isEqualTo(id(SERVER, 2));
        assertThat(spans().getFirst().endedNanos()).isEqualTo(120);
        assertThat(tape.events(CALL))
                .containsExactly(
                        new CallEvent(105, "183", 1),
                        new CallEvent(115, "180", id(SERVER, 2)),
                        new CallEvent(116, "taken over", 1));
    }

    @Test
    void equalWaysAreKeptOnce() {
        begins(SERVER, "INVITE", 1, 0);
        begins(SERVER, "BYE", 2, 0);
        assertThat(spans().getFirst().hop()).isSameAs(spans().getLast().hop());
        tape.transaction(SERVER, "BYE", 3, 0, hop(5070), 1);
        assertThat(spans().getLast().hop()).isEqualTo(hop(5070));
    }
}
