package io.carillon.servlet.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.torture.TortureServer.Sent;
import io.carillon.testkit.SimulatedNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The IPv6 torture messages of RFC 5118 at a proxy and at an endpoint. */
class Rfc5118ContainerTest {
    /** A BYE of no dialog gets 481; the example is no registrar. */
    private static final String TABLE =
            """
            ipv6-good                      forwarded  405
            ipv6-bad                       400        400
            port-ambiguous                 forwarded  405
            port-unambiguous               forwarded  405
            via-received-param-with-delim  481        481
            via-received-param-no-delim    forwarded  200
            ipv6-in-sdp                    400        400
            ipv6-in-sdp.clfixed            forwarded  200
            mult-ip-in-header              481        481
            mult-ip-in-sdp                 forwarded  200
            mult-ip-in-sdp.clfixed         forwarded  200
            ipv4-mapped-ipv6               forwarded  200
            ipv4-mapped-ipv6.clfixed       forwarded  200
            ipv6-bug-abnf-3-colons         forwarded  200
            ipv6-correct-abnf-2-colons     forwarded  200
            """;

    @TempDir private static Path folder;
    private static Torture torture;

    @BeforeAll
    static void build() throws IOException {
        torture = new Torture(folder, "rfc5118");
    }

    @TestFactory
    Stream<DynamicTest> at_a_proxy() throws IOException {
        return torture.rows(TABLE, 15)
                .map(row ->
                        DynamicTest.dynamicTest(
                                row[0], () -> check(row[0], row[1], torture.proxy(486))));
    }

    @TestFactory
    Stream<DynamicTest> at_an_endpoint() throws IOException {
        return torture.rows(TABLE, 15)
                .map(row ->
                        DynamicTest.dynamicTest(
                                row[0], () -> check(row[0], row[2], torture.uas())));
    }

    private static void check(String name, String expected, TortureServer server)
            throws IOException {
        server.receive(torture.read(name));
        assertThat(server.outcome()).isEqualTo(expected);
        assertThat(server.sent).noneMatch(sent -> sent.text().contains("received=["));
        server.assertClean();
    }

    private static InetSocketAddress target(String name) throws Exception {
        Sent sent = torture.proxy(486).receive(torture.read(name)).forwarded().getFirst();
        return sent.to();
    }

    @Test
    void s4_3_and_4_a_port_inside_the_brackets_is_no_port() throws Exception {
        assertThat(target("port-ambiguous"))
                .isEqualTo(SimulatedNetwork.address("2001:db8::10:5070", 5060));
        assertThat(target("port-unambiguous"))
                .isEqualTo(SimulatedNetwork.address("2001:db8::10", 5070));
    }

    @Test
    void s4_10_three_colons_are_read_as_two() throws Exception {
        InetSocketAddress meant = SimulatedNetwork.address("2001:db8::192.0.2.1", 5060);
        assertThat(target("ipv6-bug-abnf-3-colons")).isEqualTo(meant);
        assertThat(target("ipv6-correct-abnf-2-colons")).isEqualTo(meant);
    }
}
