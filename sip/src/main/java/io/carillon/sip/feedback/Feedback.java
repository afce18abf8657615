package io.carillon.sip.feedback;

import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Overload control with those peers that take part (RFC 7339, RFC 7415), as a shard does it: what
 * it offers and obeys as a client, and what it tells as a server.
 *
 * <p>Owner: the shard's thread. What is known of peers is shared: {@link Neighbours}.
 */
public final class Feedback {
    /** Why a request is not sent, for people. */
    public static final String NOT_NOW =
            "the next server is overloaded and has asked for less, or does not answer";

    /**
     * The phrase of our 503 for such a request. RFC 7339 5.10: "it will need to reject these
     * requests with a "503 (Service Unavailable)" response without the Retry-After header."
     */
    public static final String REASON = "Next Hop Overloaded";

    /** What is agreed with the peer of a hop. */
    @FunctionalInterface
    public interface Agreed {
        OcMode with(Hop hop);
    }

    private final Agreed agreed;
    private final Neighbours neighbours;

    public Feedback(Agreed agreed, Neighbours neighbours) {
        this.agreed = agreed;
        this.neighbours = neighbours;
    }

    // As a client

    /**
     * Our Via for that hop. RFC 7339 4.1: "A SIP client MUST add an "oc" parameter to the topmost
     * Via header it inserts into every SIP request. [...] There MUST NOT be a value".
     */
    public Via offer(Via own, Hop to) {
        OcMode mode = agreed.with(to);
        return mode == OcMode.OFF
                ? own
                : own.withParam(OcValues.OC, null)
                        .withQuotedParam(OcValues.ALGORITHM, OcAlgorithm.offered(mode));
    }

    /**
     * May a request leave by that hop now? RFC 7339 5.5: "The SIP client MUST NOT forward more
     * requests to a SIP server than allowed by the current "oc" and "oc-algo" parameter values". If
     * so it counts as sent.
     *
     * @param trusted a Resource-Priority in it is believed
     */
    public boolean admits(Hop to, MessageDraft request, boolean trusted, long nowNanos) {
        if (agreed.with(to) == OcMode.OFF) {
            return true;
        }
        Throttle server = neighbours.known(to.remote());
        return server == null
                || server.admits(
                        Priority.precedes(request, trusted)
                                ? Throttle.Category.SECOND
                                : Throttle.Category.FIRST,
                        nowNanos);
    }

    /** An ACK leaves by that hop: it counts, and is not held back. */
    public void passes(Hop to, long nowNanos) {
        Throttle server = agreed.with(to) == OcMode.OFF ? null : neighbours.known(to.remote());
        if (server != null) {
            server.passes(nowNanos);
        }
    }

    /**
     * A response came to a request that we sent there.
     *
     * @param to where the request went
     */
    public void heard(Hop to, SipResponse response, long nowNanos) {
        if (agreed.with(to) == OcMode.OFF) {
            return;
        }
        Via ours = response.topVia();
        OcValues told = ours.hasOverloadControl() ? OcValues.read(ours) : null;
        // Who has never told anything does not take part.
        Throttle server =
                told == null
                        ? neighbours.known(to.remote())
                        : neighbours.server(to.remote(), nowNanos);
        if (server != null) {
            server.heard(told, nowNanos);
        }
    }

    /** No response came to a request that we sent there, or it could not be sent. */
    public void failed(Hop to, long nowNanos) {
        Throttle server = agreed.with(to) == OcMode.OFF ? null : neighbours.known(to.remote());
        if (server != null) {
            server.failed(nowNanos);
        }
    }

    // As a server

    /** A new request came and was taken. */
    public void came(SipRequest request, Hop from, long nowNanos) {
        Demand client = client(from, nowNanos);
        if (client != null) {
            client.came(request.toTag() == null, nowNanos);
        }
    }

    /** A request that begins something came and was refused, for we are overloaded. */
    public void refused(Hop from, long nowNanos) {
        Demand client = client(from, nowNanos);
        if (client != null) {
            client.refused(nowNanos);
        }
    }

    /** A request that begins something came, was taken, and is refused after all. */
    public void refusedAfterAll(Hop from, long nowNanos) {
        Demand client = client(from, nowNanos);
        if (client != null) {
            client.refusedAfterAll(nowNanos);
        }
    }

    private @Nullable Demand client(Hop from, long nowNanos) {
        InetAddress address = from.remote().getAddress();
        return address == null || agreed.with(from) == OcMode.OFF
                ? null
                : neighbours.client(address, nowNanos);
    }

    /**
     * A response as it leaves. RFC 7339 4.1: "The downstream server MUST add a value to the "oc"
     * parameter in the response going upstream to a client that included the "oc" parameter in the
     * request." Also in each repetition of it, by what is known then (5.2).
     */
    public SipResponse told(SipResponse response, Hop to, long nowNanos) {
        Via told = told(response.topVia(), to, nowNanos);
        if (told == null) {
            return response;
        }
        MessageDraft draft = MessageDraft.copyOf(response);
        draft.replaceTopVia(told);
        return draft.freezeResponse();
    }

    private @Nullable Via told(Via theirs, Hop to, long nowNanos) {
        OcValues values = values(theirs, to, nowNanos);
        return values == null ? null : values.on(theirs);
    }

    /**
     * The parameters that stand for those of a client in the response to it, where that is put
     * together from the bytes of the request.
     *
     * @param theirs its Via
     * @return null: as they are
     */
    public @Nullable String params(Via theirs, Hop to, long nowNanos) {
        OcValues values = values(theirs, to, nowNanos);
        return values == null ? null : values.params();
    }

    private @Nullable OcValues values(Via theirs, Hop to, long nowNanos) {
        if (!theirs.hasOverloadControl()) {
            return null;
        }
        OcAlgorithm chosen = OcAlgorithm.chosen(theirs.param(OcValues.ALGORITHM), agreed.with(to));
        InetAddress address = to.remote().getAddress();
        if (chosen == null || address == null) {
            return null;
        }
        Demand client = neighbours.client(address, nowNanos);
        return client == null ? null : client.told(chosen, nowNanos);
    }
}
