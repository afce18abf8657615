package io.carillon.servlet.feature.adopt;

import java.util.concurrent.atomic.AtomicInteger;

/** Runs something once, when so many have been here. Any thread. */
final class Together implements Runnable {
    private final AtomicInteger left;
    private final Runnable then;

    Together(int count, Runnable then) {
        this.left = new AtomicInteger(count);
        this.then = then;
    }

    @Override
    public void run() {
        if (left.decrementAndGet() == 0) {
            then.run();
        }
    }
}
