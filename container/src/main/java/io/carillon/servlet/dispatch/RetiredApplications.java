package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.HttpHalf;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Versions of applications that are out of service: each lives until its last application session
 * is gone, or until its limit, when its calls get BYE, and a little later nothing is left of it.
 * Any thread.
 */
final class RetiredApplications {
    private static final Logger LOG = LoggerFactory.getLogger(RetiredApplications.class);

    /** How long the ends may take to answer a BYE: RFC 3261 17.1.2.2, timer F. */
    private static final Duration FAREWELL = Duration.ofSeconds(33);

    private final SessionHost host;
    private final CallbackLimits limits;
    private final List<Application> all = new CopyOnWriteArrayList<>();
    private volatile boolean closing;

    RetiredApplications(SessionHost host, CallbackLimits limits) {
        this.host = host;
        this.limits = limits;
    }

    /** The container ends: that each application ends with it goes without saying. */
    void closing() {
        closing = true;
    }

    private LoggingEventBuilder told() {
        return closing ? LOG.atDebug() : LOG.atInfo();
    }

    List<Application> all() {
        return List.copyOf(all);
    }

    /** Retires it; an unused one is stopped before this returns. */
    void add(Application application, @Nullable Duration limit) {
        all.add(application);
        application.retiring();
        HttpHalf web = application.web();
        if (web != null) {
            web.withdraw();
        }
        if (stopUnused(application)) {
            return;
        }
        application.retire(() -> host.threads().execute(() -> stopUnused(application)));
        host.threads().execute(application::tellRetired);
        told().log(
                        "application {} version {} is out of service; {} sessions are left",
                        application.name(),
                        application.version(),
                        application.holds().calls());
        if (limit != null) {
            // The wheel must not keep classes alive that nobody else needs.
            WeakReference<Application> old = new WeakReference<>(application);
            after(limit, () -> end(old.get()));
        }
    }

    /** True when it is stopped by this call. */
    private boolean stopUnused(Application application) {
        if (!application.holds().claimEnd()) {
            return false;
        }
        stop(application);
        return true;
    }

    private void stop(Application application) {
        limits.end(application);
        if (all.remove(application)) {
            told().log(
                            "application {} version {} has ended",
                            application.name(),
                            application.version());
        }
    }

    private void end(@Nullable Application application) {
        if (application != null && all.contains(application)) {
            LOG.info(
                    "application {} version {}: the limit is over, {} sessions are ended",
                    application.name(),
                    application.version(),
                    application.holds().calls());
            CallEnding.end(host.tables(), application);
            after(
                    FAREWELL,
                    () -> {
                        CallEnding.drop(host.tables(), application);
                        stop(application); // an event stream may be open still
                    });
        }
    }

    private void after(Duration span, Runnable action) {
        Shard shard = host.shards().some();
        WheelTimer timer =
                new WheelTimer() {
                    @Override
                    protected void fire(long nowNanos) {
                        host.threads().execute(action);
                    }
                };
        shard.executor()
                .execute(() -> shard.timers().schedule(timer, shard.now() + span.toNanos()));
    }

    /** The container ends: what is left is stopped with it. */
    void close() {
        for (Application application : all) {
            stop(application);
        }
    }
}
