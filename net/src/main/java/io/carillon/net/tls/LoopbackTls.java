package io.carillon.net.tls;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.listen.ListeningPoint;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListSet;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a trial, as of the load lab: a certificate made for the run, and every server on a
 * loopback address is believed, as it is a trial. Others have to have a certificate of the system's
 * authorities. Any thread.
 */
public final class LoopbackTls implements TlsContexts {
    private final SslContext server;
    private final SslContext client;
    private final boolean checked;
    private final ConcurrentSkipListSet<String> agreed = new ConcurrentSkipListSet<>();

    /**
     * @param host our address, which the server will find in the certificate
     */
    public LoopbackTls(String host) {
        InetAddress own = HostLiteral.parse(host);
        checked = own == null || !own.isLoopbackAddress();
        CertificateMaker.Made made =
                CertificateMaker.of(List.of("localhost", host), Duration.ofDays(2)).selfSigned();
        SslProvider provider = OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
        try {
            server =
                    SslContextBuilder.forServer(made.key(), made.certificate())
                            .sslProvider(provider)
                            .build();
            SslContextBuilder trusting =
                    SslContextBuilder.forClient()
                            .keyManager(made.key(), made.certificate())
                            .sslProvider(provider);
            if (!checked) {
                trusting.trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .endpointIdentificationAlgorithm("");
            }
            client = trusting.build();
        } catch (SSLException e) {
            throw new IllegalStateException("this machine can do no TLS", e);
        }
    }

    @Override
    public SslHandler server(ListeningPoint point, ByteBufAllocator alloc) {
        return noted(server.newHandler(alloc));
    }

    private SslHandler noted(SslHandler handler) {
        handler.handshakeFuture()
                .addListener(result -> {
                    if (result.isSuccess()) {
                        SSLSession session = handler.engine().getSession();
                        agreed.add(session.getProtocol() + " " + session.getCipherSuite());
                    }
                });
        return handler;
    }

    /** Version and cipher suite of each kind of handshake that succeeded, sorted. */
    public List<String> agreed() {
        return List.copyOf(agreed);
    }

    @Override
    public SslHandler client(
            @Nullable String domain, InetSocketAddress remote, ByteBufAllocator alloc) {
        String name = Objects.requireNonNullElse(domain, HostLiteral.print(remote.getAddress()));
        SslHandler handler = client.newHandler(alloc, name, remote.getPort());
        if (checked) {
            SSLParameters parameters = handler.engine().getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            handler.engine().setSSLParameters(parameters);
        }
        return noted(handler);
    }
}
