package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.SessionBytes;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 5057: what ends one usage of a dialog leaves the others. */
class DialogUsagesTest extends SharedDialogs {
    /** Both hang up at the same moment: the subscription outlives the call all the same. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void crossingByesLeaveTheSubscription(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("REFER", ok, 2, 202, "Refer-To: <sip:c@z>");
        settle();
        tell(REFER, ACTIVE);
        phone.send("BYE");
        SipRequest ours = alice.request("BYE");
        within("BYE", ok, 3, 200);
        settle();
        alice.respond(ours, 200, "");
        settle();
        assertThat(phone.session.isValid()).isTrue();
        assertThat(phone.session.getState()).isEqualTo(SipSession.State.CONFIRMED);
        tell(REFER, OVER);
        assertOver();
    }

    /** A re-INVITE of ours is answered behind the BYE. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void infoAnswered481BehindTheBye(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("REFER", ok, 2, 202, "Refer-To: <sip:c@z>");
        settle();
        tell(REFER, ACTIVE);
        phone.send("INFO");
        SipRequest ours = alice.request("INFO");
        within("BYE", ok, 3, 200);
        settle();
        alice.respond(ours, 481, "");
        settle();
        assertThat(phone.session.isValid()).isTrue();
        assertThat(phone.session.getState()).isEqualTo(SipSession.State.CONFIRMED);
        tell(REFER, OVER);
        assertOver();
    }

    /** A back-to-back user agent that ends the leg whose caller has hung up, as old ones do. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aByeOfOursAfterTheCallEndsNothing(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("REFER", ok, 2, 202, "Refer-To: <sip:c@z>");
        settle();
        tell(REFER, ACTIVE);
        within("BYE", ok, 3, 200);
        settle();
        phone.send("BYE");
        alice.respond(alice.request("BYE"), 481, "");
        settle();
        tell(REFER, OVER);
        assertOver();
    }

    /** RFC 3261 22.2: the last NOTIFY is challenged, and sent again with credentials. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aChallengedLastNotifyIsSentAgain(ExecutionMode mode) throws Exception {
        deploy(mode);
        alice.request(
                "SUBSCRIBE sip:phone@10.0.0.1",
                CALLER,
                "<sip:phone@10.0.0.1>",
                "c2",
                1,
                "Event: dialog",
                "Expires: 600",
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(200);
        settle();
        tell("Event: dialog", ACTIVE);
        phone.send("NOTIFY", "Event: dialog", OVER);
        alice.respond(
                alice.request("NOTIFY"),
                401,
                "",
                "WWW-Authenticate: Digest realm=\"x\", nonce=\"n\", algorithm=MD5");
        settle();
        assertThat(phone.seen).endsWith("NOTIFY 401");
        assertThat(phone.session.isValid()).isTrue();
        tell("Event: dialog", OVER);
        assertOver();
    }

    /** The same through a proxy. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aChallengedLastNotifyPassesTheProxyAgain(ExecutionMode mode) throws Exception {
        deploy(mode);
        alice.request(
                "SUBSCRIBE sip:bob@10.0.0.1",
                CALLER,
                "<sip:bob@10.0.0.1>",
                "c1",
                1,
                "Event: dialog",
                "Expires: 600",
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest subscribe = bob.request("SUBSCRIBE");
        bob.respond(subscribe, 200, "b", "Expires: 600");
        alice.response(200);
        for (int i = 1; i < 4; i++) {
            notify(subscribe, bob, "b", i, i == 1 ? ACTIVE : OVER);
            SipRequest got = alice.request("NOTIFY");
            alice.respond(
                    got,
                    i == 2 ? 401 : 200,
                    "",
                    "WWW-Authenticate: Digest realm=\"x\", nonce=\"n\", algorithm=MD5");
            bob.response(i == 2 ? 401 : 200);
            settle();
        }
        assertOver();
    }

    private void notify(SipRequest subscribe, RawPeer from, String tag, int cseq, String state) {
        from.request(
                "NOTIFY sip:10.0.0.2:5060",
                "<sip:bob@10.0.0.1>;tag=" + tag,
                CALLER,
                "c1",
                cseq,
                "Route: " + subscribe.recordRoutes().getFirst(),
                "Event: dialog",
                state,
                "Contact: <sip:" + from.hostPort() + ">");
    }

    /** RFC 6665 4.4.1: what one notifier ends is not the other's. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aSecondForkNotifiesAfterTheFirstHasEnded(ExecutionMode mode) throws Exception {
        deploy(mode);
        alice.request(
                "SUBSCRIBE sip:bob@10.0.0.1",
                CALLER,
                "<sip:bob@10.0.0.1>",
                "c1",
                1,
                "Event: dialog",
                "Expires: 600",
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest subscribe = bob.request("SUBSCRIBE");
        bob.respond(subscribe, 200, "b", "Expires: 600");
        alice.response(200);
        notify(subscribe, bob, "b", 1, OVER);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
        settle();
        notify(subscribe, bob, "b2", 1, ACTIVE);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
        notify(subscribe, bob, "b2", 2, OVER);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
        assertOver();
    }

    /** A fetch: its only NOTIFY comes before the 200. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aFetchWhoseNotifyOvertakesThe200(ExecutionMode mode) throws Exception {
        deploy(mode);
        alice.request(
                "SUBSCRIBE sip:bob@10.0.0.1",
                CALLER,
                "<sip:bob@10.0.0.1>",
                "c1",
                1,
                "Event: dialog",
                "Expires: 0",
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest subscribe = bob.request("SUBSCRIBE");
        notify(subscribe, bob, "b", 1, OVER);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
        settle();
        bob.respond(subscribe, 200, "b", "Expires: 0");
        alice.response(200);
        assertThat(phone.seen).endsWith("SUBSCRIBE 200");
        assertOver();
    }

    /** A NOTIFY that nobody asked for keeps no call. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aNotifyWithoutSubscriptionKeepsNoCall(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within(
                "NOTIFY",
                ok,
                2,
                200,
                "Event: talk",
                "Subscription-State: active;expires=4294967295");
        within("BYE", ok, 3, 200);
        settle();
        assertThat(server.container.callsHeld()).isZero();
        assertOver();
    }

    /** Both BYEs cross in the proxy. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void crossingByesThroughTheProxy(ExecutionMode mode) throws Exception {
        deploy(mode);
        alice.request(
                "INVITE sip:bob@10.0.0.1",
                CALLER,
                "<sip:bob@10.0.0.1>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b");
        alice.response(200);
        String route = "Route: " + invite.recordRoutes().getFirst();
        String to = "<sip:bob@10.0.0.1>;tag=b";
        String[] headers = {route, "Contact: <sip:10.0.0.2:5060>", "Refer-To: <sip:c@z>"};
        String uri = "sip:10.0.0.3:5060";
        alice.request("ACK " + uri, CALLER, to, "c1", 1, route);
        bob.request("ACK");
        alice.request("REFER " + uri, CALLER, to, "c1", 2, headers);
        bob.respond(bob.request("REFER"), 202, "");
        alice.response(202);
        alice.request("BYE " + uri, CALLER, to, "c1", 3, route);
        bob.request("BYE sip:10.0.0.2:5060", to, CALLER, "c1", 1, route);
        SipRequest toBob = bob.request("BYE");
        SipRequest toAlice = alice.request("BYE");
        bob.respond(toBob, 200, "");
        alice.response(200);
        alice.respond(toAlice, 200, "");
        bob.response(200);
        settle();
        for (int i = 2; i < 4; i++) {
            bob.request(
                    "NOTIFY sip:10.0.0.2:5060",
                    to,
                    CALLER,
                    "c1",
                    i,
                    route,
                    REFER,
                    i == 2 ? ACTIVE : OVER,
                    "Contact: <sip:10.0.0.3:5060>");
            alice.respond(alice.request("NOTIFY"), 200, "");
            bob.response(200);
        }
        assertOver();
    }

    /** RFC 5057 5.2: a time-out ends the usage that it is of, and a REFER that failed has none. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aReferThatTimesOutLeavesTheSubscription(ExecutionMode mode) throws Exception {
        deploy(mode);
        alice.request(
                "SUBSCRIBE sip:phone@10.0.0.1",
                CALLER,
                "<sip:phone@10.0.0.1>",
                "c2",
                1,
                "Event: dialog",
                "Expires: 600",
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(200);
        settle();
        tell("Event: dialog", ACTIVE);
        phone.send("REFER", "Refer-To: <sip:c@z>");
        alice.respond(alice.request("REFER"), 408, "");
        settle();
        assertThat(phone.session.isValid()).isTrue();
        tell("Event: dialog", OVER);
        assertOver();
    }

    /** Who makes subscriptions makes the name of each as long as a header may be. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void namesOfSubscriptionsAreKeptShort(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        String longest = "x".repeat(7_000);
        for (int i = 2; i < 60; i++) {
            String event = "Event: presence" + longest + ";id=" + i + longest;
            within("SUBSCRIBE", ok, i, 200, event, "Expires: 60");
            settle();
        }
        ApplicationSession parent = (ApplicationSession) phone.session.getApplicationSession();
        StateWriter bytes = new StateWriter();
        SessionBytes.write(parent, bytes, new AttributeCodec(AttributeCodec.table(), null));
        assertThat(bytes.toByteArray().length).isLessThan(4_000);
        String first = "Event: presence" + longest + ";id=2" + longest;
        tell(first, OVER);
        assertThat(phone.session.isValid()).isTrue(); // it is told from the others all the same
        within("BYE", ok, 60, 200);
        settle();
        assertThat(phone.session.isValid()).isTrue();
        assertOver();
    }
}
