package io.carillon.server.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.trace.RelayServlet;
import io.carillon.servlet.kernel.AbsentSessions;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands about calls, under virtual time: a thread asks while time goes on. */
class CallsTest {
    private final SipTestServer server = SipTestServer.open(3, false);
    private final Calls calls = new Calls(server.container(), "node1");
    private final UserAgent alice = server.phone("alice");
    private final UserAgent bob = server.phone("bob");

    @BeforeEach
    void deploy() throws Exception {
        server.deploy("relay", new RelayServlet());
        bob.onCall(Call::answer);
    }

    private Call call() {
        Call call = alice.call("sip:10.0.1.2@10.0.0.1");
        server.advance(Duration.ofSeconds(2));
        return call;
    }

    private interface Command<T> {
        T run() throws Calls.NoSuchCall;
    }

    /**
     * The command waits for a turn, which comes as this thread lets time pass: not before the other
     * one waits, as virtual time belongs to one thread at a time.
     */
    private <T> T run(Command<T> command) {
        FutureTask<T> task = new FutureTask<>(command::run);
        Thread thread = Thread.ofPlatform().daemon().start(task);
        while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        server.advance(Duration.ofMillis(5));
        try {
            return task.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static CallList.Filter everything() {
        return new CallList.Filter("", "", "", 0, 0);
    }

    @Test
    void callsAreListedWithTheirEndsStateAgeAndLegs() {
        call();
        server.advance(Duration.ofSeconds(70));
        CallList list = calls.list(everything());
        assertThat(list.held()).isEqualTo(1);
        CallList.Call call = list.calls().getFirst();
        assertThat(call.from()).isEqualTo("sip:alice@10.0.1.1");
        assertThat(call.to()).isEqualTo("sip:10.0.1.2@10.0.0.1");
        assertThat(call.state()).isEqualTo("confirmed");
        assertThat(call.seconds()).isBetween(71L, 73L);
        assertThat(call.application()).isEqualTo("relay");
        assertThat(call.legs()).isEqualTo(2);
        assertThat(call.callIds()).hasSize(2);
        assertThat(call.node()).isEqualTo("node1");
    }

    /** As many as the console may have to search; only those of the page are made into text. */
    @Test
    void aHundredThousandCallsAreSearchedInPages() throws Exception {
        SipFactory factory =
                (SipFactory)
                        server.deploy("many", new RelayServlet())
                                .context()
                                .getAttribute(SipServlet.SIP_FACTORY);
        int many = 100_000;
        for (int i = 0; i < many; i++) {
            SipApplicationSession session = factory.createApplicationSession();
            factory.createRequest(
                    session,
                    "INVITE",
                    "sip:caller" + i + "@example.com",
                    i % 1000 == 7 ? "sip:needle@example.com" : "sip:callee@example.com");
        }
        CallList first = calls.list(new CallList.Filter("", "", "", 0, 50));
        assertThat(first.held()).isEqualTo(many);
        assertThat(first.calls()).hasSize(50);
        List<String> seen = new ArrayList<>();
        String after = null;
        int pages = 0;
        do {
            CallList page = calls.list(new CallList.Filter("", "", "", 0, 30, "NEEDLE", after));
            assertThat(page.matching()).isEqualTo(many / 1000);
            assertThat(page.calls()).hasSizeLessThanOrEqualTo(30);
            page.calls().forEach(call -> seen.add(call.id()));
            after = page.next();
            pages++;
        } while (after != null && pages < 10);
        assertThat(pages).isEqualTo(4);
        assertThat(seen).hasSize(many / 1000).doesNotHaveDuplicates();
    }

    @Test
    void filtersLetThroughWhatTheySay() {
        call();
        assertThat(matching("alice", "", "", 0)).isEqualTo(1);
        assertThat(matching("alice@10.0.1.1", "", "", 0)).isEqualTo(1);
        assertThat(matching("mallory", "", "", 0)).isZero();
        assertThat(matching("", "confirmed", "", 0)).isEqualTo(1);
        assertThat(matching("", "early", "", 0)).isZero();
        assertThat(matching("", "", "relay", 0)).isEqualTo(1);
        assertThat(matching("", "", "other", 0)).isZero();
        assertThat(matching("", "", "", 60)).isZero();
        call();
        CallList one = calls.list(new CallList.Filter("", "", "", 0, 1));
        assertThat(one.calls()).hasSize(1);
        assertThat(one.matching()).isEqualTo(2);
    }

    private int matching(String user, String state, String application, long longerThan) {
        return calls.list(new CallList.Filter(user, state, application, longerThan, 0)).matching();
    }

    @Test
    void oneCallIsShownWithDialogsAndNamesOfAttributesButNotTheirValues() {
        Call call = call();
        CallDetail detail = run(() -> calls.details(call.dialog().callId())).getFirst();
        assertThat(detail.application()).isEqualTo("relay");
        assertThat(detail.attributes())
                .containsExactly(new CallDetail.Attribute("caller", "java.lang.String"));
        assertThat(detail.attributes().toString()).doesNotContain("alice");
        assertThat(detail.expiresInSeconds()).isPositive();
        assertThat(detail.sessions()).hasSize(2);
        CallDetail.Session first = detail.sessions().getFirst();
        assertThat(first.role()).isEqualTo("uas");
        assertThat(first.linked()).isEqualTo(detail.sessions().get(1).id());
        assertThat(first.dialog().state()).isEqualTo("confirmed");
        assertThat(first.dialog().remoteTarget()).isEqualTo("sip:alice@10.0.1.1:5060");
        assertThat(first.dialog().remoteTag()).isEqualTo(call.dialog().localTag());
        assertThat(first.open()).isEmpty();
        assertThat(run(() -> calls.details(detail.id()))).hasSize(1);
        assertThat(run(() -> calls.details(first.id()))).hasSize(1);
    }

    @Test
    void aConfirmedCallIsHungUpAtBothEnds() {
        Call call = call();
        String id = calls.list(everything()).calls().getFirst().id();
        List<Calls.Ended> ended = run(() -> calls.hangUp(id));
        assertThat(ended.getFirst().done())
                .containsExactly("sip:alice@10.0.1.1: BYE", "sip:10.0.1.2@10.0.0.1: BYE");
        server.advance(Duration.ofSeconds(2));
        assertThat(call.state()).isEqualTo(Call.State.ENDED);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ENDED);
        server.advance(Duration.ofSeconds(40));
        assertThat(calls.list(everything()).held()).isZero();
    }

    @Test
    void aRingingCallIsCancelledOnOneSideAndAnsweredOnTheOther() {
        bob.onCall(Call::ring);
        Call call = call();
        assertThat(calls.list(everything()).calls().getFirst().state()).isEqualTo("early");
        CallDetail detail = run(() -> calls.details(call.invite().callId())).getFirst();
        assertThat(detail.sessions().get(0).open())
                .containsExactly("INVITE received, the application has not answered yet");
        assertThat(detail.sessions().get(1).open())
                .containsExactly("INVITE sent, its final response is awaited");
        List<Calls.Ended> ended = run(() -> calls.hangUp(call.invite().callId()));
        assertThat(ended.getFirst().done())
                .containsExactly("sip:alice@10.0.1.1: 480", "sip:10.0.1.2@10.0.0.1: CANCEL");
        server.advance(Duration.ofSeconds(2));
        assertThat(call.finalStatus()).isEqualTo(480);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ENDED);
    }

    @Test
    void aCallThatIsNotThereIsToldInASentence() {
        assertThatThrownBy(() -> run(() -> calls.hangUp("nobody")))
                .rootCause()
                .hasMessage("there is no call 'nobody' (./carillon calls lists them)");
    }

    /** What is left of the calls of a node that died is asked once for a call that is not here. */
    @Test
    void aCallThatStandsInARecordAloneIsLookedForByItsCallId() {
        List<String> asked = new ArrayList<>();
        server.container().host().parts().put(AbsentSessions.SLOT, new NoAbsent(asked));
        assertThatThrownBy(() -> calls.details("call-1")).hasMessageContaining("no call 'call-1'");
        assertThat(asked).containsExactly("id call-1", "Call-ID call-1");
    }

    private record NoAbsent(List<String> asked) implements AbsentSessions {
        @Override
        public boolean bring(String id, Runnable then) {
            return false;
        }

        @Override
        public boolean bring(String id, int partition, Runnable then) {
            return false;
        }

        @Override
        public void await(String id) {
            asked.add("id " + id);
        }

        @Override
        public boolean bringCall(String callId, Runnable then) {
            return false;
        }

        @Override
        public void awaitCall(String callId) {
            asked.add("Call-ID " + callId);
        }
    }
}
