package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** RFC 5057: a subscription that shares the dialog of a call outlives it. */
class SharedDialogTest extends SharedDialogs {
    /** RFC 5057 3.1: the transferor hangs up, and hears later what came of the transfer. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc5057_4_theLastNotifyAfterReferAndBye(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("REFER", ok, 2, 202, "Refer-To: <sip:c@z>");
        settle();
        tell(REFER, ACTIVE);
        within("BYE", ok, 3, 200);
        settle();
        assertThat(phone.session.getState()).isEqualTo(SipSession.State.CONFIRMED);
        assertThatThrownBy(() -> phone.session.createRequest("INVITE"))
                .isInstanceOf(IllegalStateException.class);
        for (String method : List.of("BYE", "INVITE", "UPDATE", "INFO")) {
            within(method, ok, 4, 481); // RFC 5057 5.3: the call has ended
        }
        tell(REFER, OVER);
        assertOver();
    }

    /** RFC 4488: a REFER that makes no subscription keeps nothing. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc4488_4_aReferWithoutSubscriptionKeepsNoDialog(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("REFER", ok, 2, 202, "Refer-To: <sip:c@z>", "Refer-Sub: false");
        within("BYE", ok, 3, 200);
        settle();
        assertThat(server.container.sessions().dialogs()).isZero();
        assertOver();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc5057_4_anUnsubscribeAfterTheBye(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("SUBSCRIBE", ok, 2, 200, "Event: dialog", "Expires: 60");
        settle();
        tell("Event: dialog", ACTIVE);
        within("BYE", ok, 3, 200);
        within("SUBSCRIBE", ok, 4, 200, "Event: dialog", "Expires: 0");
        settle();
        tell("Event: dialog", OVER);
        server.run(Duration.ofMillis(100));
        within("SUBSCRIBE", ok, 5, 481, "Event: dialog", "Expires: 60");
        assertOver();
    }

    /** RFC 6665 4.4.1: without a NOTIFY it ends when it expires. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc6665_4_4_1_aSubscriptionThatNobodyEndsExpires(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("SUBSCRIBE", ok, 2, 200, "Event: dialog", "Expires: 100");
        within("BYE", ok, 3, 200);
        server.run(Duration.ofSeconds(90));
        assertThat(server.container.callsHeld()).isEqualTo(1);
        within("SUBSCRIBE", ok, 4, 200, "Event: dialog", "Expires: 100");
        server.run(Duration.ofSeconds(90));
        assertThat(server.container.callsHeld()).isEqualTo(1);
        server.run(Duration.ofSeconds(20));
        assertThat(server.container.callsHeld()).isZero();
        assertOver();
    }

    /** Calls that are over do not take more room than subscriptions may. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void withoutRoomForSubscriptionsTheByeEndsTheDialog(ExecutionMode mode) throws Exception {
        server.container.rooms().maxSubscriptions(1);
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
        SipSession watched = phone.session;
        SipResponse ok = called();
        within("REFER", ok, 2, 202, "Refer-To: <sip:c@z>");
        within("BYE", ok, 3, 200);
        settle();
        assertThat(server.container.callsHeld()).as("the subscription").isEqualTo(1);
        assertThat(phone.session.isValid()).isFalse();
        phone.session = watched;
        tell("Event: dialog", OVER);
        assertOver();
    }

    /** RFC 5057 5.1 (8): a 481 to a NOTIFY ends its subscription, not the call. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc5057_5_1_a481ToANotifyEndsItsUsage(ExecutionMode mode) throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("REFER", ok, 2, 202, "Refer-To: <sip:c@z>");
        settle();
        phone.send("NOTIFY", REFER, ACTIVE);
        alice.respond(alice.request("NOTIFY"), 481, "");
        settle();
        within("INFO", ok, 3, 200);
        within("BYE", ok, 4, 200);
        settle();
        assertThat(server.container.sessions().dialogs()).isZero();
        assertOver();
    }

    // ---- the peer refuses, or says nothing ----

    /** What we send in a dialog with several usages, and the answer; 0 for none. */
    static Stream<Arguments> refused(String... methods) {
        return Stream.of(methods)
                .flatMap(method ->
                        Stream.of(481, 408, 0)
                                .flatMap(status ->
                                        Stream.of(ExecutionMode.values())
                                                .map(mode -> Arguments.of(method, status, mode))));
    }

    static Stream<Arguments> ofTheCall() {
        return refused("INFO", "UPDATE", "INVITE");
    }

    static Stream<Arguments> ofNoUsage() {
        return refused("OPTIONS", "MESSAGE", "PING");
    }

    static Stream<Arguments> newSubscriptions() {
        return refused("SUBSCRIBE");
    }

    private void refuse(String method, int status, String... headers) throws Exception {
        phone.send(method, headers);
        SipRequest request = alice.request(method);
        if (status == 0) {
            server.run(Duration.ofSeconds(40));
        } else {
            alice.respond(request, status, "");
            if (method.equals("INVITE")) {
                alice.request("ACK");
            }
            settle();
        }
    }

    /** RFC 5057 5.1 (8), 5.2, 5.3: it ends the call, and the subscription goes on. */
    @ParameterizedTest
    @MethodSource("ofTheCall")
    void rfc5057_5_1_ofTheCallsUsage(String method, int status, ExecutionMode mode)
            throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("SUBSCRIBE", ok, 2, 200, "Event: dialog", "Expires: 600");
        settle();
        refuse(method, status);
        assertThat(phone.session.getState()).isEqualTo(SipSession.State.CONFIRMED);
        assertThatThrownBy(() -> phone.session.createRequest("INFO"))
                .isInstanceOf(IllegalStateException.class);
        within("INFO", ok, 3, 481);
        tell("Event: dialog", ACTIVE);
        within("SUBSCRIBE", ok, 4, 200, "Event: dialog", "Expires: 600");
        tell("Event: dialog", OVER);
        assertThat(server.container.sessions().dialogs()).isZero();
        assertOver();
    }

    /** RFC 3261 12.2.1.2: without another usage the dialog ends with the call. */
    @ParameterizedTest
    @MethodSource("ofTheCall")
    void rfc3261_12_2_1_2_theOnlyUsageEndsTheDialog(String method, int status, ExecutionMode mode)
            throws Exception {
        deploy(mode);
        called();
        SipSession call = phone.session;
        refuse(method, status);
        assertThat(server.container.sessions().dialogs()).isZero();
        assertThat(call.isValid()).isFalse();
        assertOver();
    }

    /** RFC 5057 5.3: OPTIONS "does not belong to any usage". */
    @ParameterizedTest
    @MethodSource("ofNoUsage")
    void rfc5057_5_3_whatBelongsToNoUsageEndsNone(String method, int status, ExecutionMode mode)
            throws Exception {
        deploy(mode);
        SipResponse ok = called();
        within("SUBSCRIBE", ok, 2, 200, "Event: dialog", "Expires: 600");
        settle();
        refuse(method, status);
        within("INFO", ok, 3, 200);
        settle();
        tell("Event: dialog", OVER);
        within("BYE", ok, 4, 200);
        settle();
        assertThat(server.container.sessions().dialogs()).isZero();
        assertOver();
    }

    /** RFC 6665 4.4.1: a dialog ends with its last subscription, not with one that never was. */
    @ParameterizedTest
    @MethodSource("newSubscriptions")
    void rfc6665_4_4_1_aRefusedNewSubscriptionEndsNoOther(
            String method, int status, ExecutionMode mode) throws Exception {
        deploy(mode);
        String[] asked = {"Event: presence", "Expires: 600"};
        alice.request(
                "SUBSCRIBE sip:phone@10.0.0.1",
                CALLER,
                "<sip:phone@10.0.0.1>",
                "c1",
                1,
                asked[0],
                asked[1],
                "Contact: <sip:10.0.0.2:5060>");
        SipResponse ok = alice.response(200);
        settle();
        refuse(method, status, "Event: dialog", "Expires: 600");
        tell("Event: presence", ACTIVE);
        within(method, ok, 2, 200, asked);
        tell("Event: presence", OVER);
        assertThat(server.container.sessions().dialogs()).isZero();
        assertOver();
    }

    // ---- we call ----

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc5057_4_aNotifyAfterOurReferAndOurBye(ExecutionMode mode) throws Exception {
        deploy(mode);
        phone.call();
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 200, "a");
        alice.request("ACK");
        settle();
        phone.send("REFER", "Refer-To: <sip:c@z>");
        alice.respond(alice.request("REFER"), 202, "");
        settle();
        phone.send("BYE");
        alice.respond(alice.request("BYE"), 200, "");
        settle();
        NameAddress target = Objects.requireNonNull(invite.contact());
        for (int i = 1; i < 3; i++) {
            alice.request(
                    "NOTIFY " + target.uri(),
                    invite.to() + ";tag=a",
                    invite.from().toString(),
                    invite.callId(),
                    i,
                    REFER,
                    i == 1 ? ACTIVE : OVER,
                    "Contact: <sip:10.0.0.2:5060>");
            alice.response(200);
            settle();
        }
        assertThat(phone.seen)
                .containsExactly("INVITE 200", "REFER 202", "BYE 200", "NOTIFY", "NOTIFY");
        assertOver();
    }

    // ---- we pass it on ----

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc5057_4_theProxyStaysUntilTheLastNotify(ExecutionMode mode) throws Exception {
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
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        for (int i = 1; i < 3; i++) {
            bob.request(
                    "NOTIFY sip:10.0.0.2:5060",
                    to,
                    CALLER,
                    "c1",
                    i,
                    route,
                    REFER,
                    i == 1 ? ACTIVE : OVER,
                    "Contact: <sip:10.0.0.3:5060>");
            alice.respond(alice.request("NOTIFY"), 200, "");
            bob.response(200);
        }
        settle();
        assertThat(phone.seen)
                .containsSubsequence("BYE", "BYE 200", "NOTIFY", "NOTIFY 200", "NOTIFY");
        assertOver();
    }
}
