package io.carillon.it.failover;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The phones of a run: who calls, and who is called. One thread. */
final class Phones implements AutoCloseable {
    private static final int TIMERS = 3;
    private static final int RINGS_ON_OF = 5;

    private final Wire wire;
    private final Wire.Socket callers;
    private final Wire.Socket callees;
    private final String address;
    private final Pace pace;
    private final Random random = new Random(1);
    private final String run = Long.toString(System.nanoTime(), 36);
    private final Map<String, Exchange> exchanges = new HashMap<>();
    private final Map<String, Conversation> byCallerLeg = new HashMap<>();
    private final Map<String, Conversation> byCalleeLeg = new HashMap<>();
    private final Map<String, Conversation> byName = new HashMap<>();
    private final Map<String, String> answers = new HashMap<>();
    private final List<Conversation> calls = new ArrayList<>();
    private final List<String> strays = new ArrayList<>();
    private @Nullable Long goneAtNanos;

    /**
     * Opens their sockets.
     *
     * @param host address of the phones
     * @param router where all they send goes
     * @param by how callers reach it; who is called is reached by UDP
     * @param pace how long things take
     */
    Phones(String host, InetSocketAddress router, CallersBy by, Pace pace) throws IOException {
        this.wire = new Wire(host, router);
        this.pace = pace;
        this.address = router.getAddress().getHostAddress() + ":" + router.getPort();
        this.callers =
                by.isUdp()
                        ? wire.open(message -> received(true, message))
                        : wire.connect(
                                by.transport(),
                                new InetSocketAddress(router.getAddress(), by.port()),
                                message -> received(true, message));
        this.callees = wire.open(message -> received(false, message));
    }

    /**
     * How callers reach the router.
     *
     * @param transport {@code udp}, {@code tcp}, {@code tls} or {@code wss}
     * @param port of the router for connections
     */
    record CallersBy(String transport, int port) {
        boolean isUdp() {
            return transport.equals("udp");
        }
    }

    /**
     * How long things take.
     *
     * @param ringNanos the application uas rings
     * @param spreadNanos after the loss each call has done its first step
     * @param takeOverNanos another node is in the place of the one that went
     * @param timerMillis until the last timer of a call from its begin
     */
    record Pace(long ringNanos, long spreadNanos, long takeOverNanos, long timerMillis) {}

    long ringNanos() {
        return pace.ringNanos();
    }

    boolean killed() {
        return goneAtNanos != null;
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
            calls.add(begin(number, kinds.get(number % kinds.size()), ringsOn));
        }
        wire.work(begin + count * gap, () -> false);
    }

    private Conversation begin(int number, Kind kind, boolean ringsOn) {
        return switch (kind) {
            case UAC -> new CallOfApplication(this, number, ringsOn);
            case SUBSCRIPTION -> new Subscription(this, number);
            default -> new Call(this, number, kind, ringsOn);
        };
    }

    /** The node goes now: each call does what it has to show, spread over a while. */
    void nodeGoes() {
        goneAtNanos = System.nanoTime();
        for (Conversation call : calls) {
            call.nodeGoes((long) (random.nextDouble() * pace.spreadNanos()));
        }
    }

    /** For a person: when something happened. */
    String sinceLoss() {
        Long gone = goneAtNanos;
        return gone == null
                ? "before it"
                : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - gone) + " ms after it";
    }

    long takeOverNanos() {
        return pace.takeOverNanos();
    }

    /** Timers for a call: at random over the time in which the node goes. */
    AskedTimers timers() {
        return new AskedTimers(
                random.longs(TIMERS, 1, pace.timerMillis() + 1).sorted().boxed().toList());
    }

    /** What an application calls that is to call a phone. */
    String phone() {
        return "sip:phone@" + callees.at();
    }

    /** Waits until all calls are over, so long at most. */
    void settle(long seconds) throws IOException {
        wire.work(
                System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds),
                () -> calls.stream().allMatch(Conversation::over));
    }

    /** Lets time pass. */
    void pass(long millis) throws IOException {
        wire.work(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), () -> false);
    }

    /** What is known of all calls. */
    List<CallFacts> facts() {
        return calls.stream().map(Conversation::facts).toList();
    }

    /** Requests that reached a phone after the end of their call. */
    List<String> strays() {
        return List.copyOf(strays);
    }

    // ---- for the calls ----

    Wire.Timer after(long nanos, Runnable action) {
        return wire.after(nanos, action);
    }

    Party caller(Conversation call) {
        String callId = run + "-" + call.name();
        byCallerLeg.put(callId, call);
        byName.put(call.name(), call);
        // The applications that connect calls are the callers' outbound proxy.
        String at = call.kind().hasCallee() ? callees.at() : address;
        String target = "sip:" + call.kind().user() + "@" + at;
        return Party.caller(wire, callers, exchanges, callId, call.name(), target);
    }

    Party callee(SipText invite) {
        return Party.callee(wire, callees, exchanges, invite);
    }

    /** Answers a request; a final answer to an INVITE is repeated until its ACK comes. */
    void answer(Conversation call, Party party, SipText request, String status, boolean untilAck) {
        String text = party.response(request, status);
        answers.put(request.branch() + request.cseqMethod(), text);
        Runnable send = () -> party.answer(request, text);
        send.run();
        if (untilAck) {
            repeatLater(call, send, status, Exchange.T1_NANOS, 0);
        }
    }

    private void repeatLater(
            Conversation call, Runnable send, String status, long wait, long waited) {
        call.repeating(
                wire.after(
                        wait,
                        () -> {
                            send.run();
                            long next = Math.min(2 * wait, Exchange.T2_NANOS);
                            if (waited + wait < Exchange.TIMEOUT_NANOS) {
                                repeatLater(call, send, status, next, waited + wait);
                            } else if (status.startsWith("2")) {
                                call.fault("2xx: no ACK");
                            }
                        }));
    }

    void stray(Conversation call, boolean atCaller, Party party, SipText request) {
        if (!request.method().equals("OPTIONS")) { // which asks whether the call is still there
            strays.add(call.name() + (atCaller ? " caller: " : " callee: ") + request.firstLine());
        }
        String text = party.response(request, "481 Call/Transaction Does Not Exist");
        party.answer(request, text);
    }

    private void received(boolean atCaller, SipText message) {
        String key = message.branch() + message.cseqMethod();
        if (!message.isRequest()) {
            Exchange exchange = exchanges.get(key);
            if (exchange != null) {
                heard(byLeg(atCaller, message), message);
                exchange.take(message);
            }
            return;
        }
        String answered = answers.get(key);
        if (answered != null && !message.method().equals("ACK")) {
            heard(byLeg(atCaller, message), message);
            Party.answer(atCaller ? callers : callees, message, answered);
            return;
        }
        if (!atCaller && message.method().equals("INVITE") && message.tag("To").isEmpty()) {
            Conversation call = byName.get(message.fromUser());
            if (call != null && byCalleeLeg.putIfAbsent(message.callId(), call) == null) {
                call.invited(message);
                heard(call, message);
            }
            return;
        }
        Conversation call = byLeg(atCaller, message);
        if (call != null) {
            heard(call, message);
            call.requested(atCaller, message);
        }
    }

    private @Nullable Conversation byLeg(boolean atCaller, SipText message) {
        return (atCaller ? byCallerLeg : byCalleeLeg).get(message.callId());
    }

    /** What the trial's application sends says which node has sent it. */
    private static void heard(@Nullable Conversation call, SipText message) {
        String node = message.header("X-Node");
        if (call != null && !node.isEmpty()) {
            call.heardFrom(node);
        }
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
