package io.carillon.server.http;

import io.carillon.protection.http.HttpSource;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in the beginning of a body before a thread is given to its request, so that one that does
 * not come holds none. Bytes are copied: of a buffer of the network a single one would keep all. A
 * body that is larger goes on as soon as so much of it is there. Where bodies that are coming fill
 * their room, those of the source that holds most are given up with 503.
 *
 * <p>RFC 9110 section 10.1.1: whoever waits for 100 (Continue) is told so when the body is first
 * read, which is here, unless he announces more than a body may have.
 *
 * <p>On the threads of connections, for each request one at a time.
 */
final class EarlyBodies extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(EarlyBodies.class);

    /** Forms and JSON of applications are mostly smaller. */
    static final int LARGEST = 16 * 1024;

    /** Of all of them together; as much as requests that wait for a thread may have besides. */
    private static final long ROOM = 16 << 20;

    private static final int FIRST = 1024;

    private final long mostOfBody;
    private final BodyRoom<Intake> room;
    private final LongAdder refused;

    /**
     * @param mostOfBody bytes; a request that announces more is for the next handler to refuse
     * @param trusted sources whose bodies are given up last
     * @param refused counts bodies that were given up for others
     */
    EarlyBodies(Handler handler, long mostOfBody, LongPredicate trusted, LongAdder refused) {
        super(handler);
        this.mostOfBody = mostOfBody;
        this.room = new BodyRoom<>(ROOM, trusted);
        this.refused = refused;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        long length = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        boolean chunked = request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        if ((length <= 0 && !chunked) || length > mostOfBody) {
            return super.handle(request, response, callback);
        }
        int most = chunked ? LARGEST : (int) Math.min(length, LARGEST);
        Intake intake = new Intake(request, response, callback, most);
        // Whoever leaves before his body came.
        Request.addCompletionListener(request, failure -> intake.leave());
        intake.run();
        return true;
    }

    /** The body of one request on its way in. */
    private final class Intake implements Invocable.Task {
        private final Request request;
        private final Response response;
        private final Callback callback;
        private final int most;
        private final long source;

        /** Whoever sets it answers the request, or hands it on. */
        private final AtomicBoolean ended = new AtomicBoolean();

        private byte[] bytes;
        private int count;

        Intake(Request request, Response response, Callback callback, int most) {
            this.request = request;
            this.response = response;
            this.callback = callback;
            this.most = most;
            this.source = HttpSource.of(request);
            this.bytes = new byte[0];
        }

        @Override
        public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
        }

        @Override
        public void run() {
            while (!ended.get()) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    request.demand(this);
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    end(chunk.getFailure());
                    return;
                }
                add(chunk.getByteBuffer());
                boolean last = chunk.isLast();
                chunk.release();
                if (last || count >= most) {
                    if (ended.compareAndSet(false, true)) {
                        leave();
                        handOn(last);
                    }
                    return;
                }
            }
        }

        private void add(ByteBuffer more) {
            int length = more.remaining();
            if (count + length > bytes.length) {
                int before = bytes.length;
                int usual = Math.min(most, Math.max(FIRST, 2 * before));
                bytes = Arrays.copyOf(bytes, Math.max(count + length, usual));
                counts(bytes.length - before);
            }
            more.get(bytes, count, length);
            count += length;
        }

        private void counts(int more) {
            Intake over = room.more(source, this, more);
            if (over != null) {
                over.giveUp();
            }
            if (ended.get()) {
                leave(); // it was given up at this moment, and nobody else would take it out
            }
        }

        private void giveUp() {
            if (ended.compareAndSet(false, true)) {
                leave();
                refused.increment();
                callback.failed(
                        new HttpException.RuntimeException(
                                HttpStatus.SERVICE_UNAVAILABLE_503, "Too many bodies"));
            }
        }

        private void end(Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                leave();
                callback.failed(failure);
            }
        }

        /** It counts for nothing any more. */
        void leave() {
            room.gone(source, this);
        }

        private void handOn(boolean last) {
            Content.Chunk whole = Content.Chunk.from(ByteBuffer.wrap(bytes, 0, count), last);
            try {
                if (!EarlyBodies.super.handle(new TakenIn(request, whole), response, callback)) {
                    Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
                }
            } catch (Throwable e) { // handlers declare no narrower one
                LOG.warn("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), e);
                Response.writeError(
                        request, response, callback, HttpStatus.INTERNAL_SERVER_ERROR_500);
            }
        }
    }

    /** A request that has begun to be read. Of the thread that reads it. */
    private static final class TakenIn extends Request.Wrapper {
        private Content.@Nullable Chunk next;

        TakenIn(Request request, Content.Chunk first) {
            super(request);
            this.next = first;
        }

        @Override
        public Content.@Nullable Chunk read() {
            Content.Chunk now = next;
            if (now == null) {
                return super.read();
            }
            next = Content.Chunk.next(now);
            return now;
        }

        @Override
        public void demand(Runnable callback) {
            if (next == null) {
                super.demand(callback);
            } else {
                getComponents().getExecutor().execute(callback);
            }
        }
    }
}
