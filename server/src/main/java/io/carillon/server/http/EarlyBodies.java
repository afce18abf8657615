package io.carillon.server.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
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
 * Takes in a small body before a thread is given to its request, so that one that does not come
 * holds none. Bytes are copied: of a buffer of the network a single one would keep all. A body that
 * is larger goes on as soon as it has that size, and so does every one while the bodies that are
 * taken in fill their room.
 *
 * <p>On the threads of connections, for each request one at a time.
 */
final class EarlyBodies extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(EarlyBodies.class);

    /** Forms and JSON of applications are mostly smaller. */
    static final int LARGEST = 16 * 1024;

    /** Of all of them together. */
    private static final long ROOM = 32 << 20;

    private static final int FIRST = 1024;

    private final AtomicLong taken = new AtomicLong();

    EarlyBodies(Handler handler) {
        super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        long length = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        boolean chunked = request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        // Who waits for 100 (Continue) has sent nothing, and the servlet may not want it.
        boolean asks =
                request.getHeaders()
                        .contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString());
        if ((length <= 0 && !chunked) || length > LARGEST || asks) {
            return super.handle(request, response, callback);
        }
        int room = chunked ? LARGEST : (int) length;
        if (taken.addAndGet(room) > ROOM) {
            taken.addAndGet(-room);
            return super.handle(request, response, callback);
        }
        Request.addCompletionListener(request, failure -> taken.addAndGet(-room));
        new Intake(request, response, callback, room).run();
        return true;
    }

    /** The body of one request on its way in. */
    private final class Intake implements Invocable.Task {
        private final Request request;
        private final Response response;
        private final Callback callback;
        private final int room;
        private byte[] bytes;
        private int count;

        Intake(Request request, Response response, Callback callback, int room) {
            this.request = request;
            this.response = response;
            this.callback = callback;
            this.room = room;
            this.bytes = new byte[Math.min(room, FIRST)];
        }

        @Override
        public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
        }

        @Override
        public void run() {
            for (; ; ) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    request.demand(this);
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    callback.failed(chunk.getFailure());
                    return;
                }
                add(chunk.getByteBuffer());
                boolean last = chunk.isLast();
                chunk.release();
                if (last || count >= room) {
                    handOn(last);
                    return;
                }
            }
        }

        private void add(ByteBuffer more) {
            int length = more.remaining();
            if (count + length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(count + length, 2 * bytes.length));
            }
            more.get(bytes, count, length);
            count += length;
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
