package io.carillon.net.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListeningPointTest {

    @ParameterizedTest
    @CsvSource({
        "udp:127.0.0.1:5060, udp:127.0.0.1:5060",
        "TCP:0.0.0.0:5070, tcp:0.0.0.0:5070",
        "udp, udp:0.0.0.0:5060",
        "udp:*:5080, udp:0.0.0.0:5080",
        "tcp:sip.example.com, tcp:sip.example.com:5060",
        "udp:[::1]:5060, udp:[::1]:5060",
        "tcp:[::], tcp:[::]:5060",
        "udp::5066, udp:0.0.0.0:5066",
        "tls:10.0.0.5, tls:10.0.0.5:5061",
        "ws:10.0.0.5, ws:10.0.0.5:80",
        "wss:[::1], wss:[::1]:443",
        "tls:10.0.0.5:5071 as sip.example.com:5061, tls:10.0.0.5:5071 as sip.example.com:5061",
        "udp:10.0.0.5:5060 as sip.example.com, udp:10.0.0.5:5060 as sip.example.com",
        "wss:[::]:443 as [2001:db8::1]:8443, wss:[::]:443 as [2001:db8::1]:8443"
    })
    void textIsRead(String text, String printed) {
        assertThat(ListeningPoint.parse(text)).hasToString(printed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sctp:1.2.3.4:5061",
                "tls:1.2.3.4:5061 as",
                "tls:1.2.3.4:5061 as :5061",
                "tls:1.2.3.4:5061 as a b",
                "tls:1.2.3.4:5061 as a:x",
                "udp:1.2.3.4:x",
                "udp:1.2.3.4:70000",
                "udp:[::1",
                "5060"
            })
    void otherTextIsAnErrorThatSaysTheForm(String text) {
        assertThatThrownBy(() -> ListeningPoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("udp:HOST:PORT");
    }
}
