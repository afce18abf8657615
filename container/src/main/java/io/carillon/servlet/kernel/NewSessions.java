package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.port.SessionIds;
import io.carillon.servlet.port.SessionShares;
import io.carillon.servlet.turn.Turn;
import io.carillon.sip.shard.Shard;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Where application sessions begin: named, in the tables, holding their application. Any thread.
 */
public final class NewSessions {
    private final SessionHost host;
    private final SessionIds ids;
    private final AtomicLong nextId = new AtomicLong();

    /**
     * @param ids of those without a key
     */
    public NewSessions(SessionHost host, SessionIds ids) {
        this.host = host;
        this.ids = ids;
    }

    /**
     * One that an application makes. It counts for whom the session counts for in whose turn that
     * happens; outside of any for nobody.
     */
    public ApplicationSession begin(Application application, Shard home) {
        return begin(application, home, atWork());
    }

    private static int atWork() {
        Turn turn = Turn.current();
        return turn == null ? SessionShares.NONE : turn.countedAt();
    }

    /** Where they live. */
    public SessionHost host() {
        return host;
    }

    /**
     * One for a request.
     *
     * @param place of whom it counts for
     */
    public ApplicationSession begin(Application application, Shard home, int place) {
        return begin(application, home, nextId(), null, host.tables().shares().call(place));
    }

    /**
     * One for a visitor of a page.
     *
     * @param source whom it counts for, beside all visitors
     */
    public ApplicationSession visited(Application application, Shard home, long source) {
        return begin(application, home, nextId(), null, host.tables().shares().page(source));
    }

    private String nextId() {
        return ids.with(nextId.getAndIncrement());
    }

    /**
     * The application session with that key; made when there is none, as by {@link
     * #begin(Application, Shard)}.
     */
    public ApplicationSession keyed(Application application, String key) {
        return keyed(application, key, atWork());
    }

    /**
     * The application session with that key; made when there is none.
     *
     * @param place of whom it counts for when it is made
     */
    public ApplicationSession keyed(Application application, String key, int place) {
        String id = SessionTables.keyedId(application, key);
        ApplicationSession found = host.tables().find(id);
        if (found != null && found.isValid()) {
            return found;
        }
        int share = host.tables().shares().call(place);
        return begin(application, host.shards().some(), id, key, share);
    }

    private ApplicationSession begin(
            Application application, Shard home, String id, @Nullable String key, int share) {
        ApplicationSession made =
                host.objects().applicationSession(host, application, home, id, key);
        made.expiry.share = share;
        if (Turn.current() instanceof ApplicationSession asking) {
            // On behalf of whoever has asked for anything in the call that makes it.
            made.origin = asking.origin();
        }
        if (!application.holds().take()) {
            host.tables().shares().giveBack(share);
            throw new IllegalStateException(
                    "application " + application.name() + " has been stopped");
        }
        ApplicationSession added = host.tables().add(made);
        if (added != made) {
            application.holds().giveBack();
            host.tables().shares().giveBack(share);
        } else {
            host.counters().applicationSessions.increment();
            made.created();
        }
        return added;
    }
}
