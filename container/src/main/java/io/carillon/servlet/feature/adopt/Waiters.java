package io.carillon.servlet.feature.adopt;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who have waited go on, each whatever befalls another one. Stateless; any thread. */
final class Waiters {
    private static final Logger LOG = LoggerFactory.getLogger(Waiters.class);

    private Waiters() {}

    static void goOn(List<Runnable> all) {
        all.forEach(Waiters::goOn);
    }

    private static void goOn(Runnable one) {
        try {
            one.run();
        } catch (RuntimeException | LinkageError e) {
            LOG.error("What has waited for a call of another node failed", e);
        }
    }
}
