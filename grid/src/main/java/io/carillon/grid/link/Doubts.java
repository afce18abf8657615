package io.carillon.grid.link;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands over all that suspects members. A member that does not make the views keeps whom it
 * suspects until the next one (JGroups, GMS), though he may have been silent for a moment only;
 * when the one who makes them has left it makes the next view, without a member who lives. That
 * member keeps copies, some of them the only ones. So who is heard a second after he was suspected,
 * in the same view, is suspected no more: who makes the views has not agreed.
 *
 * <p>Any thread. One entry at most for each member of the view.
 */
final class Doubts extends Protocol {
    private static final Logger LOG = LoggerFactory.getLogger(Doubts.class);

    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clock;

    /** When each was suspected last; nanoseconds. */
    private final Map<Address, Long> suspected = new ConcurrentHashMap<>();

    /**
     * @param clock nanoseconds
     */
    Doubts(LongSupplier clock) {
        this.clock = clock;
    }

    /** Puts one into the stack of a channel that is not connected yet. */
    static void end(JChannel channel, LongSupplier clock) {
        ProtocolStack stack = channel.getProtocolStack();
        Doubts doubts = new Doubts(clock);
        doubts.setProtocolStack(stack);
        stack.insertProtocolInStack(
                doubts, stack.findProtocol(VERIFY_SUSPECT2.class), ProtocolStack.Position.ABOVE);
    }

    @Override
    public String getName() {
        return "DOUBTS";
    }

    @Override
    public Object up(Event event) {
        if (event.getType() == Event.SUSPECT) {
            Collection<Address> members = event.getArg();
            members.forEach(member -> suspected.put(member, clock.getAsLong()));
        }
        return up_prot.up(event);
    }

    @Override
    public Object down(Event event) {
        if (event.getType() == Event.VIEW_CHANGE) {
            suspected.clear();
        }
        return down_prot.down(event);
    }

    @Override
    public @Nullable Object up(Message message) {
        heard(message.getSrc());
        return up_prot.up(message);
    }

    @Override
    public void up(MessageBatch batch) {
        heard(batch.getSender());
        up_prot.up(batch);
    }

    private void heard(@Nullable Address by) {
        if (suspected.isEmpty() || by == null) {
            return;
        }
        Long since = suspected.get(by);
        if (since != null
                && clock.getAsLong() - since >= LONGEST_NANOS
                && suspected.remove(by, since)) {
            LOG.info("{} was suspected here alone, and is heard: it is suspected no more", by);
            up_prot.up(new Event(Event.UNSUSPECT, by));
        }
    }
}
