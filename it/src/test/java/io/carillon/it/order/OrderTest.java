package io.carillon.it.order;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What counts as overtaken, and a short run. */
class OrderTest {
    private final OrderCounts counts = new OrderCounts();
    private final Track track = new Track(2, counts, "requests");

    private void came(int... numbers) {
        Arrays.stream(numbers).forEach(number -> track.came(0, number, "UDP"));
    }

    @Test
    void oneBehindTheOtherIsGood() {
        came(1, 2, 3);
        track.came(1, 1, "UDP");
        assertThat(counts.good()).isTrue();
        assertThat(counts.messages()).isEqualTo(4);
        assertThat(counts.lost()).isZero();
    }

    @Test
    void oneThatWasSentBeforeTheLastIsOvertaken() {
        came(1, 3, 2, 4);
        assertThat(counts.good()).isFalse();
        assertThat(counts.overtakenSum()).isEqualTo(1);
        assertThat(counts.lost()).isZero();
    }

    @Test
    void oneThatComesAgainIsCounted() {
        came(1, 1);
        assertThat(counts.good()).isFalse();
        assertThat(counts.twiceSum()).isEqualTo(1);
    }

    @Test
    void oneThatNeverComesIsLostAndNotOvertaken() {
        came(1, 4);
        assertThat(counts.good()).isTrue();
        assertThat(counts.lost()).isEqualTo(2);
    }

    @Test
    void aMessageSaysItsCallAndNumber() {
        OrderedCall call = new OrderedCall(17, OrderedCall.id(17), "tag", 3);
        NumberedText text = new NumberedText(call, "UDP 127.0.0.1:5060", "from", "to");
        byte[] request = text.numbered(4711);
        assertThat(new String(request, ISO_8859_1))
                .contains("branch=z9hG4bKfromn000004711;rport")
                .contains("CSeq: 000004711 INFO");
        assertThat(NumberedText.isResponse(request, request.length)).isFalse();
        assertThat(NumberedText.call(request, request.length)).isEqualTo(17);
        assertThat(NumberedText.number(request, request.length)).isEqualTo(4711);
        byte[] ok = NumberedText.ok(request, request.length);
        assertThat(new String(ok, ISO_8859_1)).startsWith("SIP/2.0 200 OK\r\nVia: ");
        assertThat(NumberedText.isResponse(ok, ok.length)).isTrue();
        assertThat(NumberedText.number(ok, ok.length)).isEqualTo(4711);
        assertThat(NumberedText.call(new byte[40], 40)).isEqualTo(-1);
    }

    @Test
    void aShortRunFindsNothingWrong() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        int code =
                new CommandLine(new Order())
                        .execute("--messages", "20000", "--calls", "40", "--port", "" + port);
        assertThat(code).isZero();
    }
}
