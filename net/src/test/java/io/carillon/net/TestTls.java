package io.carillon.net;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.tls.HandshakeOutcome;
import io.carillon.net.tls.TlsContexts;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * One certificate of a test, for localhost and 127.0.0.1, which both sides believe. A domain that
 * is asked for is checked.
 */
final class TestTls implements TlsContexts {

    private final X509Bundle bundle;
    private final SslContext server;
    private final SslContext client;

    /** Handshakes that were told of: by the listener, empty for our own, and how they ended. */
    final List<String> took = new CopyOnWriteArrayList<>();

    TestTls() {
        this(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK);
    }

    TestTls(SslProvider provider) {
        try {
            bundle =
                    new CertificateBuilder()
                            .subject("CN=localhost")
                            .setIsCertificateAuthority(true)
                            .addSanDnsName("localhost")
                            .addSanIpAddress("127.0.0.1")
                            .addSanIpAddress("::1")
                            .buildSelfSigned();
            server =
                    SslContextBuilder.forServer(
                                    bundle.getKeyPair().getPrivate(), bundle.getCertificate())
                            .sslProvider(provider)
                            .build();
            client =
                    SslContextBuilder.forClient()
                            .trustManager(bundle.getCertificate())
                            .endpointIdentificationAlgorithm("")
                            .sslProvider(provider)
                            .build();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public SslHandler server(ListeningPoint point, ByteBufAllocator alloc) {
        return server.newHandler(alloc);
    }

    @Override
    public SslHandler client(
            @Nullable String domain, InetSocketAddress remote, ByteBufAllocator alloc) {
        String name = Objects.requireNonNullElse(domain, "127.0.0.1");
        SslHandler handler = client.newHandler(alloc, name, remote.getPort());
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    @Override
    public void took(@Nullable ListeningPoint point, HandshakeOutcome outcome, long nanos) {
        boolean sane = nanos > 0 && nanos < TimeUnit.MINUTES.toNanos(1);
        took.add((point == null ? "" : point.transport()) + " " + outcome + " " + sane);
    }

    /** For peers of the JDK. */
    SSLContext trusting() throws Exception {
        TrustManagerFactory trust = bundle.toTrustManagerFactory();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
