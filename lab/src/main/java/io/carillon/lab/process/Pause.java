package io.carillon.lab.process;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Waiting in real time, which is what a measurement window is made of. */
public final class Pause {
    private Pause() {}

    public static void millis(long millis) throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the measurement was interrupted", e);
        }
    }
}
