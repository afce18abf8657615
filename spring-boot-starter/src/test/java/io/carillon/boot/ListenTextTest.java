package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of carillon.listen. */
class ListenTextTest {
    @Test
    void transportHostAndPortAreRead() {
        assertThat(ListenText.parse("udp:127.0.0.1:5060", null))
                .isEqualTo(new ListeningPoint(Transport.UDP, "127.0.0.1", 5060, null, 0));
        assertThat(ListenText.parse(" TCP:[::1]:0 ", "sip.example.com"))
                .isEqualTo(new ListeningPoint(Transport.TCP, "::1", 0, "sip.example.com", 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "udp:127.0.0.1",
                "sctp:127.0.0.1:5061",
                "udp:::1:5060",
                "udp:a:70000",
                "udp: :5060"
            })
    void anythingElseIsRefusedInASentence(String text) {
        assertThatThrownBy(() -> ListenText.parse(text, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("carillon.listen: '" + text + "' has to be udp:HOST:PORT");
    }
}
