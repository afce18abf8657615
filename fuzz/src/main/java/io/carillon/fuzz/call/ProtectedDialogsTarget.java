package io.carillon.fuzz.call;

import io.carillon.fuzz.check.Finding;
import io.carillon.fuzz.check.Program;
import io.carillon.fuzz.server.MemoryServer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.SecurityConstraint;
import io.carillon.servlet.app.SecurityDescription;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Requests around a dialog of an application with security constraints: no handler runs for a
 * protected request whose sender has not proved a role that is wanted, by credentials of this
 * request or of one before in the same dialog; a nonce count is good for one request; credentials
 * that answer our challenge do not go on to whom the application calls; and some minutes later
 * nothing is left.
 *
 * <p>An input is a {@link Program}: which server (the first request open to all or not, handlers on
 * the shard or on threads of their own), what it is (B2BUA, proxy, user agent), how the dialog
 * begins and as whom, then up to {@value #MOST_STEPS} requests. A dialog of each input; the servers
 * live on. One thread.
 */
public final class ProtectedDialogsTarget {
    static final int MOST_STEPS = 16;

    private static final Duration ACROSS = Duration.ofMillis(12);

    /** Longer than a nonce lives. */
    private static final Duration OLD = Duration.ofSeconds(310);

    /** Timer C and the session's expiry, then 64*T1 for what these send. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(181 + 60 + 33 + 33);

    /** Which of the requests a handler sees: how it was meant. */
    private static final String MARK = "X-Step";

    private static final Set<String> BEGIN = Set.of("INVITE", "SUBSCRIBE");
    private static final Set<String> WITHIN =
            Set.of("MESSAGE", "PUBLISH", "REFER", "INFO", "UPDATE", "OPTIONS");
    private static final String[] METHODS = {
        "MESSAGE",
        "PUBLISH",
        "INFO",
        "UPDATE",
        "REFER",
        "OPTIONS",
        "SUBSCRIBE",
        "INVITE",
        "NOTIFY",
        "PRACK",
        "BYE",
        "ACK",
        "CANCEL"
    };

    /** What the one who was called sends to keep a call up, or a subscription, or to ask for it. */
    private static final Set<String> UPKEEP =
            Set.of("INVITE", "UPDATE", "INFO", "NOTIFY", "OPTIONS");

    /** In the place of the tag of the dialog that begins, which nobody knows before. */
    private static final String FIRST = "first";

    /**
     * A request that was sent.
     *
     * @param dialog Call-ID and tags; whoever proves himself there is known in it
     * @param called sent in the place of who was called
     * @param user whom its credentials prove; null: nobody
     * @param use of a nonce
     */
    private record Sent(
            String method, String dialog, boolean called, @Nullable String user, String use) {}

    private static final @Nullable ProtectedDialogsTarget[] LIVING = new ProtectedDialogsTarget[4];
    private static long calls;

    private final MemoryServer server;
    private final boolean closed;
    private final Password password = new Password();
    private final CallPeer caller;
    private final CallPeer callee;
    private final InetSocketAddress stranger = SimulatedNetwork.address("10.0.0.66", 5060);
    private final List<Sent> sent = new ArrayList<>();
    private final Set<String> used = new HashSet<>();

    /** Who has proved himself, by dialog. */
    private final Map<String, String> proved = new HashMap<>();

    private @Nullable String violation;

    private ProtectedDialogsTarget(boolean closed, ExecutionMode mode) {
        this.closed = closed;
        server =
                new MemoryServer(
                        ApplicationDescription.builder("fuzz")
                                .servlet("main", () -> new FuzzedServlet(this::seen))
                                .execution(mode)
                                .sessionTimeoutMinutes(1)
                                .security(security(closed))
                                .build(),
                        StackConfig.DEFAULT,
                        Password.store());
        server.mayPause(false);
        SimulatedNetwork network = server.network();
        caller = new CallPeer(network, "caller", "10.0.0.2");
        callee = new CallPeer(network, "callee", "10.0.0.3");
        network.tap((at, fate, transport, from, to, bytes) -> {
            if (fate == SimulatedNetwork.Fate.SENT && from.equals(MemoryServer.ADDRESS)) {
                left(bytes, to);
            }
        });
        callee.prompt = true;
    }

    private static SecurityDescription security(boolean closed) {
        List<SecurityConstraint> all = new ArrayList<>();
        all.add(constraint(WITHIN, closed, Set.of("staff")));
        if (closed) {
            all.add(constraint(BEGIN, true, Set.of("*")));
        }
        return new SecurityDescription(
                all,
                Password.REALM,
                SecurityDescription.IdentityAssertion.NONE,
                Set.of(),
                Map.of(),
                Map.of());
    }

    private static SecurityConstraint constraint(
            Set<String> methods, boolean proxy, Set<String> roles) {
        return new SecurityConstraint(
                List.of(new SecurityConstraint.Resources(Set.of(), methods)), proxy, roles, false);
    }

    /** Loads the classes: by Jazzer, before its first input. */
    public static void fuzzerInitialize() {
        for (byte shape = 0; shape < LIVING.length; shape++) {
            fuzzerTestOneInput(new byte[] {shape, 0, 1, 0, 0});
        }
    }

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        Program program = new Program(data);
        int shape = program.next(LIVING.length);
        ProtectedDialogsTarget living = LIVING[shape];
        LIVING[shape] = null;
        if (living == null) {
            living =
                    new ProtectedDialogsTarget(
                            (shape & 1) == 1,
                            shape < 2 ? ExecutionMode.NON_BLOCKING : ExecutionMode.BLOCKING);
        }
        living.tried(program);
        LIVING[shape] = living;
    }

    // ---- what must hold ----

    /** A handler of the application has it. */
    private void seen(SipServletMessage message) {
        String mark = message.getHeader(MARK);
        if (mark == null || !(message instanceof SipServletRequest)) {
            return;
        }
        Sent request = sent.get(Integer.parseInt(mark));
        boolean begins = closed && BEGIN.contains(request.method);
        if (!begins && !WITHIN.contains(request.method)) {
            return;
        }
        String known = proved.get(request.dialog);
        boolean right = allowed(request.user, begins);
        if (allowed(known, begins) || (request.called && UPKEEP.contains(request.method))) {
            // Nobody looks at what it brings; but where the dialog has ended, it begins anew.
            if (right && !used.contains(request.use)) {
                proved.merge(request.dialog, request.user, ProtectedDialogsTarget::higher);
            }
        } else if (!right) {
            violation = "a handler ran for " + request;
        } else if (!used.add(request.use)) {
            violation = "a nonce count was good twice: " + request;
        } else {
            proved.merge(request.dialog, request.user, ProtectedDialogsTarget::higher);
        }
    }

    private static String higher(String one, String other) {
        return one.equals(Password.ALICE) ? one : other;
    }

    private static boolean allowed(@Nullable String user, boolean begins) {
        return user != null && (begins || user.equals(Password.ALICE));
    }

    /** The server sent it. */
    private void left(byte[] bytes, InetSocketAddress to) {
        if (bytes[0] == 'S' && bytes[3] == '/' && !isChallenge(bytes) && isPeer(to)) {
            return; // a response, which is read where it arrives
        }
        SipMessage message = CallPeer.read(bytes);
        if (message instanceof SipResponse response) {
            if (response.status() == 401 || response.status() == 407) {
                password.challenged(response);
            }
        } else if (password.betrayed(message)) {
            violation = "credentials for us went to " + to + ":\n" + message;
        }
    }

    /** Of a response: 401 or 407. */
    private static boolean isChallenge(byte[] response) {
        return response[8] == '4'
                && response[9] == '0'
                && (response[10] == '1' || response[10] == '7');
    }

    private boolean isPeer(InetSocketAddress to) {
        return to.equals(caller.address()) || to.equals(callee.address());
    }

    // ---- the dialog ----

    private void tried(Program program) {
        caller.clear();
        callee.clear();
        callee.prompt = true;
        password.clear();
        sent.clear();
        used.clear();
        proved.clear();
        violation = null;
        String kind = program.next("b", "p", "u");
        caller.calls("sip:" + kind + "@10.0.0.1", "call" + calls++);
        begin(program);
        for (int step = 0; step < MOST_STEPS && program.more(); step++) {
            if (program.next(32) == 31) {
                server.run(OLD);
                password.expired();
            } else {
                request(program);
            }
            server.run(ACROSS);
            check();
        }
        if (caller.confirmed()) {
            caller.request("BYE", "");
        }
        caller.prompt = true;
        server.run(LONG_ENOUGH);
        check();
        server.assertNothingLeft();
    }

    private void check() {
        server.assertNothingFailed();
        if (violation != null) {
            throw new Finding(violation + ", after " + sent);
        }
    }

    /** The first request, once more with credentials where the program says so. */
    private void begin(Program program) {
        String user = program.next("", Password.ALICE, Password.BOB);
        String method = program.next("INVITE", "SUBSCRIBE");
        String event = method.equals("SUBSCRIBE") ? "Event: presence\r\nExpires: 60\r\n" : "";
        caller.request("OPTIONS", marked("OPTIONS", null));
        server.run(ACROSS);
        if (user.isEmpty()) {
            caller.request(method, event + marked(method, null));
        } else {
            Password.Made made = password.right(user, method, caller.target());
            caller.request(
                    method,
                    event
                            + (closed ? "Proxy-Authorization: " : "Authorization: ")
                            + made.value()
                            + "\r\n"
                            + marked(method, made));
        }
        server.run(ACROSS);
        check();
    }

    /** Notes a request of the caller's before there is a dialog. */
    private String marked(String method, Password.@Nullable Made made) {
        String dialog = dialog(caller.callId(), caller.local(), caller.remote());
        return marked(method, dialog, false, made, caller.target());
    }

    private String marked(
            String method,
            String dialog,
            boolean called,
            Password.@Nullable Made made,
            String uri) {
        sent.add(
                new Sent(
                        method,
                        dialog,
                        called,
                        made == null ? null : made.proves(method, uri, caller.confirmed()),
                        made == null ? "" : made.use()));
        return MARK + ": " + (sent.size() - 1) + "\r\n";
    }

    private String dialog(String callId, String from, String to) {
        String tag = tagOf(to);
        return callId
                + ' '
                + tagOf(from)
                + ' '
                + (tag.isEmpty() || to.equals(caller.remote()) ? FIRST : tag);
    }

    // ---- what anybody asks ----

    private void request(Program program) {
        String method = METHODS[program.next(METHODS.length)];
        CallPeer as = program.next(8) >= 6 && !callee.callId().isEmpty() ? callee : caller;
        String uri = program.next(as.target(), as.target(), caller.target(), "sip:10.0.0.1");
        StringBuilder text = new StringBuilder(900);
        text.append(method).append(' ').append(uri).append(" SIP/2.0\r\n");
        text.append("Via: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bKstep").append(calls).append('x');
        text.append(sent.size()).append("\r\nMax-Forwards: 70\r\n");
        if (program.next(4) < 3) {
            as.routes().forEach(one -> text.append("Route: ").append(one).append("\r\n"));
        }
        int kind = program.next(as.remote().contains(";tag=") ? 10 : 9);
        String dialog = identity(text, kind, as);
        int cseq = program.next(8) == 7 ? program.next(200) : as.nextCseq();
        text.append("CSeq: ").append(cseq).append(' ').append(method).append("\r\n");
        text.append(as.contact());
        if (program.next(4) == 3) {
            joined(text, program.next("Replaces", "Join", "Target-Dialog"));
        }
        text.append(program.next("", "Event: presence\r\nExpires: 60\r\n", "RAck: 1 1 INVITE\r\n"));
        Password.Made made = null;
        int with = program.next(6);
        if (with > 0) {
            made = password.made(program, method, uri);
            String name = (with & 1) == 1 == closed ? "Proxy-Authorization: " : "Authorization: ";
            text.append(name).append(made.value()).append("\r\n");
            if (with > 4) {
                text.append("Authorization: ").append(made.value()).append("\r\n");
            }
        }
        boolean called = (as == callee) != (kind == 9);
        text.append(marked(method, dialog, called, made, uri)).append("Content-Length: 0\r\n\r\n");
        server.network()
                .send(
                        Transport.UDP,
                        program.next(3) == 2 ? stranger : caller.address(),
                        MemoryServer.ADDRESS,
                        text.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Writes them, and says which dialog that is. */
    private String identity(StringBuilder text, int kind, CallPeer as) {
        String from = as.local();
        String to = as.remote();
        String id = as.callId();
        int tag = to.indexOf(";tag=");
        switch (kind) {
            case 5 -> to = tag < 0 ? to : to.substring(0, tag);
            case 6 -> to = tag < 0 ? to : to.substring(0, tag) + ";tag=made";
            case 7 -> from = "<sip:alice@10.0.0.2>;tag=made" + sent.size();
            case 8 -> id = "made" + calls + 'x' + sent.size();
            case 9 -> {
                from = as.remote();
                to = as.local();
            }
            default -> {}
        }
        text.append("From: ").append(from).append("\r\nTo: ").append(to);
        text.append("\r\nCall-ID: ").append(id).append("\r\n");
        return dialog(id, from, to);
    }

    private void joined(StringBuilder text, String name) {
        text.append(name).append(": ").append(caller.callId()).append(";to-tag=");
        text.append(tagOf(caller.remote())).append(";from-tag=").append(tagOf(caller.local()));
        text.append("\r\n");
    }

    private static String tagOf(String address) {
        int at = address.indexOf(";tag=");
        return at < 0 ? "" : address.substring(at + 5);
    }
}
