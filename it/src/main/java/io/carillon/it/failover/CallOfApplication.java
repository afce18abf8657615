package io.carillon.it.failover;

import io.carillon.it.failover.CallFacts.Stage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A call that the application makes to a phone, as a MESSAGE has asked it to. After the loss a
 * re-INVITE of the phone, one of the application, and a BYE of either. One thread.
 */
final class CallOfApplication implements Conversation {
    private static final long RING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LATE_START_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Phones phones;
    private final int number;
    private final boolean ringsOn;
    private final Standing standing;
    private final Script script;
    private final Party asker;
    private @Nullable Party phone;
    private @Nullable SipText invite;
    private long invitedAtNanos;
    private long answeredAtNanos;
    private boolean confirmed;
    private boolean over;

    /** Asks for it. */
    CallOfApplication(Phones phones, int number, boolean ringsOn) {
        this.phones = phones;
        this.number = number;
        this.ringsOn = ringsOn;
        this.standing = new Standing(phones);
        this.script = new Script(phones, this);
        this.asker = phones.caller(this);
        script.record(
                "MESSAGE",
                asker.first(
                        "MESSAGE",
                        List.of("X-Call: " + phones.phone()),
                        script.answered("MESSAGE", () -> {})));
    }

    @Override
    public String name() {
        return "c" + number;
    }

    @Override
    public Kind kind() {
        return Kind.UAC;
    }

    @Override
    public boolean over() {
        return over || standing.failed();
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

    @Override
    public void invited(SipText request) {
        Party party = phones.callee(request);
        phone = party;
        invite = request;
        invitedAtNanos = System.nanoTime();
        phones.answer(this, party, request, "180 Ringing", false);
        if (!ringsOn) {
            phones.after(RING_NANOS, this::pickUp);
        } else if (phones.killed()) {
            phones.after(LATE_START_NANOS, this::pickUp);
        }
    }

    private void pickUp() {
        Party party = phone;
        SipText request = invite;
        if (party == null || request == null || answeredAtNanos != 0 || over()) {
            return;
        }
        answeredAtNanos = System.nanoTime();
        phones.answer(this, party, request, "200 OK", true);
    }

    @Override
    public void requested(boolean atCaller, SipText request) {
        Party party = phone;
        if (request.method().equals("ACK")) {
            standing.stopRepeating();
            acknowledged();
            return;
        }
        if (party == null || over) {
            phones.stray(this, atCaller, asker, request);
            return;
        }
        phones.answer(this, party, request, "200 OK", request.method().equals("INVITE"));
        if (request.method().equals("BYE")) {
            standing.stopRepeating();
            over = true;
        }
    }

    private void acknowledged() {
        if (confirmed) {
            script.came();
            return;
        }
        confirmed = true;
        if (phones.killed()) {
            script.questions().answered("the ACK", answeredAtNanos);
            phones.after(LATE_START_NANOS, this::check);
        }
    }

    @Override
    public void nodeGoes(long afterNanos) {
        if (over()) {
            standing.stage(Stage.OVER);
        } else if (confirmed) {
            standing.stage(Stage.CONFIRMED);
            phones.after(afterNanos, this::check);
        } else if (invite != null) {
            boolean written = System.nanoTime() - invitedAtNanos > Subscription.WRITTEN_NANOS;
            standing.stage(written ? Stage.EARLY : Stage.IN_SETUP);
            phones.after(afterNanos, this::pickUp);
        }
    }

    private void check() {
        Party party = phone;
        if (over() || party == null) {
            return;
        }
        script.ask(party, "INVITE", "re-INVITE of the callee");
        script.askFor(party, "INVITE", "re-INVITE of the application");
        script.then(() -> {
            if (number % 2 == 0) {
                bye(party);
            } else {
                script.await("BYE of the application");
                script.record(
                        "INFO before BYE",
                        party.request(
                                "INFO", List.of("X-Do: BYE"), script.answered("INFO", () -> {})));
            }
        });
    }

    private void bye(Party party) {
        script.record(
                "BYE of the callee",
                party.request(
                        "BYE", List.of(), script.answered("BYE of the callee", () -> over = true)));
    }

    @Override
    public CallFacts facts() {
        Party party = phone;
        return new CallFacts(
                name() + " " + (party == null ? asker : party).callId,
                Kind.UAC,
                standing.stage(),
                standing.fault(),
                over,
                script.questions().checks(),
                standing.nodes(),
                List.of());
    }
}
