package io.carillon.router;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.Tap;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Where the messages of a trace come from and go to. */
final class SourceTap implements Tap {
    final Queue<InetSocketAddress> from = new ConcurrentLinkedQueue<>();
    final Queue<InetSocketAddress> to = new ConcurrentLinkedQueue<>();

    @Override
    public void received(Place place, SipMessage message, Hop hop) {
        from.add(hop.remote());
    }

    @Override
    public void sent(Place place, SipMessage message, Hop hop, boolean again) {
        to.add(hop.remote());
    }

    @Override
    public void befell(
            Place place,
            Counter what,
            SipMessage message,
            @Nullable Hop hop,
            @Nullable String cause) {}
}
