package io.carillon.server.identity;

import io.carillon.servlet.feature.identity.CertificateFetcher;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;

/**
 * Fetches certificates by https, with the JDK's client and its authorities: no redirect is
 * followed, and what is long or slow is given up. Any thread; the client is made on first use.
 */
public final class HttpsCertificates implements CertificateFetcher {
    private static final long MAX_BYTES = 65_536;

    private final Duration timeout;

    /** Made when something is fetched first. */
    private static final class Client {
        static final HttpClient SHARED =
                HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(Duration.ofSeconds(20))
                        .executor(
                                Executors.newThreadPerTaskExecutor(
                                        Thread.ofVirtual().name("certificates-", 0).factory()))
                        .build();
    }

    /**
     * @param timeout for all of it
     */
    public HttpsCertificates(Duration timeout) {
        this.timeout = timeout;
    }

    @Override
    public CompletionStage<byte[]> fetch(URI place) {
        if (!"https".equalsIgnoreCase(place.getScheme())) {
            return CompletableFuture.failedFuture(new IOException("not https: " + place));
        }
        HttpRequest request = HttpRequest.newBuilder(place).timeout(timeout).GET().build();
        return Client.SHARED
                .sendAsync(
                        request,
                        HttpResponse.BodyHandlers.limiting(
                                HttpResponse.BodyHandlers.ofByteArray(), MAX_BYTES))
                .thenCompose(response ->
                        response.statusCode() == 200
                                ? CompletableFuture.completedFuture(response.body())
                                : CompletableFuture.failedFuture(
                                        new IOException("status " + response.statusCode())));
    }
}
