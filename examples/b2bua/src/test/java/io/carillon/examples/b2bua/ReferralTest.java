package io.carillon.examples.b2bua;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ann sends Bob to Carol, or Bob sends Ann, with the application between them. */
@SipTest(archives = "target/b2bua", roundTrip = true)
class ReferralTest {
    private static final String TO_CAROL = "Refer-To: <sip:carol@10.0.1.3>";
    private static final Map<String, String> HOSTS =
            Map.of("ann", "10.0.1.1", "bob", "10.0.1.2", "carol", "10.0.1.3");
    private static final String BY_ANN = "Referred-By: <sip:ann@10.0.1.1>";

    private SipTestServer server;
    private ScriptedPeer ann;
    private ScriptedPeer bob;
    private Received invite;
    private Received answer;

    /** Ann counts her requests from 4000 on. */
    @BeforeEach
    void talk(SipTestServer started) {
        server = started;
        ann = server.peer("ann");
        bob = server.peer("bob");
        of(ann, "INVITE sip:bob@10.0.1.2", 4000, "<sip:ann@x>;tag=a", "<sip:bob@x>", "c1");
        invite = bob.expect("INVITE");
        bob.reply(invite, 200, "Contact: <sip:bob@10.0.1.2>");
        answer = ann.expect("200");
        ofAnn("ACK", 4000);
        bob.expect("ACK");
    }

    private void ofAnn(String method, int cseq, String... headers) {
        of(
                ann,
                method + " sip:10.0.0.1",
                cseq,
                "<sip:ann@x>;tag=a",
                answer.header("To"),
                "c1",
                headers);
    }

    private void ofBob(String method, int cseq, String... headers) {
        String local = invite.header("To") + ";tag=tag-bob";
        of(
                bob,
                method + " sip:10.0.0.1",
                cseq,
                local,
                invite.header("From"),
                invite.header("Call-ID"),
                headers);
    }

    private static void of(
            ScriptedPeer peer,
            String start,
            int cseq,
            String from,
            String to,
            String callId,
            String... headers) {
        String host = HOSTS.get(peer.name());
        String method = start.split(" ")[0];
        String more = headers.length == 0 ? "" : String.join("\n", headers) + "\n";
        peer.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                String.join(
                                "\n",
                                start + " SIP/2.0",
                                "Via: SIP/2.0/UDP " + host + ";branch=z9hG4bK" + method + cseq,
                                "Route: <sip:10.0.0.1;lr>",
                                "Max-Forwards: 70",
                                "From: " + from,
                                "To: " + to,
                                "Call-ID: " + callId,
                                "CSeq: " + cseq + " " + method,
                                "Contact: <sip:" + peer.name() + "@" + host + ">",
                                more)
                        + "\n");
    }

    private static String[] told(int id, String fragment, String state) {
        return new String[] {
            "Event: refer;id=" + id,
            "Subscription-State: " + state,
            "Content-Type: message/sipfrag;version=2.0",
            "Content-Length: " + fragment.length(),
            "",
            fragment
        };
    }

    @Test
    void whatBecameOfATransferIsToldByTheNameThatTheTransferorKnows() {
        ofAnn("REFER", 4001, TO_CAROL, BY_ANN);
        Received refer = bob.expect("REFER");
        assertThat(refer.header("Refer-To")).isEqualTo("<sip:carol@10.0.1.3>");
        assertThat(refer.header("Referred-By")).isEqualTo("<sip:ann@10.0.1.1>");
        bob.reply(refer, 202);
        ann.expect("202");
        int known = Integer.parseInt(refer.header("CSeq").split(" ")[0]);
        assertThat(known).isNotEqualTo(4001);
        ofBob("NOTIFY", 7, told(known, "SIP/2.0 200 OK", "terminated;reason=noresource"));
        Received notify = ann.expect("NOTIFY");
        assertThat(notify.header("Event")).isEqualTo("refer;id=4001");
        assertThat(notify.header("Subscription-State")).isEqualTo("terminated;reason=noresource");
        assertThat(new String(notify.message().body(), StandardCharsets.UTF_8))
                .startsWith("SIP/2.0 200 OK");
        ann.reply(notify, 200);
        bob.expect("200");
        ofAnn("BYE", 4002);
        bob.reply(bob.expect("BYE"), 200);
        ann.expect("200");
        server.assertNothingLeft();
    }

    @Test
    void onlyTheLastFewTransfersOfACallAreRemembered() {
        for (int i = 0; i < 40; i++) {
            ofAnn("REFER", 4001 + i, TO_CAROL);
            bob.reply(bob.expect("REFER"), 603);
            ann.expect("603");
        }
        long names =
                server.sessions("b2bua").stream()
                        .flatMap(call -> sipSessions(call).stream())
                        .mapToLong(ReferralTest::names)
                        .sum();
        assertThat(names).isEqualTo(8);
    }

    private static java.util.List<javax.servlet.sip.SipSession> sipSessions(
            javax.servlet.sip.SipApplicationSession call) {
        java.util.List<javax.servlet.sip.SipSession> all = new java.util.ArrayList<>();
        call.getSessions("SIP")
                .forEachRemaining(one -> all.add((javax.servlet.sip.SipSession) one));
        return all;
    }

    private static long names(javax.servlet.sip.SipSession session) {
        return java.util.Collections.list(session.getAttributeNames()).stream()
                .filter(name -> name.startsWith("REFER "))
                .count();
    }

    /** Browsers' phones do so: the BYE leaves before the answer to the NOTIFY that caused it. */
    @Test
    void whoHangsUpWhenTheTransferIsDoneLeavesNothing() {
        ofAnn("REFER", 4001, TO_CAROL);
        Received refer = bob.expect("REFER");
        bob.reply(refer, 202);
        ann.expect("202");
        int known = Integer.parseInt(refer.header("CSeq").split(" ")[0]);
        ofBob("NOTIFY", 7, told(known, "SIP/2.0 200 OK", "terminated;reason=noresource"));
        Received notify = ann.expect("NOTIFY");
        ofAnn("BYE", 4002);
        bob.reply(bob.expect("BYE"), 200);
        ann.expect("200");
        ann.reply(notify, 200);
        bob.expect("200");
        server.assertNothingLeft();
    }

    /** As a transferee does that goes on telling after it has said that it is done. */
    @Test
    void aNotifyThatNobodyWaitsForDoesNotEndTheCall() {
        ofBob("NOTIFY", 7, told(1, "SIP/2.0 200 OK", "terminated;reason=noresource"));
        ann.reply(ann.expect("NOTIFY"), 481);
        bob.expect("481");
        ofAnn("BYE", 4001);
        bob.reply(bob.expect("BYE"), 200);
        ann.expect("200");
        server.assertNothingLeft();
    }

    @Test
    void theCalleeMayTransferAndIsRefused() {
        ofBob("REFER", 31, TO_CAROL);
        Received refer = ann.expect("REFER");
        ann.reply(refer, 603);
        bob.expect("603");
        ofBob("BYE", 32);
        ann.reply(ann.expect("BYE"), 200);
        bob.expect("200");
        server.assertNothingLeft();
    }

    @Test
    void aNameThatNobodyGaveIsLeftAsItIs() {
        ofBob("NOTIFY", 31, told(99, "SIP/2.0 100 Trying", "active;expires=60"));
        assertThat(ann.expect("NOTIFY").header("Event")).isEqualTo("refer;id=99");
    }

    private static String tag(String party) {
        return party.substring(party.indexOf(";tag=") + 5);
    }

    /** Ann has asked Bob, and sends Carol to him in her place. */
    @Test
    void aCallThatReplacesAnotherNamesItAsTheCalleeKnowsIt() {
        ScriptedPeer carol = server.peer("carol");
        String replaces = "Replaces: c1;to-tag=" + tag(answer.header("To")) + ";from-tag=a";
        of(
                carol,
                "INVITE sip:bob@10.0.1.2",
                1,
                "<sip:carol@x>;tag=c",
                "<sip:bob@x>",
                "c2",
                replaces,
                "Require: replaces");
        Received second = bob.expect("INVITE");
        assertThat(second.header("Replaces"))
                .startsWith(invite.header("Call-ID") + ";")
                .contains(";to-tag=tag-bob")
                .contains(";from-tag=" + tag(invite.header("From")));
        bob.reply(second, 200, "Contact: <sip:bob@10.0.1.2>");
        Received taken = carol.expect("200");
        of(carol, "ACK sip:10.0.0.1", 1, "<sip:carol@x>;tag=c", taken.header("To"), "c2");
        bob.expect("ACK");
        ofBob("BYE", 31);
        ann.reply(ann.expect("BYE"), 200);
        bob.expect("200");
        of(carol, "BYE sip:10.0.0.1", 2, "<sip:carol@x>;tag=c", taken.header("To"), "c2");
        bob.reply(bob.expect("BYE"), 200);
        carol.expect("200");
        server.assertNothingLeft();
    }

    /** RFC 3891 section 8: who knows a dialog may end it, so nobody else is told its tags. */
    @Test
    void theOtherLegIsNamedToItsOwnPhoneWhereverTheCallWasSent() {
        ScriptedPeer carol = server.peer("carol");
        String replaces = "Replaces: c1;to-tag=" + tag(answer.header("To")) + ";from-tag=a";
        of(carol, "INVITE sip:ann@10.0.1.1", 1, "<sip:carol@x>;tag=c", "<sip:q@x>", "c2", replaces);
        assertThat(bob.expect("INVITE").header("Replaces")).startsWith(invite.header("Call-ID"));
        assertThat(ann.count("INVITE")).isZero();
    }

    /** Where the caller's dialog is told he is no longer the only one who knows its tags. */
    @Test
    void theLegOfACallerWhoHasNotProvedWhoHeIsIsNamedToNobody() {
        ScriptedPeer carol = server.peer("carol");
        String replaces =
                "Replaces: "
                        + invite.header("Call-ID")
                        + ";to-tag="
                        + tag(invite.header("From"))
                        + ";from-tag=tag-bob";
        of(bob, "INVITE sip:carol@10.0.1.3", 1, "<sip:bob@x>;tag=b", "<sip:q@x>", "c2", replaces);
        bob.expect("403");
        assertThat(carol.all()).isEmpty();
        assertThat(ann.count("INVITE")).isZero();
    }
}
