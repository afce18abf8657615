package io.carillon.grid.link;

import java.util.Collection;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.protocols.TP;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;

/**
 * Stands on the transport and sees which members' connections were closed by their side: below
 * everything that suspects for other reasons.
 */
public final class ClosedConnections extends Protocol {
    private final Consumer<Address> closed;

    private ClosedConnections(Consumer<Address> closed) {
        this.closed = closed;
    }

    /** Puts one into a stack that is not connected yet. */
    public static void watch(ProtocolStack stack, Consumer<Address> closed) {
        ClosedConnections watch = new ClosedConnections(closed);
        watch.setProtocolStack(stack);
        stack.insertProtocolInStack(watch, stack.getTransport(), ProtocolStack.Position.ABOVE);
    }

    @Override
    public String getName() {
        return TP.class.getSimpleName() + "_CLOSED";
    }

    @Override
    public Object up(Event event) {
        if (event.getType() == Event.SUSPECT) {
            Collection<Address> members = event.getArg();
            members.forEach(closed);
        }
        return up_prot.up(event);
    }
}
