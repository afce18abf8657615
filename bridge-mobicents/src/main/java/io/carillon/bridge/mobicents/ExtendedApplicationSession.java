package io.carillon.bridge.mobicents;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.sip.shard.Shard;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mobicents.javax.servlet.sip.SipApplicationSessionAsynchronousWork;
import org.mobicents.javax.servlet.sip.SipApplicationSessionExt;

/** An application session with {@code scheduleAsynchronousWork}. Owner: its turn. */
final class ExtendedApplicationSession extends ApplicationSession
        implements SipApplicationSessionExt {
    ExtendedApplicationSession(
            SessionHost host,
            Application application,
            Shard home,
            String id,
            @Nullable String key) {
        super(host, application, home, id, key);
    }

    @Override
    @Deprecated
    public void scheduleAsynchronousWork(SipApplicationSessionAsynchronousWork work) {
        Objects.requireNonNull(work, "work");
        AsynchronousWork.schedule(this, work, () -> work.doAsynchronousWork(this));
    }
}
