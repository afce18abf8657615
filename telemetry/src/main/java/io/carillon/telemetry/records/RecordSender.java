package io.carillon.telemetry.records;

import java.io.IOException;
import java.util.List;

/**
 * Takes records to a place elsewhere. By one thread of its own, which may wait. What it throws, the
 * records outlive: they are sent again, so that the other side may see a record twice, never none.
 */
public interface RecordSender extends AutoCloseable {
    /**
     * Sends records, all of them or none.
     *
     * @param json one record each
     * @throws Refused when the other side will never take them
     * @throws IOException when it cannot take them now
     * @throws InterruptedException when the server stops
     */
    void send(List<String> json) throws IOException, InterruptedException;

    @Override
    void close();

    /** These records will never be taken. Of several each is tried alone. */
    final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        public Refused(String message) {
            super(message);
        }

        public Refused(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
