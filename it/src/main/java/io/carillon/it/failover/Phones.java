package io.carillon.it.failover;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The phones of a run: who calls, and who is called. One thread. */
final class Phones implements AutoCloseable {
    private static final long SPREAD_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int RINGS_ON_OF = 5;

    private final Wire wire;
    private final Wire.Socket callers;
    private final Wire.Socket callees;
    private final String address;
    private final long ringNanos;
    private final Random random = new Random(1);
    private final String run = Long.toString(System.nanoTime(), 36);
    private final Map<String, Exchange> exchanges = new HashMap<>();
    private final Map<String, Call> byCallerLeg = new HashMap<>();
    private final Map<String, Call> byCalleeLeg = new HashMap<>();
    private final Map<String, Call> byName = new HashMap<>();
    private final Map<String, String> answers = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<String> strays = new ArrayList<>();
    private boolean killed;

    /**
     * Opens their sockets.
     *
     * @param router where all they send goes
     * @param ringNanos how long the application uas rings
     */
    Phones(InetSocketAddress router, long ringNanos) throws IOException {
        this.wire = new Wire(router);
        this.ringNanos = ringNanos;
        this.address = router.getAddress().getHostAddress() + ":" + router.getPort();
        this.callers = wire.open(message -> received(true, message));
        this.callees = wire.open(message -> received(false, message));
    }

    long ringNanos() {
        return ringNanos;
    }

    boolean killed() {
        return killed;
    }

    /** Begins calls of these kinds in turn, so many a second, for so long. */
    void load(List<Kind> kinds, int rate, double seconds) throws IOException {
        long begin = System.nanoTime();
        long gap = TimeUnit.SECONDS.toNanos(1) / rate;
        long count = Math.max(1, Math.round(rate * seconds));
        for (int i = 0; i < count; i++) {
            wire.work(begin + i * gap, () -> false);
            int number = calls.size();
            boolean ringsOn = number / kinds.size() % RINGS_ON_OF == RINGS_ON_OF - 1;
            calls.add(new Call(this, number, kinds.get(number % kinds.size()), ringsOn));
        }
        wire.work(begin + count * gap, () -> false);
    }

    /** The node goes now: each call does what it has to show, the first within 5 s. */
    void nodeGoes() {
        killed = true;
        for (Call call : calls) {
            call.nodeGoes((long) (random.nextDouble() * SPREAD_NANOS));
        }
    }

    /** Waits until all calls are over, so long at most. */
    void settle(long seconds) throws IOException {
        wire.work(
                System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds),
                () -> calls.stream().allMatch(Call::over));
    }

    /** Lets time pass. */
    void pass(long millis) throws IOException {
        wire.work(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), () -> false);
    }

    /** What is known of all calls. */
    List<CallFacts> facts() {
        return calls.stream().map(Call::facts).toList();
    }

    /** Requests that reached a phone after the end of their call. */
    List<String> strays() {
        return List.copyOf(strays);
    }

    // ---- for the calls ----

    Wire.Timer after(long nanos, Runnable action) {
        return wire.after(nanos, action);
    }

    Party caller(Call call) {
        String callId = run + "-" + call.name();
        byCallerLeg.put(callId, call);
        byName.put(call.name(), call);
        // The applications that connect calls are the callers' outbound proxy.
        String at = call.kind().hasCallee() ? "127.0.0.1:" + callees.port() : address;
        String target = "sip:" + call.kind().application() + "@" + at;
        return Party.caller(wire, callers, exchanges, callId, call.name(), target);
    }

    Party callee(SipText invite) {
        return Party.callee(wire, callees, exchanges, invite);
    }

    /** Answers a request; a final answer to an INVITE is repeated until its ACK comes. */
    void answer(Call call, Party party, SipText request, String status, boolean untilAck) {
        String text = party.response(request, status);
        answers.put(request.branch() + request.cseqMethod(), text);
        party.send(text);
        if (untilAck) {
            repeatLater(call, party, text, Exchange.T1_NANOS, 0);
        }
    }

    private void repeatLater(Call call, Party party, String text, long wait, long waited) {
        call.repeating(
                wire.after(
                        wait,
                        () -> {
                            party.send(text);
                            long next = Math.min(2 * wait, Exchange.T2_NANOS);
                            if (waited + wait < Exchange.TIMEOUT_NANOS) {
                                repeatLater(call, party, text, next, waited + wait);
                            } else if (text.startsWith("SIP/2.0 2")) {
                                call.fault("2xx: no ACK");
                            }
                        }));
    }

    void stray(Call call, boolean atCaller, SipText request) {
        if (!request.method().equals("OPTIONS")) { // which asks whether the call is still there
            strays.add(call.name() + (atCaller ? " caller: " : " callee: ") + request.firstLine());
        }
        Party party = call.caller();
        String text = party.response(request, "481 Call/Transaction Does Not Exist");
        (atCaller ? callers : callees).send(text);
    }

    private void received(boolean atCaller, SipText message) {
        String key = message.branch() + message.cseqMethod();
        if (!message.isRequest()) {
            Exchange exchange = exchanges.get(key);
            if (exchange != null) {
                exchange.take(message);
            }
            return;
        }
        String answered = answers.get(key);
        if (answered != null && !message.method().equals("ACK")) {
            (atCaller ? callers : callees).send(answered);
            return;
        }
        if (!atCaller && message.method().equals("INVITE") && message.tag("To").isEmpty()) {
            Call call = byName.get(message.fromUser());
            if (call != null && byCalleeLeg.putIfAbsent(message.callId(), call) == null) {
                call.invited(message);
            }
            return;
        }
        Call call = (atCaller ? byCallerLeg : byCalleeLeg).get(message.callId());
        if (call != null) {
            call.requested(atCaller, message);
        }
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
