package io.carillon.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;

/** On real sockets: pages that never end, in a pool of two threads. */
class PageThreadsTest {
    private static final int THREADS = 2;
    private static final int WAITING = 3;

    @Test
    void requestsWithoutAThreadAndAPlaceToWaitAreAnswered503() throws Exception {
        CountDownLatch ends = new CountDownLatch(1);
        LongAdder refused = new LongAdder();
        Handler page =
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback)
                            throws InterruptedException {
                        ends.await();
                        callback.succeeded();
                        return true;
                    }
                };
        QueuedThreadPool pages = new QueuedThreadPool(THREADS, THREADS);
        pages.setReservedThreads(0);
        Server server = new Server(pages);
        ServerConnector connector =
                new ServerConnector(server, new QueuedThreadPool(8), null, null, 1, 1);
        connector.addConnectionFactory(new HttpConnectionFactory());
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        SharedThreads threads =
                new SharedThreads(pages, THREADS, WAITING, everybody -> true, () -> 0);
        server.setHandler(new PageThreads(page, threads, refused, new LongAdder()));
        server.start();
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < THREADS + WAITING; i++) {
                held.add(ask(connector.getLocalPort()));
            }
            await().until(() -> threads.waiting() == WAITING);
            try (Socket more = ask(connector.getLocalPort())) {
                assertThat(new String(more.getInputStream().readNBytes(12), ISO_8859_1))
                        .isEqualTo("HTTP/1.1 503");
            }
            assertThat(refused.sum()).isEqualTo(1);
        } finally {
            ends.countDown();
            for (Socket one : held) {
                one.close();
            }
            server.stop();
        }
    }

    private static Socket ask(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(ISO_8859_1));
        return socket;
    }
}
