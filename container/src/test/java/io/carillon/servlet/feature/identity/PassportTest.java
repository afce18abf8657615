package io.carillon.servlet.feature.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.port.CanonicalIdentity;
import io.carillon.sip.uri.Uri;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PASSporTs as RFC 8225 writes them, and identities as RFC 8224 section 8 does. */
class PassportTest {
    /** RFC 8225 appendix A. */
    @Test
    void theExampleOfTheRfcIsWrittenByteForByte() {
        Passport passport =
                Passport.of(
                        "https://cert.example.org/passport.cer",
                        null,
                        new CanonicalIdentity(true, "12155551212"),
                        new CanonicalIdentity(false, "sip:alice@example.com"),
                        1471375418,
                        List.of(),
                        Map.of());
        assertThat(passport.header())
                .isEqualTo(
                        "eyJhbGciOiJFUzI1NiIsInR5cCI6InBhc3Nwb3J0IiwieDV1IjoiaHR0cHM6Ly9j"
                                + "ZXJ0LmV4YW1wbGUub3JnL3Bhc3Nwb3J0LmNlciJ9");
        assertThat(passport.payload())
                .isEqualTo(
                        "eyJkZXN0Ijp7InVyaSI6WyJzaXA6YWxpY2VAZXhhbXBsZS5jb20iXX0sImlhdCI"
                                + "6MTQ3MTM3NTQxOCwib3JpZyI6eyJ0biI6IjEyMTU1NTUxMjEyIn19");
    }

    /** RFC 8225 8.2: the type stands between algorithm and typ. */
    @Test
    void extensionsStandInOrder() {
        assertThat(Json.write(Map.of("x5u", "u", "typ", "passport", "ppt", "foo", "alg", "ES256")))
                .isEqualTo(
                        "{\"alg\":\"ES256\",\"ppt\":\"foo\",\"typ\":\"passport\",\"x5u\":\"u\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "tel:+1-215-555-1212, tn, 12155551212",
        "'tel:5551212;phone-context=example.com', tn, 5551212",
        "sip:+17005551008@chicago.example.com;user=phone, tn, 17005551008",
        "sip:+17005551008@chicago.example.com, tn, 17005551008",
        "'sip:+1(700)555-1008@x;user=phone', tn, 17005551008",
        "'sip:+17005551008;isub=1@x;user=phone', tn, 17005551008",
        "sip:17005551008@x, tn, 17005551008",
        "sip:*67@x;user=phone, tn, *67",
        "sip:911@x, uri, sip:911@x",
        "sip:alice@x;user=phone, uri, sip:alice@x",
        "'SIP:Alice:secret@Example.COM:5061;transport=tcp?Subject=x', uri, sip:alice@example.com",
        "sips:al%69ce@example.com, uri, sips:alice@example.com",
        "sip:a%3Bb@example.com, uri, sip:a%3bb@example.com",
    })
    void identitiesAreCanonical(String uri, String kind, String value) throws Exception {
        CanonicalIdentity identity = CanonicalIdentity.of(Uri.parse(uri));
        assertThat(identity).isNotNull();
        assertThat(identity.kind()).isEqualTo(kind);
        assertThat(identity.value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sip:example.com", "http://example.com/a"})
    void whatNamesNobodyIsNoIdentity(String uri) throws Exception {
        assertThat(CanonicalIdentity.of(Uri.parse(uri))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"a\":1,}",
                "{\"a\":1}x",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1.5}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\n\"}",
                "{\"a\":99999999999999999999}",
                "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}}",
            })
    void whatIsNoJsonObjectIsRefused(String text) {
        assertThatThrownBy(() -> Json.object(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatWasWrittenIsReadAgain() {
        String text = "{\"a\":[1,-2,{}],\"b\":\"\\\"\\\\\\u0007\\u001f\",\"c\":true,\"d\":[]}";
        assertThat(Json.write(Json.object(text))).isEqualTo(text);
        assertThat(Json.write(Json.object(" { \"b\" : \"\\u0041\\/\" , \"a\" : null } ")))
                .isEqualTo("{\"a\":\"\",\"b\":\"A/\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..sig",
                "..sig;alg=ES256",
                "..sig;info=https://x/y",
                "..sig;info=<>",
                "..sig;info=<https://x/y>;info=<https://x/z>",
            })
    void anIdentityWithoutInfoIsNone(String text) {
        assertThatThrownBy(() -> IdentityHeader.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void parametersOfIdentityComeInAnyOrderAndCase() {
        IdentityHeader header =
                IdentityHeader.parse(
                        "a.b.c ; PPT=\"shaken\" ;Info=<https://x/y;z>; alg = ES256;more");
        assertThat(header)
                .isEqualTo(new IdentityHeader("a.b.c", "https://x/y;z", "ES256", "shaken"));
    }
}
