package io.carillon.net.loop;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.resolve.TargetResolver;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The output of one shard into a network in memory. Owner: the shard's thread. */
final class LoopWire implements Wire {

    /** What carries it. */
    @FunctionalInterface
    interface Medium {
        /**
         * Sends bytes from one address to another.
         *
         * @return false when it is known that they cannot arrive
         */
        boolean send(
                Transport transport, InetSocketAddress from, InetSocketAddress to, byte[] message);
    }

    private final Medium network;
    private final LoopShard loop;
    private final InetSocketAddress address;
    private final HostPort printed;

    LoopWire(Medium network, LoopShard loop, InetSocketAddress address) {
        this.network = network;
        this.loop = loop;
        this.address = address;
        printed = new HostPort(HostLiteral.print(address.getAddress()), address.getPort());
    }

    @Override
    public void send(Hop to, SipMessage message, @Nullable SendFailure onFailure) {
        byte[] bytes = Arrays.copyOf(message.bytes(), message.length());
        boolean sent = network.send(to.transport(), address, to.remote(), bytes);
        if (!sent && onFailure != null) {
            loop.execute(() -> onFailure.sendFailed(to, "nobody has this address"));
        }
    }

    @Override
    public void sendBytes(Hop to, byte[] message, int length) {
        network.send(to.transport(), address, to.remote(), Arrays.copyOf(message, length));
    }

    @Override
    public HostPort sentBy(
            Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote) {
        return printed;
    }

    /** Addresses in digits only: there are no names here. */
    @Override
    public void resolve(
            Uri target,
            @Nullable Transport preferred,
            LookupBudget budget,
            Consumer<List<Hop>> result) {
        result.accept(hops(target, preferred));
    }

    private static List<Hop> hops(Uri target, @Nullable Transport preferred) {
        if (!(target instanceof SipUri uri)) {
            return List.of();
        }
        Transport transport = TargetResolver.transport(uri, preferred);
        String maddr = uri.maddr();
        InetAddress host = HostLiteral.parse(maddr == null ? uri.host() : maddr);
        if (transport == null || host == null) {
            return List.of();
        }
        int port = uri.port() >= 0 ? uri.port() : transport.defaultPort();
        return List.of(Hop.to(transport, new InetSocketAddress(host, port)));
    }

    @Override
    public boolean isLocal(String host, int port) {
        int meant = port < 0 ? Transport.UDP.defaultPort() : port;
        return meant == address.getPort() && address.getAddress().equals(HostLiteral.parse(host));
    }

    @Override
    public boolean isOwnHost(String host) {
        return isLocal(host, address.getPort());
    }

    @Override
    public boolean sends(Transport transport) {
        return transport == Transport.UDP || transport == Transport.TCP;
    }
}
