package io.carillon.servlet.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.Shard;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Floods: requests with ever new Call-ID, tag and branch fill the tables up to their caps and no
 * further, are refused beyond, and leave nothing behind; who has a call keeps it.
 */
class FloodTest {
    private static final int TRANSACTIONS = 400;
    private static final int SESSIONS = 200;
    private static final int FLOOD = 5_000;
    private static final InetSocketAddress SERVER = SimulatedNetwork.address("10.0.0.1", 5060);

    /** Answers calls to "answer", lets those to "ring" ring for ever, and forgets the others. */
    static final class Phone extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            String uri = request.getRequestURI().toString();
            boolean invite = request.getMethod().equals("INVITE");
            if (request.getMethod().equals("ACK") || uri.contains("forget")) {
                return;
            }
            request.createResponse(invite && uri.contains("ring") ? 180 : 200).send();
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);
    private final Server server =
            new Server(
                            network,
                            "10.0.0.1",
                            1,
                            1,
                            new RoundTripStore(),
                            StackConfig.builder().maxTransactions(TRANSACTIONS).build(),
                            ContainerConfig.defaults().withMaxSessions(SESSIONS))
                    .deploy(new Phone(), ExecutionMode.NON_BLOCKING);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final int[] answers = new int[700];
    private int number;

    private void flood(String line, String toTag) {
        String text =
                """
                %s SIP/2.0
                Via: SIP/2.0/UDP 10.9.%d.%d;branch=z9hG4bKflood%d
                Max-Forwards: 70
                From: <sip:%d@x>;tag=flood%d
                To: <sip:victim@y>%s
                Call-ID: flood%d
                CSeq: 1 %s
                Contact: <sip:a@10.9.0.1>
                Content-Length: 0

                """
                        .formatted(
                                line,
                                number >>> 8 & 255,
                                number & 255,
                                number,
                                number,
                                number,
                                toTag,
                                number,
                                line.substring(0, line.indexOf(' ')))
                        .replace("\n", "\r\n");
        InetSocketAddress source =
                SimulatedNetwork.address(
                        "10.9." + (number >>> 8 & 255) + "." + (number & 255), 5060);
        number++;
        network.send(Transport.UDP, source, SERVER, text.getBytes(ISO_8859_1));
        server.run(Duration.ofNanos(1_500_000));
    }

    private int transactions() {
        int sum = 0;
        for (Shard shard : server.node.shards()) {
            sum += shard.transactionCount();
        }
        return sum;
    }

    private void assertBounded() {
        // In-dialog requests have a quarter more room.
        assertThat(transactions()).isLessThanOrEqualTo(TRANSACTIONS * 5 / 4);
        assertThat(server.container.callsHeld()).isLessThanOrEqualTo(SESSIONS);
        assertThat(server.container.sessions().dialogs()).isLessThanOrEqualTo(SESSIONS * 2);
    }

    private void countAnswers() {
        network.elsewhere((bytes, transport, from, to) -> {
            String text = new String(bytes, ISO_8859_1);
            if (text.startsWith("SIP/2.0 ")) {
                answers[Integer.parseInt(text.substring(8, 11))]++;
                assertThat(text.startsWith("SIP/2.0 503 "))
                        .isEqualTo(text.contains("Retry-After: "));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INVITE sip:ring@10.0.0.1",
                "INVITE sip:answer@10.0.0.1",
                "INVITE sip:forget@10.0.0.1",
                "OPTIONS sip:answer@10.0.0.1",
                "MESSAGE sip:forget@10.0.0.1",
                "REGISTER sip:answer@10.0.0.1",
                "SUBSCRIBE sip:answer@10.0.0.1"
            })
    void requests_with_ever_new_call_ids(String line) {
        countAnswers();
        String to = establish();
        for (int i = 0; i < FLOOD; i++) {
            flood(line, "");
            assertBounded();
        }
        assertThat(answers[503]).as("refused with Retry-After").isGreaterThan(FLOOD / 2);
        // The established call goes on and ends.
        alice.forget();
        alice.request("BYE sip:answer@10.0.0.1", "<sip:a@x>;tag=a", to, "mine", 2);
        alice.response(200);
        server.run(Duration.ofMinutes(20));
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
        // And the next call is served as the first one was.
        alice.forget();
        establish();
    }

    @Test
    void an_invite_flood_with_the_tags_of_others() {
        countAnswers();
        for (int i = 0; i < FLOOD; i++) {
            flood("INVITE sip:ring@10.0.0.1", ";tag=other" + i);
            assertBounded();
        }
        server.run(Duration.ofMinutes(20));
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    @Test
    void acks_and_cancels_without_a_call_take_no_room() {
        countAnswers();
        for (int i = 0; i < FLOOD; i++) {
            flood("ACK sip:ring@10.0.0.1", ";tag=other" + i);
            flood("CANCEL sip:ring@10.0.0.1", "");
            flood("BYE sip:ring@10.0.0.1", ";tag=other" + i);
            assertBounded();
        }
        server.run(Duration.ofMinutes(1));
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    private String establish() {
        alice.request(
                "INVITE sip:answer@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:b@y>",
                "mine" + (number == 0 ? "" : number),
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipResponse ok = alice.response(200);
        String to = "<sip:b@y>;tag=" + ok.toTag();
        alice.request(
                "ACK sip:answer@10.0.0.1",
                "<sip:a@x>;tag=a",
                to,
                "mine" + (number == 0 ? "" : number),
                1);
        server.run(Duration.ofMillis(10));
        return to;
    }

    @Test
    void refusals_are_counted() {
        for (int i = 0; i < 2 * TRANSACTIONS; i++) {
            flood("OPTIONS sip:forget@10.0.0.1", "");
        }
        long full = 0;
        for (Shard shard : server.node.shards()) {
            full += shard.counters().get(Counter.REFUSED_FULL);
        }
        assertThat(full + server.container.status().refused()).isGreaterThan(TRANSACTIONS / 2);
    }
}
