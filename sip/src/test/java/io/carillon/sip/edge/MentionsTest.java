package io.carillon.sip.edge;

import static io.carillon.sip.edge.Border.CARRIER;
import static io.carillon.sip.edge.Border.request;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as an internal host in a text, and what only looks like one. */
class MentionsTest {
    private final Border border = new Border(CARRIER);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connect to fd00::9: refused",
                "no route to fd00::9.",
                "peer fd00:0:0:0:0:0:0:9:5060 is silent",
                "fd00::10.0.0.9, or [fd00::]",
                "lost...10.0.0.9",
                "pbx.10.0.0.9",
                "10.0.0.9.5060 > 198.51.100.7.5060",
                "1699999999.10.0.0.9",
                "10.0.0.9.1699999999",
                "100%10.0.0.9",
                "%40172.16.0.9@10.0.0.9",
                "„node7“ is down",
                "–core.example–",
            })
    void noPunctuationKeepsAHostFromBeingSeen(String told) {
        String latin = new String(told.getBytes(UTF_8), ISO_8859_1);
        SipRequest inside =
                request("MESSAGE", "sip:b@198.51.100.7", "Warning: 399 x \"" + latin + "\"");
        assertThat(border.out(inside).header(HeaderName.WARNING))
                .contains("203.0.113.1")
                .doesNotContain("10.0.0.9", "fd00", "node7", "core.example");
    }

    @Test
    void aVersionIsNoAddress() {
        String told = "399 x \"firmware 1.172.16.0.9 and 172.16.0.9.1, 10:11:12\"";
        SipRequest inside = request("MESSAGE", "sip:b@198.51.100.7", "Warning: " + told);
        assertThat(border.out(inside).header(HeaderName.WARNING)).isEqualTo(told);
    }

    @Test
    void ofNamesThatBeginAlikeTheLongerOneIsFound() {
        InternalHosts hosts =
                new InternalHosts(
                        List.of(),
                        List.of("voip.corp", "voip.corp.example", "voip.corp.example.net"));
        byte[] text = "gw.voip.corp.example:5060".getBytes(ISO_8859_1);
        assertThat(hosts.nameAt(text, 3, text.length)).isEqualTo("voip.corp.example".length());
        Mentions mentions = new Mentions(hosts).about("203.0.113.1", null, List.of());
        assertThat(mentions.find(text, 0, text.length)).isTrue();
        assertThat(mentions.start()).isZero();
        assertThat(mentions.end()).isEqualTo(text.length);
    }

    @Test
    void thePartsOfAnAddressOutsideAreNoAddresses() {
        String told = "399 x \"2001:db8:1:fd00::1 and 2001:db8:fd00:1:2:3:4:5\"";
        byte[] text = told.getBytes(ISO_8859_1);
        Mentions mentions =
                new Mentions(new InternalHosts(InternalHosts.UNREACHABLE, List.of()))
                        .about("203.0.113.1", null, List.of());
        assertThat(mentions.find(text, 0, text.length)).isFalse();
    }
}
