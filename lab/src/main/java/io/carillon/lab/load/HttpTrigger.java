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
import org.jspecify.annotations.Nullable;

/**
 * The page of the application by HTTP: a GET of {@code --web-page}, then a POST to the URL of
 * {@code --web} or {@code --web-hang-up}, in which {@code {phone}} and {@code {mail}} stand for the
 * SIP URIs. Any 2xx will do. Requests run on threads of the HTTP client.
 */
final class HttpTrigger implements Trigger, AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(32);

    /** One connection for each request in flight, kept for the next one. */
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(TIMEOUT)
                    .build();

    private final PageTimes times = new PageTimes();
    private final @Nullable String page;
    private final String call;
    private final String hangUp;
    private final Executor engine;

    /**
     * @param page what a user looks at before, or null
     * @param engine runs what is told of failures on the engine's thread
     * @throws IllegalArgumentException with a sentence when a URL is none
     */
    HttpTrigger(@Nullable String page, String call, String hangUp, Executor engine) {
        this.page = page;
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
    public void call(String phone, String mail, boolean counted, Consumer<String> failed) {
        HttpRequest post = post(fill(call, phone, mail));
        if (page == null) {
            send(post, counted, failed, () -> {});
        } else {
            HttpRequest get = request(fill(page, phone, mail)).GET().build();
            send(get, counted, failed, () -> send(post, counted, failed, () -> {}));
        }
    }

    @Override
    public void hangUp(String phone, String mail, boolean counted, Consumer<String> failed) {
        send(post(fill(hangUp, phone, mail)), counted, failed, () -> {});
    }

    private static HttpRequest post(String url) {
        return request(url).POST(HttpRequest.BodyPublishers.noBody()).build();
    }

    private static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT);
    }

    private void send(
            HttpRequest request, boolean counted, Consumer<String> failed, Runnable then) {
        long begin = System.nanoTime();
        var _ =
                client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                        .whenComplete((response, error) -> {
                            if (error != null) {
                                engine.execute(() -> failed.accept("HTTP: no answer"));
                            } else if (response.statusCode() / 100 != 2) {
                                int status = response.statusCode();
                                engine.execute(() -> failed.accept("HTTP " + status));
                            } else {
                                if (counted) {
                                    times.took(System.nanoTime() - begin);
                                }
                                then.run();
                            }
                        });
    }

    /** How long the requests took. */
    PageTimes times() {
        return times;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
