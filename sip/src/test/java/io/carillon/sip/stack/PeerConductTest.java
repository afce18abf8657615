package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.invite;
import static io.carillon.sip.stack.StackHarness.tcp;
import static io.carillon.sip.stack.StackHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.server.ServerTransaction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a guard is told of peers. */
class PeerConductTest {
    private static final String B = "z9hG4bK-one";

    private final List<String> heard = new ArrayList<>();
    private final StackHarness h =
            new StackHarness(
                    StackConfig.builder()
                            .conduct(
                                    new PeerConduct() {
                                        @Override
                                        public boolean admits(
                                                SipRequest initial, Hop from, long nowNanos) {
                                            return initial.header(HeaderName.USER_AGENT) == null;
                                        }

                                        @Override
                                        public void failed(
                                                Failure how,
                                                Hop from,
                                                boolean proven,
                                                long nowNanos) {
                                            heard.add(how + (proven ? " proven" : ""));
                                        }

                                        @Override
                                        public void proven(Hop from, long nowNanos) {
                                            heard.add("proven");
                                        }
                                    }));

    private ServerTransaction tx() {
        return h.transactions.getLast();
    }

    @Test
    void malformedRequestsAndBytesThatAreNoSipSpeakAgainstTheirSender() {
        h.receive(invite(B).replace("CSeq: 1 INVITE", "CSeq: x INVITE"), ALICE);
        h.receive("hello\n\n", ALICE);
        assertThat(heard).containsExactly("MALFORMED", "MALFORMED");
    }

    @Test
    void aConnectionProvesItsSource() {
        h.receive(invite(B).replace("CSeq: 1 INVITE", "CSeq: x INVITE"), tcp("192.0.2.1", 5060, 7));
        assertThat(heard).containsExactly("MALFORMED proven");
    }

    @Test
    void aNameThatDoesNotExistSpeaksAgainstWhoTriesIt() {
        h.receive(invite(B), ALICE);
        tx().respond(h.response(tx(), 404));
        assertThat(heard).containsExactly("NOT_FOUND");
        h.receive(invite(B), ALICE);
        assertThat(heard).as("a repeated request is the same try").hasSize(1);
    }

    private static String behindAProxy(String request) {
        return request.replaceFirst(
                "\nVia: ", "\nVia: SIP/2.0/TCP 192.0.2.1;branch=z9hG4bK-proxy\nVia: ");
    }

    /** RFC 3261 16.6 step 8: its Via stands above that of who tries the name. */
    @Test
    void aProxyIsNotBlamedForWhatItsUsersSendByItsConnection() {
        h.receive(behindAProxy(invite(B)), tcp("192.0.2.1", 5060, 7));
        tx().respond(h.response(tx(), 404));
        h.receive(
                behindAProxy(invite(B)).replace("CSeq: 1 INVITE", "CSeq: x INVITE"),
                tcp("192.0.2.1", 5060, 7));
        assertThat(heard).isEmpty();
        h.receive(invite("z9hG4bK-own"), tcp("192.0.2.1", 5060, 7));
        tx().respond(h.response(tx(), 404));
        assertThat(heard).containsExactly("NOT_FOUND proven");
    }

    @Test
    void byDatagramsASecondViaSavesNobodyFromTheBanOfDatagrams() {
        h.receive(behindAProxy(invite(B)), ALICE);
        tx().respond(h.response(tx(), 404));
        assertThat(heard).containsExactly("NOT_FOUND");
    }

    /** RFC 6455 10.2: a page of any site opens one, from the address of who looks at it. */
    @ParameterizedTest
    @EnumSource(names = {"WS", "WSS"})
    void aWebSocketBlamesNobodyBehindItsAddress(Transport transport) {
        Hop page = new Hop(transport, null, ALICE.remote(), 9);
        h.receive(invite(B), page);
        tx().respond(h.response(tx(), 404));
        h.receive(invite("z9hG4bK-2").replace("CSeq: 1 INVITE", "CSeq: x INVITE"), page);
        assertThat(heard).isEmpty();
    }

    @Test
    void inADialogNoNameIsTried() {
        h.receive(text("INFO", B, "To: <sip:bob@example.com>;tag=gone\n"), ALICE);
        tx().respond(h.response(tx(), 404));
        assertThat(heard).isEmpty();
    }

    @Test
    void otherRefusalsSpeakAgainstNobody() {
        h.receive(invite(B), ALICE);
        tx().respond(h.response(tx(), 486));
        assertThat(heard).isEmpty();
    }

    @Test
    void whoIsNotAdmittedGetsNoAnswer() {
        h.receive(text("OPTIONS", B, "User-Agent: friendly-scanner\n"), ALICE);
        assertThat(h.sent).isEmpty();
        assertThat(h.transactions).isEmpty();
        assertThat(h.count(Counter.SCANNERS_DROPPED)).isEqualTo(1);
    }
}
