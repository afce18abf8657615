package io.carillon.sip.shard;

import io.carillon.sip.client.ClientInvite;
import io.carillon.sip.client.ClientMachine;
import io.carillon.sip.client.ClientNonInvite;
import io.carillon.sip.client.ClientTransactions;
import io.carillon.sip.client.HopUser;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.outbox.Departures;
import io.carillon.sip.transaction.TransactionTable;
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
        Departures keeper = core.outbox().departures();
        if (keeper == null || !keeper.keeps(request.user(), attempt::start)) {
            attempt.start();
        }
        return attempt;
    }

    /**
     * An INVITE that another node has sent goes on: its answers come here. Any thread.
     *
     * @param request how it would leave; it tells only whose it is
     * @param sent as it left, with the Via of ours
     * @param to where it went
     * @param heard has a response to it come? Else it is repeated, by a datagram
     */
    RequestAttempt resume(OutgoingRequest request, SipRequest sent, Hop to, boolean heard) {
        RequestAttempt attempt = new RequestAttempt(this, request);
        core.events()
                .perform(() -> {
                    String branch = sent.topVia().branch();
                    if (branch != null) {
                        attempt.tries(sent, to);
                        // What was written to a connection has arrived, or is lost with it.
                        boolean rings = heard || to.reliable();
                        if (rings) {
                            attempt.transition(AttemptState.RINGING);
                        }
                        ClientInvite machine =
                                new ClientInvite(transactions, to, attempt, request.countedAt());
                        machine.key(TransactionTable.hash(branch, "", -1, sent.method()), branch);
                        machine.of(core.config().tokens().partitionIn(branch));
                        request.machine = machine;
                        transactions.started(machine, request.countedAt());
                        if (rings) {
                            machine.resume(core.now());
                        } else {
                            machine.resume(sent, core.now());
                        }
                    }
                });
        return attempt;
    }

    /**
     * Sends a request by a transaction of its own, which tells the user what becomes of it.
     *
     * @param place where whoever made us send it is counted
     */
    ClientMachine start(SipRequest request, Hop to, HopUser user, int place, boolean invite) {
        String branch = request.topVia().branch();
        if (branch == null) {
            throw new IllegalStateException("our Via has a branch");
        }
        long hash = TransactionTable.hash(branch, "", -1, request.method());
        if (invite) {
            ClientInvite machine = new ClientInvite(transactions, to, user, place);
            machine.key(hash, branch);
            machine.of(core.config().tokens().partitionIn(branch));
            transactions.started(machine, place);
            machine.start(request, core.now());
            return machine;
        }
        ClientNonInvite machine = new ClientNonInvite(transactions, to, user, place);
        machine.key(hash, branch);
        machine.of(core.config().tokens().partitionIn(branch));
        transactions.started(machine, place);
        machine.start(request, core.now());
        return machine;
    }
}
