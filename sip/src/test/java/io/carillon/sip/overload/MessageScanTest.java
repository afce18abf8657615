package io.carillon.sip.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.transaction.TransactionTable;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageScanTest {
    private static final String INVITE =
            "INVITE sip:bob@example.com SIP/2.0\n"
                    + "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKa\n"
                    + "From: <sip:a@example.com>;tag=1\n"
                    + "To: <sip:b@example.com>\n"
                    + "Call-ID: c\nCSeq: 7 INVITE\n\n";

    private final MessageScan scan = new MessageScan();

    private MessageScan read(String text) {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        scan.read(bytes, bytes.length);
        return scan;
    }

    @Test
    void aRequestWithoutToTagBeginsSomething() {
        assertThat(read(INVITE).underWay()).isFalse();
        assertThat(scan.identified()).isTrue();
        assertThat(scan.ofPhone()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ACK", "BYE", "CANCEL", "PRACK"})
    void whatFollowsIsUnderWay(String method) {
        assertThat(read(INVITE.replace("INVITE", method)).underWay()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "To: <sip:b@example.com>;tag=x",
                "t: <sip:b@example.com> ; Tag = x",
                "To: sip:b@example.com;tag=x",
                "TO : \"a;b>\\\"\" <sip:b@example.com>;x;tag=x",
                "To: <sip:b@example.com>\n ;tag=x"
            })
    void aToTagIsFoundWhereverItMayStand(String to) {
        assertThat(read(INVITE.replace("To: <sip:b@example.com>", to)).underWay()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "To: <sip:b@example.com;tag=x>",
                "To: \"a;tag=x\" <sip:b@example.com>",
                "To: <sip:b@example.com>;tags=x",
                "To: <sip:b@example.com>;tag"
            })
    void whatIsNoToTagIsNotTakenForOne(String to) {
        assertThat(read(INVITE.replace("To: <sip:b@example.com>", to)).underWay()).isFalse();
    }

    @Test
    void responsesAndWhatIsNoSipAreLeftToTheParser() {
        assertThat(read("SIP/2.0 200 OK\nTo: <sip:b@example.com>\n\n").underWay()).isTrue();
        assertThat(read("GET / HTTP/1.1\nHost: a\n\n").underWay()).isTrue();
        assertThat(read("").underWay()).isTrue();
        assertThat(read("\n\n\n").underWay()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKa\n",
                "From: <sip:a@example.com>;tag=1\n",
                "To: <sip:b@example.com>\n",
                "Call-ID: c\n",
                "CSeq: 7 INVITE\n"
            })
    void withoutOneOfTheHeadersItIsNotKnownWhichRequestItIs(String line) {
        read(INVITE.replace(line, ""));
        assertThat(scan.identified()).isFalse();
    }

    @Test
    void aSecondOneOrAnUnfinishedHeadIsNotUnderstood() {
        read(INVITE.replace("CSeq", "Call-ID: d\nCSeq"));
        assertThat(scan.identified()).isFalse();
        read(INVITE.substring(0, INVITE.length() - 1));
        assertThat(scan.identified()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ";branch=1", ";branch=z9hG4bK", ";branch=\"z9hG4bKa\""})
    void withoutTheMagicCookieABranchIdentifiesNothing(String branch) {
        read(INVITE.replace(";branch=z9hG4bKa", branch));
        assertThat(scan.identified()).isFalse();
    }

    @Test
    void theBytesHaveTheHashOfTheTransactionThatWasMadeOfThem() {
        String mixedCase =
                INVITE.replace("192.0.2.1:5060", "Proxy.Example.COM:5080")
                        .replace("Call-ID: c", "i: Call-Id@Example.Com ");
        read(mixedCase);
        assertThat(scan.identified()).isTrue();

        long ofBytes =
                TransactionTable.received(
                        scan.bytes(),
                        scan.topVia(),
                        scan.methodHash(),
                        scan.callId().from(),
                        scan.callId().to(),
                        scan.cseqNumber(),
                        99);

        long ofTexts =
                TransactionTable.received(
                        TransactionTable.hash("z9hG4bKa", "Proxy.Example.COM", 5080, "INVITE"),
                        99,
                        "Call-Id@Example.Com",
                        7);
        assertThat(ofBytes).isEqualTo(ofTexts);
    }

    @Test
    void emergencyCallsAreKnownByTheirUriAndOthersByTrustedPeersOnly() {
        String sos = INVITE.replace("sip:bob@example.com", "URN:service:sos.police");
        assertThat(EmergencyMarks.of(read(sos), false)).isTrue();
        assertThat(EmergencyMarks.of(read(sos.replace("sos.", "sosx.")), true)).isFalse();
        String priority = INVITE.replace("CSeq", "Resource-Priority: dsn.flash, ETS.0\nCSeq");
        assertThat(EmergencyMarks.of(read(priority), true)).isTrue();
        assertThat(EmergencyMarks.of(read(priority), false)).isFalse();
        assertThat(EmergencyMarks.of(read(priority.replace("ETS.", "q735.")), true)).isFalse();
    }
}
