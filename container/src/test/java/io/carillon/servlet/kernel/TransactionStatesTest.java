package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.RuleTable;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The transactions of an application: every event in every state, against what the RFCs and JSR 289
 * say ({@link RuleTable}). What they do is printed to docs/reference/state-tables.md.
 */
class TransactionStatesTest {
    private static final String FIRST_LINE = "\n# Requests of applications\n";
    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final Duration TIMER_B = Duration.ofSeconds(33);
    private static final String FROM = "<sip:a@x>;tag=a";

    @Test
    void everyStateAndEventDoesWhatTheRulesSay() throws IOException {
        StringBuilder page = new StringBuilder(FIRST_LINE);
        page.append(
                """

                Printed by `TransactionStatesTest`, which compares them with what was written by hand from the RFCs and JSR 289
                (`container/src/test/resources/state-tables/expected.txt`, with the section for each cell). "up" is what the
                application is told, "refused" an `IllegalStateException` for it.
                """);
        page.append(
                RuleTable.check(
                        "INVITE of an application",
                        Calling.STATES,
                        Calling.EVENTS,
                        (state, event) -> new Calling().step(state, event)));
        page.append(
                RuleTable.check(
                        "ACK and CANCEL of an application",
                        List.of("ACKNOWLEDGES", "CANCELS", "FINISHED"),
                        List.of("send", "64*T1"),
                        (state, event) -> new About().step(state, event)));
        page.append(
                RuleTable.check(
                        "BYE of an application",
                        List.of("PREPARED", "HELD", "SENT", "FINISHED"),
                        List.of("send", "ACK of ours", "200", "481", "64*T1"),
                        (state, event) -> new Leaving().step(state, event)));
        page.append(
                RuleTable.check(
                        "INVITE to an application",
                        Called.STATES,
                        Called.EVENTS,
                        (state, event) -> new Called("INVITE").step(state, event)));
        page.append(
                RuleTable.check(
                        "OPTIONS to an application",
                        List.of("RECEIVED", "PROXIED", "ANSWERED"),
                        List.of(
                                "answer 200",
                                "answer 404",
                                "proxy",
                                "target's 200",
                                "target's 404",
                                "64*T1"),
                        (state, event) -> new Called("OPTIONS").step(state, event)));
        RuleTable.compare(FIRST_LINE, page.toString());
    }

    /** RFC 3261 13.2.2.4 and 9.1: what was answered, or acknowledges another, is not sent again. */
    @ParameterizedTest
    @EnumSource(UacState.class)
    void aRequestOfOursNeverGoesBack(UacState state) {
        Set<UacState> next = EnumSet.noneOf(UacState.class);
        for (UacState to : UacState.values()) {
            try {
                next.add(state.to(to));
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage(state + " -> " + to);
            }
        }
        Set<UacState> earlier =
                EnumSet.range(UacState.PREPARED, state); // each is listed behind what leads to it
        assertThat(next).doesNotContainAnyElementsOf(earlier);
    }

    @ParameterizedTest
    @EnumSource(UasState.class)
    void aFinalResponseIsTheOnlyOne(UasState state) {
        if (!state.answered()) {
            return;
        }
        for (UasState to : EnumSet.range(UasState.RECEIVED, UasState.FURTHER)) {
            assertThatThrownBy(() -> state.to(to)).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> state.to(state)).isInstanceOf(IllegalStateException.class);
    }

    /** What a test does in an application's place. */
    private interface Move {
        void make() throws Exception;
    }

    /** A container, its application, and the peer. */
    private abstract static class Machine {
        final App app = new App();
        final Server server = Server.fresh(7).deploy(app, ExecutionMode.NON_BLOCKING);
        final RawPeer peer = server.peer("10.0.0.2");
        final RawPeer target = server.peer("10.0.0.3");

        abstract String state();

        abstract void drive(String state);

        abstract void happen(String event);

        RuleTable.Did step(String state, String event) {
            drive(state);
            server.run(MOMENT);
            assertThat(state()).isEqualTo(state);
            look();
            happen(event);
            server.run(MOMENT);
            return new RuleTable.Did(look(), state());
        }

        final void move(Move move) {
            try {
                move.make();
            } catch (IllegalStateException e) {
                app.did.add("refused");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            server.run(MOMENT);
        }

        final void pass(Duration time) {
            server.run(time);
        }

        /** What happened since the last look: what the application was told, and what left. */
        final List<String> look() {
            List<String> did = new ArrayList<>(app.did);
            app.did.clear();
            for (RawPeer one : List.of(target, peer)) {
                for (SipMessage message : one.unread()) {
                    note(message, did);
                }
                one.forget();
            }
            return did;
        }

        private void note(SipMessage message, List<String> did) {
            if (message instanceof SipRequest request) {
                did.add(request.method() + " sent");
            } else if (message instanceof SipResponse response
                    && response.status() > 100
                    && app.tells(response.cseqMethod())) {
                did.add(response.status() + " sent");
            }
        }

        final SipRequest sent(RawPeer at, String method) {
            return (SipRequest)
                    at.all.stream()
                            .filter(m -> m instanceof SipRequest r && r.is(method))
                            .findFirst()
                            .orElseThrow();
        }

        final boolean came(RawPeer at, String method) {
            return at.requests(method) > 0;
        }
    }

    /** Answers a BYE and a PRACK, and leaves everything else to the test. */
    private static final class App extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final List<String> did = new ArrayList<>();
        private @Nullable SipServletRequest received;
        private @Nullable SipServletResponse answer;

        boolean tells(String method) {
            return method.equals("INVITE") || method.equals("OPTIONS");
        }

        SipFactory factory() {
            return (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        }

        ServletRequest received() {
            return (ServletRequest) Objects.requireNonNull(received);
        }

        SipServletResponse answer() {
            return Objects.requireNonNull(answer);
        }

        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            if (tells(request.getMethod())) {
                received = request;
                return;
            }
            if (!request.getMethod().equals("BYE")) {
                did.add(request.getMethod() + " up");
            }
            if (request.getMethod().equals("PRACK") || request.getMethod().equals("BYE")) {
                request.createResponse(200).send();
            }
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            if (!response.getMethod().equals("CANCEL")) {
                did.add(response.getStatus() + " up");
                answer = response;
            }
        }
    }

    private static ServletRequest called(SipFactory factory) throws Exception {
        return (ServletRequest)
                factory.createRequest(
                        factory.createApplicationSession(),
                        "INVITE",
                        "sip:server@10.0.0.1",
                        "sip:bob@10.0.0.2:5060");
    }

    /** An INVITE that the application sends. */
    private static final class Calling extends Machine {
        static final List<String> STATES =
                List.of("PREPARED", "SENT", "SENT after 180", "ACCEPTED", "RELEASED", "FINISHED");
        static final List<String> EVENTS =
                List.of(
                        "send",
                        "180",
                        "200",
                        "200 of another fork",
                        "404",
                        "64*T1",
                        "cancel",
                        "session ends");

        private @Nullable ServletRequest invite;
        private boolean rang;

        private ServletRequest invite() {
            return Objects.requireNonNull(invite);
        }

        @Override
        String state() {
            String name = Objects.requireNonNull(invite().uac()).stateName();
            return name.equals("SENT") && rang ? "SENT after 180" : name;
        }

        @Override
        void drive(String state) {
            move(() -> invite = called(app.factory()));
            if (state.equals("PREPARED")) {
                return;
            }
            happen("send");
            switch (state) {
                case "SENT after 180" -> {
                    happen("180");
                    rang = true;
                }
                case "ACCEPTED" -> happen("200");
                case "RELEASED" -> {
                    happen("200");
                    happen("session ends");
                }
                case "FINISHED" -> happen("404");
                default -> {}
            }
        }

        @Override
        void happen(String event) {
            switch (event) {
                case "send" -> move(() -> invite().send());
                case "cancel" -> move(() -> invite().createCancel().send());
                case "session ends" -> {
                    if (invite().ownSession().isValid()) {
                        move(() -> invite().getApplicationSession().invalidate());
                    }
                }
                case "64*T1" -> pass(TIMER_B);
                default -> respond(event);
            }
        }

        private void respond(String event) {
            boolean another = event.contains("another");
            if (!came(peer, "INVITE") || (another && state().equals("SENT"))) {
                return; // the first one is of no other fork
            }
            int status = Integer.parseInt(event.substring(0, 3));
            peer.respond(sent(peer, "INVITE"), status, another ? "other" : "b");
            pass(MOMENT);
        }
    }

    /** The ACK for a 2xx, or the CANCEL of what rings. */
    private static final class About extends Machine {
        private @Nullable ServletRequest about;

        @Override
        String state() {
            return Objects.requireNonNull(Objects.requireNonNull(about).uac()).stateName();
        }

        @Override
        void drive(String state) {
            move(() -> {
                ServletRequest invite = called(app.factory());
                invite.send();
                pass(MOMENT);
                peer.respond(sent(peer, "INVITE"), state.equals("CANCELS") ? 180 : 200, "b");
                pass(MOMENT);
                about =
                        (ServletRequest)
                                (state.equals("CANCELS")
                                        ? invite.createCancel()
                                        : app.answer().createAck());
            });
            if (state.equals("FINISHED")) {
                happen("send");
            }
        }

        @Override
        void happen(String event) {
            if (event.equals("send")) {
                move(() -> Objects.requireNonNull(about).send());
            } else {
                pass(TIMER_B);
            }
        }
    }

    /** A call of the peer's. */
    private abstract static class Answering extends Machine {
        private int cseq = 1;

        final void request(String method, String branch, String... headers) {
            SipResponse last = lastResponse();
            String to = "<sip:uas@y>" + (last == null ? "" : ";tag=" + last.toTag());
            boolean anew = !method.equals("ACK") && !method.equals("CANCEL");
            peer.send(
                    peer.text(
                            method + " sip:uas@10.0.0.1",
                            branch,
                            FROM,
                            method.equals("CANCEL") ? "<sip:uas@y>" : to,
                            "c1",
                            anew ? cseq++ : 1,
                            headers));
            pass(MOMENT);
        }

        private @Nullable SipResponse lastResponse() {
            SipResponse last = null;
            for (SipMessage message : peer.all) {
                if (message instanceof SipResponse response && response.toTag() != null) {
                    last = response;
                }
            }
            return last;
        }
    }

    /** A BYE that the called application sends. */
    private static final class Leaving extends Answering {
        private @Nullable ServletRequest bye;

        private ServletRequest bye() {
            return Objects.requireNonNull(bye);
        }

        @Override
        String state() {
            return Objects.requireNonNull(bye().uac()).stateName();
        }

        @Override
        void drive(String state) {
            request("INVITE", "z9hG4bKinv", "Contact: <sip:10.0.0.2:5060>");
            move(() -> app.received().createResponse(200).send());
            if (!state.equals("HELD")) {
                happen("ACK of ours");
            }
            move(() -> bye = (ServletRequest) app.received().getSession().createRequest("BYE"));
            if (!state.equals("PREPARED")) {
                happen("send");
            }
            if (state.equals("FINISHED")) {
                happen("200");
            }
        }

        @Override
        void happen(String event) {
            switch (event) {
                case "send" -> move(() -> bye().send());
                case "ACK of ours" -> request("ACK", "z9hG4bKack");
                case "64*T1" -> {
                    pass(TIMER_B);
                }
                default -> {
                    if (came(peer, "BYE")) {
                        peer.respond(sent(peer, "BYE"), Integer.parseInt(event), "");
                    }
                }
            }
        }
    }

    /** A request that the application answers or proxies. */
    private static final class Called extends Answering {
        static final List<String> STATES =
                List.of(
                        "RECEIVED",
                        "PROXIED",
                        "HELD",
                        "ACCEPTED",
                        "CONFIRMED",
                        "ANSWERED",
                        "FURTHER",
                        "FURTHER_ACCEPTED");
        static final List<String> EVENTS =
                List.of(
                        "answer 180",
                        "answer 183 reliably",
                        "answer 200",
                        "answer 404",
                        "another 200",
                        "proxy",
                        "target's 200",
                        "target's 404",
                        "ACK",
                        "PRACK",
                        "CANCEL",
                        "64*T1");

        private final String method;

        /** In the session of a further 2xx. */
        private @Nullable SipServletResponse further;

        Called(String method) {
            this.method = method;
        }

        private ServletRequest request() {
            SipServletResponse other = further;
            return other == null ? app.received() : (ServletRequest) other.getRequest();
        }

        @Override
        String state() {
            return Objects.requireNonNull(request().uas()).stateName();
        }

        @Override
        void drive(String state) {
            request(
                    method,
                    "z9hG4bKinv",
                    "Contact: <sip:10.0.0.2:5060>",
                    "Supported: 100rel",
                    "Record-Route: <sip:10.0.0.2:5060;lr>");
            switch (state) {
                case "PROXIED" -> {
                    happen("proxy");
                    if (method.equals("INVITE")) {
                        target.respond(sent(target, method), 180, "c");
                    }
                }
                case "HELD" -> {
                    happen("answer 183 reliably");
                    happen("answer 200");
                }
                case "ACCEPTED" -> accepted();
                case "CONFIRMED" -> {
                    accepted();
                    happen("ACK");
                }
                case "ANSWERED" -> happen("answer 404");
                case "FURTHER", "FURTHER_ACCEPTED" -> {
                    accepted();
                    move(() -> further = another());
                    if (state.equals("FURTHER_ACCEPTED")) {
                        happen("answer 200");
                    }
                }
                default -> {}
            }
        }

        private void accepted() {
            assertThat(app.received().getB2buaHelper()).isNotNull();
            happen("answer 200");
        }

        private SipServletResponse another() {
            B2buaHelper helper = app.received().getB2buaHelper();
            return helper.createResponseToOriginalRequest(app.received().getSession(), 200, null);
        }

        @Override
        void happen(String event) {
            switch (event) {
                case "answer 183 reliably" -> move(() -> reliably(request()));
                case "answer 180", "answer 200", "answer 404" -> {
                    int status = Integer.parseInt(event.substring(7));
                    move(() -> request().createResponse(status).send());
                }
                case "another 200" -> {
                    if (further == null && app.received().proxyOrNull() == null) {
                        move(() -> another().send());
                    }
                }
                case "proxy" -> {
                    if (further == null) {
                        move(this::proxy);
                    }
                }
                case "CANCEL" -> request("CANCEL", "z9hG4bKinv");
                case "ACK" -> request("ACK", "z9hG4bKack");
                case "PRACK" -> request("PRACK", "z9hG4bKprack", "RAck: " + rseq() + " 1 INVITE");
                case "64*T1" -> pass(TIMER_B);
                default -> {
                    if (came(target, method)) {
                        int status = Integer.parseInt(event.substring(9));
                        target.respond(sent(target, method), status, "c");
                    }
                }
            }
        }

        private static void reliably(ServletRequest request) throws Rel100Exception {
            request.createResponse(183).sendReliably();
        }

        private void proxy() throws Exception {
            app.received().getProxy().proxyTo(app.factory().createURI("sip:c@10.0.0.3:5060"));
        }

        private String rseq() {
            for (SipMessage message : peer.all) {
                if (message instanceof SipResponse r && r.status() == 183) {
                    return Objects.requireNonNull(r.header(HeaderName.RSEQ));
                }
            }
            return "1";
        }
    }
}
