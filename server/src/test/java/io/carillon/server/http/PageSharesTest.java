package io.carillon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.http.app.ListenerLog;
import io.carillon.server.http.app.Page;
import io.carillon.server.http.app.Phone;
import io.carillon.server.http.app.SerialCheck;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Visitors without a cookie: each page that they ask for would begin a session. */
class PageSharesTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 1}
            http: {listen: 127.0.0.1:0}
            guard: {trusted: [192.0.2.1]}
            sessions: {max: 8}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    @TempDir private Path folder;

    private static void copy(Class<?> type, Path application) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path target = application.resolve("WEB-INF/classes").resolve(name);
        Files.createDirectories(target.getParent());
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
            Files.copy(in, target);
        }
    }

    private static HttpResponse<String> get(String url) throws Exception {
        try (HttpClient visitor = HttpClient.newHttpClient()) {
            return visitor.send(
                    HttpRequest.newBuilder(URI.create(url)).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void beyondTheirShareAPageGets503WithRetryAfter() throws Exception {
        withServer(base -> {
            for (int i = 0; i < 4; i++) {
                assertThat(get(base + "/converged/page/session").statusCode()).isEqualTo(200);
            }
            HttpResponse<String> refused = get(base + "/converged/page/session");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(refused.body()).doesNotContain("NoRoom", "at io.");
            // Pages that ask for no session are served.
            assertThat(get(base + "/converged/page/services").statusCode()).isEqualTo(200);
            String status = get(base + "/status").body();
            assertThat(status).containsPattern("\"applications.refused_pages\" : 1\\b");
        });
    }

    /** However its end came: else it takes the place of others for good. */
    @Test
    void aSessionThatIsOverTakesNoPlace() throws Exception {
        withServer(base -> {
            assertThat(get(base + "/converged/page/session").statusCode()).isEqualTo(200);
            assertThat(held(base)).isEqualTo("1");
            for (String end : List.of("/invalidate-http", "/invalidate-application")) {
                assertThat(get(base + "/converged/page" + end).statusCode()).isEqualTo(200);
            }
            assertThat(held(base)).isEqualTo("1");
        });
    }

    private static String held(String base) throws Exception {
        return get(base + "/status").body().replaceAll("(?s).*\"http.sessions\" : (\\d+).*", "$1");
    }

    private interface Visit {
        void to(String base) throws Exception;
    }

    private void withServer(Visit visit) throws Exception {
        Path one = folder.resolve("converged");
        for (Class<?> type :
                List.of(Page.class, Phone.class, ListenerLog.class, SerialCheck.class)) {
            copy(type, one);
        }
        try (Server server =
                Server.start(
                        ConfigurationReader.read("test.yaml", YAML, folder),
                        List.of(one),
                        new HomeFolder(folder))) {
            String base =
                    "http://127.0.0.1:"
                            + server.readyLine().replaceAll(".*HTTP 127.0.0.1:(\\d+);.*", "$1");
            visit.to(base);
        }
    }
}
