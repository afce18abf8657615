package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.port.SessionIds;
import io.carillon.servlet.port.SessionShares;
import io.carillon.servlet.port.Visitor;
import io.carillon.servlet.turn.Turn;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.shard.Shard;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
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
     * happens, or for the visitor whose page the thread serves; else for nobody.
     */
    public ApplicationSession begin(Application application, Shard home) {
        return begin(application, home, nextId(), null, atWork());
    }

    /** The share of whoever the calling thread works for. */
    private int atWork() {
        Turn turn = Turn.current();
        SessionShares shares = host.tables().shares();
        if (turn != null) {
            return shares.call(turn.countedAt());
        }
        Visitor visitor = Visitor.current();
        return visitor == null ? shares.call(SessionShares.NONE) : shares.page(visitor.source());
    }

    /**
     * On whose behalf the calling thread works: of whoever has asked for anything in the call whose
     * turn it is in, and of the visitor whose page it serves.
     */
    public static Origin asked() {
        Origin origin =
                Turn.current() instanceof ApplicationSession asking ? asking.origin() : Origin.OWN;
        Visitor visitor = Visitor.current();
        return visitor == null ? origin : origin.stricter(visitor.origin());
    }

    /**
     * One for a request.
     *
     * @param place of whom it counts for
     */
    public ApplicationSession begin(Application application, Shard home, int place) {
        return begin(application, home, nextId(), null, host.tables().shares().call(place));
    }

    /** One for a visitor of a page. It counts for him, and for all visitors. */
    public ApplicationSession visited(Application application, Shard home, Visitor visitor) {
        int share = host.tables().shares().page(visitor.source());
        ApplicationSession made = begin(application, home, nextId(), null, share);
        visited(made, visitor);
        return made;
    }

    /** What happens in it may be on behalf of that visitor from now on; with its turn held. */
    public static void visited(ApplicationSession session, Visitor visitor) {
        session.origin = session.origin.stricter(visitor.origin());
    }

    private String nextId() {
        return ids.with(nextId.getAndIncrement());
    }

    /**
     * The application session with that key; made when there is none, as by {@link
     * #begin(Application, Shard)}.
     */
    public ApplicationSession keyed(Application application, String key) {
        return keyed(application, key, this::atWork);
    }

    /**
     * The application session with that key; made when there is none.
     *
     * @param place of whom it counts for when it is made
     */
    public ApplicationSession keyed(Application application, String key, int place) {
        return keyed(application, key, () -> host.tables().shares().call(place));
    }

    private ApplicationSession keyed(Application application, String key, IntSupplier share) {
        String id = SessionTables.keyedId(application, key);
        ApplicationSession found = host.tables().find(id);
        if (found != null && found.isValid()) {
            return found;
        }
        return begin(application, host.shards().some(), id, key, share.getAsInt());
    }

    private ApplicationSession begin(
            Application application, Shard home, String id, @Nullable String key, int share) {
        ApplicationSession made =
                host.objects().applicationSession(host, application, home, id, key);
        made.expiry.share = share;
        made.origin = asked();
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
