package io.carillon.fuzz.check;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A network that nothing is sent to: we are 10.0.0.1:5060 and example.com. Stateless. */
public final class Nowhere implements Wire {
    public static final Wire WIRE = new Nowhere();

    private Nowhere() {}

    @Override
    public void send(Hop to, SipMessage message, @Nullable SendFailure onFailure) {
        throw new Finding("something was sent");
    }

    @Override
    public HostPort sentBy(
            Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote) {
        return new HostPort("203.0.113.1", 5070);
    }

    @Override
    public void resolve(
            Uri target,
            @Nullable Transport preferred,
            LookupBudget budget,
            Consumer<List<Hop>> result) {
        result.accept(List.of());
    }

    @Override
    public boolean isLocal(String host, int port) {
        return ((host.equals("10.0.0.1") || host.equals("example.com"))
                        && (port == -1 || port == 5060))
                || (host.equals("203.0.113.1") && port == 5070);
    }
}
