package io.carillon.net.tls;

import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.ReferenceCountUtil;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * One generation of what TLS needs, read from files at one time. Immutable but for the ticket keys,
 * which the housekeeping thread turns over; released once, when no new handshake can begin with it.
 *
 * <p>Listeners that ask for different certificates have contexts of their own, so that no session
 * begun at one that does not ask is resumed at one that does.
 */
final class TlsMaterial {

    static final int SESSIONS = 20_000;

    private final TlsProvider provider;
    private final List<Credential> credentials;
    private final List<String> warnings;
    private final Map<ClientCertificates, SslContext> servers;
    private final Map<ClientCertificates, byte[]> ticketKeys =
            new EnumMap<>(ClientCertificates.class);
    private final SslContext client;
    private final @Nullable SslContext unverified;

    private TlsMaterial(
            TlsProvider provider,
            List<Credential> credentials,
            List<String> warnings,
            Map<ClientCertificates, SslContext> servers,
            SslContext client,
            @Nullable SslContext unverified) {
        this.provider = provider;
        this.credentials = credentials;
        this.warnings = warnings;
        this.servers = servers;
        this.client = client;
        this.unverified = unverified;
    }

    /**
     * Reads and checks everything.
     *
     * @throws TlsFault at the first fault; nothing is kept then
     */
    static TlsMaterial read(TlsConfig config, TlsProvider provider, Instant now) throws TlsFault {
        X509ExtendedTrustManager servers = trust("trust", config.trust());
        Path clientFile = config.clientTrust() == null ? config.trust() : config.clientTrust();
        if (config.asksClients() && clientFile == null) {
            throw new TlsFault(
                    "client-trust",
                    "where clients are asked for certificates, client-trust (or trust) has to name"
                            + " the PEM file of the authorities that are believed");
        }
        X509ExtendedTrustManager clients = trust("client-trust", clientFile);
        Set<X500Principal> authorities =
                new HashSet<>(CredentialFiles.subjects(List.of(servers.getAcceptedIssuers())));
        authorities.addAll(CredentialFiles.subjects(List.of(clients.getAcceptedIssuers())));
        CredentialFiles files = new CredentialFiles(now, authorities);
        List<Credential> credentials = new ArrayList<>();
        for (CertificateSource source : config.certificates()) {
            credentials.add(files.read(source));
        }
        checkCipherSuites(config, provider);
        try {
            return new Builder(config, provider, List.copyOf(credentials))
                    .build(servers, clients, List.copyOf(files.warnings()));
        } catch (SSLException | IllegalArgumentException e) {
            throw new TlsFault(
                    "cipher-suites",
                    "no TLS can be done with these settings: " + CertificateText.of(e.toString()));
        }
    }

    private static void checkCipherSuites(TlsConfig config, TlsProvider provider) throws TlsFault {
        List<String> unknown = provider.unknown(config.cipherSuites());
        if (!unknown.isEmpty()) {
            throw new TlsFault(
                    "cipher-suites",
                    String.join(", ", unknown)
                            + ": not known here; allowed are the names of IANA's list, as in "
                            + TlsProvider.CIPHER_SUITES.get(3));
        }
    }

    /** The authorities of a file; null: the system's. */
    private static X509ExtendedTrustManager trust(String key, @Nullable Path file) throws TlsFault {
        try {
            KeyStore store = null;
            if (file != null) {
                store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                int number = 0;
                for (X509Certificate one : CredentialFiles.certificates(key, file)) {
                    store.setCertificateEntry(Integer.toString(number++), one);
                }
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager found) {
                    return found;
                }
            }
            throw new IllegalStateException("no trust manager in this JDK");
        } catch (GeneralSecurityException | java.io.IOException e) {
            throw new TlsFault(
                    key, "cannot be used: " + CertificateText.of(String.valueOf(e.getMessage())));
        }
    }

    TlsProvider provider() {
        return provider;
    }

    List<Credential> credentials() {
        return credentials;
    }

    List<String> warnings() {
        return warnings;
    }

    /** Null where there is no certificate to show. */
    @Nullable SslContext server(ClientCertificates asked) {
        return servers.get(asked);
    }

    /**
     * @param loopback is the target on this machine
     */
    SslContext client(boolean loopback) {
        SslContext lax = unverified;
        return lax != null && loopback ? lax : client;
    }

    /** New tickets get a new key; those of the key before are still taken. */
    void turnTicketKeys() {
        servers.forEach((asked, context) -> {
            byte[] fresh = provider.ticketKey(context, ticketKeys.get(asked));
            if (fresh != null) {
                ticketKeys.put(asked, fresh);
            }
        });
    }

    void release() {
        servers.values().forEach(ReferenceCountUtil::release);
        ReferenceCountUtil.release(client);
        if (unverified != null) {
            ReferenceCountUtil.release(unverified);
        }
    }

    /** Makes the contexts. */
    private record Builder(TlsConfig config, TlsProvider provider, List<Credential> credentials) {

        TlsMaterial build(
                X509ExtendedTrustManager servers,
                X509ExtendedTrustManager clients,
                List<String> warnings)
                throws SSLException {
            provider.prepare();
            KeyManagerFactory keys =
                    credentials.isEmpty() ? null : provider.keys(new SniKeys(credentials));
            Map<ClientCertificates, SslContext> contexts = new EnumMap<>(ClientCertificates.class);
            if (keys != null) {
                for (ClientCertificates asked : ClientCertificates.values()) {
                    if (asked == ClientCertificates.NONE || config.asksClients()) {
                        contexts.put(asked, server(keys, asked, clients));
                    }
                }
            }
            SslContext client = client(keys, servers, false);
            SslContext unverified =
                    config.verify() == Verify.NONE ? client(keys, servers, true) : null;
            TlsMaterial made =
                    new TlsMaterial(provider, credentials, warnings, contexts, client, unverified);
            made.turnTicketKeys();
            return made;
        }

        private SslContext server(
                KeyManagerFactory keys, ClientCertificates asked, X509ExtendedTrustManager clients)
                throws SSLException {
            return common(SslContextBuilder.forServer(keys))
                    .trustManager(new PeerTrust(clients, Verify.CHAIN, provider))
                    .clientAuth(asked.auth())
                    .build();
        }

        private SslContext client(
                @Nullable KeyManagerFactory keys, X509ExtendedTrustManager servers, boolean lax)
                throws SSLException {
            Verify how =
                    lax
                            ? Verify.NONE
                            : config.verify() == Verify.CHAIN ? Verify.CHAIN : Verify.FULL;
            SslContextBuilder builder =
                    common(SslContextBuilder.forClient())
                            .trustManager(new PeerTrust(servers, how, provider))
                            // RFC 5922 7.2 is stricter than what HTTPS asks; PeerTrust does it.
                            .endpointIdentificationAlgorithm(null);
            return keys == null ? builder.build() : builder.keyManager(keys).build();
        }

        private SslContextBuilder common(SslContextBuilder builder) {
            if (provider == TlsProvider.BORINGSSL) {
                builder.option(OpenSslContextOption.USE_TASKS, false); // see LiveTlsContexts.pool
            }
            return builder.sslProvider(provider.netty())
                    .protocols(config.versions())
                    .ciphers(
                            config.cipherSuites().isEmpty()
                                    ? TlsProvider.CIPHER_SUITES
                                    : config.cipherSuites(),
                            SupportedCipherSuiteFilter.INSTANCE)
                    .sessionCacheSize(SESSIONS)
                    .sessionTimeout(config.sessionLife().toSeconds());
        }
    }
}
