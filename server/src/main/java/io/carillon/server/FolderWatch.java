package io.carillon.server;

import io.carillon.server.apps.DeployFolder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The thread that looks into the deploy folder once a second. */
final class FolderWatch implements AutoCloseable {
    private static final int AT_A_TIME = 4;

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

    /** So that one application that starts slowly, or not at all, keeps no other waiting. */
    static Executor deploying() {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(
                        AT_A_TIME,
                        AT_A_TIME,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(), // one for each archive of the folder at most
                        Thread.ofPlatform().daemon().name("deploy-folder-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
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
