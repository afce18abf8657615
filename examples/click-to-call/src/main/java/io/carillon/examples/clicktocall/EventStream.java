package io.carillon.examples.clicktocall;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;

/**
 * One browser that watches one call, by Server-Sent Events. A reader that is slow or gone holds up
 * nobody: nothing here waits, and what cannot be written stays in the queue. Any thread.
 */
final class EventStream implements WriteListener, AsyncListener {
    private final AsyncContext request;
    private final ServletOutputStream out;
    private final Runnable gone;
    private final Deque<String> queue = new ArrayDeque<>();
    private int next;
    private boolean flush;
    private boolean last;
    private boolean over;

    /**
     * @param first number of the first event to send: a browser that comes back has seen some
     * @param gone told at the end
     */
    EventStream(AsyncContext request, int first, Runnable gone) throws IOException {
        this.request = request;
        this.out = request.getResponse().getOutputStream();
        this.next = first;
        this.gone = gone;
        request.setTimeout(0);
        request.addListener(this);
        out.setWriteListener(this);
    }

    /** Sends the events that were not sent yet; behind the last one the stream ends. */
    synchronized void show(List<String> events, boolean ended) {
        for (; next < events.size(); next++) {
            queue.add("id: " + next + "\ndata: " + events.get(next) + "\n\n");
        }
        last |= ended;
        pump();
    }

    /** A comment now and then: proxies keep the connection, and a browser that left is noticed. */
    synchronized void beat() {
        if (queue.isEmpty()) {
            queue.add(":\n\n");
        }
        pump();
    }

    /** Ends the stream; the browser comes back by itself. */
    synchronized void close() {
        last = true;
        pump();
    }

    private void pump() {
        try {
            while (!over && out.isReady()) {
                if (!queue.isEmpty()) {
                    out.write(queue.remove().getBytes(StandardCharsets.UTF_8));
                    flush = true;
                } else if (flush) {
                    flush = false;
                    out.flush();
                } else {
                    if (last) {
                        end();
                    }
                    return;
                }
            }
        } catch (IOException left) {
            end(); // the browser is gone, which is its right
        }
    }

    private void end() {
        if (!over) {
            over = true;
            gone.run();
            request.complete();
        }
    }

    @Override
    public synchronized void onWritePossible() {
        pump();
    }

    @Override
    public synchronized void onError(Throwable left) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        gone.run();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public synchronized void onError(AsyncEvent event) {
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
