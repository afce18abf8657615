package io.carillon.server.routes;

import io.carillon.servlet.route.RouterException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that looks every second whether the router's file was written to. */
public final class RouterWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouterWatch.class);

    private final Routes routes;
    private final CountDownLatch closed = new CountDownLatch(1);

    private RouterWatch(Routes routes) {
        this.routes = routes;
    }

    public static RouterWatch start(Routes routes) {
        RouterWatch watch = new RouterWatch(routes);
        Thread.ofPlatform().daemon().name("router-file").start(watch::run);
        return watch;
    }

    private void run() {
        try {
            while (!closed.await(1, TimeUnit.SECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            if (routes.reloadRouter(false)) {
                LOG.info("The router's file was changed and read again");
                routes.routedButNotDeployed().forEach(LOG::warn);
            }
        } catch (RouterException e) {
            LOG.error("The router's file is wrong; its old rules stay: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
