package io.carillon.grid;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handlers that compute on every thread which carries the JVM's virtual ones: until it is closed no
 * other virtual thread runs.
 */
public final class BusyCarriers implements AutoCloseable {
    private volatile boolean end;

    public BusyCarriers() {
        int many = Runtime.getRuntime().availableProcessors();
        CountDownLatch all = new CountDownLatch(many);
        for (int i = 0; i < many; i++) {
            Thread.startVirtualThread(() -> {
                all.countDown();
                while (!end) {
                    Thread.onSpinWait();
                }
            });
        }
        try {
            if (!all.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("not all carriers are busy");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        end = true;
    }
}
