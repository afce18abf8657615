package io.carillon.grid.link;

import io.carillon.sip.guard.Holders;
import io.carillon.sip.guard.SourceKey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's socket that gives out only connections whose peer has proved the cluster's key. The
 * handshakes are made beside it: JGroups has one thread that accepts, and reads from each
 * connection there, so that a stranger who says nothing would keep all members out.
 *
 * <p>{@value #MOST} handshakes at once, each within two seconds; beyond, the oldest one of the
 * address that has most of them gives way. Any thread.
 */
final class ProvedConnections extends ServerSocket {
    private static final Logger LOG = LoggerFactory.getLogger(ProvedConnections.class);

    /** Handshakes at once. */
    static final int MOST = 64;

    /** With those that have given way and end now. */
    static final int MOST_THREADS = 2 * MOST;

    /** As when there are no file descriptors left. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final Duration WITHIN = Duration.ofMillis(LinkSockets.HANDSHAKE_MILLIS);

    private final SSLContext context;
    private final BlockingQueue<Socket> proved = new LinkedBlockingQueue<>();

    /** What wakes who accepts when this is closed. */
    private final Socket end = new Socket();

    // Guarded by this.
    private final Holders<Socket> unproved = new Holders<>();
    private boolean began;

    /** No virtual ones: handlers that compute may hold all that carry these. */
    private final ThreadPoolExecutor handshakes =
            new ThreadPoolExecutor(
                    0,
                    MOST_THREADS,
                    10,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    named("cluster-handshake-"));

    private final ScheduledThreadPoolExecutor deadlines =
            new ScheduledThreadPoolExecutor(1, named("cluster-deadline-"));

    ProvedConnections(SSLContext context) throws IOException {
        this.context = context;
        deadlines.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Socket accept() throws IOException {
        begin();
        try {
            Socket next = proved.take();
            if (!isClosed()) {
                return next;
            }
            proved.add(end);
            next.close();
            throw new SocketException("Socket closed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private synchronized void begin() {
        if (!began) {
            began = true;
            Thread.ofPlatform().daemon().name("cluster-accept").start(this::acceptAll);
        }
    }

    private void acceptAll() {
        while (!isClosed()) {
            try {
                Socket made = super.accept();
                Socket givesWay = begins(made);
                if (givesWay != null) {
                    close(givesWay);
                }
                handshake(made);
            } catch (IOException e) {
                LOG.debug("No connection was accepted", e);
                pause(isClosed() ? Duration.ZERO : PAUSE);
            }
        }
    }

    private void handshake(Socket made) {
        Future<?> deadline = null;
        try {
            Future<?> set =
                    deadlines.schedule(() -> end(made), WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            deadline = set;
            handshakes.execute(() -> {
                prove(made);
                set.cancel(false);
            });
        } catch (RejectedExecutionException | OutOfMemoryError none) {
            // Those that gave way have not ended yet, this socket is closed, or no thread is left.
            LOG.debug("A connection of {} was refused", made.getRemoteSocketAddress(), none);
            if (deadline != null) {
                deadline.cancel(false);
            }
            ends(made);
            close(made);
        }
    }

    /** Who has to give way to it; null for nobody. */
    private synchronized @Nullable Socket begins(Socket made) {
        unproved.add(source(made), made, false);
        if (unproved.count() <= MOST) {
            return null;
        }
        Set<Socket> most = unproved.ofMost();
        Socket oldest = most.iterator().next();
        unproved.remove(source(oldest), oldest);
        return oldest;
    }

    private synchronized boolean ends(Socket made) {
        int before = unproved.count();
        unproved.remove(source(made), made);
        return unproved.count() < before;
    }

    private static long source(Socket socket) {
        // Of the address at the other end, which stays known when the socket is closed.
        InetAddress address = socket.getInetAddress();
        return address == null ? 1 : SourceKey.of(address);
    }

    private void prove(Socket made) {
        try {
            SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(made, null, true);
            tls.setUseClientMode(false);
            tls.setEnabledProtocols(new String[] {LinkTls.PROTOCOL});
            tls.setNeedClientAuth(true);
            tls.startHandshake();
            if (ends(made)) {
                proved.add(tls);
                if (isClosed()) {
                    proved.remove(tls);
                    close(tls);
                }
            }
        } catch (IOException e) {
            LOG.debug("A connection of {} was refused", made.getRemoteSocketAddress(), e);
            ends(made);
            close(made);
        }
    }

    /** Its time is over. */
    private void end(Socket made) {
        if (ends(made)) {
            close(made);
        }
    }

    private static ThreadFactory named(String name) {
        return Thread.ofPlatform().daemon().name(name, 1).factory();
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A connection was closed with an error", e);
        }
    }

    @Override
    public void close() throws IOException {
        super.close();
        handshakes.shutdown();
        deadlines.shutdown(); // those that are under way have their time still
        proved.add(end);
    }
}
