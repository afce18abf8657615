package io.carillon.router;

import io.carillon.net.listen.BindFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** {@code RouterMain FILE}: runs a router until the process ends. */
public final class RouterMain {
    private RouterMain() {}

    /**
     * Starts a router and waits for a signal.
     *
     * @param arguments the file of its configuration
     * @throws InterruptedException the waiting thread was interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 1) {
            System.err.println("carillon: router FILE");
            System.exit(2);
        }
        int code = run(Path.of(arguments[0]), System.out, System.err);
        System.exit(code);
    }

    /**
     * Runs a router until the process is told to end.
     *
     * @return 0 when it ended in peace, 1 when it could not start, 2 when the file is wrong
     * @throws InterruptedException the waiting thread was interrupted
     */
    public static int run(Path file, PrintStream out, PrintStream err) throws InterruptedException {
        RouterConfig config;
        try {
            config = RouterConfig.read(file);
        } catch (IOException e) {
            err.println("carillon: " + e.getMessage() + " cannot be read");
            return 2;
        } catch (IllegalArgumentException e) {
            err.println("carillon: " + file + ": " + e.getMessage());
            return 2;
        }
        Router router;
        try {
            router = Router.start(config);
        } catch (BindFailure e) {
            err.println("carillon: " + e.getMessage());
            return 1;
        } catch (IllegalArgumentException e) {
            err.println("carillon: " + file + ": " + e.getMessage());
            return 2;
        }
        try {
            if (config.http() != null) {
                // Daemon threads: it ends with the process.
                var _ = new RouterHttp(config.http(), new RouterPages(router));
            }
        } catch (IOException e) {
            err.println("carillon: " + config.http() + " cannot be bound: " + e.getMessage());
            router.close();
            return 1;
        }
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    router.close();
                                    ended.countDown();
                                },
                                "carillon-router-end"));
        router.warnings().forEach(each -> err.println("carillon: " + each));
        out.println("READY router, SIP on " + router.listening() + ", link on " + router.link());
        ended.await();
        return 0;
    }
}
