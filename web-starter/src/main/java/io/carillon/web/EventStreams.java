package io.carillon.web;

import io.carillon.web.EventQueue.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The event streams of the users' pages (server-sent events). A handler that publishes never waits
 * for a page: each stream has a queue, written by one virtual thread at a time; a page that does
 * not read loses its stream and asks again.
 *
 * <p>Any thread. A stream ends with its page, with the sign-in that it was opened by, with the
 * user's newer streams, or after an hour, when the browser opens it anew.
 */
public final class EventStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
    private static final long LIFE_MILLIS = TimeUnit.HOURS.toMillis(1);
    private static final long HEARTBEAT_SECONDS = 20;

    private final class Stream {
        private final SseEmitter emitter = new SseEmitter(LIFE_MILLIS);
        private final EventQueue waiting = new EventQueue();
        private final AtomicBoolean writing = new AtomicBoolean();
        private final BooleanSupplier allowed;
        private boolean ended;

        Stream(BooleanSupplier allowed) {
            this.allowed = allowed;
        }

        /** False when it has ended. */
        boolean offer(Event event) {
            if (!allowed.getAsBoolean()) {
                close();
                return false;
            }
            synchronized (waiting) {
                if (ended) {
                    return false;
                }
                if (!waiting.add(event)) {
                    ended = true;
                    waiting.clear();
                }
            }
            if (writing.compareAndSet(false, true)) {
                writers.execute(this::write);
            }
            return true;
        }

        private void write() {
            for (; ; ) {
                Event next;
                synchronized (waiting) {
                    next = waiting.poll();
                    if (next == null) {
                        writing.set(false);
                        if (ended) {
                            emitter.complete();
                        }
                        return;
                    }
                }
                try {
                    emitter.send(
                            next.name().isEmpty()
                                    ? SseEmitter.event().comment("still here")
                                    : SseEmitter.event()
                                            .name(next.name())
                                            .data(next.data(), MediaType.APPLICATION_JSON));
                } catch (IOException | IllegalStateException e) {
                    LOG.debug("an event stream ended: {}", e.getMessage());
                    end();
                }
            }
        }

        /** The page is gone. */
        void end() {
            synchronized (waiting) {
                ended = true;
                waiting.clear();
            }
        }

        /** The page is to go. Who asks for it does not wait for a page that does not read. */
        void close() {
            end();
            writers.execute(emitter::complete);
        }
    }

    private final Map<String, List<Stream>> byUser = new ConcurrentHashMap<>();
    private final int mostPerUser;
    private final ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("event-streams").factory());

    EventStreams(int mostPerUser) {
        this.mostPerUser = mostPerUser;
        var _ =
                clock.scheduleWithFixedDelay(
                        this::heartbeat, HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * A new stream of a user, whom the caller has made sure of; the oldest of too many ends. For an
     * application's own page; {@code GET /api/events} is that of the API.
     */
    public SseEmitter open(String user) {
        return open(user, List::of, List::of, () -> true);
    }

    /**
     * As {@link #open(String)}, for as long as somebody is allowed to look: asked before each event
     * and each heartbeat, and when {@link #endForbidden} says so. The stream, and no other of the
     * user, begins with what there is.
     */
    SseEmitter open(
            String user,
            Supplier<List<ShownCall>> calls,
            Supplier<List<CallNotification>> incoming,
            BooleanSupplier allowed) {
        Stream stream = new Stream(allowed);
        Runnable gone =
                () -> {
                    stream.end();
                    remove(user, stream);
                };
        stream.emitter.onCompletion(gone);
        stream.emitter.onTimeout(gone);
        stream.emitter.onError(error -> gone.run());
        byUser.compute(
                user,
                (name, streams) -> {
                    List<Stream> all =
                            streams == null ? new ArrayList<>() : new ArrayList<>(streams);
                    while (all.size() >= mostPerUser) {
                        all.removeFirst().close();
                    }
                    all.add(stream);
                    return List.copyOf(all);
                });
        stream.offer(new Event("", ""));
        calls.get().forEach(call -> stream.offer(new Event("call", call)));
        incoming.get().forEach(call -> stream.offer(Event.of(call)));
        return stream.emitter;
    }

    private void remove(String user, Stream stream) {
        byUser.computeIfPresent(
                user,
                (name, streams) -> {
                    List<Stream> left = new ArrayList<>(streams);
                    left.remove(stream);
                    return left.isEmpty() ? null : List.copyOf(left);
                });
    }

    /** Ends the streams of a user who may not look any more, as after a sign-out. */
    void endForbidden(String user) {
        byUser.computeIfPresent(
                user,
                (name, streams) -> {
                    List<Stream> left = new ArrayList<>(streams);
                    left.removeIf(stream -> {
                        boolean forbidden = !stream.allowed.getAsBoolean();
                        if (forbidden) {
                            stream.close();
                        }
                        return forbidden;
                    });
                    return left.isEmpty() ? null : List.copyOf(left);
                });
    }

    /** Streams that are open now. */
    public int open() {
        int count = 0;
        for (List<Stream> streams : byUser.values()) {
            count += streams.size();
        }
        return count;
    }

    /** Shows a call to the pages of its user. */
    void publish(WebCall call) {
        publish(call.user(), "call", ShownCall.of(call));
    }

    /**
     * Sends an event to all pages of a user.
     *
     * @param name of the event, a word
     * @param data sent as JSON
     */
    public void publish(String user, String name, Object data) {
        publish(user, new Event(name, data));
    }

    /** Shows how far a call to a user is to his pages. */
    void publish(String user, CallNotification call) {
        publish(user, Event.of(call));
    }

    private void publish(String user, Event event) {
        List<Stream> streams = byUser.get(user);
        if (streams != null) {
            for (Stream stream : streams) {
                stream.offer(event);
            }
        }
    }

    private void heartbeat() {
        Event nothing = new Event("", "");
        byUser.values().forEach(streams -> streams.forEach(stream -> stream.offer(nothing)));
    }

    @Override
    public void close() {
        clock.shutdownNow();
        byUser.values().forEach(streams -> streams.forEach(Stream::close));
        byUser.clear();
        writers.shutdown();
    }
}
