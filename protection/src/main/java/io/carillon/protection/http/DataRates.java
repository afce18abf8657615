package io.carillon.protection.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up requests whose body comes too slowly, with 408 (RFC 9110 section 15.5.9), and closes
 * connections whose reader takes a response too slowly. Only the time counts in which somebody
 * waits for the other side: neither a servlet that is slow to read, nor an event stream without
 * events.
 *
 * <p>On the threads of requests; the server's scheduler looks once a second at all that there are,
 * which are no more than connections.
 */
public final class DataRates extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(DataRates.class);
    private static final Content.Chunk TOO_SLOW =
            failure(HttpStatus.REQUEST_TIMEOUT_408, "The body comes too slowly");
    private static final Content.Chunk FOR_OTHERS =
            failure(HttpStatus.SERVICE_UNAVAILABLE_503, "Too many bodies");

    private final long bytesPerSecond;
    private final long graceNanos;
    private final LongAdder slowBodies;
    private final LongAdder slowReaders;
    private final Set<Exchange> exchanges = ConcurrentHashMap.newKeySet();
    private final EverySecond every =
            new EverySecond(
                    LOG, "Slow bodies and readers of HTTP could not be looked for", this::look);

    /**
     * @param bytesPerSecond at least, of bodies and of responses
     * @param grace that is left to both
     * @param slowBodies counts
     * @param slowReaders counts
     */
    public DataRates(
            Handler handler,
            long bytesPerSecond,
            Duration grace,
            LongAdder slowBodies,
            LongAdder slowReaders) {
        super(handler);
        this.bytesPerSecond = bytesPerSecond;
        this.graceNanos = grace.toNanos();
        this.slowBodies = slowBodies;
        this.slowReaders = slowReaders;
    }

    private static Content.Chunk failure(int status, String reason) {
        return Content.Chunk.from(new HttpException.RuntimeException(status, reason), true);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        every.start(getServer().getScheduler());
    }

    @Override
    protected void doStop() throws Exception {
        every.stop();
        super.doStop();
    }

    private void look() {
        long now = System.nanoTime();
        exchanges.forEach(one -> one.look(now));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Exchange exchange = new Exchange(request);
        exchanges.add(exchange);
        Request.addCompletionListener(request, failure -> exchanges.remove(exchange));
        return super.handle(exchange, exchange.watched(response), callback);
    }

    /** A request with the pace of its body and of its response. */
    private final class Exchange extends Request.Wrapper implements OtherSide {
        private final DataPace body = new DataPace(bytesPerSecond, graceNanos);
        private final DataPace answer = new DataPace(bytesPerSecond, graceNanos);
        private final AtomicReference<@Nullable Runnable> demand = new AtomicReference<>();
        private volatile Content.@Nullable Chunk failure;

        Exchange(Request request) {
            super(request);
        }

        void look(long now) {
            if (body.isLate(now) && fail(TOO_SLOW, now)) {
                slowBodies.increment();
            }
            if (answer.isLate(now)) {
                slowReaders.increment();
                answer.proceed(now);
                getConnectionMetaData().getConnection().getEndPoint().close();
            }
        }

        @Override
        public boolean keepsWaiting() {
            return body.isWaiting() || answer.isWaiting();
        }

        @Override
        public void giveUp() {
            fail(FOR_OTHERS, System.nanoTime());
            if (answer.isWaiting()) {
                getConnectionMetaData().getConnection().getEndPoint().close();
            }
        }

        /** The body ends with that for whoever waits for more of it; false where nobody does. */
        private boolean fail(Content.Chunk why, long now) {
            Runnable waiting = demand.getAndSet(null);
            if (waiting == null) {
                return false;
            }
            failure = why;
            body.proceed(now);
            resume(waiting);
            return true;
        }

        @Override
        public Content.@Nullable Chunk read() {
            Content.Chunk failed = failure;
            if (failed != null) {
                return failed;
            }
            Content.Chunk chunk = super.read();
            if (chunk != null) {
                body.moved(chunk.remaining());
            }
            return chunk;
        }

        @Override
        public void demand(Runnable callback) {
            if (failure != null) {
                resume(callback);
                return;
            }
            demand.set(callback);
            body.await(0, System.nanoTime());
            super.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::arrived));
        }

        private void arrived() {
            Runnable waiting = demand.getAndSet(null);
            if (waiting != null) { // else it was given up
                body.proceed(System.nanoTime());
                resume(waiting);
            }
        }

        /** A servlet's read listener may wait, and what wakes a waiting thread does not. */
        private void resume(Runnable waiting) {
            if (Invocable.getInvocationType(waiting) == Invocable.InvocationType.NON_BLOCKING) {
                waiting.run();
                return;
            }
            ThreadPool threads = getServer().getThreadPool();
            try {
                threads.execute(waiting);
            } catch (RejectedExecutionException full) {
                getConnectionMetaData().getConnection().getEndPoint().close();
            }
        }

        Response watched(Response response) {
            return new Response.Wrapper(this, response) {
                @Override
                public void write(boolean last, @Nullable ByteBuffer content, Callback callback) {
                    long bytes = content == null ? 0 : content.remaining();
                    answer.await(bytes, System.nanoTime());
                    super.write(
                            last,
                            content,
                            Callback.from(
                                    callback.getInvocationType(),
                                    () -> {
                                        written(bytes);
                                        callback.succeeded();
                                    },
                                    failed -> {
                                        written(bytes);
                                        callback.failed(failed);
                                    }));
                }

                private void written(long bytes) {
                    answer.proceed(System.nanoTime());
                    answer.moved(bytes);
                }
            };
        }
    }
}
