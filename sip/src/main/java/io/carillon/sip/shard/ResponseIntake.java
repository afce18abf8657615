package io.carillon.sip.shard;

import io.carillon.sip.client.ClientInvite;
import io.carillon.sip.client.ClientMachine;
import io.carillon.sip.client.ClientNonInvite;
import io.carillon.sip.client.ClientTransactions;
import io.carillon.sip.client.HopUser;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.outbox.Edge;
import io.carillon.sip.transaction.Transaction;
import io.carillon.sip.transaction.TransactionTable;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Responses from the network: to their client transaction or, as strays, to the layer above.
 *
 * <p>Owner: the shard's thread.
 */
public final class ResponseIntake implements SelfSent.Sent {
    private final ShardCore core;
    private final ClientTransactions clients;
    private final TransactionTable table;

    // The last sent-by that was found to be ours: nearly always that of the next response too.
    private String ownHost = "";
    private int ownPort;

    public ResponseIntake(ShardCore core, ClientTransactions clients) {
        this.core = core;
        this.clients = clients;
        this.table = core.clients();
    }

    public void receive(SipResponse response, Hop from) {
        core.counters().responseIn(response.status());
        Via top = response.topVia();
        // 18.1.2: "If the value of the "sent-by" parameter in that header field value does not
        // correspond to a value that the client transport is configured to insert into requests,
        // the response MUST be silently discarded."
        if (!isOurs(top)) {
            core.counters().add(Counter.DROPPED_FOREIGN_VIA);
            core.trace().tell(Counter.DROPPED_FOREIGN_VIA, response, from);
            return;
        }
        String branch = top.branch();
        // 17.1.3: the top Via has "the same value of the branch parameter" and "the method
        // parameter in the CSeq header field matches".
        Transaction known =
                branch == null
                        ? null
                        : table.find(
                                TransactionTable.hash(branch, "", -1, response.cseqMethod()),
                                branch);
        Edge edge = core.edge();
        SipResponse seen =
                edge == null || from.internal()
                        ? response
                        : edge.arrived(response, requestOf(known), from);
        switch (known) {
            case ClientInvite invite when accepts(invite.attempt(), seen) ->
                    invite.receive(seen, core.now());
            case ClientNonInvite other when accepts(other.attempt(), seen) ->
                    other.receive(seen, core.now());
            case null -> clients.stray(seen, from);
            default -> {
                core.counters().add(Counter.DROPPED_SEVERAL_VIAS);
                core.trace().tell(Counter.DROPPED_SEVERAL_VIAS, response, from);
            }
        }
    }

    private static @Nullable SipRequest requestOf(@Nullable Transaction known) {
        HopUser attempt = userOf(known);
        return attempt == null ? null : attempt.request();
    }

    // 8.1.3.3: "If more than one Via header field value is present in a response, the UAC SHOULD
    // discard the message."
    private static boolean accepts(@Nullable HopUser attempt, SipResponse response) {
        if (attempt == null || attempt.proxied()) {
            return true;
        }
        int first = response.find(HeaderName.VIA, 0);
        if (response.find(HeaderName.VIA, first + 1) >= 0) {
            return false;
        }
        byte[] bytes = response.bytes();
        int end = response.valueEnd(first);
        for (int i = response.valueStart(first); i < end; i++) {
            if (bytes[i] == ',') {
                return response.vias().size() == 1;
            }
        }
        return true;
    }

    /**
     * RFC 3261 18.4: an ICMP error quoted a request of ours, or a router could not send one by a
     * connection. Believed only when that very request still waits for an answer from there:
     * whoever forges errors cannot guess a branch.
     *
     * @param remote where it had gone by UDP; null of a connection
     */
    public void unreachable(String method, String branch, @Nullable InetSocketAddress remote) {
        Transaction known = table.find(TransactionTable.hash(branch, "", -1, method), branch);
        if (known instanceof ClientMachine client
                && !known.lingers()
                && (remote == null
                        ? client.hop().transport().reliable()
                        : client.hop().transport() == Transport.UDP
                                && client.hop().remote().equals(remote))) {
            if (remote != null) {
                core.counters().add(Counter.ICMP_ERRORS);
            }
            core.downHops().refused(client.hop(), core.now());
            known.transportError(core.now());
        }
    }

    /**
     * Who sent a request that came back to us as it left, while that one waits for its final
     * response; null when it was not one of ours.
     */
    public @Nullable AttemptUser senderOf(SipRequest received) {
        RequestAttempt attempt = attemptOf(received);
        return attempt == null ? null : attempt.user();
    }

    @Override
    public @Nullable Hop began(SipRequest received) {
        AttemptUser sender = senderOf(received);
        return sender == null ? null : sender.began();
    }

    /**
     * As {@link #senderOf}, of a request that we sent to a listening point of ours and that came
     * from ourselves, as it left. Whoever is behind that hop has read its branch too, but sends
     * from elsewhere.
     *
     * @param from where it came from
     */
    public @Nullable AttemptUser ownSenderOf(SipRequest received, Hop from) {
        if (!(from.beside() instanceof Hop.CameBack)) {
            return null;
        }
        RequestAttempt attempt = attemptOf(received);
        Hop to = attempt == null ? null : attempt.hop();
        SipRequest sent = attempt == null ? null : attempt.request();
        boolean same =
                sent != null
                        && sent.callId().equals(received.callId())
                        && sent.cseqNumber() == received.cseqNumber()
                        && sent.requestUri().equals(received.requestUri())
                        && Objects.equals(sent.fromTag(), received.fromTag());
        return attempt != null && to != null && same && core.leadsHere(to) ? attempt.user() : null;
    }

    /** The attempt that sent a request which came back to us as it left; null without. */
    public @Nullable RequestAttempt attemptOf(SipRequest received) {
        String branch = received.topVia().branch();
        if (branch == null || !core.config().tokens().begins(branch)) {
            return null;
        }
        long hash = TransactionTable.hash(branch, "", -1, received.method());
        return userOf(table.find(hash, branch)) instanceof RequestAttempt attempt ? attempt : null;
    }

    private static @Nullable HopUser userOf(@Nullable Transaction known) {
        return switch (known) {
            case ClientInvite invite -> invite.attempt();
            case ClientNonInvite other -> other.attempt();
            case null, default -> null;
        };
    }

    private boolean isOurs(Via top) {
        String host = top.host();
        int port = top.port();
        if (port == ownPort && host.equals(ownHost)) {
            return true;
        }
        if (!core.wire().isLocal(host, port)) {
            return false;
        }
        ownHost = host;
        ownPort = port;
        return true;
    }
}
