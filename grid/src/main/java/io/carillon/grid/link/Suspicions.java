package io.carillon.grid.link;

import java.util.List;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;

/** Members without which a channel is to go on, for reasons of our own. Any thread. */
public final class Suspicions {
    private Suspicions() {}

    /**
     * As if the member had been silent and had not answered since. Where this member makes the next
     * view, it does so at once; nothing where that one is not in it.
     */
    public static void suspect(JChannel channel, Address member) {
        suspect(channel.getProtocolStack(), member);
    }

    static void suspect(ProtocolStack stack, Address member) {
        Protocol asks = stack.findProtocol(VERIFY_SUSPECT2.class);
        asks.getUpProtocol().up(new Event(Event.SUSPECT, List.of(member)));
    }
}
