package io.carillon.servlet.kernel;

import io.carillon.servlet.port.ContainerCounters;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.guard.Shares;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many subscriptions there may be, and how many SIP sessions in one application session with a
 * key: in all, and while more than half of that is taken for each source. Any thread.
 */
public final class SessionRooms {
    /** An application session, as it is counted here. */
    public interface Whole {
        /** Null for one of a single caller. */
        @Nullable String key();

        String getId();

        /** How many SIP sessions it has. */
        int sessionCount();
    }

    private final Supplier<SessionShares> shares;
    private final ContainerCounters counters;
    private volatile int maxSubscriptions;
    private volatile int maxOfOne;
    private volatile Shares subscriptions;

    /** All application sessions in one account, see {@link Sources#within}. */
    private volatile Shares ofOne;

    /**
     * @param shares what each source may have of the sessions; asked again when a cap is set
     */
    public SessionRooms(
            Supplier<SessionShares> shares,
            ContainerCounters counters,
            int maxSubscriptions,
            int maxOfOne) {
        this.shares = shares;
        this.counters = counters;
        this.maxSubscriptions = maxSubscriptions;
        this.maxOfOne = maxOfOne;
        this.subscriptions = shares.get().of(maxSubscriptions);
        this.ofOne = shares.get().of(maxOfOne);
    }

    /** Before the first session, and after the shares of sessions have changed. */
    public void maxSubscriptions(int cap) {
        maxSubscriptions = cap;
        subscriptions = shares.get().of(cap);
    }

    /** As {@link #maxSubscriptions}: SIP sessions that an initial request may find. */
    public void maxOfOne(int cap) {
        maxOfOne = cap;
        ofOne = shares.get().of(cap);
    }

    /** Others from now on; what is held stays counted. */
    public void resize(int mostSubscriptions, int mostOfOne) {
        subscriptions.resize(mostSubscriptions);
        maxSubscriptions = mostSubscriptions;
        ofOne.resize(mostOfOne);
        maxOfOne = mostOfOne;
    }

    /** Is there no room for another subscription, or none for the source of that hop? */
    public boolean fullOfSubscriptions(Hop from) {
        return fullOfSubscriptions(shares.get().place(from));
    }

    /** As {@link #fullOfSubscriptions(Hop)}, for whoever is counted there. */
    boolean fullOfSubscriptions(int countedAt) {
        int taken = (int) counters.subscriptions.sum();
        Shares ofSources = subscriptions;
        return taken >= maxSubscriptions
                || (ofSources.bind(taken) && ofSources.full(countedAt, taken));
    }

    /** One for whoever is counted there begins, or ends. */
    void subscriptions(int countedAt, int change) {
        subscriptions.take(countedAt, change);
    }

    /**
     * Is there no room for another session in that application session, or none for whoever is
     * counted there? With its turn held.
     */
    public boolean fullOfOne(Whole parent, int countedAt) {
        int taken = parent.sessionCount();
        Shares ofSources = ofOne;
        return taken >= maxOfOne
                || (parent.key() != null
                        && ofSources.bind(taken)
                        && ofSources.full(within(parent, countedAt), taken));
    }

    /** One begins, or ends. Without a key all of them are of one caller. */
    void ofOne(Whole parent, int countedAt, int change) {
        if (parent.key() != null) {
            ofOne.take(within(parent, countedAt), change);
        }
    }

    private static int within(Whole parent, int countedAt) {
        return Sources.within(countedAt, parent.getId().hashCode());
    }
}
