package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.hop.HostPort;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8080, 127.0.0.1, 127.0.0.1, 8080",
        "example.com:0, example.com, example.com, 0",
        // RFC 3261 25.1, IPv6reference: the brackets are printed, sockets want none.
        "[::1]:5060, [::1], ::1, 5060",
    })
    void whatIsReadIsPrintedAgain(String text, String printed, String bare, int port) {
        HostPort read = HostPort.parse(text);
        assertThat(read.host()).isEqualTo(printed);
        assertThat(read.bareHost()).isEqualTo(bare);
        assertThat(read.port()).isEqualTo(port);
        assertThat(read).hasToString(text).isEqualTo(HostPort.of(bare, port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "host", ":5060", "host:", "::1:5060", "a b:1", "host:65536", "host:-1"})
    void whatIsNotOfThatFormIsRefused(String text) {
        assertThatThrownBy(() -> HostPort.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
