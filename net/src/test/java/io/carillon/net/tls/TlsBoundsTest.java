package io.carillon.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.SslContext;
import java.nio.file.Path;
import java.util.Objects;
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
        TlsMaterial material = TlsMaterial.read(config, provider, TlsFiles.NOW);
        try {
            SslContext server = Objects.requireNonNull(material.server(ClientCertificates.NONE));
            assertThat(server.sessionContext().getSessionCacheSize())
                    .isEqualTo(TlsMaterial.SESSIONS);
        } finally {
            material.release();
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
