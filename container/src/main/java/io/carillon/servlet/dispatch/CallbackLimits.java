package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.LimitedCall;
import io.carillon.servlet.port.ContainerCounters;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets applications begin and end within their limits, so that one that hangs holds up neither
 * another one nor the end of the server. Without limits everything runs on the thread that asks, as
 * in tests and where Carillon is embedded.
 *
 * <p>Any thread. It remembers the threads that did not end ({@link #leftBehind}). With {@value
 * #MOST_LEFT_BEHIND} of them there are no further deployments until the server starts anew, and
 * with as many again no further ends: an application is then dropped without its {@code destroy}.
 * {@value #MOST_LEFT_BEHIND} ends have a thread at the same time, the others wait for it.
 */
final class CallbackLimits {
    private static final Logger LOG = LoggerFactory.getLogger(CallbackLimits.class);

    /** Hung threads that deployments may leave behind. */
    static final int MOST_LEFT_BEHIND = 16;

    /** While the container ends, an application after one that hung gets this part of the limit. */
    private static final int LEAST_SHARE = 10;

    private final ContainerCounters counters;
    private final Set<LimitedCall> left = ConcurrentHashMap.newKeySet();
    private final Set<LimitedCall> beginnings = ConcurrentHashMap.newKeySet();

    /** A version whose calls have ended is stopped at once, however many do so together. */
    private final Semaphore ends = new Semaphore(MOST_LEFT_BEHIND);

    private volatile @Nullable Duration initWithin;
    private volatile @Nullable Duration destroyWithin;
    private volatile boolean closing;
    private volatile long closedByNanos;

    CallbackLimits(ContainerCounters counters) {
        this.counters = counters;
    }

    /** Both, or null for no limits and no threads. Before the first deployment. */
    void set(@Nullable Duration init, @Nullable Duration destroy) {
        if ((init == null) != (destroy == null)) {
            throw new IllegalArgumentException("a beginning and an end have limits, or neither");
        }
        initWithin = init;
        destroyWithin = destroy;
    }

    /** Takes a lock under which something limited runs; false where that took too long. */
    boolean lock(ReentrantLock lock) {
        Duration limit = initWithin;
        if (limit == null) {
            lock.lock();
            return true;
        }
        if (lock.tryLock()) {
            return true;
        }
        try {
            // Twice: who holds it may have just begun, and then has an interrupt to obey.
            Duration patience = closing ? shared() : limit.multipliedBy(2);
            return lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Names of the threads that were interrupted and did not end yet. */
    List<String> leftBehind() {
        left.removeIf(call -> !call.running());
        return left.stream().map(LimitedCall::name).sorted().toList();
    }

    /** The container ends: beginnings are given up, and all ends together have one limit. */
    void closing() {
        Duration limit = destroyWithin;
        closedByNanos = System.nanoTime() + (limit == null ? 0 : limit.toNanos());
        closing = true;
        beginnings.forEach(LimitedCall::giveUp);
    }

    /**
     * A part of a deployment.
     *
     * @param archive for the message
     * @param late undoes what the work did after all, when it was given up
     * @throws DeploymentException of the work, or as it took too long
     */
    void begin(String archive, LimitedCall.Work work, Supplier<String> doing, Runnable late)
            throws DeploymentException {
        Duration limit = initWithin;
        if (limit == null) {
            work.run();
            return;
        }
        List<String> hung = leftBehind();
        if (hung.size() >= MOST_LEFT_BEHIND) {
            throw new DeploymentException(
                    archive,
                    hung.size()
                            + " threads of earlier deployments still hang ("
                            + hung.getFirst()
                            + ", ...): start the server anew");
        }
        LimitedCall call = LimitedCall.begin("deploy " + archive, work, doing, late);
        beginnings.add(call);
        try {
            if (closing) {
                call.giveUp();
            }
            LimitedCall.Late at = call.await(limit);
            if (at != null) {
                throw tooLong(archive, call, limit, at);
            }
        } finally {
            beginnings.remove(call);
        }
    }

    private DeploymentException tooLong(
            String archive, LimitedCall call, Duration limit, LimitedCall.Late late) {
        String rule = "not done within " + text(limit) + " (deploy.init-within); it was ";
        if (closing) {
            rule = "not done when the server stopped; it was ";
        } else if (Thread.currentThread().isInterrupted()) {
            rule = "not done when who waited for it was interrupted; it was ";
        }
        return new DeploymentException(archive, 0, late.step(), rule + late.at() + fate(call));
    }

    /** Ends an application; returns when that is done or took too long. */
    void end(Application application) {
        Duration limit = destroyWithin;
        if (limit == null) {
            application.stop();
            return;
        }
        String version = application.name() + " version " + application.version();
        end("stop " + version, limit, application::stop, application::doing);
    }

    /** Waits until not too many others end, each of which gives up its place within its limit. */
    void end(String name, Duration limit, Runnable stop, Supplier<String> doing) {
        ends.acquireUninterruptibly();
        try {
            run(name, limit, stop, doing);
        } finally {
            ends.release();
        }
    }

    /** What a router does when it is told something. */
    void tell(String what, Runnable call) {
        Duration limit = initWithin;
        if (limit == null) {
            call.run();
        } else {
            run(what, limit, call, () -> what);
        }
    }

    private void run(String name, Duration limit, Runnable work, Supplier<String> doing) {
        int hung = leftBehind().size();
        if (hung >= 2 * MOST_LEFT_BEHIND) {
            counters.callbacksTooLong.increment();
            LOG.error(
                    "{}: not done, as {} threads hang already: start the server anew", name, hung);
            return;
        }
        Duration granted = closing ? shared() : limit;
        LimitedCall call = LimitedCall.begin(name, work::run, doing, () -> {});
        try {
            LimitedCall.Late late = call.await(granted);
            if (late != null) {
                LOG.error(
                        "{}: {}: not done within {}; it was {}{}",
                        name,
                        late.step(),
                        text(granted),
                        late.at(),
                        fate(call));
            }
        } catch (DeploymentException | RuntimeException | Error e) {
            LOG.error("{} failed", name, e);
        }
    }

    /** What is left of the limit that all ends have together, when the container ends. */
    private Duration shared() {
        Duration limit = destroyWithin;
        long least = limit == null ? 0 : limit.toNanos() / LEAST_SHARE;
        return Duration.ofNanos(Math.max(closedByNanos - System.nanoTime(), least));
    }

    private String fate(LimitedCall call) {
        counters.callbacksTooLong.increment();
        if (!call.running()) {
            return "; it was interrupted and has ended";
        }
        left.add(call);
        return "; it was interrupted and goes on: its thread '" + call.name() + "' is left behind";
    }

    private static String text(Duration limit) {
        return limit.toMillisPart() == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }
}
