package io.carillon.it.example;

import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Visitors of the click-to-call page: each asks for one call, watches it until the phones are
 * connected, talks, hangs up, and watches it end. What a browser does, without one.
 */
final class ClickLoad {
    private static final Pattern STATE =
            Pattern.compile("\"state\":\"([^\"]*)\",\"why\":\"([^\"]*)");
    private static final int TALK_MILLIS = 4_000;
    private static final int PATIENCE_SECONDS = 60;

    private final HttpClient client;
    private final String base;
    private final String wanted;
    private final Queue<CompletableFuture<Void>> hangUps = new ConcurrentLinkedQueue<>();
    private final Executor afterTalk =
            CompletableFuture.delayedExecutor(
                    TALK_MILLIS, TimeUnit.MILLISECONDS, task -> Thread.ofVirtual().start(task));

    private ClickLoad(HttpClient client, int httpPort, String phoneA, String phoneB) {
        this.client = client;
        this.base = "http://127.0.0.1:" + httpPort;
        this.wanted = "{\"from\":\"" + phoneA + "\",\"to\":\"" + phoneB + "\"}";
    }

    /**
     * Makes the calls and waits for their ends; what failed is counted by its reason on standard
     * output.
     *
     * @param rate calls per second
     * @return calls that did not get connected, or did not end by the visitor's hanging up
     */
    static int run(int httpPort, String phoneA, String phoneB, int rate, int calls)
            throws IOException {
        List<CompletableFuture<String>> ends = new ArrayList<>();
        Map<String, Integer> faults = new TreeMap<>();
        int failed = 0;
        try (HttpClient client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(10))
                        .build()) {
            ClickLoad load = new ClickLoad(client, httpPort, phoneA, phoneB);
            long start = System.nanoTime();
            for (int i = 0; i < calls; i++) {
                long due = start + i * TimeUnit.SECONDS.toNanos(1) / rate;
                long millis = TimeUnit.NANOSECONDS.toMillis(due - System.nanoTime());
                if (millis > 0) {
                    Pause.millis(millis);
                }
                ends.add(load.call());
            }
            for (CompletableFuture<String> end : ends) {
                String fault = end.join();
                if (!fault.isEmpty()) {
                    failed++;
                    faults.merge(fault, 1, Integer::sum);
                }
            }
            // The call's end may be told before the request that ended it is answered.
            load.hangUps.forEach(CompletableFuture::join);
            client.shutdownNow(); // streams of calls that were given up
        }
        faults.forEach((fault, count) -> System.out.println("  " + count + " times " + fault));
        return failed;
    }

    /** One call; what went wrong, or an empty text. */
    private CompletableFuture<String> call() {
        HttpRequest post =
                request("/click-to-call/calls")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(wanted))
                        .build();
        return client.sendAsync(post, BodyHandlers.ofString())
                .thenCompose(this::watch)
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(error -> "failed: " + root(error));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    private CompletableFuture<String> watch(HttpResponse<String> made) {
        String path = made.headers().firstValue("Location").orElse("");
        String cookie = made.headers().firstValue("Set-Cookie").orElse("").replaceFirst(";.*", "");
        if (made.statusCode() != 201) {
            return CompletableFuture.completedFuture(
                    "POST was answered " + made.statusCode() + " " + made.body());
        }
        HttpRequest events = request(path + "/events").header("Cookie", cookie).build();
        return client.sendAsync(events, BodyHandlers.ofLines())
                .thenApplyAsync(
                        stream -> follow(stream, path, cookie),
                        task -> Thread.ofVirtual().start(task));
    }

    /** Reads the stream to its end, in a thread of this call's own. */
    private String follow(HttpResponse<Stream<String>> stream, String path, String cookie) {
        if (stream.statusCode() != 200) {
            return "the events were answered " + stream.statusCode();
        }
        List<String> states = new ArrayList<>();
        try (Stream<String> lines = stream.body()) {
            lines.forEach(line -> {
                Matcher event = STATE.matcher(line);
                if (event.find()) {
                    states.add(
                            event.group(1)
                                    + (event.group(2).isEmpty() ? "" : ": " + event.group(2)));
                    if (event.group(1).equals("connected")) {
                        hangUps.add(
                                CompletableFuture.runAsync(() -> hangUp(path, cookie), afterTalk));
                    }
                }
            });
        }
        boolean well = states.contains("connected") && states.contains("ended: hung up here");
        return well ? "" : "the states were " + states;
    }

    /** Whether it worked is seen by the call's end. */
    private void hangUp(String path, String cookie) {
        HttpRequest delete = request(path).header("Cookie", cookie).DELETE().build();
        try {
            int status = client.send(delete, BodyHandlers.discarding()).statusCode();
            if (status != 200) {
                System.out.println("  hanging up was answered " + status);
            }
        } catch (IOException e) {
            System.out.println("  hanging up failed: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String root(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.toString();
    }
}
