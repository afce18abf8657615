package io.carillon.servlet.app;

import io.carillon.servlet.port.Slot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What applications begin by themselves as they start, kept until this node of a cluster may act:
 * {@code SipServletListener.servletInitialized}. A call that is begun before would be nobody's, as
 * nothing of it leaves. Without a cluster there is none of this, and nothing waits.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called. It holds a task
 * for each servlet that is deployed until then.
 */
public final class FirstWork {
    /** Of the container; before the first deployment. */
    public static final Slot<FirstWork> SLOT = Slot.of(FirstWork.class);

    /** Null once this node acts. */
    private @Nullable List<Runnable> waiting = new ArrayList<>();

    /** False when this node acts: then nobody has to wait. */
    synchronized boolean keeps(Runnable work) {
        return waiting != null && waiting.add(work);
    }

    /** This node acts: what waited is done on this thread, and what comes from now on at once. */
    public void begin() {
        List<Runnable> now;
        synchronized (this) {
            now = waiting == null ? List.of() : waiting;
            waiting = null;
        }
        now.forEach(Runnable::run);
    }
}
