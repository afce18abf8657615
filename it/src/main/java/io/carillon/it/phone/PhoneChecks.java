package io.carillon.it.phone;

import io.carillon.lab.rig.Carillon;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What three phones do with each other, step by step. One thread. */
final class PhoneChecks {
    private static final String OK = "SIP/2\\.0 200 ";
    private static final List<String> FAULTS =
            List.of(
                    "retransmissionsSeen",
                    "retransmissionsSent",
                    "malformed",
                    "dropped",
                    "applications.errors",
                    "applications.container_errors");

    private static final long SETTLES_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final String transport;
    private final Carillon server;
    private final List<BaresipPhone> all;
    private final BaresipPhone alice;
    private final BaresipPhone bob;
    private final BaresipPhone carol;
    private int failed;

    PhoneChecks(String transport, Carillon server, List<BaresipPhone> phones) {
        this.transport = transport;
        this.server = server;
        this.all = phones;
        this.alice = phones.get(0);
        this.bob = phones.get(1);
        this.carol = phones.get(2);
    }

    /**
     * Does everything.
     *
     * @return checks that failed
     */
    int run() throws IOException {
        register();
        call(alice, bob, false); // a cold server is slow, and would be sent retransmissions
        hangUp(alice, bob, false);
        String before = status();
        calls();
        hold();
        refusals();
        transfers();
        unregister();
        String after = status();
        for (String fault : FAULTS) {
            long count = number(after, fault) - number(before, fault);
            check("server: " + fault + " " + count, count == 0);
        }
        return failed;
    }

    private void check(String what, boolean ok) {
        System.out.printf("%s %-58s %s%n", transport, what, ok ? "ok" : "FAILED");
        failed += ok ? 0 : 1;
    }

    private void mark() throws IOException {
        for (BaresipPhone phone : all) {
            phone.mark();
        }
    }

    private void register() throws IOException {
        for (BaresipPhone phone : all) {
            check(
                    "register: 401, digest, 200 " + phone.uri(),
                    phone.traced("SIP/2\\.0 401 ") && phone.traced(OK, "CSeq: \\d+ REGISTER"));
        }
    }

    /** Dials and picks up; both must tell that the call is there, and hear each other. */
    private boolean call(BaresipPhone caller, BaresipPhone callee, boolean told)
            throws IOException {
        mark();
        caller.dial(callee);
        boolean rings = callee.saw("CALL_INCOMING", "") && caller.saw("CALL_RINGING", "");
        callee.command("accept", "");
        boolean talks =
                caller.saw("CALL_ESTABLISHED", "")
                        && callee.saw("CALL_ESTABLISHED", "")
                        && caller.saw("CALL_RTPESTAB", "")
                        && callee.saw("CALL_RTPESTAB", "");
        if (told) {
            check("call: rings at the callee, 180 at the caller", rings);
            check("call: answered, sound in both directions", talks);
            check("call: the server holds one call", heldBecome(1));
        }
        return rings && talks;
    }

    private void hangUp(BaresipPhone one, BaresipPhone other, boolean told) throws IOException {
        mark();
        one.command("hangup", "");
        boolean closed = one.traced(OK, "CSeq: \\d+ BYE") && other.saw("CALL_CLOSED", "");
        if (told) {
            check("hang up: BYE, 200, closed at the other phone", closed);
            check("hang up: the server holds no call", heldBecome(0));
        }
    }

    private void calls() throws IOException {
        call(alice, bob, true);
        hangUp(alice, bob, true);
        System.out.println(transport + " the callee hangs up:");
        call(bob, alice, true);
        hangUp(alice, bob, true);
    }

    private void hold() throws IOException {
        call(alice, bob, false);
        change("hold by the caller", alice, bob, "hold", "sendonly", "recvonly");
        change("resume", alice, bob, "resume", "sendrecv", "sendrecv");
        change("hold by the callee", bob, alice, "hold", "sendonly", "recvonly");
        change("resume", bob, alice, "resume", "sendrecv", "sendrecv");
        hangUp(bob, alice, true);
    }

    private void change(
            String what,
            BaresipPhone one,
            BaresipPhone other,
            String command,
            String offer,
            String answer)
            throws IOException {
        mark();
        one.command(command, "");
        check(
                what + ": re-INVITE with " + offer + " arrives",
                other.traced("INVITE ", "To: .*;tag=", "a=" + offer));
        check(
                what + ": 200 with " + answer + ", ACK",
                one.traced(OK, "CSeq: \\d+ INVITE", "a=" + answer)
                        && other.traced("ACK ", "CSeq: \\d+ ACK"));
    }

    private void refusals() throws IOException {
        mark();
        alice.dial(bob);
        boolean rings = bob.saw("CALL_INCOMING", "");
        bob.command("hangup", "");
        check(
                "busy: 486 at the caller",
                rings && alice.traced("SIP/2\\.0 486 ") && alice.saw("CALL_CLOSED", "486"));

        mark();
        alice.dial(bob);
        check(
                "no answer: the callee's phone gives up, the caller is told",
                alice.saw("CALL_RINGING", "")
                        && bob.saw("CALL_CLOSED", "")
                        && alice.traced("SIP/2\\.0 4(08|80|86) ")
                        && alice.saw("CALL_CLOSED", ""));

        mark();
        alice.dial(bob);
        rings = bob.saw("CALL_INCOMING", "") && alice.saw("CALL_RINGING", "");
        alice.command("hangup", "");
        check(
                "cancel: CANCEL at the callee, 487 at the caller",
                rings
                        && bob.traced("CANCEL ")
                        && alice.traced("SIP/2\\.0 487 ")
                        && bob.saw("CALL_CLOSED", ""));

        mark();
        alice.command("dial", alice.uri().replace("alice", "nobody"));
        check(
                "nobody registered: 480",
                alice.traced("SIP/2\\.0 480 ") && alice.saw("CALL_CLOSED", "480"));
        check("refusals: the server holds no call", heldBecome(0));
    }

    private void transfers() throws IOException {
        System.out.println(transport + " the caller transfers the callee:");
        transfer(alice, bob, carol);
        System.out.println(transport + " the callee transfers the caller:");
        transfer(bob, alice, carol);
    }

    /** RFC 3515: who transfers sends REFER; the other calls the target and tells how that went. */
    private void transfer(BaresipPhone transferor, BaresipPhone transferee, BaresipPhone target)
            throws IOException {
        BaresipPhone caller = transferor == alice ? transferor : transferee;
        call(caller, caller == transferor ? transferee : transferor, false);
        mark();
        transferor.command("transfer", target.uri() + ";transport=" + transport);
        check(
                "transfer: REFER arrives, 202",
                transferee.traced("REFER ", "Refer-To: ") && transferor.traced("SIP/2\\.0 202 "));
        boolean rings = target.saw("CALL_INCOMING", "");
        target.command("accept", "");
        check(
                "transfer: the target rings and answers, sound in both directions",
                rings
                        && target.saw("CALL_ESTABLISHED", "")
                        && target.saw("CALL_RTPESTAB", "")
                        && transferee.traced(OK, "CSeq: \\d+ INVITE"));
        check(
                "transfer: NOTIFY with the outcome, the first call is closed",
                transferor.traced("NOTIFY ", "Subscription-State: terminated")
                        && transferor.saw("CALL_CLOSED", ""));
        check("transfer: the server holds one call", heldBecome(1));
        hangUp(target, transferee, true);
    }

    private void unregister() throws IOException {
        mark();
        bob.command("quit", "");
        check(
                "unregister: REGISTER with Expires 0, 200",
                bob.traced("REGISTER ", "(Expires: 0|Contact: .*expires=0)")
                        && bob.traced(OK, "CSeq: \\d+ REGISTER"));
        mark();
        alice.dial(bob);
        check("unregister: the next call gets 480", alice.traced("SIP/2\\.0 480 "));
        mark();
        alice.command("quit", "");
        carol.command("quit", "");
        check(
                "unregister: the other phones",
                alice.traced(OK, "CSeq: \\d+ REGISTER") && carol.traced(OK, "CSeq: \\d+ REGISTER"));
    }

    private String status() throws IOException {
        return server.status().toString();
    }

    /** A phone says that it is over when its BYE leaves, which the server has yet to read. */
    private boolean heldBecome(int calls) throws IOException {
        long end = System.nanoTime() + SETTLES_NANOS;
        while (number(status(), "held") != calls) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        return true;
    }

    private static long number(String json, String name) throws IOException {
        Matcher found =
                Pattern.compile("\"" + Pattern.quote(name) + "\"\\s*:\\s*(\\d+)").matcher(json);
        if (!found.find()) {
            throw new IOException("the server's status has no " + name + ": " + json);
        }
        return Long.parseLong(found.group(1));
    }
}
