package io.carillon.grid.link;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 between nodes, both sides with a {@link LinkCertificate}. The mark in the certificate
 * stands for the public key, and the handshake proves its private key, so nobody else can use it.
 */
public final class LinkTls {
    static final String PROTOCOL = "TLSv1.3";

    private LinkTls() {}

    /** With a certificate of its own. */
    public static SSLContext context(ClusterKey key) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance(PROTOCOL);
        context.init(
                new KeyManager[] {new OwnCertificate(LinkCertificate.make(key))},
                new TrustManager[] {new OfTheCluster(key)},
                null);
        return context;
    }

    /** The one certificate of this node, whatever it is asked for. */
    private static final class OwnCertificate extends X509ExtendedKeyManager {
        private static final String ALIAS = "node";
        private static final String EC = "EC";

        private final LinkCertificate own;

        OwnCertificate(LinkCertificate own) {
            this.own = own;
        }

        @Override
        public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            for (String type : keyType) {
                if (type.equals(EC)) {
                    return ALIAS;
                }
            }
            return null;
        }

        @Override
        public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return keyType.equals(EC) ? ALIAS : null;
        }

        @Override
        public @Nullable String chooseEngineClientAlias(
                String[] keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return chooseClientAlias(keyType, issuers, null);
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return chooseServerAlias(keyType, issuers, null);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {own.certificate()};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return own.key();
        }
    }

    /** Trusts who has the cluster's key. */
    private static final class OfTheCluster extends X509ExtendedTrustManager {
        private final ClusterKey key;

        OfTheCluster(ClusterKey key) {
            this.key = key;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            if (chain.length != 1 || !LinkCertificate.isOf(key, chain[0])) {
                throw new CertificateException("this peer does not have the key of the cluster");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String authType, @Nullable Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String authType, @Nullable Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
