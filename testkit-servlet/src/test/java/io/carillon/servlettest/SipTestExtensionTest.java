package io.carillon.servlettest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.carillon.testkit.Call;
import io.carillon.testkit.SourceApplication;
import io.carillon.testkit.UserAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** What the extension promises. */
@SipTest(seed = 7, contextParams = "uas.unused=x")
class SipTestExtensionTest {
    private SipTestServer ofBeforeEach;

    @BeforeEach
    void sameServer(SipTestServer server) {
        ofBeforeEach = server;
    }

    @Test
    void beforeEachAndTheTestHaveTheSameServer(SipTestServer server) {
        assertThat(server).isSameAs(ofBeforeEach);
        assertThat(server.container().applications()).isEmpty();
    }

    @Test
    @SipTest(servlets = AnsweringServlet.class, roundTrip = true)
    void theMethodsAnnotationWins(SipTestServer server) {
        Call call = server.phone("alice").call(server.uri("x"));
        server.advance(Duration.ofSeconds(1));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
    }

    @Test
    void anArchiveIsDeployedAndAnotherVersionTakesItsPlace(
            SipTestServer server, @TempDir Path folder) throws Exception {
        Path uas =
                SourceApplication.build(Path.of("../examples/uas/src/main"), folder.resolve("uas"));
        server.deploy(uas);
        UserAgent alice = server.phone("alice");
        Call first = alice.call(server.uri("uas"));
        server.advance(Duration.ofSeconds(1));
        assertThat(server.deploy(uas).version()).isEqualTo(2);
        Call second = alice.call(server.uri("uas"));
        server.advance(Duration.ofSeconds(1));
        assertThat(server.sessions("uas")).hasSize(2);
        assertThat(server.container().retiring()).hasSize(1);
        first.bye();
        second.bye();
        server.advance(Duration.ofSeconds(1));
        assertThat(server.container().retiring()).isEmpty();
        server.assertNothingLeft();
    }

    @Test
    void sessionSaysHowManyThereAre(SipTestServer server) {
        assertThatThrownBy(() -> server.session("none"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("application none has 0 sessions");
    }

    /** Run by {@link #aTestWhoseApplicationThrowsFails}; not by its own name. */
    @SipTest(servlets = AnsweringServlet.class)
    static class Throwing {
        @Test
        void unexpected(SipTestServer server) {
            server.phone("nobody").call(server.uri("x"));
            server.advance(Duration.ofSeconds(1));
        }

        @Test
        void expected(SipTestServer server) {
            server.expectErrors();
            Call call = server.phone("nobody").call(server.uri("x"));
            server.advance(Duration.ofSeconds(1));
            assertThat(call.finalStatus()).isEqualTo(500);
            assertThat(server.errors()).isEqualTo(1);
        }
    }

    private static SummaryGeneratingListener run(String method) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectMethod(Throwing.class, method, SipTestServer.class))
                        .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary);
        return summary;
    }

    @Test
    void aTestWhoseApplicationThrowsFails() {
        assertThat(run("unexpected").getSummary().getFailures())
                .singleElement()
                .satisfies(failure ->
                        assertThat(failure.getException())
                                .hasMessageContaining("application answeringServlet")
                                .hasMessageContaining("nobody calls"));
        assertThat(run("expected").getSummary().getFailures()).isEmpty();
    }

    /** The document's first example is {@link AnsweringServletTest}, line by line. */
    @Test
    void theExampleStandsInTheDocument() throws Exception {
        String document = Files.readString(Path.of("../docs/start/testing-applications.md"));
        for (String name : new String[] {"AnsweringServlet", "AnsweringServletTest"}) {
            String source =
                    Files.readString(
                            Path.of("src/test/java/io/carillon/servlettest/" + name + ".java"));
            String type = source.substring(source.indexOf("/**"));
            String code = type.substring(type.indexOf("*/") + 2).strip();
            assertThat(document).as(name).contains(code);
        }
    }

    /** Two servers are two worlds. */
    @Test
    void applicationsOfOneTestAreNotThereInTheNext(SipTestServer server) throws Exception {
        server.deploy(
                "counting",
                new SipServlet() {
                    @Override
                    protected void doOptions(SipServletRequest request) throws java.io.IOException {
                        request.createResponse(200).send();
                    }
                });
        assertThat(server.container().applications()).hasSize(1);
        assertThat(server.undeploy("counting")).isTrue();
        assertThat(server.container().applications()).isEmpty();
    }
}
