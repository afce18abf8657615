package io.carillon.net.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostLiteralTest {

    @Test
    void addressesInDigitsAreRead() throws Exception {
        assertThat(HostLiteral.parse("192.0.2.255"))
                .isEqualTo(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, -1}));
        assertThat(HostLiteral.parse("[2001:db8::1]"))
                .isEqualTo(InetAddress.ofLiteral("2001:db8::1"));
        assertThat(HostLiteral.parse("::1")).isEqualTo(InetAddress.ofLiteral("::1"));
        assertThat(HostLiteral.parse("[2001:db8:::192.0.2.1]"))
                .as("RFC 5118 4.10")
                .isEqualTo(InetAddress.ofLiteral("2001:db8::192.0.2.1"));
        assertThat(HostLiteral.parse("::ffff:192.0.2.1"))
                .isEqualTo(InetAddress.ofLiteral("192.0.2.1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "1.2.3.0400",
                "1..2.3",
                "example.com",
                "1.example.com",
                "[::1",
                "[]",
                "fe80::1%eth0",
                "[dead:beef",
                "::::",
                "0x7f.0.0.1"
            })
    void everythingElseIsANameOrNothing(String host) {
        assertThat(HostLiteral.parse(host)).isNull();
    }

    @Test
    void ipv6IsPrintedInBrackets() {
        assertThat(HostLiteral.print(InetAddress.ofLiteral("::1"))).isEqualTo("[0:0:0:0:0:0:0:1]");
        assertThat(HostLiteral.print(InetAddress.ofLiteral("192.0.2.1"))).isEqualTo("192.0.2.1");
    }
}
