package io.carillon.servlet.app;

import static io.carillon.servlet.TestRequests.request;
import static io.carillon.servlet.TestRequests.sip;
import static io.carillon.servlet.TestRequests.tel;
import static io.carillon.servlet.app.TestArchive.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.TestRequests;
import java.util.Map;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The mapping language over a request INVITE sip:carol@Chicago.Example;transport=tcp;user=phone
 * from alice to bob.
 */
class MappingRuleTest {
    private static final SipServletRequest INVITE =
            TestRequests.of(
                    request(
                            "INVITE",
                            sip(
                                    "carol",
                                    "pbx.Chicago.Example",
                                    -1,
                                    Map.of("transport", "tcp", "x", ""))));

    private static boolean matches(String pattern, SipServletRequest request)
            throws DeploymentException {
        XmlElement root =
                XmlElement.read("sip.xml", stream("<pattern>" + pattern + "</pattern>")).root();
        return new MappingCompiler("sip.xml").compile(root).matches(request);
    }

    @ParameterizedTest
    @CsvSource({
        "equal, request.method, INVITE, true",
        "equal, request.method, invite, false",
        "equal, request.method, BYE, false",
        "equal, request.uri.scheme, sip, true",
        "equal, request.uri.user, carol, true",
        "equal, request.uri.user, Carol, false",
        "equal, request.uri.host, pbx.Chicago.Example, true",
        "equal, request.uri.port, 5060, true",
        "equal, request.uri.param.transport, tcp, true",
        "equal, request.uri.param.lr, x, false",
        "equal, request.from.display-name, Alice, true",
        "equal, request.from.uri.user, alice, true",
        "equal, request.to.uri.port, 5070, true",
        "equal, request.to.uri, sip:bob@biloxi.example:5070, true",
        "contains, request.from, atlanta, true",
        "contains, request.from, Atlanta, false",
        "contains, request.uri.user, aro, true",
        "contains, request.uri.tel, 1, false",
        "subdomain-of, request.uri.host, chicago.example, true",
        "subdomain-of, request.uri.host, pbx.chicago.example, true",
        "subdomain-of, request.uri.host, ago.example, false",
        "subdomain-of, request.uri.host, x.pbx.chicago.example, false",
    })
    void conditionOnAVariable(String operator, String variable, String value, boolean expected)
            throws DeploymentException {
        String pattern =
                "<"
                        + operator
                        + "><var>"
                        + variable
                        + "</var><value>"
                        + value
                        + "</value></"
                        + operator
                        + ">";
        assertThat(matches(pattern, INVITE)).isEqualTo(expected);
    }

    @Test
    void ignoreCaseStandsAtTheVariable() throws DeploymentException {
        assertThat(
                        matches(
                                "<equal><var ignore-case='true'>request.uri.user</var><value>CAROL</value></equal>",
                                INVITE))
                .isTrue();
        assertThat(
                        matches(
                                "<contains><var ignore-case='true'>request.uri.host</var><value>CHICAGO</value></contains>",
                                INVITE))
                .isTrue();
    }

    @Test
    void existsAsksWhetherTheRequestHasIt() throws DeploymentException {
        assertThat(matches("<exists><var>request.uri.param.x</var></exists>", INVITE)).isTrue();
        assertThat(matches("<exists><var>request.uri.param.y</var></exists>", INVITE)).isFalse();
        assertThat(matches("<exists><var>request.uri.tel</var></exists>", INVITE)).isFalse();
    }

    @Test
    void andOrNotCombine() throws DeploymentException {
        String invite = "<equal><var>request.method</var><value>INVITE</value></equal>";
        String bye = "<equal><var>request.method</var><value>BYE</value></equal>";
        assertThat(matches("<and>" + invite + invite + "</and>", INVITE)).isTrue();
        assertThat(matches("<and>" + invite + bye + "</and>", INVITE)).isFalse();
        assertThat(matches("<or>" + bye + invite + "</or>", INVITE)).isTrue();
        assertThat(matches("<or>" + bye + bye + "</or>", INVITE)).isFalse();
        assertThat(matches("<not>" + bye + "</not>", INVITE)).isTrue();
        assertThat(
                        matches(
                                "<and>\n<or>"
                                        + bye
                                        + invite
                                        + "</or>\n<not>"
                                        + bye
                                        + "</not>\n</and>",
                                INVITE))
                .isTrue();
    }

    @Test
    void telephoneNumbersMatchByTheirBeginning() throws DeploymentException {
        String pattern =
                "<subdomain-of><var>request.uri.tel</var><value>+1212</value></subdomain-of>";
        assertThat(matches(pattern, to(tel("1-212-555-0101", true)))).isTrue();
        assertThat(matches(pattern, to(tel("1212", false)))).isFalse();
        assertThat(
                        matches(
                                pattern,
                                to(
                                        sip(
                                                "+1-212-5550101",
                                                "gw.example",
                                                -1,
                                                Map.of("user", "phone")))))
                .isTrue();
        assertThat(matches(pattern, to(sip("+12125550101", "gw.example", -1, Map.of())))).isFalse();
    }

    private static SipServletRequest to(URI uri) {
        return TestRequests.of(request("INVITE", uri));
    }
}
