package io.carillon.examples.uas;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.header.HeaderName;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SourceApplication;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RFC 3261 8.2.2.3: what is required and not known is named in the 420, in a few words. */
@SipTest
class UnknownOptionsTest {
    private ScriptedPeer alice;

    @BeforeEach
    void deploy(SipTestServer server, @TempDir Path folder) throws Exception {
        server.deploy(SourceApplication.build(Path.of("src/main"), folder.resolve("uas")));
        alice = server.peer("alice");
    }

    private Received refusal(String required) {
        alice.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                "INVITE sip:uas@10.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK1\n"
                        + "Max-Forwards: 70\nFrom: <sip:alice@10.0.1.1>;tag=a\n"
                        + "To: <sip:uas@10.0.0.1>\nCall-ID: c1\nCSeq: 1 INVITE\n"
                        + "Contact: <sip:alice@10.0.1.1>\nRequire: "
                        + required
                        + "\n");
        return alice.expect("420");
    }

    @Test
    void anOptionThatIsRequiredManyTimesIsNamedOnce() {
        Received no = refusal("a,A, a".repeat(1) + ",a".repeat(1000) + ",b");
        assertThat(no.message().headers(HeaderName.UNSUPPORTED)).isEqualTo(List.of("a", "b"));
    }

    @Test
    void sixteenOptionsAreNamedHoweverManyAreRequired() {
        String all =
                IntStream.range(0, 1000).mapToObj(i -> "opt" + i).collect(Collectors.joining(","));
        List<String> named = refusal(all).message().headers(HeaderName.UNSUPPORTED);
        assertThat(named).hasSize(16).startsWith("opt0", "opt1");
    }

    @Test
    void anOptionOfAKilobyteIsNotSentBack() {
        Received no = refusal("x".repeat(1000) + ", known-by-nobody");
        assertThat(no.message().headers(HeaderName.UNSUPPORTED)).containsExactly("known-by-nobody");
    }
}
