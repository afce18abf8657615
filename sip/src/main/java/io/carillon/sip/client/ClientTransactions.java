package io.carillon.sip.client;

import io.carillon.sip.core.ShardCore;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.transaction.Transaction;

/**
 * What the client transactions of a shard share: the core, the account of those that began and
 * ended, and those that wait on a stream.
 *
 * <p>Owner: the shard's thread.
 */
public final class ClientTransactions {
    /** Takes responses that belong to no request of ours any more. */
    public interface Strays {
        public void stray(SipResponse response, Hop from);
    }

    private final ShardCore core;
    private final Strays strays;
    private final StreamClients streams = new StreamClients();

    /**
     * @param strays the layer above
     */
    public ClientTransactions(ShardCore core, Strays strays) {
        this.core = core;
        this.strays = strays;
    }

    ShardCore core() {
        return core;
    }

    /** Those that wait on a stream. */
    public StreamClients streams() {
        return streams;
    }

    /**
     * One begins.
     *
     * @param place where whoever made us send it is counted
     */
    public void started(Transaction transaction, int place) {
        core.counters().add(Counter.TRANSACTIONS_STARTED);
        core.clients().add(transaction);
        core.shares().begins(place);
    }

    /** One ends. */
    void ended(Transaction transaction, int place, boolean lingered) {
        core.clients().remove(transaction);
        core.shares().ended(place);
        if (lingered) {
            core.counters().lingers(-1);
        }
    }

    /**
     * A response for which there is no client transaction, or that its transaction has no use for.
     */
    public void stray(SipResponse response, Hop from) {
        core.counters().add(Counter.STRAY_RESPONSES);
        core.trace().tell(Counter.STRAY_RESPONSES, response, from);
        try {
            strays.stray(response, from);
        } catch (RuntimeException e) {
            core.events().userError("stray response", e);
        }
    }
}
