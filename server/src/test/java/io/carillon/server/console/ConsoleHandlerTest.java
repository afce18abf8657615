package io.carillon.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.DefaultHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsoleHandlerTest {
    private final Server server = new Server();
    private final ServerConnector own = new ServerConnector(server);
    private final ServerConnector applications = new ServerConnector(server);
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void listen() throws Exception {
        own.setHost("127.0.0.1");
        applications.setHost("127.0.0.1");
        server.addConnector(own);
        server.addConnector(applications);
        server.setHandler(
                new Handler.Sequence(
                        new ConsoleHandler(Set.of(applications)), new DefaultHandler()));
        server.start();
    }

    @AfterEach
    void close() throws Exception {
        server.stop();
        client.close();
    }

    private HttpResponse<String> ask(
            ServerConnector at, String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.getLocalPort() + path))
                        .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void thePageAndAllThatItNamesAreThere() throws Exception {
        String page = ask(own, "GET", "/console/").body();

        for (String name : new String[] {"console.js", "console.css", "icon.svg"}) {
            assertThat(page).contains('"' + name + '"');
            assertThat(ask(own, "GET", "/console/" + name).statusCode()).as(name).isEqualTo(200);
        }
        assertThat(page).doesNotContain("<style").doesNotContain("onclick");
        assertThat(ask(own, "GET", "/console").headers().firstValue("Location"))
                .contains("/console/");
    }

    @Test
    void everyAnswerHasThePolicyThatLetsNothingInFromElsewhere() throws Exception {
        for (String path : new String[] {"/console/", "/console/console.js", "/console/none"}) {
            HttpResponse<String> answer = ask(own, "GET", path);
            String policy = answer.headers().firstValue("Content-Security-Policy").orElse("");

            assertThat(policy).contains("default-src 'none'").contains("frame-ancestors 'none'");
            assertThat(policy).doesNotContain("unsafe").doesNotContain("*");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        }
    }

    @Test
    void whatIsNotItsOwnIsNotAnswered() throws Exception {
        assertThat(ask(own, "GET", "/console/../console/x").statusCode()).isEqualTo(404);
        assertThat(ask(own, "GET", "/console/%2e%2e/io").statusCode()).isGreaterThanOrEqualTo(400);
        assertThat(ask(own, "POST", "/console/").statusCode()).isEqualTo(405);
        assertThat(ask(own, "GET", "/consoles").headers().firstValue("Content-Security-Policy"))
                .isEmpty();
        assertThat(ask(applications, "GET", "/console/").statusCode()).isEqualTo(404);
    }

    @Test
    void whatTheBrowserHasIsNotSentAgain() throws Exception {
        String mark =
                ask(own, "GET", "/console/console.js").headers().firstValue("ETag").orElse("");

        HttpResponse<String> again = ask(own, "GET", "/console/console.js", "If-None-Match", mark);

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }
}
