package io.carillon.server;

import io.carillon.server.apps.DeployFolder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The thread that looks into the deploy folder once a second. */
final class FolderWatch implements AutoCloseable {
    private final DeployFolder folder;
    private final CountDownLatch closed = new CountDownLatch(1);

    private FolderWatch(DeployFolder folder) {
        this.folder = folder;
    }

    static FolderWatch start(DeployFolder folder) {
        FolderWatch watch = new FolderWatch(folder);
        Thread.ofPlatform().daemon().name("deploy-folder").start(watch::run);
        return watch;
    }

    private void run() {
        try {
            while (!closed.await(1, TimeUnit.SECONDS)) {
                folder.look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
