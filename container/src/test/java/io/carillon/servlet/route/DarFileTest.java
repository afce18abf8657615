package io.carillon.servlet.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipRouteModifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties files of the default router as they occur. */
class DarFileTest {
    private static DarFile parse(String content) {
        return DarFile.parse("dar.properties", content);
    }

    private static List<String> applications(DarFile file, String method) {
        return Arrays.stream(file.entries(method)).map(DarEntry::application).toList();
    }

    @Test
    void oneEntry() {
        DarEntry entry =
                parse(
                                "INVITE: (\"Screen\", \"DAR:From\", \"ORIGINATING\", \"sip:a;lr\", \"ROUTE_BACK\", \"7\")\n")
                        .entries("INVITE")[0];
        assertThat(entry.application()).isEqualTo("Screen");
        assertThat(entry.subscriber()).isEqualTo("DAR:From");
        assertThat(entry.region()).isSameAs(SipApplicationRoutingRegion.ORIGINATING_REGION);
        assertThat(entry.routes()).containsExactly("sip:a;lr");
        assertThat(entry.modifier()).isEqualTo(SipRouteModifier.ROUTE_BACK);
        assertThat(entry.order()).isEqualTo(7);
        assertThat(entry.line()).isEqualTo(1);
    }

    @Test
    void anApplicationHasANameThatItCouldHave() {
        assertThatThrownBy(() ->
                        parse(
                                "INVITE: (\"../a\", \"\", \"ORIGINATING\", \"\", \"NO_ROUTE\", \"0\")"))
                .isInstanceOf(RouterException.class)
                .hasMessageContaining("no application is named '../a'")
                .hasMessageContaining("letters, digits");
    }

    static Stream<Arguments> inTheWild() {
        String a = "(\"a\", \"DAR\\:From\", \"ORIGINATING\", \"\", \"NO_ROUTE\", \"0\")";
        String b = "(\"b\", \"DAR\\:To\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"1\")";
        return Stream.of(
                Arguments.of("plain", "INVITE=" + a + "," + b),
                Arguments.of(
                        "colon, blanks, comment",
                        "# routes\n\n  INVITE : " + a + " , " + b + "  \n! end"),
                Arguments.of("continuation", "INVITE: " + a + ", \\\n        " + b),
                Arguments.of(
                        "continuation, Windows line ends",
                        "INVITE: " + a + ", \\\r\n        " + b + "\r\n"),
                Arguments.of(
                        "continuation inside an entry",
                        "INVITE: (\"a\", \"DAR\\:From\", \\\n\t\"ORIGINATING\", \"\", \"NO_ROUTE\", \"0\"), "
                                + b),
                Arguments.of("trailing comma", "INVITE: " + a + "," + b + ","),
                Arguments.of(
                        "trailing comma inside the entry",
                        "INVITE: " + a.replace("\"0\")", "\"0\",)") + "," + b),
                Arguments.of("no comma between", "INVITE: " + a + " " + b),
                Arguments.of("out of order", "INVITE: " + b + ", " + a),
                Arguments.of("blank route", "INVITE: " + a.replace("\"\"", "\" \"") + "," + b),
                Arguments.of("no blanks at all", ("INVITE:" + a + "," + b).replace(" ", "")),
                Arguments.of(
                        "conditions of Mobicents",
                        "INVITE: "
                                + a.replace(
                                        "\"0\")",
                                        "\"0\", \"DIRECTION=INBOUND REGEX=From:.*sip:.*@sip-servlets\\\\.com\")")
                                + ","
                                + b),
                Arguments.of("unescaped colon", ("INVITE: " + a + "," + b).replace("\\:", ":")),
                Arguments.of(
                        "lower case words",
                        ("invite: " + a + "," + b)
                                .replace("NO_ROUTE", "no_route")
                                .replace("ORIGINATING", "originating")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("inTheWild")
    void filesInTheWild(String what, String content) {
        DarFile file = parse(content);
        assertThat(applications(file, "INVITE")).containsExactly("a", "b");
        assertThat(file.entries("INVITE")[0].subscriber()).isEqualTo("DAR:From");
        assertThat(file.entries("INVITE")[0].routes()).isNull();
        assertThat(file.entries("REGISTER")).isEmpty();
    }

    @Test
    void routesMayBeSeveral() {
        DarEntry entry =
                parse(
                                "INVITE: (\"\", \"\", \"NEUTRAL\", \"sip:a;lr, <sip:b,c;lr>\", \"ROUTE\", \"0\")")
                        .entries("INVITE")[0];
        assertThat(entry.application()).isEmpty();
        assertThat(entry.routes()).containsExactly("sip:a;lr", "<sip:b,c;lr>");
    }

    static Stream<Arguments> wrongFiles() {
        String good = "(\"a\", \"\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"0\")";
        return Stream.of(
                Arguments.of(
                        "\n\nINVITE: a, b",
                        "dar.properties:3: expected '(' at the begin of an entry, found 'a'"),
                Arguments.of("INVITE:", "dar.properties:1: no entry; expected (\"application\", "),
                Arguments.of(
                        "INVITE: " + good + ", \\\n (\"b\", \"\")",
                        "dar.properties:2: an entry has 6 fields, or 7 with conditions: "),
                Arguments.of(
                        "INVITE: " + good + ", \\\n\\\n (\"b\", \"\", \"NEUTRAL\"",
                        "dar.properties:3: the entry that begins here has no ')'"),
                Arguments.of(
                        "INVITE: (a, b)",
                        "dar.properties:1: a field stands in double quotes; found 'a'"),
                Arguments.of(
                        "INVITE: (\"a, b)",
                        "dar.properties:1: the field that begins here has no closing quote"),
                Arguments.of(
                        "INVITE: (\"a\"\"b\")",
                        "dar.properties:1: expected ',' or ')' behind a field, found '\"'"),
                Arguments.of(
                        "INVITE: " + good.replace("NEUTRAL", "NORTH"),
                        "dar.properties:1: the region must be ORIGINATING, TERMINATING or NEUTRAL, not 'NORTH'"),
                Arguments.of(
                        "INVITE: " + good.replace("NO_ROUTE", "NONE"),
                        "dar.properties:1: the route modifier must be ROUTE, ROUTE_BACK or NO_ROUTE, not 'NONE'"),
                Arguments.of(
                        "INVITE: " + good.replace("NO_ROUTE", "ROUTE"),
                        "dar.properties:1: ROUTE needs a route URI in the fourth field"),
                Arguments.of(
                        "INVITE: " + good.replace("\"a\"", "\"\""),
                        "dar.properties:1: an entry without an application must ROUTE somewhere"),
                Arguments.of(
                        "INVITE: " + good.replace("\"0\"", "\"first\""),
                        "dar.properties:1: the order must be a number, not 'first'"),
                Arguments.of(
                        "INVITE: " + good.replace("\"\", \"NEUTRAL\"", "\"DAR:\", \"NEUTRAL\""),
                        "dar.properties:1: DAR: needs a header name behind it"),
                Arguments.of(
                        "INVITE: " + good + "\nOPTIONS: " + good + "\nINVITE: " + good,
                        "dar.properties:3: INVITE stands in line 1 already; put its entries behind each other there"),
                Arguments.of(
                        "INVITE: " + with("DIRECTION=UP"),
                        "dar.properties:1: DIRECTION must be INBOUND or OUTBOUND, not 'UP'"),
                Arguments.of(
                        "INVITE: " + with("REGEX=a(b"),
                        "dar.properties:1: 'a(b' is no regular expression: Unclosed group"),
                Arguments.of(
                        "INVITE: " + with("REGEX="),
                        "dar.properties:1: condition 'REGEX=' must be NAME=VALUE"),
                Arguments.of(
                        "INVITE: " + with("METHOD=x"),
                        "dar.properties:1: unknown condition 'METHOD'; known are DIRECTION, REGEX, HEADER_name and USER"),
                Arguments.of(
                        "INVITE: " + with("USER=1||2"),
                        "dar.properties:1: USER=1||2 has an empty name beside a '|'"),
                Arguments.of(
                        "INVITE: \\u12", "dar.properties:1: \\u needs four hexadecimal digits"));
    }

    private static String with(String conditions) {
        return "(\"a\", \"\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"0\", \"" + conditions + "\")";
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("wrongFiles")
    void aWrongFileNamesFileLineAndRule(String content, String message) {
        assertThatThrownBy(() -> parse(content))
                .isInstanceOf(RouterException.class)
                .hasMessageStartingWith(message);
    }
}
