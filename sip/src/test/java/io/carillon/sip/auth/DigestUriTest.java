package io.carillon.sip.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.uri.Uri;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 7616 3.4.6 and RFC 8760 2.6 item 6: what credentials were made for. */
class DigestUriTest {
    private static final Predicate<String> OWN =
            Set.of("example.com", "10.0.0.1", "[2001:db8::1]")::contains;

    @ParameterizedTest
    @CsvSource({
        "sip:bob@example.com, sip:bob@example.com, true, true",
        "sip:bob@example.com, SIP:bob@EXAMPLE.com:5070;transport=tcp, true, true",
        "sip:bob@example.com, sips:bob@example.com, true, true",
        "sip:b%6Fb@example.com, sip:bob@example.com, true, true",
        "sip:bob@example.com, sip:bob@10.0.0.1, true, true",
        "sip:example.com, sip:10.0.0.1, true, true",
        "sip:bob@other.example, sip:bob@other.example, true, true",
        "sip:+49-30-1@example.com, tel:+49.30.1, true, true",
        "tel:+49301, sip:+49301@example.com;user=phone, true, true",
        "tel:+49301, sip:+49301;phone-context=x@example.com, true, true",
        "tel:+49301, tel:+49(30)1;ext=2, true, true",
        "urn:service:sos, urn:service:sos, true, true",
        "sip:bob@other.example, sip:bob@10.0.0.1, false, true",
        "sip:bob@other.example, tel:1, false, false",
        "sip:Bob@example.com, sip:bob@example.com, false, false",
        "sip:bob@example.com, sip:carol@example.com, false, false",
        "sip:example.com, sip:bob@example.com, false, false",
        "tel:+49301, tel:+49302, false, false",
        "tel:+49301, sip:+49302@example.com, false, false",
        "urn:service:sos, urn:service:other, false, false",
        "bob@example.com, sip:bob@example.com, false, false",
        "/, sip:bob@example.com, false, false",
    })
    void aUriAgreesWhenItDesignatesTheSame(
            String uri, String requestUri, boolean same, boolean user) throws Exception {
        Uri asked = Uri.parse(requestUri);
        assertThat(DigestUri.SAME.agrees(uri, asked, OWN)).isEqualTo(same);
        assertThat(DigestUri.USER.agrees(uri, asked, OWN)).isEqualTo(user);
        assertThat(DigestUri.ANY.agrees(uri, asked, OWN)).isTrue();
    }

    @Test
    void inADialogItIsEnoughThatItLeadsHere() {
        assertThat(DigestUri.SAME.leadsHere("sip:token@10.0.0.1:5061", OWN)).isTrue();
        assertThat(DigestUri.SAME.leadsHere("sip:bob@other.example", OWN)).isFalse();
        assertThat(DigestUri.SAME.leadsHere("nothing", OWN)).isFalse();
        assertThat(DigestUri.USER.leadsHere("sip:bob@other.example", OWN)).isTrue();
        assertThat(DigestUri.ANY.leadsHere("nothing", OWN)).isTrue();
    }
}
