package io.carillon.server.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Takes in a body of JSON, which is small, without a thread that waits for it. How slow it may be
 * is the listener's to say. Of strangers, who log in, few bodies are held at a time.
 */
final class JsonBody implements Invocable.Task {
    private static final int LARGEST = 64 << 10;
    private static final int LARGEST_OF_STRANGER = 4 << 10;

    /**
     * A body that is too large is read to its end up to here, and nothing of it kept: a connection
     * that ends under a client who still sends takes the answer away from him.
     */
    private static final int LARGEST_READ = 1 << 20;

    private static final Semaphore STRANGERS = new Semaphore(256);

    private final Exchange exchange;
    private final int most;
    private final int mostRead;
    private final Consumer<byte[]> then;
    private final Runnable left;
    private final AtomicBoolean ended = new AtomicBoolean();
    private int count;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

    private JsonBody(
            Exchange exchange, int most, int mostRead, Consumer<byte[]> then, Runnable left) {
        this.exchange = exchange;
        this.most = most;
        this.mostRead = mostRead;
        this.then = then;
        this.left = left;
    }

    /**
     * Takes it in.
     *
     * @param known whether it is known who sends it
     * @param then gets the body; on a thread that must not wait
     */
    static void read(Exchange exchange, boolean known, Consumer<byte[]> then) throws Problem {
        int most = known ? LARGEST : LARGEST_OF_STRANGER;
        int mostRead = known ? LARGEST_READ : most;
        if (exchange.request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > mostRead) {
            throw tooLarge(most);
        }
        if (!known && !STRANGERS.tryAcquire()) {
            throw Problem.busy("too many log in");
        }
        JsonBody body =
                new JsonBody(exchange, most, mostRead, then, known ? () -> {} : STRANGERS::release);
        // Whoever leaves before his body came.
        Request.addCompletionListener(exchange.request, failure -> body.end());
        body.run();
    }

    private static Problem tooLarge(int most) {
        return new Problem(
                HttpStatus.PAYLOAD_TOO_LARGE_413, "a body has at most " + most + " bytes");
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public void run() {
        while (!ended.get()) {
            Content.Chunk chunk = exchange.request.read();
            if (chunk == null) {
                exchange.request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                if (end()) {
                    exchange.fail(Problem.bad("the body did not come"));
                }
                return;
            }
            keep(chunk.getByteBuffer());
            boolean last = chunk.isLast();
            chunk.release();
            if (count > most && (last || count > mostRead)) {
                if (end()) {
                    exchange.fail(tooLarge(most));
                }
                return;
            }
            if (last && end()) {
                then.accept(bytes.toByteArray());
            }
        }
    }

    private void keep(ByteBuffer part) {
        count += part.remaining();
        if (count <= most) {
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            bytes.writeBytes(copy);
        } else {
            bytes.reset();
        }
    }

    /** Once. */
    private boolean end() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        left.run();
        return true;
    }
}
