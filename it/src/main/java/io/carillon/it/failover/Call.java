package io.carillon.it.failover;

import io.carillon.it.failover.CallFacts.Stage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A call and what its two ends do: set up, ring or talk until the node goes, then a re-INVITE from
 * either side and a BYE, or the answer or the CANCEL of what rings. One thread.
 */
final class Call {
    private static final long SHORT_RING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LATE_START_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Phones phones;
    private final int number;
    private final Kind kind;
    private final boolean ringsOn;
    private final Party caller;
    private final Exchange invite;
    private final Questions questions = new Questions();
    private final Other other = new Other();
    private Stage stage;
    private Wire.@Nullable Timer repeatingAnswer;
    private String fault = "";
    private long rangAtNanos;
    private boolean confirmed;
    private boolean cancelled;
    private boolean callerOver;

    /** The end that is called; where the application itself answers, only its time to do so. */
    private static final class Other {
        private @Nullable Party party;
        private @Nullable SipText invite;
        private long answeredAtNanos;
        private boolean answered;
        private boolean over;
    }

    /** Begins it. */
    Call(Phones phones, int number, Kind kind, boolean ringsOn) {
        this.phones = phones;
        this.number = number;
        this.kind = kind;
        this.ringsOn = ringsOn;
        this.stage = phones.killed() ? Stage.AFTER : Stage.IN_SETUP;
        other.over = !kind.hasCallee();
        this.caller = phones.caller(this);
        this.invite = caller.invite(new FirstInvite());
        if (phones.killed()) {
            ask("INVITE", invite);
        }
    }

    String name() {
        return "c" + number;
    }

    Kind kind() {
        return kind;
    }

    Party caller() {
        return caller;
    }

    boolean over() {
        return (callerOver && other.over) || !fault.isEmpty();
    }

    /** The answers to the INVITE of the call. */
    private final class FirstInvite implements Exchange.Listener {
        @Override
        public void provisional(Exchange exchange, SipText response) {
            if (rangAtNanos == 0 && !response.tag("To").isEmpty()) {
                rangAtNanos = System.nanoTime();
            }
        }

        @Override
        public void answered(Exchange exchange, SipText response) {
            if (response.status() >= 300) {
                caller.acknowledgeRefusal(exchange, response);
                callerOver = true;
                if (!cancelled || response.status() != 487) {
                    fault("INVITE: " + response.firstLine());
                }
                return;
            }
            caller.established(response);
            caller.acknowledge(exchange, false);
            confirmed = true;
            if (phones.killed()) {
                if (other.answeredAtNanos != 0) {
                    questions.answered("the answer", other.answeredAtNanos);
                    other.answeredAtNanos = 0;
                }
                phones.after(cancelled ? 0 : LATE_START_NANOS, Call.this::check);
            }
        }

        @Override
        public void again(Exchange exchange, SipText response) {
            if (response.status() >= 300) {
                caller.acknowledgeRefusal(exchange, response);
            } else {
                caller.acknowledge(exchange, true);
            }
        }

        @Override
        public void unanswered(Exchange exchange) {
            fault("INVITE: no answer");
        }
    }

    /** The callee's phone gets the INVITE. */
    void invited(SipText request) {
        Party party = phones.callee(request);
        other.party = party;
        other.invite = request;
        phones.answer(this, party, request, "180 Ringing", false);
        if (!ringsOn) {
            phones.after(SHORT_RING_NANOS, this::pickUp);
        } else if (phones.killed()) {
            phones.after(LATE_START_NANOS, this::pickUp);
        }
    }

    private void pickUp() {
        Party party = other.party;
        SipText request = other.invite;
        if (party == null || request == null || other.answered || other.over) {
            return;
        }
        other.answered = true;
        if (phones.killed()) {
            other.answeredAtNanos = System.nanoTime();
        }
        phones.answer(this, party, request, "200 OK", true);
    }

    /** A response of an end is repeated until its ACK comes; another takes its place. */
    void repeating(Wire.Timer timer) {
        stopRepeating();
        repeatingAnswer = timer;
    }

    private void stopRepeating() {
        Wire.Timer timer = repeatingAnswer;
        if (timer != null) {
            timer.cancel();
            repeatingAnswer = null;
        }
    }

    /** A request within the call reaches one of its ends. */
    void requested(boolean atCaller, SipText request) {
        Party party = atCaller ? caller : other.party;
        String method = request.method();
        if (method.equals("ACK")) {
            stopRepeating();
            return;
        }
        if (party == null || (atCaller ? callerOver : other.over)) {
            phones.stray(this, atCaller, request);
            return;
        }
        switch (method) {
            case "BYE" -> {
                phones.answer(this, party, request, "200 OK", false);
                stopRepeating();
                end(atCaller);
            }
            case "CANCEL" -> cancelledAt(party, request);
            default -> phones.answer(this, party, request, "200 OK", method.equals("INVITE"));
        }
    }

    private void cancelledAt(Party party, SipText cancel) {
        phones.answer(this, party, cancel, "200 OK", false);
        SipText request = other.invite;
        if (request != null && !other.answered) {
            other.answered = true;
            phones.answer(this, party, request, "487 Request Terminated", true);
            other.over = true;
        }
    }

    private void end(boolean atCaller) {
        if (atCaller) {
            callerOver = true;
        } else {
            other.over = true;
        }
    }

    /** The node goes now; what this call does from now on begins after so long. */
    void nodeGoes(long afterNanos) {
        if (over()) {
            stage = Stage.OVER;
        } else if (confirmed) {
            stage = Stage.CONFIRMED;
            phones.after(afterNanos, this::check);
        } else if (rangAtNanos != 0) {
            stage = Stage.EARLY;
            if (isCancelled()) {
                phones.after(afterNanos, this::cancel);
            } else if (kind.hasCallee()) {
                phones.after(afterNanos, this::pickUp);
            } else {
                other.answeredAtNanos = rangAtNanos + phones.ringNanos();
            }
        } else if (other.invite != null && ringsOn) {
            phones.after(afterNanos, this::pickUp);
        }
    }

    /** Half of those that ring for long are given up. */
    private boolean isCancelled() {
        return (ringsOn || !kind.hasCallee()) && number / 2 % 2 == 0;
    }

    private void cancel() {
        if (confirmed || over()) {
            return;
        }
        cancelled = true;
        ask("CANCEL", caller.cancel(invite, new Answered("CANCEL", () -> {})));
    }

    /**
     * A re-INVITE of either side, then a BYE; a call that was to be cancelled has the BYE alone.
     */
    private void check() {
        if (over()) {
            return;
        }
        if (cancelled) {
            bye(caller, true);
            return;
        }
        reInvite(
                caller,
                "re-INVITE of the caller",
                () -> {
                    Party callee = other.party;
                    if (callee == null) {
                        bye(caller, true);
                    } else {
                        reInvite(callee, "re-INVITE of the callee", () -> byeOfEither(callee));
                    }
                });
    }

    private void byeOfEither(Party callee) {
        boolean byCaller = number % 2 == 0;
        bye(byCaller ? caller : callee, byCaller);
    }

    private void reInvite(Party party, String what, Runnable next) {
        ask(what, party.request("INVITE", new Answered(what, next, party)));
    }

    private void bye(Party party, boolean byCaller) {
        String what = byCaller ? "BYE of the caller" : "BYE of the callee";
        if (!over()) {
            ask(what, party.request("BYE", new Answered(what, () -> end(byCaller))));
        }
    }

    private void ask(String what, Exchange exchange) {
        questions.ask(what, exchange);
    }

    /** Goes on after a 2xx; anything else is a fault. */
    private final class Answered implements Exchange.Listener {
        private final String what;
        private final Runnable next;
        private final @Nullable Party inviting;

        Answered(String what, Runnable next) {
            this(what, next, null);
        }

        Answered(String what, Runnable next, @Nullable Party inviting) {
            this.what = what;
            this.next = next;
            this.inviting = inviting;
        }

        @Override
        public void answered(Exchange exchange, SipText response) {
            if (response.status() >= 300) {
                if (inviting != null) {
                    inviting.acknowledgeRefusal(exchange, response);
                }
                if (!over()) {
                    fault(what + ": " + response.firstLine());
                }
                return;
            }
            if (inviting == null) {
                next.run();
            } else {
                inviting.acknowledge(exchange, false);
                phones.after(BETWEEN_NANOS, next);
            }
        }

        @Override
        public void again(Exchange exchange, SipText response) {
            if (inviting != null && response.status() < 300) {
                inviting.acknowledge(exchange, true);
            }
        }

        @Override
        public void unanswered(Exchange exchange) {
            if (!over()) {
                fault(what + ": no answer");
            }
        }
    }

    void fault(String what) {
        if (fault.isEmpty()) {
            fault = what;
            stopRepeating();
        }
    }

    /** What is known of it. */
    CallFacts facts() {
        return new CallFacts(
                name() + " " + caller.callId,
                kind,
                stage,
                fault,
                callerOver && other.over,
                questions.checks());
    }
}
