package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.port.NoRoom;
import io.carillon.servlet.port.OnBehalf;
import io.carillon.servlet.port.PageVisitor;
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
     * happens; outside of any for the {@link PageVisitor} whose page it is made for, or for nobody.
     *
     * @throws NoRoom for a visitor, as {@link #visited}
     */
    public ApplicationSession begin(Application application, Shard home) {
        return begin(application, home, nextId(), null, own(home), ofWork());
    }

    /** The share of whoever a session is for that an application makes now. */
    private int ofWork() {
        Turn turn = Turn.current();
        if (turn != null) {
            return host.tables().shares().call(turn.countedAt());
        }
        PageVisitor visitor = PageVisitor.served();
        return visitor == null
                ? host.tables().shares().call(SessionShares.NONE)
                : ofPage(visitor.source());
    }

    private int ofPage(long source) {
        if (host.tables().full()) {
            host.counters().refused.increment();
            throw new NoRoom("there is no room for another application session");
        }
        if (!host.tables().admitsPage(source)) {
            host.counters().refusedPages.increment();
            throw new NoRoom("visitors of pages hold their share of the application sessions");
        }
        return host.tables().shares().page(source);
    }

    /** Where they live. */
    public SessionHost host() {
        return host;
    }

    /**
     * One for a request.
     *
     * @param partition of the request; -1 without a cluster
     * @param place of whom it counts for
     */
    public ApplicationSession begin(Application application, Shard home, int partition, int place) {
        int share = host.tables().shares().call(place);
        return begin(application, home, nextId(), null, partition, share);
    }

    /**
     * One for a visitor of a page.
     *
     * @param visitor whom it counts for, beside all visitors
     * @throws NoRoom when there is no room for another, or this visitor or all of them hold their
     *     share
     */
    public ApplicationSession visited(Application application, Shard home, PageVisitor visitor) {
        int share = ofPage(visitor.source());
        ApplicationSession made = begin(application, home, nextId(), null, own(home), share);
        visited(made, visitor);
        return made;
    }

    /** What happens in it may be on behalf of that visitor from now on; with its turn held. */
    public static void visited(ApplicationSession session, PageVisitor visitor) {
        session.origin = session.origin.stricter(visitor.origin());
    }

    private String nextId() {
        return ids.with(nextId.getAndIncrement());
    }

    /**
     * The application session with that key; made when there is none, as by {@link
     * #begin(Application, Shard)}.
     *
     * @throws IllegalStateException when it would have to be made, and its partition is not this
     *     node's: the node that owns it may have one already
     */
    public ApplicationSession keyed(Application application, String key) {
        ApplicationSession found = known(application, key);
        if (found != null) {
            return found;
        }
        int partition = CallPartition.ofKey(key);
        if (!host.shards().some().config().tokens().mayBegin(partition)) {
            throw new IllegalStateException(
                    "an application session with the key "
                            + key
                            + " cannot be made on this node: partition "
                            + partition
                            + " of the cluster is another node's, or nobody's yet; ask for it in a"
                            + " request that has the key (@SipApplicationKey)");
        }
        return keyedOf(application, key, ofWork());
    }

    /**
     * The application session with that key; made when there is none.
     *
     * @param place of whom it counts for when it is made
     */
    public ApplicationSession keyed(Application application, String key, int place) {
        ApplicationSession found = known(application, key);
        return found != null
                ? found
                : keyedOf(application, key, host.tables().shares().call(place));
    }

    private @Nullable ApplicationSession known(Application application, String key) {
        ApplicationSession found = host.tables().find(SessionTables.keyedId(application, key));
        return found != null && found.isValid() ? found : null;
    }

    private ApplicationSession keyedOf(Application application, String key, int share) {
        String id = SessionTables.keyedId(application, key);
        Shard some = host.shards().some();
        if (some.config().tokens().cluster() == null) {
            return begin(application, some, id, key, -1, share);
        }
        int partition = CallPartition.ofKey(key);
        Shard home = host.shards().ofPartition(partition);
        return begin(application, home, id, key, partition, share);
    }

    /** A partition for what begins here. */
    private static int own(Shard home) {
        return home.tokens().newPartition();
    }

    /** One that another node had, before its state is read; nobody else has it. */
    ApplicationSession another(
            Application application, Shard home, String id, @Nullable String key) {
        return host.objects().applicationSession(host, application, home, id, key);
    }

    /**
     * It is here from now on. With its turn held, which it has had from the beginning.
     *
     * @return false where it is here already, or its application has been stopped
     */
    boolean place(ApplicationSession made) {
        if (!made.application().holds().take()) {
            return false;
        }
        if (host.tables().add(made) != made) {
            made.application().holds().giveBack();
            return false;
        }
        made.expiry.share = host.tables().shares().call(SessionShares.NONE);
        return true;
    }

    private ApplicationSession begin(
            Application application,
            Shard home,
            String id,
            @Nullable String key,
            int partition,
            int share) {
        ApplicationSession made =
                host.objects().applicationSession(host, application, home, id, key);
        made.expiry.share = share;
        CallPartition.set(made, partition);
        made.origin = OnBehalf.asked();
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
