package io.carillon.net.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import java.security.KeyStore;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who does the cryptography: BoringSSL where its library loads, else the JDK. */
public enum TlsProvider {
    BORINGSSL("BoringSSL", SslProvider.OPENSSL_REFCNT),
    JDK("the JDK", SslProvider.JDK);

    /**
     * Forward secrecy and authenticated encryption only (RFC 9325 4.2). RFC 3261 26.2.1 asks for
     * TLS_RSA_WITH_AES_128_CBC_SHA, which has neither; who needs it for an old phone names it in
     * the configuration.
     */
    public static final List<String> CIPHER_SUITES =
            List.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final Logger LOG = LoggerFactory.getLogger(TlsProvider.class);
    private static final String NO_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";
    private static final SecureRandom RANDOM = new SecureRandom();

    // X509_V_ERR_... of OpenSSL
    private static final int CERT_HAS_EXPIRED = 10;
    private static final int NO_ISSUER = 20;
    private static final int CERT_REJECTED = 28;

    private static final int NAME_BYTES = OpenSslSessionTicketKey.NAME_SIZE;
    private static final int KEY_BYTES = OpenSslSessionTicketKey.HMAC_KEY_SIZE;

    private final String text;
    private final SslProvider netty;

    TlsProvider(String text, SslProvider netty) {
        this.text = text;
        this.netty = netty;
    }

    /** For people. */
    public String text() {
        return text;
    }

    SslProvider netty() {
        return netty;
    }

    /** The better one of those that work here. */
    public static TlsProvider best() {
        if (OpenSsl.isAvailable() && SslProvider.isTlsv13Supported(SslProvider.OPENSSL_REFCNT)) {
            return BORINGSSL;
        }
        Throwable why = OpenSsl.unavailabilityCause();
        LOG.info(
                "TLS is done by the JDK: BoringSSL is not to be had here ({})",
                String.valueOf(why));
        return JDK;
    }

    /**
     * What has to hold before the first connection. BoringSSL's servers know no renegotiation; the
     * JDK's have to be told, once and for the process.
     */
    void prepare() {
        if (this == JDK && System.getProperty(NO_RENEGOTIATION) == null) {
            System.setProperty(NO_RENEGOTIATION, "true");
        }
    }

    /**
     * What has to be thrown so that the peer is told what is wrong with its certificate: for
     * BoringSSL an exception of Netty's that has the number; any other makes the alert
     * "internal_error".
     */
    CertificateException alerting(PeerRejected why) {
        if (this == JDK) {
            return why;
        }
        int number =
                switch (why.outcome()) {
                    case EXPIRED -> CERT_HAS_EXPIRED;
                    case UNTRUSTED -> NO_ISSUER;
                    default -> CERT_REJECTED;
                };
        return new OpenSslCertificateException(why.getMessage(), why, number);
    }

    /** The names of a list that this provider does not know. */
    List<String> unknown(List<String> cipherSuites) {
        return cipherSuites.stream().filter(name -> !knows(name)).toList();
    }

    private boolean knows(String cipherSuite) {
        if (this == BORINGSSL) {
            return OpenSsl.isCipherSuiteAvailable(cipherSuite);
        }
        try {
            return Arrays.asList(
                            javax.net.ssl.SSLContext.getDefault()
                                    .getSupportedSSLParameters()
                                    .getCipherSuites())
                    .contains(cipherSuite);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException("no TLS in this JDK", e);
        }
    }

    /**
     * Hands a key manager to Netty; BoringSSL then reads each key once, not for every handshake.
     */
    KeyManagerFactory keys(X509ExtendedKeyManager manager) {
        KeyManagerFactory factory = new Given(manager);
        return this == BORINGSSL ? new OpenSslCachingX509KeyManagerFactory(factory) : factory;
    }

    /**
     * A fresh key for session tickets beside the one before: without keys of our own BoringSSL
     * resumes no session of TLS 1.3. Returns the new one.
     */
    byte @Nullable [] ticketKey(SslContext context, byte @Nullable [] before) {
        if (!(context.sessionContext() instanceof OpenSslServerSessionContext sessions)) {
            return null; // the JDK looks after its own
        }
        byte[] fresh = new byte[OpenSslSessionTicketKey.TICKET_KEY_SIZE];
        RANDOM.nextBytes(fresh);
        if (before == null) {
            sessions.setTicketKeys(ticketKey(fresh));
        } else {
            sessions.setTicketKeys(ticketKey(fresh), ticketKey(before));
        }
        return fresh;
    }

    private static OpenSslSessionTicketKey ticketKey(byte[] bytes) {
        return new OpenSslSessionTicketKey(
                Arrays.copyOfRange(bytes, 0, NAME_BYTES),
                Arrays.copyOfRange(bytes, NAME_BYTES, NAME_BYTES + KEY_BYTES),
                Arrays.copyOfRange(bytes, NAME_BYTES + KEY_BYTES, bytes.length));
    }

    /** A factory that has the manager already. */
    private static final class Given extends KeyManagerFactory {
        private static final Provider NOBODY =
                new Provider("carillon", "1", "keys that are already read") {
                    private static final long serialVersionUID = 1L;
                };

        Given(X509ExtendedKeyManager manager) {
            super(
                    new KeyManagerFactorySpi() {
                        @Override
                        protected void engineInit(
                                @Nullable KeyStore store, char @Nullable [] password) {}

                        @Override
                        protected void engineInit(ManagerFactoryParameters parameters) {}

                        @Override
                        protected KeyManager[] engineGetKeyManagers() {
                            return new KeyManager[] {manager};
                        }
                    },
                    NOBODY,
                    "carillon");
        }
    }
}
