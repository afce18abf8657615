package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.ProxyBranch;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.proxy.ProxyUser;
import io.carillon.sip.proxy.ResponseContext;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.uri.SipUri;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Requests that we send, and those that a proxy forwards: every event in every state, against what
 * the RFCs say ({@link RfcTable}). What they do is printed to docs/reference/state-tables.md.
 */
public class RequestStatesTest {
    /** Where these tables begin on the page. */
    public static final String FIRST_LINE = "\n# Requests on their way\n";

    /** Where those of the container begin, which its TransactionStatesTest prints. */
    private static final String OF_APPLICATIONS = "\n# Requests of applications\n";

    private static final long TIMER_B_MILLIS = 32_000;
    private static final Hop CAROL = StackHarness.udp("192.0.2.3", 5060);

    @Test
    void everyStateAndEventDoesWhatTheRfcsSay() throws IOException {
        StringBuilder page = new StringBuilder(FIRST_LINE);
        page.append(
                """

                Printed by `RequestStatesTest`, which compares them with what was written by hand from the RFCs
                (`sip/src/test/resources/state-tables/expected.txt`, with the section for each cell). "up" is a response that goes on
                to the caller.
                """);
        for (String method : List.of("INVITE", "OPTIONS")) {
            page.append(
                    RfcTable.check(
                            "Request of ours: " + method,
                            method.equals("INVITE") ? Sending.STATES : Sending.WITHOUT_CANCEL,
                            Sending.EVENTS,
                            (state, event) -> new Sending(method).step(state, event)));
        }
        page.append(
                RfcTable.check(
                        "Response context",
                        Forwarding.STATES,
                        Forwarding.EVENTS,
                        (state, event) -> new Forwarding(state).step(state, event)));
        page.append(
                RfcTable.check(
                        "Proxied branch",
                        OneBranch.STATES,
                        OneBranch.EVENTS,
                        (state, event) -> new OneBranch(state).step(state, event)));
        RfcTable.compare(FIRST_LINE, OF_APPLICATIONS, page.toString());
    }

    /** What left and what was told, since the last look. */
    private abstract static class Machine {
        final StackHarness h;
        final List<String> did = new ArrayList<>();
        private int seen;

        Machine(StackHarness h) {
            this.h = h;
        }

        abstract String state();

        abstract void drive(String state);

        abstract void happen(String event);

        RfcTable.Did step(String state, String event) {
            drive(state);
            assertThat(state()).isEqualTo(state);
            look();
            did.clear();
            happen(event);
            look();
            return new RfcTable.Did(List.copyOf(did), state());
        }

        /** Repetitions of what left before are no matter of these machines. */
        void look() {
            for (; seen < h.sent.size(); seen++) {
                StackHarness.Sent now = h.sent.get(seen);
                boolean again =
                        h.sent.subList(0, seen).stream()
                                .anyMatch(s -> s.message() == now.message());
                if (now.message() instanceof SipRequest request && !again) {
                    did.add(request.method() + " sent");
                } else if (now.message() instanceof SipResponse response
                        && response.cseqMethod().equals("INVITE")
                        && response.status() > 100
                        && !again) {
                    did.add(response.status() + " up");
                }
            }
        }

        /** The request of that number that left, without CANCEL and ACK. */
        StackHarness.Sent forwarded(int number) {
            List<StackHarness.Sent> requests = new ArrayList<>();
            for (StackHarness.Sent s : h.sent) {
                if (s.message() instanceof SipRequest request
                        && !request.is("ACK")
                        && !request.is("CANCEL")
                        && requests.stream().noneMatch(r -> r.message() == request)) {
                    requests.add(s);
                }
            }
            return requests.get(number);
        }

        void answer(StackHarness.Sent to, int status, @Nullable String tag) {
            look();
            SipResponse answer = StackHarness.answer(to.request(), status, tag);
            if (status == 302) {
                MessageDraft moved = MessageDraft.copyOf(answer);
                moved.addLast(HeaderName.CONTACT, "<sip:moved@moved.example>");
                answer = moved.freezeResponse();
            }
            h.receive(answer, to.to());
            look();
        }
    }

    /** A request of ours to a target of two servers. */
    private static final class Sending extends Machine implements AttemptUser {
        static final List<String> STATES =
                List.of(
                        "RESOLVING",
                        "TRYING",
                        "PROCEEDING",
                        "RINGING",
                        "CANCEL_WAITS",
                        "CANCELLED",
                        "NO_ROOM",
                        "ACCEPTED",
                        "FINISHED");
        static final List<String> WITHOUT_CANCEL =
                List.of("RESOLVING", "TRYING", "PROCEEDING", "CANCEL_WAITS", "FINISHED");
        static final List<String> EVENTS =
                List.of(
                        "two servers found",
                        "no server found",
                        "100",
                        "180",
                        "200",
                        "200 of another fork",
                        "404",
                        "503",
                        "transport error",
                        "64*T1",
                        "cancel");

        private static final List<String> AFTER_A_2XX = List.of("NO_ROOM", "ACCEPTED", "FINISHED");

        private final RequestAttempt attempt;
        private boolean room = true;

        Sending(String method) {
            super(new StackHarness());
            h.holdResolutions = true;
            OutgoingRequest out = h.outgoing(method, "two.example");
            attempt = h.shard.send(new OutgoingRequest(out.draft(), this));
            h.drain();
        }

        @Override
        String state() {
            return attempt.stateName();
        }

        @Override
        void drive(String state) {
            if (state.equals("RESOLVING")) {
                return;
            }
            happen("two servers found");
            room = !state.equals("NO_ROOM");
            switch (state) {
                case "PROCEEDING" -> happen("100");
                case "RINGING" -> happen("180");
                case "CANCEL_WAITS" -> happen("cancel");
                case "CANCELLED" -> {
                    happen("100");
                    happen("cancel");
                }
                case "NO_ROOM", "ACCEPTED" -> happen("200");
                case "FINISHED" -> happen("404");
                default -> {}
            }
            room = true;
        }

        @Override
        void happen(String event) {
            boolean left = h.sent.stream().anyMatch(s -> s.message() instanceof SipRequest);
            if (event.contains("another") && !AFTER_A_2XX.contains(state())) {
                return; // the first 2xx is of no other fork
            }
            if (event.contains("found")) {
                List<Hop> found =
                        event.startsWith("two") ? List.of(StackHarness.BOB, CAROL) : List.of();
                List.copyOf(h.openResolutions).forEach(open -> open.accept(found));
                h.openResolutions.clear();
                h.drain();
            } else if (event.equals("cancel")) {
                attempt.cancel(null);
                h.drain();
            } else if (event.equals("64*T1")) {
                h.runTo(h.millis() + TIMER_B_MILLIS);
            } else if (left && event.equals("transport error")) {
                StackHarness.Sent invite = forwarded(0);
                Objects.requireNonNull(invite.onFailure()).sendFailed(invite.to(), "refused");
                h.drain();
            } else if (left) {
                String tag = event.contains("another") ? "other" : "callee";
                int status = Integer.parseInt(event.substring(0, 3));
                answer(forwarded(0), status, status == 100 ? null : tag);
            }
        }

        @Override
        public void response(RequestAttempt from, SipResponse response) {
            look();
            did.add("response " + response.status());
        }

        @Override
        public boolean hasRoom(RequestAttempt from, SipResponse success, boolean first) {
            return room;
        }

        @Override
        public void failed(RequestAttempt from, Failure failure) {
            look();
            did.add("failed " + failure);
        }

        @Override
        public void finished(RequestAttempt from) {
            look();
            did.add("finished");
        }

        @Override
        RfcTable.Did step(String state, String event) {
            RfcTable.Did done = super.step(state, event);
            List<String> actions = new ArrayList<>(done.actions());
            h.told.stream().filter(told -> told.startsWith("stray")).forEach(actions::add);
            return new RfcTable.Did(actions, done.next());
        }
    }

    /** A proxy with an INVITE. */
    private abstract static class Proxied extends Machine implements ProxyUser {
        @Nullable ResponseContext context;
        boolean takesOver;

        Proxied(ProxyPolicy policy, String... targets) {
            super(new StackHarness());
            h.targets.put("two.example", List.of(CAROL));
            h.onRequest =
                    (tx, request) -> {
                        ResponseContext made =
                                new ResponseContext(tx, request, policy, this, Runnable::run);
                        context = made;
                        for (String target : targets) {
                            made.addTarget(SipUri.of("x", target, -1));
                        }
                    };
            h.receive(StackHarness.invite("z9hG4bKproxy"), StackHarness.ALICE);
        }

        ResponseContext context() {
            return Objects.requireNonNull(context);
        }

        @Override
        public boolean passesUntouched(ProxyBranch branch, SipResponse received) {
            return true;
        }

        @Override
        public boolean best(ProxyBranch branch, SipResponse response) {
            return !takesOver;
        }

        @Override
        public void done() {
            look();
            did.add("done");
        }
    }

    /** All of it, with two targets at once. */
    private static final class Forwarding extends Proxied {
        static final List<String> STATES =
                List.of(
                        "COLLECTING",
                        "WITHDRAWN",
                        "FORWARDING",
                        "TIMED_OUT",
                        "CLOSED",
                        "CANCELLED",
                        "ANSWERED",
                        "TAKEN_OVER",
                        "ANSWERED_DONE",
                        "TAKEN_OVER_DONE");
        static final List<String> EVENTS =
                List.of(
                        "start",
                        "cancel",
                        "another target",
                        "180 of one",
                        "180 of the other",
                        "200 of one",
                        "200 of the other",
                        "302 of one",
                        "302 of the other",
                        "404 of one",
                        "404 of the other",
                        "404 of both",
                        "603 of one",
                        "time is over",
                        "64*T1");

        private static final Duration TIME = Duration.ofSeconds(10);

        Forwarding(String state) {
            super(
                    ProxyPolicy.builder()
                            .timeoutNanos(state.equals("TAKEN_OVER") ? 0 : TIME.toNanos())
                            .provisionalTimeoutNanos(
                                    state.equals("TAKEN_OVER") ? TIME.toNanos() : 0)
                            .build(),
                    state.equals("TAKEN_OVER")
                            ? new String[] {"one.example"}
                            : new String[] {"one.example", "two.example"});
        }

        @Override
        String state() {
            return context().stateName();
        }

        @Override
        void drive(String state) {
            takesOver = state.startsWith("TAKEN_OVER");
            if (state.equals("COLLECTING")) {
                return;
            }
            if (state.equals("WITHDRAWN")) {
                happen("cancel");
                return;
            }
            happen("start");
            if (state.equals("TAKEN_OVER")) {
                h.runTo(h.millis() + TIME.toMillis());
                return;
            }
            // A CANCEL needs a provisional response (9.1).
            answer(forwarded(0), 100, null);
            answer(forwarded(1), 100, null);
            switch (state) {
                case "TIMED_OUT" -> happen("time is over");
                case "CLOSED" -> happen("603 of one");
                case "CANCELLED" -> happen("cancel");
                case "ANSWERED" -> happen("200 of one");
                case "ANSWERED_DONE", "TAKEN_OVER_DONE" -> happen("404 of both");
                default -> {}
            }
        }

        @Override
        void happen(String event) {
            switch (event) {
                case "start" -> context().start();
                case "cancel" -> context().cancel(null);
                case "another target" -> {
                    if (context().addTarget(SipUri.of("x", "three.example", -1)) != null) {
                        did.add("added");
                    }
                }
                case "64*T1" -> {
                    if (!state().equals("ANSWERED")) {
                        return; // elsewhere it is a matter of the branches
                    }
                    h.runTo(h.millis() + TIMER_B_MILLIS);
                    look();
                    did.removeIf(what -> !what.equals("done"));
                }
                case "time is over" -> {
                    if (state().equals("FORWARDING")) {
                        h.runTo(h.millis() + TIME.toMillis());
                    }
                }
                case "404 of both" -> {
                    respond(0, 404);
                    respond(1, 404);
                }
                default ->
                        respond(
                                event.endsWith("the other") ? 1 : 0,
                                Integer.parseInt(event.substring(0, 3)));
            }
            h.drain();
        }

        private void respond(int branch, int status) {
            long left =
                    h.sent.stream()
                            .filter(s -> s.message() instanceof SipRequest r && r.is("INVITE"))
                            .map(StackHarness.Sent::message)
                            .distinct()
                            .count();
            if (branch < left) {
                answer(forwarded(branch), status, "callee" + branch);
            }
        }
    }

    /** One branch of it. */
    private static final class OneBranch extends Proxied {
        static final List<String> STATES =
                List.of(
                        "WAITING",
                        "TRYING",
                        "PROCEEDING",
                        "CANCEL_WAITS",
                        "CANCELLED",
                        "ENDED",
                        "GIVEN_UP");
        static final List<String> EVENTS =
                List.of(
                        "start",
                        "drop",
                        "100",
                        "180",
                        "200",
                        "404",
                        "cancel",
                        "transport error",
                        "Timer C");

        private static final Duration TIMER_C = Duration.ofSeconds(20);
        private final ProxyBranch branch;

        OneBranch(String state) {
            super(ProxyPolicy.builder().timerCNanos(TIMER_C.toNanos()).build(), "one.example");
            branch = context().branches().getFirst();
            takesOver = true; // what goes up at the end is no matter of a branch
        }

        @Override
        public void done() {
            // of the context
        }

        @Override
        String state() {
            return branch.stateName();
        }

        @Override
        void drive(String state) {
            if (state.equals("WAITING")) {
                return;
            }
            happen("start");
            switch (state) {
                case "PROCEEDING" -> happen("100");
                case "CANCEL_WAITS" -> happen("cancel");
                case "CANCELLED" -> {
                    happen("100");
                    happen("cancel");
                }
                case "GIVEN_UP" -> happen("Timer C");
                case "ENDED" -> happen("404");
                default -> {}
            }
        }

        @Override
        void happen(String event) {
            boolean left = h.sent.stream().anyMatch(s -> s.message() instanceof SipRequest);
            switch (event) {
                case "start" -> context().start();
                case "drop" -> {
                    if (state().equals("WAITING")) {
                        context().cancel(branch, null);
                    }
                }
                case "cancel" -> {
                    if (!state().equals("WAITING")) {
                        context().cancel(branch, null);
                    }
                }
                case "Timer C" -> h.runTo(h.millis() + TIMER_C.toMillis());
                case "transport error" -> {
                    if (left) {
                        StackHarness.Sent invite = forwarded(0);
                        Objects.requireNonNull(invite.onFailure())
                                .sendFailed(invite.to(), "refused");
                    }
                }
                default -> {
                    if (left) {
                        int status = Integer.parseInt(event);
                        answer(forwarded(0), status, status == 100 ? null : "callee");
                    }
                }
            }
            h.drain();
        }
    }
}
