package io.carillon.sip.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@link HeaderSyntax} says of a value does not depend on how often it came before. */
class WellFormedValuesTest {
    private final HeaderSyntax syntax = new HeaderSyntax();

    private String check(HeaderName name, String value) {
        byte[] b = value.getBytes(StandardCharsets.US_ASCII);
        return syntax.check(name.id(), b, 0, b.length);
    }

    @Test
    void aTagIsSeenEachTime() {
        for (int i = 0; i < 3; i++) {
            assertThat(check(HeaderName.FROM, "<sip:a@b.example>;tag=1")).isNull();
            assertThat(syntax.tagSeen()).isTrue();
            assertThat(check(HeaderName.FROM, "<sip:a@b.example>;gat=1")).isNull();
            assertThat(syntax.tagSeen()).isFalse();
        }
    }

    @Test
    void aStarIsSeenEachTimeAndForgottenBehindIt() {
        for (int i = 0; i < 3; i++) {
            assertThat(check(HeaderName.CONTACT, "*")).isNull();
            assertThat(syntax.starSeen()).isTrue();
            assertThat(check(HeaderName.CONTACT, "<sip:a@192.0.2.1>")).isNull();
            assertThat(syntax.starSeen()).isFalse();
        }
    }

    /** RFC 3261 25.1: Route = route-param, which is a name-addr; Contact takes an addr-spec too. */
    @Test
    void aValueIsKnownInItsHeaderAlone() {
        for (int i = 0; i < 3; i++) {
            assertThat(check(HeaderName.CONTACT, "sip:p1.example;lr")).isNull();
            assertThat(syntax.faults()).isZero();
            check(HeaderName.ROUTE, "sip:p1.example;lr");
            assertThat(syntax.faults()).isNotZero();
        }
        assertThat(check(HeaderName.CONTACT, "<sip:a@b.example>, <sip:c@d.example>")).isNull();
        assertThat(check(HeaderName.FROM, "<sip:a@b.example>, <sip:c@d.example>")).isNotNull();
    }

    @Test
    void whatIsWrongIsWrongEachTime() {
        for (String bad :
                List.of("<sip:a@b.example", "<sip:a b@c.example>;tag=1", "\"a <sip:b@c>")) {
            String first = check(HeaderName.TO, bad);
            assertThat(first).isNotNull();
            assertThat(check(HeaderName.TO, bad)).isEqualTo(first);
        }
    }

    /** Each bit of a value counts, whatever its length. */
    @Test
    void neighboursAreNotTakenForEachOther() {
        byte[] b =
                "<sip:somebody@host.example>;tag=0123456789abcdef"
                        .getBytes(StandardCharsets.US_ASCII);
        WellFormedValues values = new WellFormedValues();
        for (int to = 1; to <= b.length; to++) {
            long hash = WellFormedValues.hash(1, b, 0, to);
            values.add(hash, true);
            assertThat(values.seen(hash)).isEqualTo(1);
            for (int i = 0; i < to; i++) {
                b[i] ^= 1;
                assertThat(values.seen(WellFormedValues.hash(1, b, 0, to)))
                        .isEqualTo(WellFormedValues.UNKNOWN);
                b[i] ^= 1;
            }
            assertThat(values.seen(WellFormedValues.hash(2, b, 0, to)))
                    .isEqualTo(WellFormedValues.UNKNOWN);
        }
    }

    @Test
    void longValuesAreNotRemembered() {
        byte[] b = new byte[300];
        WellFormedValues values = new WellFormedValues();
        long hash = WellFormedValues.hash(1, b, 0, b.length);
        values.add(hash, true);
        assertThat(values.seen(hash)).isEqualTo(WellFormedValues.UNKNOWN);
    }
}
