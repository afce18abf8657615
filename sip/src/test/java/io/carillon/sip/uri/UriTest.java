package io.carillon.sip.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.bytes.SipParseException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** URIs of RFC 3261 section 19.1 and RFC 3966. */
class UriTest {
    private static Uri uri(String text) {
        try {
            return Uri.parse(text);
        } catch (SipParseException e) {
            throw new AssertionError(text, e);
        }
    }

    private static SipUri sip(String text) {
        return (SipUri) uri(text);
    }

    private static void assertMatch(String a, String b, boolean expected) {
        assertThat(uri(a).matches(uri(b))).as("%s <-> %s", a, b).isEqualTo(expected);
        assertThat(uri(b).matches(uri(a))).as("%s <-> %s", b, a).isEqualTo(expected);
    }

    @Test
    void s19_1_1_parts_of_a_uri() {
        SipUri u = sip("sips:alice:pa%20ss@atlanta.com:5061;transport=tcp;lr?Subject=a%20b&To=x");
        assertThat(u.secure()).isTrue();
        assertThat(u.scheme()).isEqualTo("sips");
        assertThat(u.user()).isEqualTo("alice");
        assertThat(u.password()).isEqualTo("pa ss");
        assertThat(u.host()).isEqualTo("atlanta.com");
        assertThat(u.port()).isEqualTo(5061);
        assertThat(u.param("Transport")).isEqualTo("tcp");
        assertThat(u.param("lr")).isEmpty();
        assertThat(u.param("ttl")).isNull();
        assertThat(u.isLooseRouter()).isTrue();
        assertThat(u.paramNames()).containsExactly("transport", "lr");
        assertThat(u.headers())
                .containsExactly(new UriHeader("Subject", "a b"), new UriHeader("To", "x"));
    }

    @Test
    void s19_1_4_equivalent_uris_of_the_rfc() {
        assertMatch(
                "sip:%61lice@atlanta.com;transport=TCP",
                "sip:alice@AtLanTa.CoM;Transport=tcp", true);
        assertMatch("sip:carol@chicago.com", "sip:carol@chicago.com;newparam=5", true);
        assertMatch("sip:carol@chicago.com", "sip:carol@chicago.com;security=on", true);
        assertMatch("sip:carol@chicago.com;newparam=5", "sip:carol@chicago.com;security=on", true);
        assertMatch(
                "sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com",
                "sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com", true);
        assertMatch(
                "sip:alice@atlanta.com?subject=project%20x&priority=urgent",
                "sip:alice@atlanta.com?priority=urgent&subject=project%20x", true);
    }

    @Test
    void s19_1_4_header_components_that_stand_several_times_match_one_for_one() {
        assertMatch("sip:a@b?x=1&x=1", "sip:a@b?x=1&x=1", true);
        assertMatch("sip:a@b?x=1&x=2", "sip:a@b?x=2&x=1", true);
        assertMatch("sip:a@b?x=1&x=1", "sip:a@b?x=1&x=2", false);
    }

    @Test
    void s19_1_4_uris_of_the_rfc_that_are_not_equivalent() {
        assertMatch(
                "SIP:ALICE@AtLanTa.CoM;Transport=udp",
                "sip:alice@AtLanTa.CoM;Transport=UDP",
                false);
        assertMatch("sip:bob@biloxi.com", "sip:bob@biloxi.com:5060", false);
        assertMatch("sip:bob@biloxi.com", "sip:bob@biloxi.com;transport=udp", false);
        assertMatch("sip:bob@biloxi.com", "sip:bob@biloxi.com:6000;transport=tcp", false);
        assertMatch("sip:carol@chicago.com", "sip:carol@chicago.com?Subject=next%20meeting", false);
        assertMatch("sip:bob@phone21.boxesbybob.com", "sip:bob@192.0.2.4", false);
        assertMatch(
                "sip:carol@chicago.com;security=on", "sip:carol@chicago.com;security=off", false);
        assertMatch("sip:a@b", "sips:a@b", false);
        assertMatch("sip:a@b", "sip:b", false);
        assertMatch("sip:a:p@b", "sip:a@b", false);
        assertMatch("sip:a@b;maddr=1.2.3.4", "sip:a@b", false);
    }

    @Test
    void s19_1_4_a_reserved_character_differs_from_its_escape() {
        assertMatch("sip:a;b@h", "sip:a%3Bb@h", false);
        assertMatch("sip:a%3bb@h", "sip:a%3Bb@h", true);
        assertMatch("sip:%7euser@h", "sip:~user@h", true);
    }

    @Test
    void s19_1_2_what_is_set_is_escaped_and_comes_back() {
        SipUri u =
                SipUri.of("a b@c:d", "h", 5070)
                        .withParam("x", "1;2")
                        .withHeader("Subject", "a&b=c");
        assertThat(u.toString()).isEqualTo("sip:a%20b%40c%3Ad@h:5070;x=1%3B2?Subject=a%26b%3Dc");
        assertThat(u.user()).isEqualTo("a b@c:d");
        assertThat(u.param("x")).isEqualTo("1;2");
        assertThat(u.uriHeader("subject")).isEqualTo("a&b=c");
        assertThat(SipUri.of("Jürgen", "h", -1).user()).isEqualTo("Jürgen");
    }

    @Test
    void with_and_without_change_one_part_only() {
        SipUri u = sip("sip:a@h:1;x=1;lr;y?s=1");
        assertThat(u.withUser(null)).hasToString("sip:h:1;x=1;lr;y?s=1");
        assertThat(u.withHost("2001:db8::1")).hasToString("sip:a@[2001:db8::1]:1;x=1;lr;y?s=1");
        assertThat(u.withPort(-1)).hasToString("sip:a@h;x=1;lr;y?s=1");
        assertThat(u.withParam("x", "2")).hasToString("sip:a@h:1;x=2;lr;y?s=1");
        assertThat(u.withParam("z", null)).hasToString("sip:a@h:1;x=1;lr;y;z?s=1");
        assertThat(u.withoutParam("lr")).hasToString("sip:a@h:1;x=1;y?s=1");
        assertThat(u.withoutHeaders()).hasToString("sip:a@h:1;x=1;lr;y");
        assertThat(u.withSecure(true)).hasToString("sips:a@h:1;x=1;lr;y?s=1");
    }

    @Test
    void nothing_can_be_smuggled_in_through_a_part() {
        for (String host : List.of("h;lr", "h?x=y", "a@h", "", "h h", "[::1", "h\r\nX: y")) {
            assertThatThrownBy(() -> SipUri.of("a", host, -1))
                    .as(host)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> SipUri.of("a", "h", 70000))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(SipUri.of("a\r\nX: y", "h", -1).toString()).doesNotContain("\r", "\n", " ");
    }

    @Test
    void s25_1_brackets_hold_an_ipv6_address_and_nothing_else() {
        for (String good :
                List.of(
                        "[::]",
                        "[::1]",
                        "[1::]",
                        "[2001:db8::1]",
                        "[1:2:3:4:5:6:7:8]",
                        "[1:2:3:4:5:6:7::]",
                        "[1:2:3:4:5:6:192.0.2.1]",
                        "[::192.0.2.1]",
                        "[::ffff:192.0.2.1]",
                        "[2001:db8:::192.0.2.1]")) {
            assertThat(((SipUri) uri("sip:a@" + good + ":5080")).host()).isEqualTo(good);
        }
        for (String bad :
                List.of(
                        "[127.0.0.1:5080]",
                        "[192.0.2.1]",
                        "[example.com]",
                        "[]",
                        "[:]",
                        "[1]",
                        "[:1]",
                        "[1:]",
                        "[1::2::3]",
                        "[::1:]",
                        "[1:2:3:4:5:6:7]",
                        "[1:2:3:4:5:6:7:8:9]",
                        "[1:2:3:4:5:6:7:8::]",
                        "[12345::1]",
                        "[::192.0.2]",
                        "[::192.0.2.256]",
                        "[::192.0.2.1:1]",
                        "[1:2:3:4:5:6:7:192.0.2.1]",
                        "[fe80::1%eth0]",
                        "[::1")) {
            assertThatThrownBy(() -> SipUri.of("a", bad, -1))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Uri.parse("sip:a@" + bad + ":5080"))
                    .as(bad)
                    .isInstanceOf(SipParseException.class);
        }
        assertThatThrownBy(() -> SipUri.of("a", "127.0.0.1:5080", -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void thousands_of_parameters_are_compared_as_text() {
        String few = "sip:a@b;x=1;y=2";
        assertThat(uri(few).matches(uri("sip:a@b;y=2;x=1"))).isTrue();
        String many = "sip:a@b" + ";x=1".repeat(600);
        assertThat(uri(many).matches(uri(many))).isTrue();
        assertThat(uri(many).matches(uri(many.replace("=1", "=%31")))).isFalse();
        assertThat(uri(few).matches(uri(many))).isFalse();
        String headers = "sip:a@b?" + "x=1&".repeat(600);
        assertThat(uri(headers + "y=1").matches(uri(headers + "y=%31"))).isFalse();
    }

    @Test
    void malformed_uris_are_refused() {
        for (String bad :
                List.of(
                        "",
                        ":",
                        "sip",
                        "sip:",
                        "sip:@h",
                        "sip:a@",
                        "sip:a b@h",
                        "sip:h:70000",
                        "sip:h:",
                        "sip:h:x",
                        "sip:[::1",
                        "sip:a@h;=x",
                        "sip:a%4@h",
                        "sip:a@h?",
                        "<sip:a@h>",
                        "sip:2001:db8::10",
                        "tel:",
                        "tel:+",
                        "tel:abc!",
                        "1x:y",
                        "tel:+1;=x",
                        "sip:a\u0000@h")) {
            assertThatThrownBy(() -> Uri.parse(bad)).as(bad).isInstanceOf(SipParseException.class);
        }
    }

    /** Against RFC 3261 25.1, but phones write it; the text stays as it came. */
    @Test
    void a_semicolon_with_nothing_behind_it_is_no_parameter() {
        for (String text : List.of("sip:a@h;", "sip:a@h;;", "sip:a@h;?Subject=s")) {
            SipUri uri = sip(text);
            assertThat(uri.paramNames()).as(text).isEmpty();
            assertThat(uri.toString()).isEqualTo(text);
            assertThat(uri.host()).isEqualTo("h");
        }
        SipUri two = sip("sip:a@h;x=1;;lr;");
        assertThat(two.paramNames()).containsExactly("x", "lr");
        assertThat(two.param("x")).isEqualTo("1");
        assertThat(two.isLooseRouter()).isTrue();
        assertThat(two.param("")).isNull();
        assertThat(two.withoutParam("x").paramNames()).containsExactly("lr");
        assertThat(two.withParam("y", "2").paramNames()).containsExactly("x", "lr", "y");
        assertMatch("sip:a@h;", "sip:a@h", true);
        assertMatch("sip:a@h;x=1;;lr;", "sip:a@h;lr;x=1", true);
        assertMatch("sip:a@h;;x=1", "sip:a@h;;x=2", false);
        assertMatch("tel:+1201;", "tel:+1201", true);
    }

    @Test
    void text_beyond_ascii_is_carried() {
        SipUri u = sip("sip:jürgen@example.com;x=ü");
        assertThat(u.rawUser()).isEqualTo("jürgen");
        assertThat(u.host()).isEqualTo("example.com");
        assertThat(u.param("x")).isEqualTo("ü");
    }

    @Test
    void rfc3966_5_telephone_numbers_compare_without_separators() {
        assertMatch("tel:+1-201-555-0123", "tel:+12015550123", true);
        assertMatch("tel:+1(201)555.0123;isub=1", "TEL:+12015550123;ISUB=1", true);
        assertMatch(
                "tel:7042;phone-context=example.com", "tel:7042;phone-context=EXAMPLE.com", true);
        assertMatch("tel:7042;phone-context=+1-2", "tel:7042;phone-context=+12", true);
        assertMatch("tel:7042;phone-context=a.com", "tel:7042;phone-context=b.com", false);
        assertMatch("tel:+7042", "tel:7042", false);
        assertMatch("tel:+1;ext=5", "tel:+1", false);
        TelUri tel = (TelUri) uri("tel:+1-201-555-0123;phone-context=+1;x");
        assertThat(tel.number()).isEqualTo("+1-201-555-0123");
        assertThat(tel.global()).isTrue();
        assertThat(tel.param("phone-context")).isEqualTo("+1");
        assertThat(tel.withoutParam("x").withParam("ext", "5"))
                .hasToString("tel:+1-201-555-0123;phone-context=+1;ext=5");
    }

    @Test
    void other_schemes_are_opaque() {
        assertThat(uri("nobodyKnowsThisScheme:totallyopaquecontent").scheme())
                .isEqualTo("nobodyknowsthisscheme");
        assertMatch("HTTP://x/y", "http://x/y", true);
        assertMatch("http://x/y", "http://x/Y", false);
        assertThat(uri("urn:service:sos").isSip()).isFalse();
    }
}
