package io.carillon.lab.load;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The page of the application by HTTP: a GET of {@code --web-page}, then a POST to the URL of
 * {@code --web} or {@code --web-hang-up}, in which {@code {phone}} and {@code {mail}} stand for the
 * SIP URIs. Any 2xx will do. With {@code --web-events} the page keeps an event stream open until
 * the user's call is over. Requests run on threads of the HTTP client.
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
    private final LoadSettings.Pages pages;

    /** By phone: owned by the engine's thread. */
    private final Map<String, CompletableFuture<?>> streams = new HashMap<>();

    private final Executor engine;

    /**
     * @param pages the URLs
     * @param engine runs what is told of failures on the engine's thread
     * @throws IllegalArgumentException with a sentence when a URL is none
     */
    HttpTrigger(LoadSettings.Pages pages, Executor engine) {
        this.pages = pages;
        this.engine = engine;
        check("--web", pages.call());
        check("--web-hang-up", pages.hangUp());
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
        if (pages.events() != null) {
            listen(phone, fill(pages.events(), phone, mail), failed);
        }
        HttpRequest post = post(fill(pages.call(), phone, mail));
        String page = pages.page();
        if (page == null) {
            send(post, counted, failed, () -> {});
        } else {
            HttpRequest get = request(fill(page, phone, mail)).GET().build();
            send(get, counted, failed, () -> send(post, counted, failed, () -> {}));
        }
    }

    @Override
    public void hangUp(String phone, String mail, boolean counted, Consumer<String> failed) {
        send(post(fill(pages.hangUp(), phone, mail)), counted, failed, () -> {});
    }

    /** What comes is thrown away; the page of a user who left is closed. */
    private void listen(String phone, String url, Consumer<String> failed) {
        HttpRequest get =
                HttpRequest.newBuilder(URI.create(url))
                        .header("Accept", "text/event-stream")
                        .build();
        CompletableFuture<HttpResponse<Void>> stream =
                client.sendAsync(
                        get,
                        head -> {
                            if (head.statusCode() != 200) {
                                int status = head.statusCode();
                                engine.execute(() -> failed.accept("HTTP events " + status));
                            }
                            return HttpResponse.BodySubscribers.discarding();
                        });
        streams.put(phone, stream);
    }

    @Override
    public void left(String phone) {
        CompletableFuture<?> stream = streams.remove(phone);
        if (stream != null) {
            stream.cancel(true);
        }
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
