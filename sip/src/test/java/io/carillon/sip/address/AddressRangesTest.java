package io.carillon.sip.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.guard.SourceKey;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangesTest {
    private static long key(String address) {
        return SourceKey.of(InetAddress.ofLiteral(address));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24, 192.0.2.255, true",
        "192.0.2.0/24, 192.0.3.0, false",
        "192.0.2.77/24, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "::/0, 2001:db8::1, true",
        "::/0, 203.0.113.9, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "2001:db8::1, 2001:db8::2, true",
        "2001:db8::1, 2001:db8:0:1::1, false",
        "::1, ::1, true",
        "127.0.0.0/8, ::1, false",
        "192.0.2.0/24, ::ffff:192.0.2.9, true",
    })
    void aRangeContains(String range, String address, boolean inside) {
        assertThat(AddressRanges.of(List.of("198.51.100.1", range)).containsSource(key(address)))
                .isEqualTo(inside);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"example.com", "192.0.2.0/33", "192.0.2.0/x", "192.0.2", "/8", "::/129"})
    void whatIsNoRangeIsRefusedByName(String range) {
        assertThatThrownBy(() -> AddressRanges.of(List.of(range)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + range + "'");
    }

    @Test
    void keysAreShownAsPeopleWriteThem() {
        assertThat(SourceKey.text(key("192.0.2.7"))).isEqualTo("192.0.2.7");
        assertThat(SourceKey.text(key("2001:db8:0:1::77"))).isEqualTo("2001:db8:0:1:0:0:0:0/64");
        assertThat(SourceKey.text(key("::1"))).isEqualTo("0:0:0:0:0:0:0:1");
    }
}
