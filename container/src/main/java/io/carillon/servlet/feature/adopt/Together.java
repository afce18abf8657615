package io.carillon.servlet.feature.adopt;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs something once, when so many have been here. Any thread. */
final class Together implements Runnable {
    private final AtomicInteger left;
    private final @Nullable Runnable then;

    Together(int count, @Nullable Runnable then) {
        this.left = new AtomicInteger(count);
        this.then = then;
    }

    @Override
    public void run() {
        if (left.decrementAndGet() == 0 && then != null) {
            then.run();
        }
    }
}
