package io.carillon.servlet.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.hop.Transport;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A script has to fail where what came is not what it says; here the server is a text too. */
class CallScriptTest {
    private static final String OPTIONS =
            """
            peer alice 10.0.1.1:5060
            >> alice
              OPTIONS sip:s@10.0.0.1 SIP/2.0
              Via: {via}
              Max-Forwards: 70
              From: <sip:alice@10.0.1.1>;tag=a1
              To: <sip:s@10.0.0.1>
              Call-ID: c
              CSeq: 1 OPTIONS
            """;

    private static final String OK =
            """
            SIP/2.0 200 OK
            Via: SIP/2.0/UDP 10.0.1.1:5060;branch=z9hG4bKs1
            From: <sip:alice@10.0.1.1>;tag=a1
            t: <sip:s@10.0.0.1>;tag=xyz
            Call-ID: c
            CSeq: 1 OPTIONS
            Allow: INVITE
            Allow: BYE
            Content-Length: 2

            ok\
            """;

    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);
    private final InetSocketAddress server = SimulatedNetwork.address("10.0.0.1", 5060);
    private final List<String> got = new ArrayList<>();

    private void play(String script, String... answers) {
        network.bind(
                server,
                (bytes, by, from, to) -> {
                    got.add(new String(bytes, StandardCharsets.ISO_8859_1));
                    for (String answer : answers) {
                        network.send(
                                Transport.UDP,
                                server,
                                from,
                                answer.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                    }
                });
        new ScriptPlayer(network, server).play(CallScript.read("test", script));
    }

    @Test
    void aTextIsSentAsItIsWithItsLength() {
        play(OPTIONS + "  Subject: \u00fc\n\n  one\n\n  two\n");
        assertThat(got)
                .containsExactly(
                        """
                        OPTIONS sip:s@10.0.0.1 SIP/2.0
                        Via: SIP/2.0/UDP 10.0.1.1:5060;branch=z9hG4bKs1
                        Max-Forwards: 70
                        From: <sip:alice@10.0.1.1>;tag=a1
                        To: <sip:s@10.0.0.1>
                        Call-ID: c
                        CSeq: 1 OPTIONS
                        Subject: \u00fc
                        Content-Length: 12

                        one

                        two
                        """
                                .replace("\n", "\r\n"));
    }

    @Test
    void whatWasCapturedIsFilledIn() {
        String pattern =
                "<< alice as first\n  SIP/2.0 {code} OK\n  To: {*};tag={tag}\n  Allow #2\n"
                        + "  Allow: {:B.E}\n  !Require\n\n  ok\n"
                        + ">> alice\n  {code} {tag}\n  [To];more\n  [first.Allow]\nwait 1s\n";
        network.loseIf(bytes -> new String(bytes, StandardCharsets.ISO_8859_1).startsWith("200"));
        List<String> sent = new ArrayList<>();
        network.tap((at, fate, by, from, to, bytes) ->
                sent.add(new String(bytes, StandardCharsets.ISO_8859_1)));
        play(OPTIONS + pattern, OK);
        assertThat(sent)
                .contains(
                        "200 xyz\r\nTo: <sip:s@10.0.0.1>;tag=xyz;more\r\nAllow: INVITE\r\n"
                                + "Allow: BYE\r\nContent-Length: 0\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "SIP/2.0 404 {*}, wanted 'SIP/2.0 404 {*}'",
        "SIP/2.0 200 OK|Allow #1, not 1 x Allow #1",
        "SIP/2.0 200 OK|!Allow, unwanted Allow",
        "SIP/2.0 200 OK|Allow: BYE|Allow: INVITE, no 'Allow: INVITE'",
        "SIP/2.0 200 OK|To: <sip:s@10.0.0.1>, no 'To: <sip:s@10.0.0.1>'",
        "SIP/2.0 200 OK|Call-ID: {a}|CSeq: 1 {a}, no 'CSeq: 1 {a}'",
        "SIP/2.0 200 OK||no, wanted 'no'",
    })
    void aScriptFailsAtWhatDiffers(String pattern, String complaint) {
        String step = "<< alice\n  " + pattern.replace("|", "\n  ").replace("\n  \n", "\n\n");
        assertThatThrownBy(() -> play(OPTIONS + step, OK))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("test:10: " + complaint)
                .hasMessageContaining("What was said");
    }

    @Test
    void aScriptFailsWhenNothingComes() {
        assertThatThrownBy(() -> play(OPTIONS + "<< alice\n  SIP/2.0 200 OK\n"))
                .hasMessageStartingWith("test:10: nothing came to alice");
        assertThat(network.time().elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aScriptFailsAtWhatNobodyWanted() {
        String second = OK.replace("200 OK", "202 Late");
        String wanted = "<< alice\n  SIP/2.0 200 OK\n";
        assertThatThrownBy(() -> play(OPTIONS + wanted, OK, second))
                .hasMessageContaining("alice got what nobody wanted");
    }

    @Test
    void repetitionsAnd100ArePassedOver() {
        String trying = OK.replace("200 OK", "100 Trying");
        play(OPTIONS + "<< alice\n  SIP/2.0 200 OK\n", trying, OK, OK);
    }

    @ParameterizedTest
    @CsvSource({
        "Call-ID: c|, '', Call-ID 0 times",
        ";tag=xyz, '', no tag in To",
        "Length: 2, Length: 3, Content-Length is not the body's",
        "Allow: BYE, Contact: <sip:u@[127.0.0.1:5080]>, brackets around what is no IPv6 address",
        "Allow: BYE, Allow, no header",
        "10.0.1.1:5060;branch, 10.0.1.9:5060;branch, alice got a response for somebody else",
        "1 OPTIONS, 1 INVITE, not one Contact",
    })
    void aMalformedMessageFailsWhateverTheScriptWants(
            String part, String instead, String complaint) {
        String bad = OK.replace(part.replace('|', '\n'), instead);
        assertThatThrownBy(() -> play(OPTIONS + "<< alice\n  SIP/2.0 200 OK\n", bad))
                .hasMessageStartingWith("test:10: " + complaint);
    }

    @Test
    void bracketsOfIpv6AreNone() {
        assertThat(
                        WireText.read(
                                        OK.replace("Allow: BYE", "Contact: <sip:u@[2001:db8::1]:5>")
                                                .replace("\n", "\r\n")
                                                .getBytes(StandardCharsets.ISO_8859_1))
                                .values("contact"))
                .containsExactly("<sip:u@[2001:db8::1]:5>");
    }

    @Test
    void aVariableKeepsItsValue() {
        Map<String, String> variables = new HashMap<>();
        assertThat(new TextPattern("{a}={a}").matches("x=y", variables)).isFalse();
        variables.clear();
        assertThat(new TextPattern("{a}={b:\\d{2}}").matches("x=12", variables)).isTrue();
        assertThat(variables).containsExactlyInAnyOrderEntriesOf(Map.of("a", "x", "b", "12"));
        assertThat(new TextPattern("{a}").matches("z", variables)).isFalse();
        assertThat(TextPattern.fill("<{a}{b}>", variables)).isEqualTo("<x12>");
        assertThatThrownBy(() -> TextPattern.fill("{c}", variables))
                .hasMessage("nothing is known of {c}");
    }
}
