package io.carillon.sip.stack;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.transaction.Transaction;
import io.carillon.sip.transaction.TransactionTable;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Responses from the network: to their client transaction or, as strays, to the layer above.
 *
 * <p>Owner: the shard's thread.
 */
final class ResponseIntake {
    private final Shard shard;
    private final TransactionTable table;

    // The last sent-by that was found to be ours: nearly always that of the next response too.
    private String ownHost = "";
    private int ownPort;

    ResponseIntake(Shard shard, TransactionTable table) {
        this.shard = shard;
        this.table = table;
    }

    /**
     * Sends a request by a machine of its own, and tells the user what becomes of it.
     *
     * @param place where whoever made us send it is counted
     */
    ClientMachine start(SipRequest request, Hop hop, HopUser user, int place, boolean invite) {
        String branch = request.topVia().branch();
        if (branch == null) {
            throw new IllegalStateException("our Via has a branch");
        }
        long hash = TransactionTable.hash(branch, "", -1, request.method());
        if (invite) {
            ClientInvite machine = new ClientInvite(shard, hop, user, place);
            machine.key(hash, branch);
            shard.clientStarted(machine, place);
            machine.start(request, shard.now());
            return machine;
        }
        ClientNonInvite machine = new ClientNonInvite(shard, hop, user, place);
        machine.key(hash, branch);
        shard.clientStarted(machine, place);
        machine.start(request, shard.now());
        return machine;
    }

    void receive(SipResponse response, Hop from) {
        shard.counters().responseIn(response.status());
        Via top = response.topVia();
        // 18.1.2: "If the value of the "sent-by" parameter in that header field value does not
        // correspond to a value that the client transport is configured to insert into requests,
        // the response MUST be silently discarded."
        if (!isOurs(top)) {
            shard.counters().add(Counter.DROPPED_FOREIGN_VIA);
            shard.witness().tell(Counter.DROPPED_FOREIGN_VIA, response, from);
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
        Edge edge = shard.edge();
        SipResponse seen =
                edge == null || from.internal()
                        ? response
                        : edge.arrived(response, requestOf(known), from);
        switch (known) {
            case ClientInvite invite when accepts(invite.attempt(), seen) ->
                    invite.receive(seen, shard.now());
            case ClientNonInvite other when accepts(other.attempt(), seen) ->
                    other.receive(seen, shard.now());
            case null -> stray(seen, from);
            default -> {
                shard.counters().add(Counter.DROPPED_SEVERAL_VIAS);
                shard.witness().tell(Counter.DROPPED_SEVERAL_VIAS, response, from);
            }
        }
    }

    private static @Nullable SipRequest requestOf(@Nullable Transaction known) {
        HopUser attempt =
                switch (known) {
                    case ClientInvite invite -> invite.attempt();
                    case ClientNonInvite other -> other.attempt();
                    case null, default -> null;
                };
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
     * RFC 3261 18.4: ICMP errors fail the request. Believed only when that very request still waits
     * for an answer from there: whoever forges errors cannot guess a branch.
     */
    void unreachable(String method, String branch, InetSocketAddress remote) {
        Transaction known = table.find(TransactionTable.hash(branch, "", -1, method), branch);
        if (known instanceof ClientMachine client
                && !known.lingers()
                && client.hop().transport() == Transport.UDP
                && client.hop().remote().equals(remote)) {
            shard.counters().add(Counter.ICMP_ERRORS);
            shard.downHops().refused(client.hop(), shard.now());
            known.transportError(shard.now());
        }
    }

    void stray(SipResponse response, Hop from) {
        shard.counters().add(Counter.STRAY_RESPONSES);
        shard.witness().tell(Counter.STRAY_RESPONSES, response, from);
        try {
            shard.user().strayResponse(shard, response, from);
        } catch (RuntimeException e) {
            shard.userError("stray response", e);
        }
    }

    private boolean isOurs(Via top) {
        String host = top.host();
        int port = top.port();
        if (port == ownPort && host.equals(ownHost)) {
            return true;
        }
        if (!shard.wire().isLocal(host, port)) {
            return false;
        }
        ownHost = host;
        ownPort = port;
        return true;
    }
}
