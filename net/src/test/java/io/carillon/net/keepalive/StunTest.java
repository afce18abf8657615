package io.carillon.net.keepalive;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 5389 as far as keep-alives go, with the test vector of RFC 5769. */
class StunTest {
    private static final byte[] ID = HexFormat.of().parseHex("b7e7a701bc34d686fa87dfae");

    private static InetSocketAddress at(String literal, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
    }

    @Test
    void rfc5769_2_2_theMappedAddressIsRead() {
        String response =
                "0101001c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220"
                        + "002000080001a147e112a643";
        byte[] bytes = HexFormat.of().parseHex(response);
        assertThat(Stun.is(bytes)).isTrue();
        assertThat(Stun.wellFormed(bytes)).isTrue();
        assertThat(Stun.mapped(bytes)).isEqualTo(at("192.0.2.1", 32853));
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "2001:db8:1234:5678:11:2233:4455:6677", "255.255.255.255"})
    void anAnswerShowsWhereTheRequestCameFrom(String host) {
        byte[] request = Stun.request(ID);
        byte[] answer = Stun.answer(request, at(host, 65_535));
        assertThat(Stun.isAnswer(answer)).isTrue();
        assertThat(Stun.wellFormed(answer)).isTrue();
        assertThat(Stun.id(answer)).isEqualTo(ID);
        assertThat(Stun.mapped(answer)).isEqualTo(at(host, 65_535));
        assertThat(answer.length - request.length).isLessThanOrEqualTo(24);
    }

    @Test
    void rfc5389_7_3_1_anAttributeThatHasToBeUnderstoodIsRefused() {
        byte[] request =
                ByteBuffer.allocate(20 + 8 + 8)
                        .put(Stun.request(ID))
                        .putShort(2, (short) 16)
                        .putShort((short) 0x8022) // SOFTWARE: may be passed over
                        .putShort((short) 3)
                        .put(new byte[] {'a', 'b', 'c', 0})
                        .putShort((short) 0x0003) // CHANGE-REQUEST of RFC 3489
                        .putShort((short) 4)
                        .putInt(6)
                        .array();
        byte[] answer = Stun.answer(request, at("192.0.2.1", 5060));
        assertThat(Stun.wellFormed(answer)).isTrue();
        assertThat(Stun.mapped(answer)).isNull();
        assertThat(HexFormat.of().formatHex(answer)).contains("0009000400000414", "000a00020003");
    }

    @Test
    void sipIsNoStun() {
        for (String text :
                new String[] {
                    "OPTIONS sip:a@b SIP/2.0\r\n\r\n",
                    "\r\n\r\nINVITE sip:a@b SIP/2.0\r\n",
                    "",
                    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                }) {
            assertThat(Stun.is(text.getBytes(StandardCharsets.US_ASCII))).isFalse();
        }
    }

    @Test
    void whatContradictsItselfIsMalformed() {
        byte[] request = Stun.request(ID);
        request[3] = 4;
        assertThat(Stun.wellFormed(request)).isFalse();
        byte[] odd = ByteBuffer.allocate(23).put(Stun.request(ID)).putShort(2, (short) 3).array();
        assertThat(Stun.wellFormed(odd)).isFalse();
        // An attribute longer than what is there ends the search, and harms nobody.
        byte[] cut =
                ByteBuffer.allocate(24)
                        .put(Stun.request(ID))
                        .putShort(0, (short) 0x0101)
                        .putShort(2, (short) 4)
                        .putShort((short) 0x0020)
                        .putShort((short) 8)
                        .array();
        assertThat(Stun.mapped(cut)).isNull();
        assertThat(Stun.answer(cut, at("192.0.2.1", 1))).hasSizeLessThan(60);
    }
}
