package io.carillon.telemetry.records;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Sends records to a URL by POST: a JSON array, signed. {@code Carillon-Signature: t=SECONDS,
 * v1=HEX}, where HEX is the HMAC-SHA256 of the seconds, a full stop and the body.
 */
final class WebhookSender implements RecordSender {
    static final String SIGNATURE = "Carillon-Signature";

    private static final String HMAC = "HmacSHA256";
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(15);

    private final URI url;
    private final byte[] key;
    private final LongSupplier seconds;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .connectTimeout(CONNECT)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    /**
     * @param key of the HMAC
     * @param seconds since 1970
     */
    WebhookSender(URI url, byte[] key, LongSupplier seconds) {
        this.url = url;
        this.key = key.clone();
        this.seconds = seconds;
    }

    @Override
    public void send(List<String> json) throws IOException, InterruptedException {
        byte[] body = ("[" + String.join(",", json) + "]").getBytes(StandardCharsets.UTF_8);
        HttpRequest post =
                HttpRequest.newBuilder(url)
                        .timeout(ANSWER)
                        .header("Content-Type", "application/json")
                        .header(SIGNATURE, signature(seconds.getAsLong(), body))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build();
        int status = client.send(post, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status == 413 || status == 422) {
            throw new Refused(url + " answered " + status);
        }
        if (status < 200 || status > 299) {
            throw new IOException(url + " answered " + status);
        }
    }

    String signature(long at, byte[] body) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            mac.update((at + ".").getBytes(StandardCharsets.US_ASCII));
            return "t=" + at + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + HMAC, e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
