package io.carillon.it.failover;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the ends of a conversation ask for, one after the other: the next step begins a while after
 * the one before was answered. A 491 is tried again; any other answer but a 2xx is a fault. One
 * thread.
 */
final class Script {
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final int REQUEST_PENDING = 491;

    private static final int MOST_TRIES = 5;

    /** RFC 3261 14.1: of who has made the Call-ID; the others wait for up to 2 s. */
    private static final long PENDING_LEAST_MILLIS = 2_100;

    private static final long PENDING_MOST_MILLIS = 4_000;

    private final Phones phones;
    private final Conversation of;
    private final Questions questions = new Questions();
    private final Queue<Runnable> steps = new ArrayDeque<>();
    private boolean busy;
    private String awaited = "";
    private Wire.@Nullable Timer limit;

    Script(Phones phones, Conversation of) {
        this.phones = phones;
        this.of = of;
    }

    Questions questions() {
        return questions;
    }

    /** Does nothing of it go on? */
    boolean idle() {
        return !busy && steps.isEmpty();
    }

    // ---- steps ----

    /** Asks by a request within the dialog. */
    Script ask(Party party, String method, String what, String... headers) {
        return then(() -> send(party, method, what, List.of(headers), this::done));
    }

    /** The application is asked for a request of its own; the step is over when it has come. */
    Script askFor(Party party, String wanted, String what) {
        return then(() -> {
            await(what);
            send(party, "INFO", "INFO before " + what, List.of("X-Do: " + wanted), () -> {});
        });
    }

    /** Something of its own, which ends with {@link #done}. */
    Script then(Runnable step) {
        steps.add(step);
        next();
        return this;
    }

    /** Begins one step more where none is under way. */
    private void next() {
        if (!busy && !of.over()) {
            Runnable step = steps.poll();
            if (step != null) {
                busy = true;
                step.run();
            }
        }
    }

    /** The step is over. */
    void done() {
        busy = false;
        phones.after(BETWEEN_NANOS, this::next);
    }

    /** What the application was asked for has to come within the time of a transaction. */
    void await(String what) {
        awaited = what;
        long asked = System.nanoTime();
        limit =
                phones.after(
                        Exchange.TIMEOUT_NANOS,
                        () -> {
                            if (!of.over()) {
                                if (phones.killed()) {
                                    questions.never(what, asked);
                                }
                                of.fault(what + ": it never came");
                            }
                        });
    }

    /** It has come. */
    void came() {
        Wire.Timer timer = limit;
        if (!awaited.isEmpty() && timer != null) {
            awaited = "";
            timer.cancel();
            done();
        }
    }

    private void send(
            Party party, String method, String what, List<String> headers, Runnable next) {
        send(party, method, what, headers, next, 1);
    }

    private void send(
            Party party,
            String method,
            String what,
            List<String> headers,
            Runnable next,
            int tries) {
        Runnable again =
                tries == MOST_TRIES
                        ? null
                        : () -> send(party, method, what, headers, next, tries + 1);
        Exchange exchange =
                party.request(
                        method,
                        headers,
                        new Answered(what, next, method.equals("INVITE") ? party : null, again));
        record(what, exchange);
    }

    /** Its answer counts, where the node has gone. */
    void record(String what, Exchange exchange) {
        if (phones.killed()) {
            questions.ask(what, exchange);
        }
    }

    /** Goes on after a 2xx; anything else is a fault. */
    Exchange.Listener answered(String what, Runnable next) {
        return new Answered(what, next, null, null);
    }

    private final class Answered implements Exchange.Listener {
        private final String what;
        private final Runnable next;
        private final @Nullable Party inviting;
        private final @Nullable Runnable again;

        /**
         * @param again tries once more; null for what nothing else can hinder
         */
        Answered(String what, Runnable next, @Nullable Party inviting, @Nullable Runnable again) {
            this.what = what;
            this.next = next;
            this.inviting = inviting;
            this.again = again;
        }

        @Override
        public void answered(Exchange exchange, SipText response) {
            if (response.status() >= 300) {
                if (inviting != null) {
                    inviting.acknowledgeRefusal(exchange, response);
                }
                if (of.over()) {
                    return;
                }
                if (response.status() == REQUEST_PENDING && again != null) {
                    // RFC 3261 14.1: what else is under way ends, then it is tried again.
                    long millis =
                            ThreadLocalRandom.current()
                                    .nextLong(PENDING_LEAST_MILLIS, PENDING_MOST_MILLIS);
                    phones.after(TimeUnit.MILLISECONDS.toNanos(millis), again);
                } else {
                    of.fault(what + ": " + response.firstLine());
                }
                return;
            }
            if (inviting != null) {
                inviting.acknowledge(exchange, false);
            }
            next.run();
        }

        @Override
        public void again(Exchange exchange, SipText response) {
            if (inviting != null && response.status() < 300) {
                inviting.acknowledge(exchange, true);
            }
        }

        @Override
        public void unanswered(Exchange exchange) {
            if (!of.over()) {
                of.fault(what + ": no answer");
            }
        }
    }
}
