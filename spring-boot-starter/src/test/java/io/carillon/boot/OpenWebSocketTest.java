package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.listen.ListeningPoint;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of every site may connect only where somebody was told so. */
class OpenWebSocketTest {
    private static String said(String listen, String... origins) {
        List<ListeningPoint> points =
                List.of(ListenText.parse("udp:127.0.0.1:0", null), ListenText.parse(listen, null));
        return NetworkRuntime.openWebSocket(
                points, new CarillonProperties.Ws("/", List.of(origins)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ws:127.0.0.1:0", "wss:127.0.0.1:0"})
    void whereNoOriginIsNamedTheStartSaysSo(String listen) {
        assertThat(said(listen)).contains("carillon.ws.origins");
        assertThat(said(listen, "https://phone.example.com")).isNull();
    }

    @Test
    void nothingIsSaidWhereThereIsNoWebSocket() {
        assertThat(said("tcp:127.0.0.1:0")).isNull();
    }
}
