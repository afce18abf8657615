package io.carillon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.http.app.KeptPage;
import io.carillon.server.http.app.ListenerLog;
import io.carillon.server.http.app.Phone;
import io.carillon.server.http.app.SerialCheck;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP sessions of a distributable application outlive the node that made them. */
class KeptPagesTest {
    @TempDir private Path folder;
    private final HttpClient browser = HttpClient.newHttpClient();
    private @org.jspecify.annotations.Nullable NodesThatKeepPages nodes;

    @AfterEach
    void stop() {
        browser.close();
        if (nodes != null) {
            nodes.close();
        }
    }

    private NodesThatKeepPages start(int count, boolean distributable) throws Exception {
        Path application = folder.resolve("kept");
        for (Class<?> type :
                List.of(
                        KeptPage.class,
                        KeptPage.Basket.class,
                        Phone.class,
                        ListenerLog.class,
                        SerialCheck.class)) {
            String name = type.getName().replace('.', '/') + ".class";
            Path target = application.resolve("WEB-INF/classes").resolve(name);
            Files.createDirectories(target.getParent());
            try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                Files.copy(in, target);
            }
        }
        Files.writeString(
                application.resolve("WEB-INF/sip.xml"),
                "<sip-app><app-name>kept</app-name>"
                        + (distributable ? "<distributable/>" : "")
                        + "</sip-app>");
        NodesThatKeepPages made = new NodesThatKeepPages(folder, application, count);
        nodes = made;
        return made;
    }

    private HttpResponse<String> get(String base, String cookie) throws Exception {
        return browser.send(
                HttpRequest.newBuilder(URI.create(base + "/kept/page/basket"))
                        .header("Cookie", cookie)
                        .build(),
                BodyHandlers.ofString());
    }

    private static String cookie(HttpResponse<String> answer) {
        return answer.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
    }

    @Test
    void aPageOfADeadNodeGoesOnWithItsAttributesAndItsApplicationSession() throws Exception {
        NodesThatKeepPages cluster = start(2, true);
        HttpResponse<String> first = get(cluster.base(0), "a=b");
        String cookie = cookie(first);
        assertThat(cookie).endsWith(".node0");
        assertThat(first.body()).startsWith("1 apple of ").endsWith(" asked for by 127.0.0.1 true");
        assertThat(get(cluster.base(1), cookie).body())
                .as("passed on while its node lives")
                .isEqualTo(first.body().replace("1 apple", "2 apple"));
        cluster.awaitKept(0);

        cluster.kill(0, 1);

        HttpResponse<String> next = get(cluster.base(1), cookie);
        assertThat(next.body()).isEqualTo(first.body().replace("1 apple", "3 apple"));
        assertThat(cookie(next)).as("names its new node").endsWith(".node1");
        assertThat(cluster.adopted(1)).as("application sessions").isEqualTo(1);
        assertThat(get(cluster.base(1), cookie(next)).body())
                .isEqualTo(first.body().replace("1 apple", "4 apple"));
    }

    /** The third node has taken the call over; a balancer sends the page to the second. */
    @Test
    void aPageOfADeadNodeGoesToTheNodeThatTookItsCallOver() throws Exception {
        NodesThatKeepPages cluster = start(3, true);
        HttpResponse<String> first = get(cluster.base(0), "a=b");
        String cookie = cookie(first);
        assertThat(cookie).endsWith(".node0");
        cluster.awaitKept(0);

        cluster.kill(0, 2);

        HttpResponse<String> next = get(cluster.base(1), cookie);
        assertThat(next.body()).isEqualTo(first.body().replace("1 apple", "2 apple"));
        assertThat(cookie(next)).as("names the node of its call").endsWith(".node2");
        assertThat(cluster.adopted(2)).as("application sessions").isEqualTo(1);
    }

    /** What nobody has kept, a stranger's cookie too, is served where it came. */
    @Test
    void aPageOfADeadNodeThatNobodyKeptBeginsWhereItCame() throws Exception {
        NodesThatKeepPages cluster = start(3, true);
        HttpResponse<String> answer = get(cluster.base(1), "JSESSIONID=stranger.node7");
        assertThat(answer.body()).startsWith("1 apple of ");
        assertThat(cookie(answer)).endsWith(".node1");
    }
}
