package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.shard.RequestAttempt;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A connection that is opened for a message counts for whoever made us send it. */
class ConnectionAskerTest {
    private static final int PLACE = 0x4000_1234;

    /** Its connection is opened for whoever made us send the INVITE, as that of the INVITE was. */
    @Test
    void aCancelCountsForWhoeverMadeUsSendIt() {
        StackHarness h = new StackHarness();
        h.tcp = true;
        Hop far = StackHarness.tcp("192.0.2.9", 5060, 0);
        RequestAttempt attempt =
                h.shard.send(h.outgoing("INVITE", "x").fixedHop(far).countedAt(PLACE));
        assertThat(h.last().onFailure().countedAt()).isEqualTo(PLACE);
        h.receive(StackHarness.answer(h.last().request(), 180, "b"), far);
        attempt.cancel(null);
        h.drain();
        assertThat(h.last().name()).isEqualTo("CANCEL");
        assertThat(h.last().onFailure().countedAt()).isEqualTo(PLACE);
    }

    /** A stateless ACK of a proxy. */
    @Test
    void anAckThatIsPassedOnCountsForItsSender() {
        StackHarness h = new StackHarness();
        h.tcp = true;
        h.targets.put("x", List.of(StackHarness.tcp("192.0.2.9", 5060, 0)));
        h.shard.sendAck(
                h.outgoing("ACK", "x").draft(),
                null,
                null,
                HopDecorator.NONE,
                Origin.OUTSIDE,
                PLACE);
        h.drain();
        assertThat(h.last().name()).isEqualTo("ACK");
        assertThat(h.last().onFailure().countedAt()).isEqualTo(PLACE);
    }
}
