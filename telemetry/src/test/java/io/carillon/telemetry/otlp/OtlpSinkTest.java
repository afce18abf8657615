package io.carillon.telemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What the log says of spans that did not arrive. */
class OtlpSinkTest {
    @Test
    void whoOnlyPassedAFailureOnIsLeftOut() {
        IOException refused = new ConnectException("refused");
        refused.initCause(new ClosedChannelException());
        assertThat(OtlpSink.said(new CompletionException(new UncheckedIOException(refused))))
                .isEqualTo("java.net.ConnectException: refused");
        assertThat(OtlpSink.said(new CompletionException("gone", null)))
                .isEqualTo("java.util.concurrent.CompletionException: gone");
    }
}
