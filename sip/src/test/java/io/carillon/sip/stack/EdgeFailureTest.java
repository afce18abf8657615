package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.invite;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.outbox.Edge;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An edge that throws loses no request without a word. */
class EdgeFailureTest {
    private static final String B = "z9hG4bK-one";

    /** An edge that fails on every request. */
    private static final class BrokenEdge implements Edge {
        private final MessageParser parser =
                new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);

        @Override
        public MessageParser parser(@Nullable Hop from) {
            return parser;
        }

        @Override
        public @Nullable SipRequest arrived(SipRequest request, Hop from) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public boolean aimed() {
            return false;
        }

        @Override
        public ParseResult.Rejected refusal() {
            throw new IllegalStateException("never asked for");
        }

        @Override
        public SipResponse arrived(SipResponse response, @Nullable SipRequest sent, Hop from) {
            return response;
        }

        @Override
        public @Nullable InetSocketAddress local(Hop to) {
            return null;
        }

        @Override
        public SipMessage leaves(SipMessage message, Hop to, boolean initial) {
            return message;
        }
    }

    @Test
    void aRequestThatTheEdgeFailsOnIsAnsweredAndTold() {
        StackHarness broken =
                new StackHarness(
                        StackConfig.builder().edge((wire, limits, counted) -> new BrokenEdge()));
        broken.receive(invite(B), ALICE);
        assertThat(broken.sentNames()).containsExactly("500 INVITE");
        assertThat(broken.told).isEmpty();
        assertThat(broken.errors).singleElement().isInstanceOf(IllegalStateException.class);
        broken.receive(invite(B).replace("INVITE", "ACK"), ALICE);
        assertThat(broken.sentNames()).hasSize(1);
    }
}
