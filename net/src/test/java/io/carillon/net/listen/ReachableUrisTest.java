package io.carillon.net.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Transport;
import io.carillon.sip.uri.SipUri;
import java.net.NetworkInterface;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReachableUrisTest {
    private static List<String> of(String host) {
        return ReachableUris.of(List.of(new ListeningPoint(Transport.UDP, host, 5070)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void eachAddressOfTheMachineIsAUriThoughItsInterfaceHasAName(String host) throws Exception {
        for (String uri : of(host)) {
            // The JDK names the interface behind IPv6 addresses: fd00::2%eth0, which no URI has.
            assertThat(SipUri.parseSip(uri).port()).isEqualTo(5070);
        }
    }

    @Test
    void aPointOnAllAddressesHasThoseOfTheMachineButNotTheLinks() throws Exception {
        long wanted =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(own -> !own.isLinkLocalAddress())
                        .count();
        // The socket on :: takes IPv4 as well.
        assertThat(of("::")).hasSize((int) wanted).contains("sip:127.0.0.1:5070;transport=udp");
        assertThat(of("0.0.0.0")).contains("sip:127.0.0.1:5070;transport=udp");
        assertThat(of("0.0.0.0")).noneMatch(uri -> uri.contains("["));
        assertThat(of("127.0.0.9")).containsExactly("sip:127.0.0.9:5070;transport=udp");
    }

    @Test
    void whatTwoPointsReachIsNamedOnce() {
        assertThat(
                        ReachableUris.of(
                                List.of(
                                        new ListeningPoint(Transport.UDP, "127.0.0.1", 5070),
                                        new ListeningPoint(Transport.UDP, "0.0.0.0", 5070))))
                .containsOnlyOnce("sip:127.0.0.1:5070;transport=udp");
    }
}
