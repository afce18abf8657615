package io.carillon.lab.load;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The page of the application by HTTP: a POST to the URL of {@code --web} or {@code --web-hang-up},
 * in which {@code {phone}} and {@code {mail}} stand for the SIP URIs. Any 2xx will do. Requests run
 * on threads of the HTTP client.
 */
final class HttpTrigger implements Trigger, AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(32);

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final String call;
    private final String hangUp;
    private final Executor engine;

    /**
     * @param engine runs what is told of failures on the engine's thread
     * @throws IllegalArgumentException with a sentence when a URL is none
     */
    HttpTrigger(String call, String hangUp, Executor engine) {
        this.call = call;
        this.hangUp = hangUp;
        this.engine = engine;
        check("--web", call);
        check("--web-hang-up", hangUp);
    }

    /** Refuses what is no URL of HTTP. */
    static void check(String option, String template) {
        try {
            URI uri = URI.create(fill(template, "sip:a@b", "sip:c@d"));
            if ("http".equals(uri.getScheme()) && uri.getHost() != null) {
                return;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(wrong(option, template), e);
        }
        throw new IllegalArgumentException(wrong(option, template));
    }

    private static String wrong(String option, String template) {
        return option
                + " is a URL like http://127.0.0.1:8080/voice-mail/call?phone={phone}&mail={mail}, not "
                + template;
    }

    private static String fill(String template, String phone, String mail) {
        return template.replace("{phone}", encoded(phone)).replace("{mail}", encoded(mail));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void call(String phone, String mail, Consumer<String> failed) {
        post(fill(call, phone, mail), failed);
    }

    @Override
    public void hangUp(String phone, String mail, Consumer<String> failed) {
        post(fill(hangUp, phone, mail), failed);
    }

    private void post(String url, Consumer<String> failed) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(TIMEOUT)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build();
        var _ =
                client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                        .whenComplete((response, error) -> {
                            if (error != null) {
                                engine.execute(() -> failed.accept("HTTP: no answer"));
                            } else if (response.statusCode() / 100 != 2) {
                                int status = response.statusCode();
                                engine.execute(() -> failed.accept("HTTP " + status));
                            }
                        });
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
