package io.carillon.servlet.security;

import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestServer;
import io.carillon.sip.auth.NonceCounts;
import io.carillon.sip.auth.Nonces;
import io.carillon.sip.privacy.AddressRanges;
import io.carillon.sip.stack.TlsPeer;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the gates of all applications share: users, nonces, clock, trusted peers. Settings are made
 * before the first deployment; any thread afterwards.
 */
public final class Security {
    /** Before the domain of a trusted peer. */
    public static final String TLS = "tls:";

    private static final int USERS_REMEMBERED = 50_000;
    private static final int NONCES_REMEMBERED = 200_000;
    private static final int KEY_LONGS = 4;

    private final LongSupplier millis;
    private final LongSupplier random;
    private @Nullable Nonces nonces;
    private final CachedUsers users;
    private volatile List<DigestAlgorithm> algorithms =
            List.of(DigestAlgorithm.SHA_256, DigestAlgorithm.SHA_512_256, DigestAlgorithm.MD5);
    private volatile String realm = "carillon";
    private volatile int nonceSeconds = 300;
    private volatile AddressRanges trusted = AddressRanges.of(List.of());
    private volatile @Nullable IdentityAsserter asserter;
    private volatile Set<String> trustedDomains = Set.of();

    /**
     * @param millis the wall clock
     * @param random unpredictable numbers, for any thread
     */
    public Security(LongSupplier millis, LongSupplier random) {
        this.millis = millis;
        this.random = random;
        this.users = new CachedUsers(USERS_REMEMBERED, millis);
    }

    /**
     * @param chosen offered in challenges, most preferred first
     * @param realmByDefault of applications that name none
     * @param secondsOfNonce life of a nonce
     * @param trustedPeers whose P-Asserted-Identity counts: address ranges, and {@code tls:DOMAIN}
     *     for who proved by TLS to be that domain
     * @throws IllegalArgumentException when one of them is neither
     */
    public void settings(
            List<DigestAlgorithm> chosen,
            String realmByDefault,
            int secondsOfNonce,
            Set<String> trustedPeers) {
        algorithms = List.copyOf(chosen);
        realm = realmByDefault;
        nonceSeconds = secondsOfNonce;
        List<String> addresses = new ArrayList<>();
        Set<String> domains = new HashSet<>();
        for (String peer : trustedPeers) {
            if (peer.startsWith(TLS)) {
                domains.add(peer.substring(TLS.length()).toLowerCase(Locale.ROOT));
            } else {
                addresses.add(peer);
            }
        }
        trusted = AddressRanges.of(addresses);
        trustedDomains = Set.copyOf(domains);
    }

    /**
     * @param chosen writes P-Asserted-Identity of callers that proved who they are; null: nobody
     */
    public void asserter(@Nullable IdentityAsserter chosen) {
        asserter = chosen;
    }

    @Nullable IdentityAsserter asserter() {
        return asserter;
    }

    public CachedUsers users() {
        return users;
    }

    /** Realm of applications that name none. */
    public String realm() {
        return realm;
    }

    /** RFC 3325 section 4: P-Asserted-Identity counts only within a trust domain. */
    boolean trusts(String address) {
        return !trusted.isEmpty() && trusted.contains(InetAddress.ofLiteral(address));
    }

    /** RFC 5922 7.4: "server policies can use the set of SIP domain identities". */
    boolean trusts(@Nullable TlsPeer peer) {
        Set<String> domains = trustedDomains;
        return peer != null
                && !domains.isEmpty()
                && peer.identities().stream().anyMatch(domains::contains);
    }

    DigestServer digest(String ofRealm) {
        return new DigestServer(
                ofRealm,
                algorithms,
                true,
                nonceSeconds,
                nonces(),
                new NonceCounts(NONCES_REMEMBERED));
    }

    /** One key for the life of the process; made when it is needed first. */
    private synchronized Nonces nonces() {
        Nonces made = nonces;
        if (made == null) {
            ByteBuffer key = ByteBuffer.allocate(KEY_LONGS * Long.BYTES);
            for (int i = 0; i < KEY_LONGS; i++) {
                key.putLong(random.getAsLong());
            }
            made = new Nonces(key.array(), random);
            nonces = made;
        }
        return made;
    }

    long now() {
        return millis.getAsLong();
    }

    /** An unpredictable text. */
    public String cnonce() {
        return HexFormat.of().toHexDigits(random.getAsLong());
    }
}
