package io.carillon.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.net.ListeningPoint;
import io.carillon.sip.stack.Transport;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What handshakes leave behind, and what waits for them. */
class TlsBoundsTest {
    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void sessionsThatMayBeResumedAreBounded(TlsProvider provider) throws Exception {
        TlsConfig config = new TlsFiles(folder).config(TlsFiles.signed("sip.example.com"));
        try (LiveTlsContexts server = LiveTlsContexts.open(config, provider, () -> TlsFiles.NOW)) {
            SslHandler handler =
                    server.server(
                            new ListeningPoint(Transport.TLS, "127.0.0.1", 5061),
                            UnpooledByteBufAllocator.DEFAULT);
            assertThat(handler.engine().getSession().getSessionContext().getSessionCacheSize())
                    .isEqualTo(TlsMaterial.SESSIONS);
            ReferenceCountUtil.release(handler.engine());
        }
    }

    @Test
    void workOfHandshakesThatFindsNoRoomIsRefused() throws Exception {
        ThreadPoolExecutor pool = LiveTlsContexts.pool();
        CountDownLatch done = new CountDownLatch(1);
        Runnable work =
                () -> {
                    try {
                        done.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                };
        try {
            for (int i = 0; i < pool.getMaximumPoolSize() + LiveTlsContexts.WAITING_TASKS; i++) {
                pool.execute(work);
            }
            assertThatThrownBy(() -> pool.execute(work))
                    .isInstanceOf(RejectedExecutionException.class);
        } finally {
            done.countDown();
            pool.shutdownNow();
        }
    }
}
