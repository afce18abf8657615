package io.carillon.net.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the certificate by the name that a client asks for (SNI): first one of that very name,
 * then a wildcard of its level, else the default. By name before kind of key, so that nobody gets
 * another's certificate for the sake of a curve. Immutable.
 */
final class SniKeys extends X509ExtendedKeyManager {

    private final List<Credential> credentials;
    private final List<Integer> standard = new ArrayList<>();
    private final Map<String, List<Integer>> byName = new HashMap<>();

    SniKeys(List<Credential> credentials) {
        this.credentials = List.copyOf(credentials);
        for (int i = 0; i < credentials.size(); i++) {
            Credential one = credentials.get(i);
            for (String name : one.names()) {
                byName.computeIfAbsent(name, n -> new ArrayList<>()).add(i);
            }
            if (i == 0 || one.names().equals(credentials.getFirst().names())) {
                standard.add(i);
            }
        }
    }

    /** The certificates for a name, in the order of the configuration. */
    private List<Integer> forName(@Nullable String name) {
        if (name == null) {
            return standard;
        }
        String wanted = name.toLowerCase(Locale.ROOT);
        List<Integer> exact = byName.get(wanted);
        if (exact != null) {
            return exact;
        }
        int dot = wanted.indexOf('.');
        return byName.getOrDefault(dot < 0 ? "" : "*" + wanted.substring(dot), standard);
    }

    /** The certificate that a client which asks for that name and takes both kinds of key gets. */
    Credential credential(@Nullable String name) {
        return credentials.get(forName(name).getFirst());
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        SSLSession session = engine.getHandshakeSession();
        for (int index : forName(asked(session))) {
            if (fits(keyType, credentials.get(index)) && verifiable(keyType, session)) {
                return Integer.toString(index);
            }
        }
        return null;
    }

    private static @Nullable String asked(@Nullable SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : extended.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        return null;
    }

    /**
     * BoringSSL asks for every kind of key in its own order: what the client knows is left to us.
     */
    private static boolean verifiable(String keyType, @Nullable SSLSession session) {
        if (!(session instanceof ExtendedSSLSession extended)) {
            return true;
        }
        String[] algorithms = extended.getPeerSupportedSignatureAlgorithms();
        String kind = keyType.startsWith("EC") ? "ECDSA" : "RSA";
        return algorithms.length == 0
                || Arrays.stream(algorithms).anyMatch(one -> one.contains(kind));
    }

    private static boolean fits(String keyType, Credential credential) {
        return keyType.startsWith("EC")
                ? credential.keyType().equals("EC")
                : keyType.startsWith("RSA") && credential.keyType().equals("RSA");
    }

    /** As a client: one whose authority the server names, else the first that fits. */
    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        String first = null;
        for (int index = 0; index < credentials.size(); index++) {
            Credential one = credentials.get(index);
            if (Arrays.stream(keyTypes).noneMatch(type -> fits(type, one))) {
                continue;
            }
            String alias = Integer.toString(index);
            if (issuers == null || issuers.length == 0 || issuedByOneOf(issuers, one)) {
                return alias;
            }
            first = first == null ? alias : first;
        }
        return first;
    }

    private static boolean issuedByOneOf(Principal[] issuers, Credential credential) {
        return credential.chain().stream()
                .anyMatch(one -> List.of(issuers).contains(one.getIssuerX500Principal()));
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Credential one = of(alias);
        return one == null ? null : one.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Credential one = of(alias);
        return one == null ? null : one.key();
    }

    private @Nullable Credential of(String alias) {
        int index = Integer.parseInt(alias);
        return index < credentials.size() ? credentials.get(index) : null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return aliases(keyType);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return aliases(keyType);
    }

    private String @Nullable [] aliases(String keyType) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < credentials.size(); i++) {
            if (fits(keyType, credentials.get(i))) {
                all.add(Integer.toString(i));
            }
        }
        return all.isEmpty() ? null : all.toArray(new String[0]);
    }

    // Sockets are not used here.

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
