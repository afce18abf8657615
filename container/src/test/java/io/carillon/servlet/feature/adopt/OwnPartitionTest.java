package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.token.Partitions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** While records of partitions are looked through, messages wait for their own partition alone. */
class OwnPartitionTest {
    private static final Duration SLOW = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(500);

    private static void send(TwoNodes nodes, String method, String callId, String to) {
        nodes.alice.send(
                nodes.alice.text(
                        method + " sip:s@10.0.0.1",
                        "z9hG4bK" + method + callId,
                        "<sip:alice@x>;tag=a",
                        to,
                        callId,
                        method.equals("INVITE") ? 1 : 2,
                        "Contact: <sip:10.0.0.2:5060>"));
    }

    @Test
    void aCallElsewhereBeginsAndOneThatIsNotThereIsRefusedAtOnce() {
        assertThat(Partitions.ofCallId("here")).isNotEqualTo(Partitions.ofCallId("elsewhere"));
        TwoNodes nodes =
                TwoNodes.inCluster(server -> server.deploy(new Keeper(), ExecutionMode.ADAPTIVE));
        send(nodes, "INVITE", "here", "<sip:s@y>");
        String to = "<sip:s@y>;tag=" + nodes.alice.response(200).toTag();
        nodes.write();
        nodes.die();
        nodes.store.slowNanos = SLOW.toNanos();
        nodes.alice.forget();
        nodes.rise();

        send(nodes, "INVITE", "elsewhere", "<sip:s@y>");
        nodes.run(SHORT);
        assertThat(answered(nodes, "INVITE", 200)).isTrue();
        send(nodes, "BYE", "elsewhere", "<sip:s@y>;tag=nobody");
        nodes.run(SHORT);
        assertThat(answered(nodes, "BYE", 481)).isTrue();

        send(nodes, "BYE", "here", to);
        nodes.run(SHORT);
        assertThat(answered(nodes, "BYE", 200)).isFalse();
        nodes.run(SLOW);
        assertThat(answered(nodes, "BYE", 200)).isTrue();
    }

    private static boolean answered(TwoNodes nodes, String method, int status) {
        return nodes.alice.all.stream()
                .anyMatch(each ->
                        each instanceof SipResponse one
                                && one.cseqMethod().equals(method)
                                && one.status() == status);
    }
}
