package io.carillon.fuzz.call;

import io.carillon.fuzz.check.Finding;
import io.carillon.fuzz.check.Program;
import io.carillon.fuzz.server.MemoryServer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.security.UserStore;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Responses and ACKs of anybody while a call lives: nothing fails inside; whoever was never asked
 * cannot make the server send to others; what waits stays within bounds, also while handlers sleep;
 * two peers that keep to the rules can talk on and hang up, where nothing was said in an answer to
 * what the server asked; and some minutes later nothing is left.
 *
 * <p>An input is a {@link Program}: what the server is (a user agent, a record-routing proxy, a
 * B2BUA), whether its application never blocks or sleeps in its handlers, how far the call is, then
 * up to {@value #MOST_STEPS} steps. A call of each input; the servers live on. One thread.
 */
public final class DialogMessagesTarget {
    static final int MOST_STEPS = 16;

    private static final int FORKS = 8;

    /** Each handler of an input may sleep, but not for ever. */
    private static final int MOST_PAUSES = 6;

    private static final Duration ACROSS = Duration.ofMillis(12);
    private static final long MOST_WAITED_MILLIS = 16_000;

    /** Timer C and the session's expiry, then 64*T1 for what these send. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(181 + 60 + 33 + 33);

    /**
     * A mailbox of 1 MiB, as much that was taken out of it and waits for the handler that sleeps,
     * and the requests of a call.
     */
    private static final long MOST_BYTES = 2 * (1 << 20) + 256 * 1024;

    private static final MemoryServer.Held MOST =
            new MemoryServer.Held(2, 4 + 3 * FORKS, 64, 256, MOST_BYTES);

    private static @Nullable DialogMessagesTarget prompt;
    private static @Nullable DialogMessagesTarget sleepy;
    private static long calls;

    private final MemoryServer server;
    private final boolean sleeps;
    private final CallPeer caller;
    private final CallPeer callee;
    private final InetSocketAddress stranger = SimulatedNetwork.address("10.0.0.66", 5060);
    private Duration pause = Duration.ZERO;
    private int pauses;
    private long waitedMillis;

    /** What came in and went out for the input; the tap counts what the server sends. */
    private CallBalance balance = new CallBalance();

    private DialogMessagesTarget(ExecutionMode mode) {
        sleeps = mode == ExecutionMode.BLOCKING;
        server =
                new MemoryServer(
                        ApplicationDescription.builder("fuzz")
                                .servlet("main", () -> new FuzzedServlet(this::seen))
                                .execution(mode)
                                .sessionTimeoutMinutes(1)
                                .build(),
                        StackConfig.builder().forks(FORKS).build(),
                        UserStore.EMPTY);
        SimulatedNetwork network = server.network();
        caller = new CallPeer(network, "caller", "10.0.0.2");
        callee = new CallPeer(network, "callee", "10.0.0.3");
        network.elsewhere((bytes, transport, from, to) -> CallPeer.read(bytes));
        network.tap((at, fate, transport, from, to, bytes) -> {
            if (fate == SimulatedNetwork.Fate.SENT && from.equals(MemoryServer.ADDRESS)) {
                left(to, bytes.length);
            }
        });
    }

    /** Loads the classes: by Jazzer, before its first input. */
    public static void fuzzerInitialize() {
        fuzzerTestOneInput(new byte[] {0, 3});
        fuzzerTestOneInput(new byte[] {5, 3});
    }

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        Program program = new Program(data);
        int shape = program.next(6);
        if (shape < 3) {
            DialogMessagesTarget target =
                    prompt == null ? new DialogMessagesTarget(ExecutionMode.NON_BLOCKING) : prompt;
            prompt = null;
            target.tried(program, shape);
            prompt = target;
        } else {
            DialogMessagesTarget target =
                    sleepy == null ? new DialogMessagesTarget(ExecutionMode.BLOCKING) : sleepy;
            sleepy = null;
            target.tried(program, shape - 3);
            sleepy = target;
        }
    }

    /** In each handler, before what the application does. */
    private void seen(SipServletMessage message) throws IOException {
        if (sleeps && !pause.isZero() && pauses < MOST_PAUSES) {
            pauses++;
            server.pause(pause);
        }
        if (message instanceof SipServletResponse response
                && response.getHeader("RSeq") != null
                && response.getProxy() == null) {
            try {
                response.createPrack().send();
            } catch (Rel100Exception | IllegalStateException refused) {
                // Declared: it is not reliable, or has its PRACK.
            }
        }
    }

    /** The server sent it. */
    private void left(InetSocketAddress to, int length) {
        String host = to.getHostString();
        if (host.equals(caller.host) || host.equals(callee.host)) {
            balance.leftToPeer();
        } else if (to.equals(MemoryServer.ADDRESS)) {
            balance.leftToItself();
        } else if (to.equals(stranger)) {
            throw new Finding("a response or an ACK was answered");
        } else {
            balance.leftToThird(length);
        }
    }

    private void tried(Program program, int kind) {
        clear();
        int phase = program.next(8);
        begin("bpu".charAt(kind), phase);
        int rest = program.next(4);
        pause = Duration.ofMillis(rest == 0 ? 0 : rest == 1 ? 50 : rest == 2 ? 500 : 2_000);
        server.mayPause(rest != 0);
        steps(program);
        pause = Duration.ZERO;
        server.mayPause(false);
        server.run(Duration.ofSeconds(2L * pauses));
        end(kind == 2, phase);
        server.run(LONG_ENOUGH);
        balance.check();
        server.assertNothingLeft();
    }

    private void clear() {
        server.mayPause(false);
        caller.clear();
        callee.clear();
        pauses = 0;
        waitedMillis = 0;
        balance = new CallBalance();
    }

    // ---- the call ----

    private void begin(char kind, int phase) {
        caller.acknowledges = phase != 2;
        caller.calls("sip:" + kind + "@10.0.0.1", "call" + calls++);
        caller.request("INVITE", "Supported: 100rel\r\n");
        server.run(ACROSS);
        if (phase >= 1) {
            callee.answerOldest(180, "");
            server.run(ACROSS);
        }
        if (phase >= 2) {
            callee.answerOldest(200, "");
            server.run(ACROSS);
        }
        switch (phase) {
            case 4 -> caller.request("INVITE", "");
            case 5 -> (callee.confirmed() ? callee : caller).request("INVITE", "");
            case 6 -> caller.request("INFO", "");
            case 7 -> {
                callee.prompt = true;
                caller.request("BYE", "");
            }
            default -> {}
        }
        server.run(ACROSS);
    }

    private void end(boolean alone, int phase) {
        callee.answerAll();
        caller.answerAll();
        server.run(ACROSS);
        caller.acknowledge();
        caller.acknowledges = true;
        server.run(ACROSS);
        caller.prompt = true;
        callee.prompt = true;
        if (!balance.answered() && phase != 7) {
            talksOn("INVITE");
            talksOn("BYE");
            if (caller.byes > 0 || callee.byes != (alone ? 0 : 1)) {
                throw new Finding("BYE came " + caller.byes + " and " + callee.byes + " times");
            }
        } else if (caller.confirmed()) {
            caller.request("BYE", "");
        }
    }

    private void talksOn(String method) {
        caller.request(method, "");
        server.run(ACROSS);
        server.run(ACROSS);
        var answer = caller.answer;
        if (answer == null || answer.status() != 200) {
            throw new Finding(method + " of the true caller got " + answer);
        }
    }

    // ---- what anybody says ----

    private void steps(Program program) {
        StrayMessages.Made made = null;
        InetSocketAddress from = stranger;
        for (int step = 0; step < MOST_STEPS && program.more(); step++) {
            int kind = program.next(8);
            switch (kind) {
                case 6 -> {
                    int times = 1 + program.next(32);
                    boolean counted = program.next(2) == 1;
                    for (int i = 1; made != null && i <= times; i++) {
                        send(made, from, counted ? i : 0);
                    }
                }
                case 7 -> await(program.next(3));
                default -> {
                    from = sender(program.next(4));
                    made = kind < 4 ? response(program) : ack(program);
                    send(made, from, 0);
                }
            }
            server.run(ACROSS);
            MemoryServer.Held held = server.held();
            if (!held.within(MOST)) {
                throw new Finding("held " + held + " after step " + step);
            }
        }
    }

    private void await(int choice) {
        long millis = choice == 0 ? 20 : choice == 1 ? 500 : 4_000;
        if (waitedMillis + millis <= MOST_WAITED_MILLIS) {
            waitedMillis += millis;
            server.run(Duration.ofMillis(millis));
        }
    }

    private InetSocketAddress sender(int choice) {
        return switch (choice) {
            case 2 -> SimulatedNetwork.address(caller.host, 5060);
            case 3 -> SimulatedNetwork.address(callee.host, 5060);
            default -> stranger;
        };
    }

    private StrayMessages.Made response(Program program) {
        CallPeer peer = program.next(3) == 1 ? caller : callee;
        SipRequest base = program.next(4) == 3 ? null : peer.last;
        return StrayMessages.response(program, base, peer.callId().isEmpty() ? caller : peer);
    }

    private StrayMessages.Made ack(Program program) {
        CallPeer peer = program.next(3) == 2 ? callee : caller;
        return StrayMessages.ack(
                program, peer.callId().isEmpty() ? caller : peer, balance.ledAway());
    }

    private void send(StrayMessages.Made made, InetSocketAddress from, int number) {
        byte[] bytes = made.bytes(number);
        balance.came(made, bytes.length);
        server.network().send(Transport.UDP, from, MemoryServer.ADDRESS, bytes);
    }
}
