package io.carillon.server.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.control.ControlFailure;
import io.carillon.servlet.feature.compose.RouteReport;
import io.carillon.servlet.route.RouterException;
import io.carillon.sip.message.SipRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteCommandsTest {
    private static final RouteReport REPORT =
            new RouteReport(
                    "INVITE",
                    "sip:b@y",
                    "sip:a@x",
                    "router.properties",
                    List.of(
                            new RouteReport.Visit(
                                    "one",
                                    "main",
                                    "ORIGINATING",
                                    "sip:a@x",
                                    "1",
                                    List.of(),
                                    List.of(
                                            new RouteReport.Look(
                                                    3, "INVITE", "one", true, "no condition")))),
                    List.of(new RouteReport.Look(4, "ALL", "two", false, "is not deployed")),
                    "leaves");

    private boolean broken;
    private List<String> absent = List.of();

    private final Routes routes =
            new Routes() {
                @Override
                public RouteReport route(SipRequest request) {
                    assertThat(request.requestUri()).hasToString("sip:b@y");
                    return REPORT;
                }

                @Override
                public List<String> routedButNotDeployed() {
                    return absent;
                }

                @Override
                public boolean reloadRouter(boolean always) {
                    if (broken) {
                        throw new RouterException("router.properties", 7, "expected '('");
                    }
                    return always;
                }
            };

    private String answer(String command, String argument) throws ControlFailure {
        return RouteCommands.of(routes).get(command).answer(argument);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void reportsWhereARequestWouldGo() throws ControlFailure {
        String request =
                "INVITE sip:b@y SIP/2.0\r\nVia: SIP/2.0/UDP x;branch=z9hG4bKr\r\nMax-Forwards: 70\r\n"
                        + "From: <sip:a@x>;tag=r\r\nTo: <sip:b@y>\r\nCall-ID: r\r\nCSeq: 1 INVITE\r\n"
                        + "Content-Length: 0\r\n\r\n";
        RouteReport report = RouteText.parse(answer("route", base64(request)));
        assertThat(report).isEqualTo(REPORT);
        assertThat(RouteText.terminal(report))
                .isEqualTo(
                        """
                        INVITE sip:b@y  from sip:a@x
                        router: router.properties
                           line 3, INVITE: one taken: no condition
                        1. one  servlet main  region ORIGINATING  subscriber sip:a@x  state 1
                           line 4, ALL: two passed over: is not deployed
                        then: leaves
                        """);
    }

    @Test
    void refusesWhatIsNoRequestInOneLine() {
        for (String argument :
                new String[] {
                    "%%", base64("SIP/2.0 200 OK\r\n\r\n"), base64("INVITE sip:b@y\r\n"), ""
                }) {
            assertThatThrownBy(() -> answer("route", argument))
                    .isInstanceOf(ControlFailure.class)
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void reloadsAndTellsFileAndLineOfABrokenOne() throws ControlFailure {
        assertThat(answer("router-reload", "")).isEqualTo("the router's file was read again\n");
        absent = List.of("router.properties:3: application 'x' is not deployed");
        assertThat(answer("router-reload", ""))
                .isEqualTo(
                        """
                        the router's file was read again
                        warning: router.properties:3: application 'x' is not deployed
                        """);
        broken = true;
        assertThatThrownBy(() -> answer("router-reload", ""))
                .isInstanceOf(ControlFailure.class)
                .hasMessage("router.properties:7: expected '('; the old rules stay");
    }
}
