package io.carillon.server.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server elsewhere, by HTTP: commands are asked of its operations. One thread. */
final class RemoteServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofMinutes(10);
    private static final int OK = 200;

    private final URI base;
    private final String token;
    private final HttpClient client;

    /**
     * @param base of the server, as https://host:port
     * @param token of an account
     * @param authorities file of certificates (PEM) that are believed; null: the system's
     */
    RemoteServer(URI base, String token, @Nullable Path authorities) throws IOException {
        String scheme = base.getScheme();
        boolean local =
                base.getHost() != null
                        && (base.getHost().equals("localhost")
                                || base.getHost().equals("127.0.0.1")
                                || base.getHost().equals("[::1]"));
        if (base.getHost() == null
                || !("https".equals(scheme) || ("http".equals(scheme) && local))) {
            throw new IOException(
                    "--server has to be https://HOST:PORT, not "
                            + base
                            + " (http:// for localhost alone)");
        }
        this.base = base;
        this.token = token;
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT);
        if (authorities != null) {
            builder.sslContext(trusting(authorities));
        }
        this.client = builder.build();
    }

    private static SSLContext trusting(Path authorities) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            byte[] bytes = Files.readAllBytes(authorities);
            for (Certificate one :
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(bytes))) {
                store.setCertificateEntry("ca" + number++, one);
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "--ca " + authorities + " has no certificates: " + e.getMessage(), e);
        }
    }

    /** Does a command there, and waits for its whole answer. */
    String ask(String command, String argument) throws IOException {
        RemoteCommand asked = RemoteCommand.of(command, argument);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base.resolve("/api/v1" + asked.path()))
                        .timeout(ANSWER)
                        .header("Authorization", "Bearer " + token)
                        .header("Accept", "application/json");
        Path archive = asked.archive();
        String body = asked.body();
        if (archive != null) {
            request.header("Content-Type", "application/octet-stream")
                    .method(asked.method(), HttpRequest.BodyPublishers.ofFile(archive));
        } else if (body != null) {
            request.header("Content-Type", "application/json")
                    .method(asked.method(), HttpRequest.BodyPublishers.ofString(body));
        } else {
            request.method(asked.method(), HttpRequest.BodyPublishers.noBody());
        }
        HttpResponse<String> answer = send(request.build());
        if (answer.statusCode() != OK) {
            throw new IOException(problem(answer));
        }
        return asked.text() ? message(answer.body()) : answer.body();
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IOException e) {
            String why = e.getMessage();
            Throwable cause = e.getCause();
            if (why == null && cause != null) {
                why = cause.getMessage();
            }
            throw new IOException(
                    base
                            + " cannot be asked: "
                            + (why == null ? e.getClass().getSimpleName() : why),
                    e);
        }
    }

    private static String message(String json) {
        JsonNode read = JSON.readTree(json);
        JsonNode ended = read.path("ended");
        return (ended.isNumber() ? ended.toString() : read.path("message").asString("")) + "\n";
    }

    private String problem(HttpResponse<String> answer) {
        try {
            JsonNode detail = JSON.readTree(answer.body()).path("detail");
            if (detail.isString()) {
                return detail.asString("");
            }
        } catch (JacksonException e) {
            return base + " answered " + answer.statusCode() + ", and is no Carillon";
        }
        return base + " answered " + answer.statusCode();
    }

    @Override
    public void close() {
        client.close();
    }
}
