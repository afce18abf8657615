package io.carillon.sip.transaction;

import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.time.TimerWheel;
import java.util.ArrayList;
import java.util.List;

/** The four machines with outputs that are written down, on a wheel in virtual time. */
final class Recorder {
    static final long MILLIS = 1_000_000L;

    final List<String> outputs = new ArrayList<>();
    final TimerWheel wheel = new TimerWheel(10 * MILLIS, 0);
    long now;

    /** Output and virtual time in milliseconds, "send 500". */
    final List<String> timed = new ArrayList<>();

    private void out(String what) {
        outputs.add(what);
        timed.add(what + " @" + now / MILLIS);
    }

    List<String> take() {
        List<String> taken = List.copyOf(outputs);
        outputs.clear();
        timed.clear();
        return taken;
    }

    /** Runs the wheel to that time, each timer at its very instant. */
    void runTo(long millis) {
        long target = millis * MILLIS;
        for (long next; (next = wheel.nextDeadlineNanos()) <= target; ) {
            now = Math.max(now, next);
            wheel.advance(now);
        }
        now = target;
        wheel.advance(now);
    }

    private static String name(SipMessage message) {
        return switch (message) {
            case SipRequest request -> request.method();
            case SipResponse response -> String.valueOf(response.status());
        };
    }

    private void sent(SipMessage message, boolean again) {
        out((again ? "send again " : "send ") + name(message));
    }

    private void sentBytes(byte[] bytes) {
        String text = new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
        String first = text.substring(0, text.indexOf("\r\n"));
        out(
                "send again "
                        + (first.startsWith("SIP/2.0 ")
                                ? first.substring(8, 11)
                                : first.substring(0, first.indexOf(' '))));
    }

    /** The ACK of a peer. */
    void receiveAck(InviteServerTransaction machine) {
        if (machine.receiveAck(now)) {
            out("up ACK");
        }
    }

    final class InviteClient extends InviteClientTransaction {
        private final TransactionTimers timers;
        final SipRequest invite = Samples.request("INVITE");

        InviteClient(TransactionTimers timers, boolean reliable) {
            super(reliable);
            this.timers = timers;
        }

        @Override
        protected TimerWheel wheel() {
            return wheel;
        }

        @Override
        protected TransactionTimers timers() {
            return timers;
        }

        @Override
        protected void response(SipResponse response) {
            out("up " + response.status());
        }

        @Override
        protected void strayResponse(SipResponse response) {
            out("stray " + response.status());
        }

        @Override
        protected void timedOut() {
            out("timeout to TU");
        }

        @Override
        protected void transportFailed() {
            out("error to TU");
        }

        @Override
        protected void repetitionSeen() {
            out("count");
        }

        @Override
        protected long ringingWithinNanos() {
            return 0;
        }

        @Override
        protected void rangTooLong(long nowNanos) {
            out("rang too long");
        }

        @Override
        protected void tooOften() {
            out("count too often");
        }

        @Override
        protected SipRequest acknowledgement(SipResponse finalResponse) {
            return MessageDraft.ackOf(invite, finalResponse).freezeRequest();
        }

        @Override
        protected void output(SipMessage message, boolean again) {
            sent(message, again);
        }

        @Override
        protected void outputBytes(byte[] message) {
            sentBytes(message);
        }

        @Override
        protected void lingering() {}

        @Override
        protected void ended(Reason reason, boolean lingered) {}
    }

    final class NonInviteClient extends NonInviteClientTransaction {
        private final TransactionTimers timers;
        final SipRequest request = Samples.request("OPTIONS");

        NonInviteClient(TransactionTimers timers, boolean reliable) {
            super(reliable);
            this.timers = timers;
        }

        @Override
        protected TimerWheel wheel() {
            return wheel;
        }

        @Override
        protected TransactionTimers timers() {
            return timers;
        }

        @Override
        protected void response(SipResponse response) {
            out("up " + response.status());
        }

        @Override
        protected void timedOut() {
            out("timeout to TU");
        }

        @Override
        protected void transportFailed() {
            out("error to TU");
        }

        @Override
        protected void repetitionSeen() {
            out("count");
        }

        @Override
        protected void output(SipMessage message, boolean again) {
            sent(message, again);
        }

        @Override
        protected void outputBytes(byte[] message) {
            sentBytes(message);
        }

        @Override
        protected void lingering() {}

        @Override
        protected void ended(Reason reason, boolean lingered) {}
    }

    final class InviteServer extends InviteServerTransaction {
        private final TransactionTimers timers;
        final SipRequest invite = Samples.request("INVITE");

        InviteServer(TransactionTimers timers, boolean reliable) {
            super(reliable);
            this.timers = timers;
        }

        @Override
        protected TimerWheel wheel() {
            return wheel;
        }

        @Override
        protected TransactionTimers timers() {
            return timers;
        }

        @Override
        protected void timedOut() {
            out("failure to TU");
        }

        @Override
        protected SipResponse trying() {
            return Samples.response(invite, 100);
        }

        @Override
        protected void repetitionSeen() {
            out("count");
        }

        @Override
        protected void repetitionIgnored() {
            out("ignore");
        }

        @Override
        protected void responseDropped(SipResponse response) {
            out("drop " + response.status());
        }

        @Override
        protected void transportFailed() {
            out("error to TU");
        }

        @Override
        protected void output(SipMessage message, boolean again) {
            sent(message, again);
        }

        @Override
        protected void outputBytes(byte[] message) {
            sentBytes(message);
        }

        @Override
        protected void lingering() {}

        @Override
        protected void ended(Reason reason, boolean lingered) {}
    }

    final class NonInviteServer extends NonInviteServerTransaction {
        private final TransactionTimers timers;
        final SipRequest request = Samples.request("OPTIONS");

        NonInviteServer(TransactionTimers timers, boolean reliable) {
            super(reliable);
            this.timers = timers;
        }

        @Override
        protected TimerWheel wheel() {
            return wheel;
        }

        @Override
        protected TransactionTimers timers() {
            return timers;
        }

        @Override
        protected void expired() {
            out("expired");
        }

        @Override
        protected SipResponse trying() {
            return Samples.response(request, 100);
        }

        @Override
        protected void repetitionSeen() {
            out("count");
        }

        @Override
        protected void repetitionIgnored() {
            out("ignore");
        }

        @Override
        protected void responseDropped(SipResponse response) {
            out("drop " + response.status());
        }

        @Override
        protected void transportFailed() {
            out("error to TU");
        }

        @Override
        protected void output(SipMessage message, boolean again) {
            sent(message, again);
        }

        @Override
        protected void outputBytes(byte[] message) {
            sentBytes(message);
        }

        @Override
        protected void lingering() {}

        @Override
        protected void ended(Reason reason, boolean lingered) {}
    }
}
