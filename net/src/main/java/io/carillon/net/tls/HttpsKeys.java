package io.carillon.net.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificates that are in use now, for a server that is not ours and keeps its TLS context: a
 * handshake that began with certificates which were replaced meanwhile goes on with those. Any
 * thread.
 */
final class HttpsKeys extends X509ExtendedKeyManager {
    private static final String BETWEEN = "-";

    private final Supplier<List<Credential>> now;

    /** The newest, and those before them. */
    private volatile Generations generations;

    /**
     * @param number of the newest
     * @param credentials that the newest was made of, to know when there are others
     */
    private record Generations(
            long number, List<Credential> credentials, SniKeys newest, SniKeys before) {}

    HttpsKeys(Supplier<List<Credential>> now) {
        this.now = now;
        List<Credential> first = now.get();
        SniKeys keys = new SniKeys(first);
        this.generations = new Generations(0, first, keys, keys);
    }

    private Generations newest() {
        Generations known = generations;
        List<Credential> credentials = now.get();
        return credentials.equals(known.credentials) ? known : next(credentials);
    }

    private synchronized Generations next(List<Credential> credentials) {
        Generations known = generations;
        if (!credentials.equals(known.credentials)) {
            generations =
                    new Generations(
                            known.number + 1, credentials, new SniKeys(credentials), known.newest);
        }
        return generations;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        Generations at = newest();
        String alias = at.newest.chooseEngineServerAlias(keyType, issuers, engine);
        return alias == null ? null : at.number + BETWEEN + alias;
    }

    private SniKeys of(String alias) {
        Generations at = generations;
        return alias.startsWith(at.number + BETWEEN) ? at.newest : at.before;
    }

    private static String index(String alias) {
        return alias.substring(alias.indexOf(BETWEEN) + BETWEEN.length());
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return of(alias).getCertificateChain(index(alias));
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return of(alias).getPrivateKey(index(alias));
    }

    // Only engines of servers are used here.

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

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
