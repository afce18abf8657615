package io.carillon.grid.link;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.PhysicalAddress;
import org.jgroups.protocols.TP;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;

/**
 * Stands on the transport and sees which members' connections were closed by their side: below
 * everything that suspects for other reasons. Where the member's host then says that the process
 * has ended, the channel goes on without it at once; the protocols would ask the dead for half a
 * second whether he lives.
 */
public final class ClosedConnections extends Protocol {
    private static final int MOST_THREADS = 4;
    private static final int MOST_WAITING = 256;

    private final ExecutorService proofs =
            new ThreadPoolExecutor(
                    0,
                    MOST_THREADS,
                    10,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(MOST_WAITING),
                    Thread.ofPlatform().daemon().name("cluster-proof-", 1).factory());
    private volatile Consumer<Address> died = member -> {};

    private ClosedConnections() {}

    /** Puts one into the stack of a channel that is not connected yet. */
    static void watch(JChannel channel) {
        ProtocolStack stack = channel.getProtocolStack();
        ClosedConnections watch = new ClosedConnections();
        watch.setProtocolStack(stack);
        stack.insertProtocolInStack(watch, stack.getTransport(), ProtocolStack.Position.ABOVE);
    }

    /**
     * Who is told which members of that channel have ended. On threads for it; before the channel
     * is connected.
     */
    public static void onDeath(JChannel channel, Consumer<Address> told) {
        ClosedConnections watch = channel.getProtocolStack().findProtocol(ClosedConnections.class);
        watch.died = told;
    }

    @Override
    public String getName() {
        return TP.class.getSimpleName() + "_CLOSED";
    }

    @Override
    public Object up(Event event) {
        if (event.getType() == Event.SUSPECT) {
            Collection<Address> members = event.getArg();
            members.forEach(this::closed);
        }
        return up_prot.up(event);
    }

    private void closed(Address member) {
        InetSocketAddress where = where(member);
        if (where == null) {
            return;
        }
        try {
            proofs.execute(() -> prove(member, where));
        } catch (RejectedExecutionException e) {
            log.debug("%s: no proof is looked for: its silence tells", member);
        }
    }

    private void prove(Address member, InetSocketAddress where) {
        try {
            if (DeathProof.isDead(where)) {
                died.accept(member);
                Suspicions.suspect(getProtocolStack(), member);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable InetSocketAddress where(Address member) {
        Object found = down_prot.down(new Event(Event.GET_PHYSICAL_ADDRESS, member));
        return found instanceof PhysicalAddress && found instanceof IpAddress ip
                ? new InetSocketAddress(ip.getIpAddress(), ip.getPort())
                : null;
    }

    @Override
    public void destroy() {
        proofs.shutdownNow();
        super.destroy();
    }
}
