package io.carillon.servlet.session;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.sip.shard.Shard;
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

    /**
     * One for a request.
     *
     * @param place of whom it counts for
     */
    public ApplicationSession begin(Application application, Shard home, int place) {
        return begin(application, home, nextId(), null, container.sessions().shares().call(place));
    }

    /**
     * One for a visitor of a page.
     *
     * @param source whom it counts for, beside all visitors
     */
    public ApplicationSession visited(Application application, Shard home, long source) {
        return begin(application, home, nextId(), null, container.sessions().shares().page(source));
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
        ApplicationSession found = container.sessions().find(id);
        if (found != null && found.isValid()) {
            return found;
        }
        int share = container.sessions().shares().call(place);
        return begin(application, container.shards().some(), id, key, share);
    }

    private ApplicationSession begin(
            Application application, Shard home, String id, @Nullable String key, int share) {
        ApplicationSession made =
                container.objects().applicationSession(container, application, home, id, key);
        made.expiry.share = share;
        if (!application.holds().take()) {
            container.sessions().shares().giveBack(share);
            throw new IllegalStateException(
                    "application " + application.name() + " has been stopped");
        }
        ApplicationSession added = container.sessions().add(made);
        if (added != made) {
            application.holds().giveBack();
            container.sessions().shares().giveBack(share);
        } else {
            container.counters().applicationSessions.increment();
            made.created();
        }
        return added;
    }
}
