package io.carillon.lab.measure;

import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Open pages of the console, as far as the server sees them: event streams that are read. */
final class EventReaders implements AutoCloseable {
    /** As the console's page asks for them. */
    private static final String PATH = "/api/v1/events?topics=status,applications";

    private static final int PATIENCE_MILLIS = 10_000;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<CompletableFuture<HttpResponse<Void>>> streams = new ArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final List<LongAdder> bytes = new ArrayList<>();

    private EventReaders() {}

    /**
     * Opens so many.
     *
     * @throws IOException where not all are there in time
     */
    static EventReaders open(int httpPort, String token, int streams) throws IOException {
        EventReaders readers = new EventReaders();
        for (int i = 0; i < streams; i++) {
            readers.read(httpPort, token);
        }
        for (int waited = 0; readers.open.get() < streams; waited += 20) {
            if (waited >= PATIENCE_MILLIS) {
                readers.close();
                throw new IOException(
                        readers.open.get() + " of " + streams + " event streams were opened");
            }
            Pause.millis(20);
        }
        return readers;
    }

    private void read(int httpPort, String token) {
        LongAdder read = new LongAdder();
        bytes.add(read);
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + PATH))
                        .header("Accept", "text/event-stream")
                        .header("Authorization", "Bearer " + token)
                        .build();
        streams.add(client.sendAsync(
                request,
                head -> {
                    if (head.statusCode() == 200) {
                        open.incrementAndGet();
                    }
                    return HttpResponse.BodySubscribers.ofByteArrayConsumer(
                            part -> part.ifPresent(some -> read.add(some.length)));
                }));
    }

    /**
     * Bytes that all have read.
     *
     * @throws IOException where one has ended, or has read nothing
     */
    long bytesOfAll() throws IOException {
        long ended = streams.stream().filter(CompletableFuture::isDone).count();
        long silent = bytes.stream().filter(read -> read.sum() == 0).count();
        if (ended > 0 || silent > 0) {
            throw new IOException(
                    "of " + streams.size() + " event streams " + ended + " ended and " + silent
                            + " told nothing");
        }
        return bytes.stream().mapToLong(LongAdder::sum).sum();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
