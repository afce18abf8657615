package io.carillon.sip.edge;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.feedback.Neighbours;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.outbox.Edge;
import java.util.List;
import java.util.function.Consumer;

/**
 * What all edges of a server have in common: peers, keys, what is inside. Any thread; the peers may
 * change while the server runs.
 */
public final class EdgeConfig implements Edge.Source {
    private final List<byte[]> secrets;
    private final InternalHosts hosts;
    private final Compliance compliance;
    private final Neighbours neighbours;
    private volatile PeerTable peers;

    /**
     * @param secrets keys of the tokens, see {@link Seal}; nodes that share the first one
     *     understand each other's tokens
     * @param compliance what is tolerated of strangers
     */
    public EdgeConfig(
            PeerTable peers, List<byte[]> secrets, InternalHosts hosts, Compliance compliance) {
        this(peers, secrets, hosts, compliance, new Neighbours(0));
    }

    /**
     * @param neighbours peers that take part in overload control, as this node knows them
     */
    public EdgeConfig(
            PeerTable peers,
            List<byte[]> secrets,
            InternalHosts hosts,
            Compliance compliance,
            Neighbours neighbours) {
        this.neighbours = neighbours;
        this.peers = peers;
        this.secrets = List.copyOf(secrets);
        this.hosts = hosts;
        this.compliance = compliance;
    }

    /** From now on these; what they were is forgotten with the next message. */
    public void peers(PeerTable table) {
        peers = table;
    }

    public PeerTable peers() {
        return peers;
    }

    Neighbours neighbours() {
        return neighbours;
    }

    List<byte[]> secrets() {
        return secrets;
    }

    InternalHosts hosts() {
        return hosts;
    }

    Compliance compliance() {
        return compliance;
    }

    @Override
    public Edge open(Wire wire, MessageLimits limits, Consumer<Counter> counted) {
        return new CarrierEdge(this, wire, limits, counted);
    }
}
