package io.carillon.servlet.session;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.sip.stack.Shard;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where application sessions begin: named, in the tables, holding their application. Any thread.
 */
public final class NewSessions {
    private final SipContainer container;
    private final SessionIds ids;
    private final AtomicLong nextId = new AtomicLong();

    public NewSessions(SipContainer container, RandomGenerator random) {
        this.container = container;
        this.ids = new SessionIds(Long.toString(random.nextLong() >>> 24, 36) + '-');
    }

    public ApplicationSession begin(Application application, Shard home) {
        return begin(application, home, ids.with(nextId.getAndIncrement()), null);
    }

    /** The application session with that key; made when there is none. */
    public ApplicationSession keyed(Application application, String key) {
        String id = SessionTables.keyedId(application, key);
        ApplicationSession found = container.sessions().find(id);
        if (found != null && found.isValid()) {
            return found;
        }
        return begin(application, container.shards().some(), id, key);
    }

    private ApplicationSession begin(
            Application application, Shard home, String id, @Nullable String key) {
        ApplicationSession made =
                container.objects().applicationSession(container, application, home, id, key);
        if (!application.holds().take()) {
            throw new IllegalStateException(
                    "application " + application.name() + " has been stopped");
        }
        ApplicationSession added = container.sessions().add(made);
        if (added != made) {
            application.holds().giveBack();
        } else {
            container.counters().applicationSessions.increment();
            made.created();
        }
        return added;
    }
}
