package io.carillon.servlet.app;

import io.carillon.servlet.port.Slot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What applications begin by themselves as they start, kept until this node of a cluster may act:
 * {@code SipServletListener.servletInitialized}. A call that is begun before would be nobody's, as
 * nothing of it leaves. Without a cluster there is none of this, and nothing waits.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called. It holds a task
 * for each servlet that is deployed until then, and a thread of each application once they are
 * told, so one that hangs keeps no other waiting.
 */
public final class FirstWork {
    /** Of the container; before the first deployment. */
    public static final Slot<FirstWork> SLOT = Slot.of(FirstWork.class);

    /** By application, in the order of its servlets; null once this node acts. */
    private @Nullable Map<Object, List<Runnable>> waiting = new LinkedHashMap<>();

    /** False when this node acts: then nobody has to wait. */
    synchronized boolean keeps(Object application, Runnable work) {
        return waiting != null
                && waiting.computeIfAbsent(application, own -> new ArrayList<>(1)).add(work);
    }

    /** This node acts: what waited is done by threads of its own, and what comes now at once. */
    public void begin() {
        for (List<Runnable> own : take()) {
            Thread.ofPlatform().daemon().name("first-work").start(() -> own.forEach(Runnable::run));
        }
    }

    private synchronized List<List<Runnable>> take() {
        List<List<Runnable>> all = waiting == null ? List.of() : List.copyOf(waiting.values());
        waiting = null;
        return all;
    }
}
