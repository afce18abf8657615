package io.carillon.sip.shard;

import io.carillon.sip.client.ClientTransactions;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.message.MessageDraft;
import java.util.function.Consumer;

/**
 * What the requests that a shard sends have in common.
 *
 * <p>Owner: the shard's thread.
 */
public final class ClientSide {
    private final Shard shard;
    private final ShardCore core;
    private final ClientTransactions transactions;
    private final RequestPrinter printer;

    /**
     * @param forwarding takes out of a request of a peer what is in it for us alone, before a proxy
     *     sends it on; any thread
     */
    public ClientSide(
            Shard shard,
            ShardCore core,
            ClientTransactions.Strays strays,
            Consumer<MessageDraft> forwarding) {
        this.shard = shard;
        this.core = core;
        this.transactions = new ClientTransactions(core, strays);
        this.printer = new RequestPrinter(core, forwarding);
    }

    Shard shard() {
        return shard;
    }

    ShardCore core() {
        return core;
    }

    public ClientTransactions transactions() {
        return transactions;
    }

    public RequestPrinter printer() {
        return printer;
    }

    /**
     * Sends a request; what comes of it is told to its user, never before this returns. Any thread.
     */
    public RequestAttempt send(OutgoingRequest request) {
        RequestAttempt attempt = new RequestAttempt(this, request);
        attempt.start();
        return attempt;
    }
}
