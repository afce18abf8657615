package io.carillon.it.failover;

import io.carillon.it.failover.CallFacts.Stage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A call of a phone and what its two ends do: set up, ring or talk until the node goes, then an
 * UPDATE, a re-INVITE from either side and a BYE, or the answer or the CANCEL of what rings. One
 * thread.
 */
final class Call implements Conversation {
    private static final long SHORT_RING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LATE_START_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TALK_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Of so many calls one has re-INVITEs under way when the node goes. */
    private static final int TALKS_OF = 8;

    private final Phones phones;
    private final int number;
    private final Kind kind;
    private final boolean ringsOn;
    private final Standing standing;
    private final Script script;
    private final Party caller;
    private final Exchange invite;
    private final Other other = new Other();
    private final AskedTimers timers;
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
        this.ringsOn = ringsOn && (kind.hasCallee() || kind.ringsItself());
        this.standing = new Standing(phones);
        this.script = new Script(phones, this);
        this.timers = kind == Kind.TIMERS ? phones.timers() : AskedTimers.NONE;
        other.over = !kind.hasCallee();
        this.caller = phones.caller(this);
        this.invite = caller.first("INVITE", timers.header(), new FirstInvite());
        script.record("INVITE", invite);
    }

    @Override
    public String name() {
        return "c" + number;
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public boolean over() {
        return (callerOver && other.over) || standing.failed();
    }

    @Override
    public void fault(String what) {
        standing.fault(what);
    }

    @Override
    public void repeating(Wire.Timer timer) {
        standing.repeating(timer);
    }

    @Override
    public void heardFrom(String node) {
        standing.heardFrom(node);
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
            timers.begin();
            if (!phones.killed()) {
                talk();
                return;
            }
            if (other.answeredAtNanos != 0) {
                script.questions().answered("the answer", other.answeredAtNanos);
                other.answeredAtNanos = 0;
            }
            phones.after(cancelled ? 0 : LATE_START_NANOS, Call.this::check);
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

    @Override
    public void invited(SipText request) {
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

    @Override
    public void requested(boolean atCaller, SipText request) {
        Party party = atCaller ? caller : other.party;
        String method = request.method();
        if (method.equals("ACK")) {
            standing.stopRepeating();
            if (atCaller) {
                script.came();
            }
            return;
        }
        if (party == null || (atCaller ? callerOver : other.over)) {
            phones.stray(this, atCaller, caller, request);
            return;
        }
        switch (method) {
            case "BYE" -> {
                phones.answer(this, party, request, "200 OK", false);
                standing.stopRepeating();
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

    @Override
    public void nodeGoes(long afterNanos) {
        if (over()) {
            standing.stage(Stage.OVER);
        } else if (confirmed) {
            standing.stage(Stage.CONFIRMED);
            phones.after(afterNanos, this::check);
        } else if (rangAtNanos != 0) {
            standing.stage(Stage.EARLY);
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
        return ringsOn && number / 2 % 2 == 0;
    }

    private void cancel() {
        if (confirmed || over()) {
            return;
        }
        cancelled = true;
        script.record("CANCEL", caller.cancel(invite, script.answered("CANCEL", () -> {})));
    }

    /** Re-INVITEs and UPDATEs are under way when the node goes. */
    private void talk() {
        if (number % TALKS_OF != TALKS_OF - 1 || !kind.staysInside()) {
            return;
        }
        phones.after(
                TALK_NANOS,
                () -> {
                    if (phones.killed() || over()) {
                        return;
                    }
                    Party callee = other.party;
                    if (script.idle()) {
                        script.ask(caller, "UPDATE", "UPDATE before the loss");
                        script.ask(
                                callee == null ? caller : callee,
                                "INVITE",
                                "re-INVITE before the loss");
                    }
                    talk();
                });
    }

    /** A re-INVITE of either side, then a BYE; what was to be cancelled has the BYE alone. */
    private void check() {
        if (over()) {
            return;
        }
        Party callee = other.party;
        if (!cancelled) {
            if (number % 3 == 0) {
                script.ask(caller, "UPDATE", "UPDATE of the caller");
            }
            script.ask(caller, "INVITE", "re-INVITE of the caller");
            if (callee != null) {
                script.ask(callee, "INVITE", "re-INVITE of the callee");
            }
            if (kind.doesAsAsked()) {
                script.askFor(caller, "INVITE", "re-INVITE of the application");
            }
            script.then(() -> phones.after(timers.untilAll(phones.takeOverNanos()), script::done));
        }
        boolean byCaller = cancelled || callee == null || number % 2 == 0;
        script.then(() -> bye(byCaller || callee == null ? caller : callee, byCaller));
    }

    private void bye(Party party, boolean byCaller) {
        String what = byCaller ? "BYE of the caller" : "BYE of the callee";
        script.record(
                what,
                party.request(
                        "BYE",
                        List.of(),
                        script.answered(
                                what,
                                () -> {
                                    end(byCaller);
                                    script.done();
                                })));
    }

    @Override
    public CallFacts facts() {
        return new CallFacts(
                name() + " " + caller.callId,
                kind,
                standing.stage(),
                standing.fault(),
                callerOver && other.over,
                script.questions().checks(),
                standing.nodes(),
                timers.due(caller.callId));
    }
}
