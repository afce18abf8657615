package io.carillon.sip.hop;

import io.carillon.sip.message.SipMessage;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The output of the core: implemented by the network and by test kits, called on the shard's thread
 * only.
 */
public interface Wire extends OwnAddresses {
    /** What {@link #resolve} gives for a target that nothing may be sent to. */
    List<Hop> REFUSED = Collections.unmodifiableList(new ArrayList<>());

    /**
     * Sends a message.
     *
     * @param onFailure told later, on the shard's executor and at most once, when the transport
     *     knows that it failed; null when nobody minds
     */
    void send(Hop to, SipMessage message, @Nullable SendFailure onFailure);

    /**
     * Sends a message that nobody parsed, and nobody minds when it is lost. A wire that only sends
     * messages loses it.
     *
     * @param message its bytes, which change when this has returned
     * @param length how many of them count
     */
    default void sendBytes(Hop to, byte[] message, int length) {}

    /** What Via, Contact and Record-Route print for that way. */
    HostPort sentBy(
            Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote);

    /**
     * The transport that leads back to us where a message goes out by this one: the same where we
     * listen on it, else one that we listen on. What Contact and Record-Route name.
     */
    default Transport reachable(Transport transport, InetSocketAddress remote) {
        return transport;
    }

    /**
     * Finds the hops for a target in the order in which they should be tried (RFC 3263).
     *
     * @param preferred the transport to use where the URI leaves it open, or null
     * @param budget pays for the questions that have to be asked
     * @param result gets the hops, maybe none or {@link #REFUSED}, on the shard's executor; for
     *     literals it may be called before this method returns
     */
    void resolve(
            Uri target,
            @Nullable Transport preferred,
            LookupBudget budget,
            Consumer<List<Hop>> result);

    /**
     * A request came whose sender has no address, only a name that nobody can look up (RFC 7118
     * B.1: a client in a browser calls itself by a random name under {@code .invalid}): while its
     * connection lives, a target of that name is reached by it.
     */
    default void reachedBy(String name, Hop from) {}

    /** Does a connection live that has this name by {@link #reachedBy}? Any thread. */
    default boolean reaches(String name) {
        return false;
    }

    /**
     * A peer has shown that it belongs here: it gave the right credentials, or got a 2xx for what
     * lasts (REGISTER, INVITE, SUBSCRIBE). Where connections are too many, the one that it came by
     * does not give way to those of strangers. Any thread.
     *
     * @param user whose credentials, the same number for the same user of this server; 0: none came
     */
    default void proved(Hop from, long user) {}

    /**
     * Is it the connection of that user, by whose credentials it was {@link #proved} last? Any
     * thread.
     */
    default boolean isOf(Hop from, long user) {
        return false;
    }

    /**
     * A request came over TLS whose sender lets its connection be used the other way round (RFC
     * 5923): requests to the address that it advertises, for a domain that its certificate has
     * proved, may go over it.
     *
     * @param port of the sent-by in its Via; -1 where none is written
     */
    default void alias(int port, Hop from) {}

    /**
     * Whether a request on this way lets the peer use our connection the other way round (RFC
     * 5923): where we listen for TLS ourselves and have a certificate to prove who we are.
     */
    default boolean offersAlias(Hop to) {
        return false;
    }

    /**
     * Sends a keep-alive over a flow of ours (RFC 5626 section 4.4): a double CRLF, or over UDP a
     * STUN Binding request. A connection that does not answer within 10 s is closed.
     */
    default void ping(Hop flow, Pong result) {}

    /**
     * Whether a flow is still there (RFC 5626): asked before a request is sent over it. Of
     * datagrams nobody knows.
     */
    default boolean alive(Hop flow) {
        return true;
    }

    /**
     * Whether a request of that origin may be passed on to that address. A refusal is counted.
     * Where nothing may be sent to whatever the origin is, {@link #resolve} finds nothing.
     */
    default boolean mayPass(Origin origin, InetSocketAddress remote) {
        return true;
    }

    /**
     * Gives a request that came here to the node that owns a partition, as if it had come there: it
     * belongs to a call of that one. It may be lost, as a datagram.
     *
     * @param request as it came; not changed afterwards
     * @param from where it came from
     * @return false where it cannot go: without a cluster, or as its answers could not go back from
     *     there
     */
    default boolean handOn(byte[] request, Hop from, int partition) {
        return false;
    }

    /**
     * Whether requests can be sent over this transport: asked before a request too large for UDP
     * changes to TCP (RFC 3261 section 18.1.1).
     */
    default boolean sends(Transport transport) {
        return transport == Transport.UDP;
    }
}
