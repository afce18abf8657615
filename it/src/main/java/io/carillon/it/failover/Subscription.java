package io.carillon.it.failover;

import io.carillon.it.failover.CallFacts.Stage;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A subscription of a phone: after the loss it is refreshed and then ended, and each SUBSCRIBE has
 * to bring the NOTIFY with the next number. One thread.
 */
final class Subscription implements Conversation {
    private static final String EVENT = "Event: presence";

    /** What is not written within this time was no promise: a SUBSCRIBE waits for no record. */
    static final long WRITTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long LATE_START_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Phones phones;
    private final int number;
    private final Standing standing;
    private final Script script;
    private final Party phone;
    private long notifiedAtNanos;
    private int notified;
    private boolean accepted;
    private boolean over;

    /** Subscribes. */
    Subscription(Phones phones, int number) {
        this.phones = phones;
        this.number = number;
        this.standing = new Standing(phones);
        this.script = new Script(phones, this);
        this.phone = phones.caller(this);
        script.record(
                "SUBSCRIBE",
                phone.first("SUBSCRIBE", List.of(EVENT, "Expires: 3600"), new First()));
    }

    private final class First implements Exchange.Listener {
        @Override
        public void answered(Exchange exchange, SipText response) {
            if (response.status() >= 300) {
                fault("SUBSCRIBE: " + response.firstLine());
                return;
            }
            phone.established(response);
            accepted = true;
            if (phones.killed()) {
                phones.after(LATE_START_NANOS, Subscription.this::check);
            }
        }

        @Override
        public void unanswered(Exchange exchange) {
            fault("SUBSCRIBE: no answer");
        }
    }

    @Override
    public String name() {
        return "c" + number;
    }

    @Override
    public Kind kind() {
        return Kind.SUBSCRIPTION;
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
    public void invited(SipText invite) {
        fault("INVITE: nobody has called");
    }

    @Override
    public void requested(boolean atCaller, SipText request) {
        if (!request.method().equals("NOTIFY") || over) {
            phones.stray(this, atCaller, phone, request);
            return;
        }
        phones.answer(this, phone, request, "200 OK", false);
        int expected = notified + 1;
        String said = request.header("X-Number");
        notified = expected;
        notifiedAtNanos = System.nanoTime();
        if (!said.equals(Integer.toString(expected))) {
            fault("NOTIFY: number " + said + " where " + expected + " is due");
        }
        if (request.header("Subscription-State").startsWith("terminated")) {
            over = true;
        }
        script.came();
    }

    @Override
    public void nodeGoes(long afterNanos) {
        if (over()) {
            standing.stage(Stage.OVER);
        } else if (accepted && notified > 0) {
            boolean written = System.nanoTime() - notifiedAtNanos > WRITTEN_NANOS;
            standing.stage(written ? Stage.CONFIRMED : Stage.IN_SETUP);
            phones.after(afterNanos, this::check);
        }
    }

    private void check() {
        if (!over()) {
            subscribe("SUBSCRIBE again", "Expires: 3600");
            subscribe("SUBSCRIBE at the end", "Expires: 0");
        }
    }

    private void subscribe(String what, String expires) {
        script.then(() -> {
            script.await("NOTIFY after " + what);
            script.record(
                    what,
                    phone.request(
                            "SUBSCRIBE", List.of(EVENT, expires), script.answered(what, () -> {})));
        });
    }

    @Override
    public CallFacts facts() {
        return new CallFacts(
                name() + " " + phone.callId,
                Kind.SUBSCRIPTION,
                standing.stage(),
                standing.fault(),
                over,
                script.questions().checks(),
                standing.nodes(),
                List.of());
    }
}
