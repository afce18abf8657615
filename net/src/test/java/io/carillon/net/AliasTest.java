package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.tls.TlsContexts;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetSocketAddress;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RFC 5923: a connection of TLS is used both ways where both ends have proved who they are. */
@Timeout(60)
class AliasTest {

    /** One certificate for all, for localhost; a server asks for it, or does not. */
    private static final class Mutual implements TlsContexts {
        private final SslContext server;
        private final SslContext client;

        Mutual(ClientAuth asked) throws Exception {
            X509Bundle bundle =
                    new CertificateBuilder()
                            .subject("CN=localhost")
                            .setIsCertificateAuthority(true)
                            .addSanDnsName("localhost")
                            .buildSelfSigned();
            server =
                    SslContextBuilder.forServer(
                                    bundle.getKeyPair().getPrivate(), bundle.getCertificate())
                            .trustManager(bundle.getCertificate())
                            .clientAuth(asked)
                            .build();
            client =
                    SslContextBuilder.forClient()
                            .keyManager(bundle.getKeyPair().getPrivate(), bundle.getCertificate())
                            .trustManager(bundle.getCertificate())
                            .endpointIdentificationAlgorithm("")
                            .build();
        }

        @Override
        public SslHandler server(ListeningPoint point, ByteBufAllocator alloc) {
            return server.newHandler(alloc);
        }

        @Override
        public SslHandler client(
                @Nullable String domain, InetSocketAddress remote, ByteBufAllocator alloc) {
            return client.newHandler(alloc);
        }

        @Override
        public TlsPeer peer(SslHandler handler, InetSocketAddress remote) {
            try {
                boolean shown = handler.engine().getSession().getPeerCertificates().length > 0;
                return new TlsPeer("TLS", "", List.of(), shown ? List.of("localhost") : List.of());
            } catch (SSLPeerUnverifiedException nobody) {
                return new TlsPeer("TLS", "", List.of(), List.of());
            }
        }

        @Override
        public boolean provesItself() {
            return true;
        }
    }

    private static Node node(TlsContexts tls) throws BindFailure {
        return new Node(
                NetworkConfig.of(List.of(new ListeningPoint(Transport.TLS, "127.0.0.1", 0)))
                        .withShards(1)
                        .withTls(tls));
    }

    private static String at(Node node, String host) {
        return "sip:" + host + ":" + node.network().port(Transport.TLS) + ";transport=tls";
    }

    @Test
    void rfc5923_8_2_requestsToThePeerTakeTheConnectionThatItOpened() throws Exception {
        TlsContexts tls = new Mutual(ClientAuth.REQUIRE);
        try (Node one = node(tls);
                Node two = node(tls)) {
            one.send(0, "OPTIONS", at(two, "localhost"));
            assertThat(two.next().request().topVia().hasParam("alias")).isTrue();
            two.send(0, "OPTIONS", at(one, "localhost"));
            assertThat(one.next().from().remote().getPort())
                    .isEqualTo(two.network().port(Transport.TLS));
            assertThat(two.count(NetworkCounter.CONNECTIONS_OPENED)).isZero();
        }
    }

    /** "The server MUST proceed as if the "alias" [...] parameter was not present" (9.2). */
    @Test
    void rfc5923_9_2_whoShowsNoCertificateIsConnectedTo() throws Exception {
        anotherConnectionIsOpened(ClientAuth.NONE, "localhost");
    }

    @Test
    void rfc5923_8_2_aTargetThatTheCertificateDoesNotNameIsConnectedTo() throws Exception {
        anotherConnectionIsOpened(ClientAuth.REQUIRE, "127.0.0.1");
    }

    private static void anotherConnectionIsOpened(ClientAuth asked, String host) throws Exception {
        TlsContexts tls = new Mutual(asked);
        try (Node one = node(tls);
                Node two = node(tls)) {
            one.send(0, "OPTIONS", at(two, "localhost"));
            two.next();
            two.send(0, "OPTIONS", at(one, host));
            one.next();
            assertThat(two.count(NetworkCounter.CONNECTIONS_OPENED)).isOne();
        }
    }

    @Test
    void rfc5923_8_2_whenItIsGoneAnotherOneIsOpened() throws Exception {
        TlsContexts tls = new Mutual(ClientAuth.REQUIRE);
        try (Node two = node(tls)) {
            int port;
            try (Node one = node(tls)) {
                port = one.network().port(Transport.TLS);
                one.send(0, "OPTIONS", at(two, "localhost"));
                two.next();
            }
            await().until(() -> two.count(NetworkCounter.CONNECTIONS_OPEN) == 0);
            two.send(0, "OPTIONS", "sip:localhost:" + port + ";transport=tls");
            // Nobody listens there any more: it was tried.
            assertThat(two.ended.take().failure()).isNotNull();
            assertThat(two.count(NetworkCounter.CONNECTIONS_OPENED)).isZero();
        }
    }
}
