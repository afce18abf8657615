package io.carillon.bridge.mobicents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.header.HeaderName;
import io.carillon.testkit.Call;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.UserAgent;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mobicents.javax.servlet.sip.SipApplicationSessionAsynchronousWork;
import org.mobicents.javax.servlet.sip.SipApplicationSessionExt;
import org.mobicents.javax.servlet.sip.SipServletRequestExt;
import org.mobicents.javax.servlet.sip.SipServletResponseExt;
import org.mobicents.javax.servlet.sip.SipSessionAsynchronousWork;
import org.mobicents.javax.servlet.sip.SipSessionExt;

/** What Mobicents adds to sessions and messages. */
@SipTest(roundTrip = true)
@SuppressWarnings("deprecation") // what applications call
class SessionExtensionTest {
    private static final Duration SOON = Duration.ofMillis(200);
    private static final InetSocketAddress SERVER = new InetSocketAddress(SipTestServer.HOST, 5060);

    private final Scripted phone = new Scripted();
    private final List<String> order = new ArrayList<>();
    private SipTestServer server;

    @BeforeEach
    void deploy(SipTestServer made) throws Exception {
        server = made;
        server.deploy("phone", phone);
    }

    private Call established() {
        Call call = server.phone("alice").call(server.uri("phone"));
        server.advance(SOON);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        return call;
    }

    private SipSession session() {
        return phone.requests.getFirst().getSession();
    }

    /** Is the turn of the session's application session this thread's? */
    private static boolean inTurn(SipApplicationSession session) {
        return ((ApplicationSession) session).held();
    }

    @Test
    void castsToTheExtensionInterfacesSucceed() {
        on(
                "INVITE",
                invite -> {
                    assertThat(invite).isInstanceOf(SipServletRequestExt.class);
                    assertThat(invite.getSession()).isInstanceOf(SipSessionExt.class);
                    assertThat(invite.getApplicationSession())
                            .isInstanceOf(SipApplicationSessionExt.class);
                    var ok = invite.createResponse(200);
                    assertThat(ok).isInstanceOf(SipServletResponseExt.class);
                    ok.send();
                });
        phone.onResponse =
                response -> assertThat(response).isInstanceOf(SipServletResponseExt.class);
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        established();
        assertThatCalled(bob);
        assertThat(server.errors()).isZero();
    }

    private void assertThatCalled(UserAgent callee) {
        try {
            SipServletRequest invite =
                    phone.factory()
                            .createRequest(
                                    phone.factory().createApplicationSession(),
                                    "OPTIONS",
                                    "sip:phone@10.0.0.1",
                                    callee.uri().toString());
            assertThat(invite).isInstanceOf(SipServletRequestExt.class);
            invite.send();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        server.advance(SOON);
        assertThat(phone.responses).hasSize(1);
    }

    private void on(String method, Scripted.Handler<SipServletRequest> handler) {
        phone.on.put(method, handler);
    }

    @Test
    void asynchronousWorkRunsBehindTheHandlerInTheTurnOfItsSession() {
        on(
                "INVITE",
                invite -> {
                    order.add("handler");
                    ((SipSessionExt) invite.getSession())
                            .scheduleAsynchronousWork(session -> {
                                assertThat(session).isSameAs(invite.getSession());
                                order.add("session " + inTurn(session.getApplicationSession()));
                            });
                    ((SipApplicationSessionExt) invite.getApplicationSession())
                            .scheduleAsynchronousWork(
                                    session -> order.add("application session " + inTurn(session)));
                    invite.createResponse(200).send();
                    order.add("handler ends");
                });
        established();
        assertThat(order)
                .containsExactly(
                        "handler", "handler ends", "session true", "application session true");
    }

    @Test
    void asynchronousWorkFromOutsideIsSerialWithMessages() {
        Call call = established();
        on(
                "INFO",
                info -> {
                    order.add("message");
                    info.createResponse(200).send();
                });
        ((SipSessionExt) session())
                .scheduleAsynchronousWork(session -> {
                    order.add("work " + inTurn(session.getApplicationSession()));
                    ((SipSessionExt) session)
                            .scheduleAsynchronousWork(again -> order.add("work of work"));
                });
        assertThat(order).as("not on the stack of the caller").isEmpty();
        call.info();
        server.advance(SOON);
        assertThat(order).containsExactlyInAnyOrder("work true", "work of work", "message");
        assertThat(order.indexOf("work true")).isLessThan(order.indexOf("work of work"));
    }

    @Test
    void workForASessionThatEndsMeanwhileNeverRuns() {
        Call call = established();
        SipSession session = session();
        call.bye();
        server.advance(SOON);
        server.advance(Duration.ofSeconds(40));
        assertThat(session.isValid()).isFalse();
        ((SipSessionExt) session).scheduleAsynchronousWork(one -> order.add("session"));
        ((SipApplicationSessionExt) session.getApplicationSession())
                .scheduleAsynchronousWork(one -> order.add("application session"));
        server.advance(SOON);
        assertThat(order).isEmpty();
    }

    @Test
    void workThatThrowsIsCountedAndTheSessionLivesOn() {
        server.expectErrors();
        Call call = established();
        ((SipSessionExt) session())
                .scheduleAsynchronousWork(session -> {
                    throw new IllegalStateException("meant");
                });
        server.advance(SOON);
        assertThat(server.errors()).isEqualTo(1);
        call.bye();
        server.advance(SOON);
        server.assertNothingLeft();
    }

    @Test
    void theSessionsUtilitySchedulesWorkByIdFromAnyThread() throws Exception {
        established();
        Class<?>[] bySession = {String.class, SipSessionAsynchronousWork.class};
        Class<?>[] byApplication = {String.class, SipApplicationSessionAsynchronousWork.class};
        SipSessionAsynchronousWork work = session -> order.add(session.getId());
        SipApplicationSessionAsynchronousWork wide = session -> order.add(session.getId());
        String id = session().getId();
        String parent = session().getApplicationSession().getId();
        String member = "scheduleAsynchronousWork";
        Scripted.call(phone.util(), "SipSessionsUtilExt", member, bySession, id, work);
        Scripted.call(phone.util(), "SipSessionsUtilExt", member, byApplication, parent, wide);
        Scripted.call(phone.util(), "SipSessionsUtilExt", member, bySession, "x.1", work);
        Scripted.call(phone.util(), "SipSessionsUtilExt", member, byApplication, "x", wide);
        assertThat(order).isEmpty();
        server.advance(SOON);
        assertThat(order).containsExactly(id, parent);
        assertThat(
                        Scripted.call(
                                phone.util(),
                                "SipSessionsUtilExt",
                                "getApplicationSessionById",
                                new Class<?>[] {String.class, boolean.class},
                                parent,
                                true))
                .isSameAs(session().getApplicationSession());
        Class<?>[] byKey = {String.class, boolean.class, boolean.class};
        Object keyed =
                Scripted.call(
                        phone.util(),
                        "SipSessionsUtilExt",
                        "getApplicationSessionByKey",
                        byKey,
                        "k",
                        true,
                        false);
        assertThat(keyed).isSameAs(phone.util().getApplicationSessionByKey("k", false));
    }

    @Test
    void theOutboundInterfaceMayBeNamedByItsUri() throws Exception {
        established();
        SipSessionExt session = (SipSessionExt) session();
        session.setOutboundInterface(uri("sip:10.0.0.1:5060"));
        session.setOutboundInterface(uri("sip:10.0.0.1;transport=udp"));
        assertThat(((io.carillon.servlet.kernel.ServletSession) session()).path().outbound())
                .isEqualTo(SERVER);
        for (String other : List.of("sip:10.0.0.1:5062", "sip:10.0.0.1;transport=tcp", "sip:x")) {
            assertThatThrownBy(() -> session.setOutboundInterface(uri(other)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not among the outbound interfaces");
        }
        assertThatThrownBy(() -> session.setOutboundInterface(null))
                .isInstanceOf(NullPointerException.class);
    }

    private SipURI uri(String text) throws Exception {
        return (SipURI) phone.factory().createURI(text);
    }

    @Test
    void whatHasNoMeaningHereIsRememberedThroughTheSessionsBytes() {
        Call call = established();
        SipSessionExt session = (SipSessionExt) session();
        assertThat(session.getBypassLoadBalancer()).isFalse();
        session.setBypassLoadBalancer(true);
        session.setBypassProxy(true);
        session.setCopyRecordRouteHeadersOnSubsequentResponses(true);
        call.info();
        server.advance(SOON);
        assertThat(session.getBypassLoadBalancer()).isTrue();
        assertThat(session.getBypassProxy()).isTrue();
        assertThat(session.getCopyRecordRouteHeadersOnSubsequentResponses()).isTrue();
        SipServletRequestExt info = (SipServletRequestExt) phone.requests.getLast();
        assertThat(info.isOrphan()).isFalse();
        info.setOrphan(true);
        assertThat(info.isOrphan()).isTrue();
    }

    private static String invite(int number, String toTag) {
        return "INVITE sip:phone@10.0.0.1 SIP/2.0\n"
                + "Via: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK-"
                + number
                + "\nMax-Forwards: 70\nRecord-Route: <sip:10.0.1.1;lr>\n"
                + "From: <sip:raw@10.0.1.1>;tag=raw\nTo: <sip:phone@10.0.0.1>"
                + toTag
                + "\nCall-ID: rr@10.0.1.1\nCSeq: "
                + number
                + " INVITE\nContact: <sip:raw@10.0.1.1>\n";
    }

    @Test
    void recordRouteIsInResponsesToAReinviteWhetherTheApplicationAsksForItOrNot() {
        ScriptedPeer raw = server.peer("raw");
        raw.send(SERVER, invite(1, ""));
        String tag = ";tag=" + raw.expect("200").response().toTag();
        raw.send(SERVER, invite(2, tag));
        assertThat(raw.expect("200").response().headers(HeaderName.RECORD_ROUTE)).hasSize(1);
        ((SipSessionExt) session()).setCopyRecordRouteHeadersOnSubsequentResponses(true);
        raw.send(SERVER, invite(3, tag));
        assertThat(raw.expect("200").response().headers(HeaderName.RECORD_ROUTE))
                .containsExactly("<sip:10.0.1.1;lr>");
    }

    @Test
    void credentialsAreUsedAgainOnlyWhereTheApplicationSaysSo() throws Exception {
        assertThat(credentialsOfTheNextRequest(true)).isNotEmpty();
        phone.responses.clear();
        assertThat(credentialsOfTheNextRequest(false)).isEmpty();
    }

    private List<String> credentialsOfTheNextRequest(boolean cache) throws Exception {
        ScriptedPeer bob = server.peer(cache ? "bob" : "carol");
        SipServletRequest first =
                phone.factory()
                        .createRequest(
                                phone.factory().createApplicationSession(),
                                "MESSAGE",
                                "sip:phone@10.0.0.1",
                                "sip:bob@" + bob.address().getAddress().getHostAddress());
        SipSession session = first.getSession();
        session.getApplicationSession().setInvalidateWhenReady(false);
        session.setInvalidateWhenReady(false);
        first.send();
        bob.reply(
                bob.expect("MESSAGE"),
                401,
                "WWW-Authenticate: Digest realm=\"bob\", nonce=\"n\", qop=\"auth\"");
        server.advance(SOON);
        SipServletRequestExt second = (SipServletRequestExt) session.createRequest("MESSAGE");
        if (cache) {
            second.addAuthHeader(phone.responses.getLast(), "alice", "secret", true);
        } else {
            var info = phone.factory().createAuthInfo();
            info.addAuthInfo(401, "bob", "alice", "secret");
            second.addAuthHeader(phone.responses.getLast(), info, false);
        }
        second.send();
        var answered = bob.expect("MESSAGE");
        assertThat(answered.request().headers(HeaderName.AUTHORIZATION)).hasSize(1);
        bob.reply(answered, 200);
        server.advance(SOON);
        session.createRequest("MESSAGE").send();
        var third = bob.expect("MESSAGE");
        bob.reply(third, 200);
        server.advance(SOON);
        return third.request().headers(HeaderName.AUTHORIZATION);
    }
}
