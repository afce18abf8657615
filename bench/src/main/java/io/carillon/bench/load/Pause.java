package io.carillon.bench.load;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Waiting in real time, which is what a measurement window is made of. */
final class Pause {
    private Pause() {}

    static void millis(long millis) throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the measurement was interrupted", e);
        }
    }
}
