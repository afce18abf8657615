package io.carillon.lab.measure;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Open pages of the console, as far as the server sees them: event streams that are read, each by a
 * thread of its own.
 */
final class EventReaders implements AutoCloseable {
    /** As the console's page asks for them. */
    private static final String PATH = "/api/v1/events?topics=status,applications";

    private static final String WELL = "HTTP/1.1 200";
    private static final int PATIENCE_MILLIS = 20_000;

    private final List<Reader> readers = new ArrayList<>();

    private EventReaders() {}

    /**
     * Opens so many, one after the other.
     *
     * @throws IOException where one is refused or not there in time
     */
    static EventReaders open(int httpPort, String token, int streams) throws IOException {
        EventReaders all = new EventReaders();
        try {
            for (int i = 0; i < streams; i++) {
                all.readers.add(Reader.open(httpPort, token));
            }
            return all;
        } catch (IOException e) {
            all.close();
            throw e;
        }
    }

    /**
     * Sees that all are read.
     *
     * @throws IOException where one has ended, or told nothing since it began
     */
    void check() throws IOException {
        long ended = readers.stream().filter(reader -> !reader.thread.isAlive()).count();
        long silent = readers.stream().filter(reader -> reader.bytes.sum() == 0).count();
        if (ended > 0 || silent > 0) {
            throw new IOException(
                    "of "
                            + readers.size()
                            + " event streams "
                            + ended
                            + " ended and "
                            + silent
                            + " told nothing");
        }
    }

    @Override
    public void close() throws IOException {
        for (Reader reader : readers) {
            reader.socket.close();
        }
    }

    /** One of them. */
    private static final class Reader {
        private final Socket socket;
        private final Thread thread;
        private final LongAdder bytes = new LongAdder();

        private Reader(Socket socket) {
            this.socket = socket;
            this.thread = Thread.ofPlatform().daemon().name("event-reader").unstarted(this::read);
        }

        static Reader open(int httpPort, String token) throws IOException {
            Socket socket = new Socket();
            try {
                socket.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), httpPort),
                        PATIENCE_MILLIS);
                socket.setSoTimeout(PATIENCE_MILLIS);
                String request =
                        "GET "
                                + PATH
                                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
                                + "Authorization: Bearer "
                                + token
                                + "\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                byte[] start = socket.getInputStream().readNBytes(WELL.length());
                String answer = new String(start, StandardCharsets.US_ASCII);
                if (!answer.equals(WELL)) {
                    throw new IOException("an event stream was answered " + answer);
                }
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            Reader reader = new Reader(socket);
            reader.thread.start();
            return reader;
        }

        private void read() {
            byte[] some = new byte[16_384];
            try {
                InputStream in = socket.getInputStream();
                for (int count = in.read(some); count >= 0; count = in.read(some)) {
                    bytes.add(count);
                }
            } catch (IOException e) {
                // It was closed, or the server went: whoever checks sees a thread that ended.
            }
        }
    }
}
