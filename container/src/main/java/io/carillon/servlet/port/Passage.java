package io.carillon.servlet.port;

import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.server.ServerTransaction;
import java.lang.ref.WeakReference;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import org.jspecify.annotations.Nullable;

/**
 * What travels beside an initial request from one application to the next.
 *
 * @param application name of the next one
 * @param info what the router said
 * @param poppedByRouter a route to ourselves that the router named; null without
 * @param initialPopped the route that was popped when the request came in; null without
 * @param initialHop where the request came in; null when an application made it
 * @param provenance what is known of who sent it
 * @param depth how many applications were visited before
 * @param origin by what kind of listening point it came
 * @param countedAt where whoever began it is counted in the accounts of sources
 * @param begun the request that the application before this one works on, from which this one came;
 *     null when there is none, gone when it was answered
 */
public record Passage(
        String application,
        SipApplicationRouterInfo info,
        @Nullable NameAddress poppedByRouter,
        @Nullable NameAddress initialPopped,
        @Nullable Hop initialHop,
        Provenance provenance,
        int depth,
        Origin origin,
        int countedAt,
        @Nullable WeakReference<ServerTransaction> begun)
        implements Origin.Known {
    /**
     * Has its caller had a response from an application before this one by now, so that he counts
     * on an answer? Any thread.
     */
    public boolean told() {
        ServerTransaction before = begun == null ? null : begun.get();
        return before != null
                && (before.told()
                        || (before.source().beside() instanceof Passage passage && passage.told()));
    }
}
