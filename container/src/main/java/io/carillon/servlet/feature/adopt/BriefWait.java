package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.port.ContainerShards;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A caller that may wait does so for a call of another node, for some seconds. Stateless. */
final class BriefWait {
    private static final long MOST_SECONDS = 2;

    private BriefWait() {}

    /**
     * Returns when it is here, or after that time. An event loop does not wait: there the call is
     * here when it is asked for the next time.
     *
     * @param brings runs what it is given when the call is here; false where nobody has to wait
     */
    static void on(ContainerShards shards, Predicate<Runnable> brings) {
        CountDownLatch here = new CountDownLatch(1);
        if (brings.test(here::countDown) && !shards.inShard()) {
            try {
                var _ = here.await(MOST_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
