package io.carillon.server.calls;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.dispatch.HangUp;
import io.carillon.servlet.kernel.AbsentSessions;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.turn.TurnTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls of a container. Any thread but the shards': it waits for turns. */
public final class Calls {
    /** A handler that keeps its turn for longer is a slow one. */
    private static final long TURN_SECONDS = 3;

    /** 480 Temporarily Unavailable: unlike 503 it sends no caller to another server. */
    private static final int HUNG_UP = 480;

    private final SipContainer container;
    private final String node;
    private final Function<ApplicationSession, CallDetail.@Nullable Cluster> cluster;

    /**
     * Of a server that is alone.
     *
     * @param node this server's name
     */
    public Calls(SipContainer container, String node) {
        this(container, node, nothing -> null);
    }

    /**
     * @param node this server's name
     * @param cluster how a call stands in the cluster, with its turn held; null without one
     */
    public Calls(
            SipContainer container,
            String node,
            Function<ApplicationSession, CallDetail.@Nullable Cluster> cluster) {
        this.container = container;
        this.node = node;
        this.cluster = cluster;
    }

    // ---- the list, read without any turn ----

    /**
     * The calls that the filter lets through, the longest first.
     *
     * @throws IllegalArgumentException with a sentence, where the filter makes no sense
     */
    public CallList list(CallList.Filter filter) {
        return new CallSearch(filter, container.millis(), node).of(container.sessions().all());
    }

    // ---- one call, in its turn ----

    /**
     * The calls that are meant: by id of the application session or of one of its SIP sessions, or
     * by Call-ID, of which several applications may have one.
     *
     * @throws NoSuchCall when there is none
     */
    private List<ApplicationSession> find(String id) throws NoSuchCall {
        ApplicationSession known = container.sessions().find(id);
        AbsentSessions absent = container.host().parts().get(AbsentSessions.SLOT);
        if (known == null && absent != null) {
            absent.await(id); // a call of another node that nobody has asked for yet
            known = container.sessions().find(id);
        }
        if (known != null) {
            return List.of(known);
        }
        List<ApplicationSession> found = byLeg(id);
        if (found.isEmpty() && absent != null) {
            absent.awaitCall(id);
            found = byLeg(id);
        }
        if (found.isEmpty()) {
            throw new NoSuchCall("there is no call '" + id + "' (./carillon calls lists them)");
        }
        return found;
    }

    private List<ApplicationSession> byLeg(String id) {
        List<ApplicationSession> found = new ArrayList<>();
        for (ApplicationSession call : container.sessions().all()) {
            for (ServletSession leg : CallSearch.legs(call)) {
                if (id.equals(leg.getCallId()) || id.equals(leg.getId())) {
                    found.add(call);
                    break;
                }
            }
        }
        return found;
    }

    /** A sentence for the user. */
    public static final class NoSuchCall extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean busy;

        NoSuchCall(String message) {
            this(message, false);
        }

        NoSuchCall(String message, boolean busy) {
            super(message);
            this.busy = busy;
        }

        /** Is it there, and cannot be looked at now? */
        public boolean busy() {
            return busy;
        }
    }

    /**
     * Everything of the calls with that id.
     *
     * @throws NoSuchCall when there is none, or its turn cannot be had
     */
    public List<CallDetail> details(String id) throws NoSuchCall {
        List<CallDetail> all = new ArrayList<>();
        for (ApplicationSession call : find(id)) {
            all.add(inTurn(call, this::detail));
        }
        return all;
    }

    private CallDetail detail(ApplicationSession held) {
        return new DetailReader(held, node, cluster.apply(held)).read();
    }

    /**
     * What was done to a call.
     *
     * @param id of the application session
     * @param application its name
     * @param done a sentence for each leg
     */
    public record Ended(String id, String application, List<String> done) {}

    /**
     * Ends the calls with that id.
     *
     * @throws NoSuchCall when there is none, or its turn cannot be had
     */
    public List<Ended> hangUp(String id) throws NoSuchCall {
        List<Ended> all = new ArrayList<>();
        for (ApplicationSession call : find(id)) {
            List<String> done = inTurn(call, held -> HangUp.of(held, HUNG_UP));
            all.add(new Ended(call.getId(), call.getApplicationName(), done));
        }
        return all;
    }

    private static <T> T inTurn(ApplicationSession call, Function<ApplicationSession, T> work)
            throws NoSuchCall {
        CompletableFuture<T> result = new CompletableFuture<>();
        call.submit(
                new TurnTask() {
                    @Override
                    protected void run() {
                        try {
                            result.complete(work.apply(call));
                        } catch (RuntimeException e) {
                            result.completeExceptionally(e);
                        }
                    }
                });
        try {
            return Objects.requireNonNull(result.get(TURN_SECONDS, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            throw new NoSuchCall(
                    "the call "
                            + call.getId()
                            + " is busy: its application "
                            + call.getApplicationName()
                            + " has not let go of it for "
                            + TURN_SECONDS
                            + " s (./carillon status shows slow handlers)",
                    true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoSuchCall("the server is stopping");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IllegalStateException) {
                throw new NoSuchCall("the call " + call.getId() + " has just ended");
            }
            throw new IllegalStateException("in the turn of " + call.getId(), e.getCause());
        }
    }
}
