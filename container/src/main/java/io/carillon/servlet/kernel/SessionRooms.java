package io.carillon.servlet.kernel;

import io.carillon.servlet.port.ContainerCounters;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.guard.Shares;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;

/**
 * How many subscriptions there may be, and how many SIP sessions in one application session with a
 * key: in all, and while more than half of that is taken for each source. Any thread.
 */
public final class SessionRooms {
    private final SessionTables tables;
    private final ContainerCounters counters;
    private volatile int maxSubscriptions;
    private volatile int maxOfOne;
    private volatile Shares subscriptions;

    /** All application sessions in one account, see {@link Sources#within}. */
    private volatile Shares ofOne;

    public SessionRooms(
            SessionTables tables, ContainerCounters counters, int maxSubscriptions, int maxOfOne) {
        this.tables = tables;
        this.counters = counters;
        this.maxSubscriptions = maxSubscriptions;
        this.maxOfOne = maxOfOne;
        this.subscriptions = tables.shares().of(maxSubscriptions);
        this.ofOne = tables.shares().of(maxOfOne);
    }

    /** Before the first session, and after {@link SessionTables#shares(SessionShares)}. */
    public void maxSubscriptions(int cap) {
        maxSubscriptions = cap;
        subscriptions = tables.shares().of(cap);
    }

    /** As {@link #maxSubscriptions}: SIP sessions that an initial request may find. */
    public void maxOfOne(int cap) {
        maxOfOne = cap;
        ofOne = tables.shares().of(cap);
    }

    /** Is there no room for another subscription, or none for the source of that hop? */
    public boolean fullOfSubscriptions(Hop from) {
        return fullOfSubscriptions(tables.shares().place(from));
    }

    /** As {@link #fullOfSubscriptions(Hop)}, for whoever is counted there. */
    boolean fullOfSubscriptions(int countedAt) {
        long taken = counters.subscriptions.sum();
        Shares shares = subscriptions;
        return taken >= maxSubscriptions || (shares.bind((int) taken) && shares.full(countedAt));
    }

    /** One for whoever is counted there begins, or ends. */
    void subscriptions(int countedAt, int change) {
        subscriptions.take(countedAt, change);
    }

    /**
     * Is there no room for another session in that application session, or none for whoever is
     * counted there? With its turn held.
     */
    public boolean fullOfOne(ApplicationSession parent, int countedAt) {
        int taken = parent.sessions().size();
        Shares shares = ofOne;
        return taken >= maxOfOne
                || (parent.key() != null
                        && shares.bind(taken)
                        && shares.full(within(parent, countedAt)));
    }

    /** One begins, or ends. Without a key all of them are of one caller. */
    void ofOne(ApplicationSession parent, int countedAt, int change) {
        if (parent.key() != null) {
            ofOne.take(within(parent, countedAt), change);
        }
    }

    private static int within(ApplicationSession parent, int countedAt) {
        return Sources.within(countedAt, parent.getId().hashCode());
    }
}
