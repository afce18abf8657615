package io.carillon.server.api;

import io.carillon.server.access.Caller;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams of events for consoles (text/event-stream). One thread for all of them: what everybody
 * hears is made once a second, and one who does not read misses it. There are so many streams at
 * most, and so many of one account. Any thread opens; the thread of its own tells.
 */
final class EventStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
    private static final int MOST_OF_ONE = 32;
    private static final long TICK_MILLIS = 250;
    private static final int TICKS_A_SECOND = 4;
    private static final int TICKS_UNTIL_CHECK = 40;
    private static final int TICKS_UNTIL_BEAT = 60;
    private static final long LONGEST_WRITE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int LONGEST_WAITING = 256 << 10;

    private final int most;
    private final List<Topic> topics;
    private final Callers callers;

    /** Added under this lock. */
    private final List<Stream> open = new CopyOnWriteArrayList<>();

    private @Nullable Thread thread;
    private volatile boolean closed;

    /** News of one stream alone, as the events of one call. */
    @FunctionalInterface
    interface Feed {
        /** JSON in one line; null: nothing new. Called four times a second. */
        @Nullable String next();
    }

    /**
     * @param most streams at a time
     */
    EventStreams(int most, List<Topic> topics, Callers callers) {
        this.most = most;
        this.topics = List.copyOf(topics);
        this.callers = callers;
    }

    /** What a stream of its own has to tell; empty: the topics. */
    interface Feeds {
        @Nullable Feed of(ApiCall call) throws Problem;
    }

    private volatile Feeds feeds = call -> null;

    /** Who makes feeds. */
    void feeds(Feeds made) {
        feeds = made;
    }

    /** One listener. Of the thread that tells, but {@code writing}. */
    private static final class Stream {
        private final Exchange exchange;
        private final Caller caller;
        private final Set<String> names;
        private final @Nullable Feed feed;
        private final Map<String, String> told = new LinkedHashMap<>();
        private final StringBuilder waiting = new StringBuilder("retry: 2000\n\n");
        private volatile boolean writing;
        private volatile boolean gone;
        private volatile long writingSince;
        private boolean missed;
        private int ticks;

        Stream(Exchange exchange, Caller caller, Set<String> names, @Nullable Feed feed) {
            this.exchange = exchange;
            this.caller = caller;
            this.names = names;
            this.feed = feed;
        }

        void add(String event, String data) {
            if (waiting.length() + data.length() > LONGEST_WAITING) {
                missed = true;
                return;
            }
            waiting.append("event: ").append(event).append("\ndata: ").append(data).append("\n\n");
        }
    }

    /**
     * Begins to tell.
     *
     * @throws Problem when there is no room
     */
    void open(Exchange exchange, ApiCall call) throws Problem {
        Caller caller = call.known();
        Feed feed = feeds.of(call);
        Set<String> names = feed == null ? names(call, caller) : Set.of();
        Stream stream = new Stream(exchange, caller, names, feed);
        synchronized (this) {
            if (closed) {
                throw Problem.busy("the server is stopping");
            }
            if (open.size() >= most) {
                throw new Problem(
                        HttpStatus.SERVICE_UNAVAILABLE_503,
                        most + " event streams are open, which is the most (admin.max-streams)",
                        10);
            }
            long own = open.stream().filter(one -> one.caller.name().equals(caller.name())).count();
            if (own >= MOST_OF_ONE) {
                throw new Problem(
                        HttpStatus.TOO_MANY_REQUESTS_429,
                        caller.name() + " has " + MOST_OF_ONE + " event streams open, the most",
                        10);
            }
            if (!exchange.beginStream()) {
                return;
            }
            open.add(stream);
            if (thread == null) {
                thread = Thread.ofPlatform().daemon().name("admin-events").start(this::run);
            }
            notifyAll();
        }
    }

    private Set<String> names(ApiCall call, Caller caller) throws Problem {
        String asked = call.text("topics");
        Set<String> names = new LinkedHashSet<>();
        for (Topic topic : topics) {
            if (asked.isEmpty() && caller.may(topic.role())) {
                names.add(topic.name());
            }
        }
        if (asked.isEmpty()) {
            return names;
        }
        for (String name : asked.split(",", -1)) {
            Topic known = null;
            for (Topic topic : topics) {
                known = topic.name().equals(name) ? topic : known;
            }
            if (known == null) {
                throw Problem.bad(
                        "there is no topic '"
                                + name
                                + "'; there are "
                                + String.join(", ", topics.stream().map(Topic::name).toList()));
            }
            call.needs(known.role(), "the topic " + name);
            names.add(name);
        }
        return names;
    }

    private void run() {
        int tick = 0;
        try {
            while (waitForListeners()) {
                tick++;
                Map<Topic, String> news = tick % TICKS_A_SECOND == 0 ? news() : Map.of();
                for (Stream stream : open) {
                    tellAnyhow(stream, news);
                }
                Thread.sleep(TICK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean waitForListeners() throws InterruptedException {
        while (open.isEmpty() && !closed) {
            wait();
        }
        return !closed;
    }

    private Map<Topic, String> news() {
        Map<Topic, String> news = new LinkedHashMap<>();
        for (Topic topic : topics) {
            if (!topic.state() || wanted(topic)) {
                try {
                    String text = topic.now().get();
                    if (text != null) {
                        news.put(topic, text);
                    }
                } catch (RuntimeException | Error e) {
                    LOG.error("Events of {} could not be made", topic.name(), e);
                }
            }
        }
        return news;
    }

    private boolean wanted(Topic topic) {
        for (Stream one : open) {
            if (one.names.contains(topic.name())) {
                return true;
            }
        }
        return false;
    }

    /** The others hear on, whatever befalls one. */
    private void tellAnyhow(Stream stream, Map<Topic, String> news) {
        try {
            tell(stream, news);
        } catch (RuntimeException | Error e) {
            LOG.error("The event stream of {} ends", stream.caller.name(), e);
            stream.gone = true;
        }
    }

    private void tell(Stream stream, Map<Topic, String> news) {
        stream.ticks++;
        if (stream.gone || !reads(stream) || !counts(stream)) {
            end(stream);
            return;
        }
        news.forEach((topic, text) -> {
            if (stream.names.contains(topic.name())
                    && (!topic.state()
                            || (!stream.writing && !text.equals(stream.told.get(topic.name()))))) {
                stream.add(topic.name(), text);
                if (topic.state()) {
                    stream.told.put(topic.name(), text);
                }
            }
        });
        if (stream.writing) {
            return;
        }
        Feed feed = stream.feed;
        if (feed != null) {
            String text = next(stream, feed);
            if (text != null) {
                stream.add("trace", text);
            }
        }
        if (stream.missed) {
            stream.waiting.append("event: missed\ndata: {}\n\n");
            stream.missed = false;
        }
        if (stream.waiting.isEmpty() && stream.ticks % TICKS_UNTIL_BEAT == 0) {
            stream.waiting.append(":\n\n");
        }
        if (!stream.waiting.isEmpty()) {
            write(stream);
        }
    }

    private static @Nullable String next(Stream stream, Feed feed) {
        try {
            return feed.next();
        } catch (RuntimeException e) {
            LOG.error("Events for {} could not be made", stream.caller.name(), e);
            return null;
        }
    }

    private static boolean reads(Stream stream) {
        return !stream.writing || System.nanoTime() - stream.writingSince < LONGEST_WRITE_NANOS;
    }

    /** Who was thrown out hears nothing more. */
    private boolean counts(Stream stream) {
        if (stream.ticks % TICKS_UNTIL_CHECK != 0) {
            return true;
        }
        try {
            Caller now = callers.find(stream.exchange.visitor, false);
            return now != null && now.roles().containsAll(stream.caller.roles());
        } catch (Problem e) {
            LOG.debug("Whose stream it is cannot be seen now", e);
            return e.status() != HttpStatus.UNAUTHORIZED_401;
        }
    }

    private static void write(Stream stream) {
        byte[] bytes = stream.waiting.toString().getBytes(StandardCharsets.UTF_8);
        stream.waiting.setLength(0);
        stream.writingSince = System.nanoTime();
        stream.writing = true;
        stream.exchange.response.write(
                false,
                ByteBuffer.wrap(bytes),
                Callback.from(
                        () -> stream.writing = false,
                        failure -> {
                            stream.gone = true;
                            stream.writing = false;
                        }));
    }

    private void end(Stream stream) {
        synchronized (this) {
            open.remove(stream);
        }
        if (stream.gone || stream.writing) {
            stream.exchange.callback.failed(new IOException("the listener does not read"));
        } else {
            stream.exchange.response.write(true, ByteBuffer.allocate(0), stream.exchange.callback);
        }
    }

    /** Streams that are open. */
    int size() {
        return open.size();
    }

    @Override
    public void close() {
        List<Stream> all;
        synchronized (this) {
            closed = true;
            notifyAll();
            all = new ArrayList<>(open);
        }
        Thread own = thread;
        if (own != null) {
            own.interrupt();
            try {
                own.join(TimeUnit.SECONDS.toMillis(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        all.forEach(this::end);
    }
}
