package io.carillon.servlet.feature.security;

import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestCredentials;
import io.carillon.sip.auth.DigestServer;
import io.carillon.sip.auth.DigestUri;
import io.carillon.sip.auth.NonceCounts;
import io.carillon.sip.auth.Nonces;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.message.MessageDraft;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the gates of all applications share: users, nonces, clock, trusted peers. Settings are made
 * before the first deployment; any thread afterwards.
 */
public final class Security {
    /** Before the domain of a trusted peer. */
    public static final String TLS = "tls:";

    /** Bounds of what is remembered, where nobody says others. */
    public static final int USERS_REMEMBERED = 50_000;

    /** See {@link #bounds}. */
    public static final int NONCES_REMEMBERED = 200_000;

    /** See {@link #bounds}. */
    public static final int MOST_LOOKUPS = 1_000;

    private static final int KEY_LONGS = 4;

    private final LongSupplier millis;
    private final LongSupplier random;
    private volatile @Nullable Nonces nonces;

    /** Of the nodes of a cluster; empty for a server that is alone. */
    private volatile List<byte[]> keysOfCluster = List.of();

    /** Of all applications and realms, over every redeployment: a count is used once. */
    private volatile NonceCounts counts = new NonceCounts(NONCES_REMEMBERED);

    private final CachedUsers users;
    private volatile List<DigestAlgorithm> algorithms =
            List.of(DigestAlgorithm.SHA_256, DigestAlgorithm.SHA_512_256, DigestAlgorithm.MD5);
    private volatile String realm = "carillon";
    private volatile int nonceSeconds = 300;
    private volatile AddressRanges trusted = AddressRanges.of(List.of());
    private volatile @Nullable IdentityAsserter asserter;
    private volatile DigestUri digestUri = DigestUri.SAME;
    private final LongAdder urisRefused = new LongAdder();
    private final LongAdder consumed = new LongAdder();
    private volatile Set<String> trustedDomains = Set.of();

    /**
     * @param millis the wall clock
     * @param random unpredictable numbers, for any thread
     */
    public Security(LongSupplier millis, LongSupplier random) {
        this.millis = millis;
        this.random = random;
        this.users = new CachedUsers(USERS_REMEMBERED, MOST_LOOKUPS, millis);
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
     * @param nonceCounts most nonces whose used counts are remembered
     * @param usersRemembered most users remembered
     * @param lookups most names that the store is asked for at once
     */
    public void bounds(int nonceCounts, int usersRemembered, int lookups) {
        counts = new NonceCounts(nonceCounts);
        users.bounds(usersRemembered, lookups);
    }

    /**
     * Nodes of a cluster know each other's challenges: an answer to one goes to nobody else, by
     * whichever node.
     *
     * @param keys that all nodes have; the first one makes, all read
     */
    public void ofCluster(List<byte[]> keys) {
        keysOfCluster = List.copyOf(keys);
    }

    /** How the {@code uri} of credentials is compared with the Request-URI. */
    public void digestUri(DigestUri rule) {
        digestUri = rule;
    }

    DigestUri digestUri() {
        return digestUri;
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
        return new DigestServer(ofRealm, algorithms, true, nonceSeconds, nonces(), counts);
    }

    /** One key for the life of the process; made when it is needed first. */
    private synchronized Nonces nonces() {
        Nonces made = nonces;
        if (made == null) {
            ByteBuffer key = ByteBuffer.allocate(KEY_LONGS * Long.BYTES);
            for (int i = 0; i < KEY_LONGS; i++) {
                key.putLong(random.getAsLong());
            }
            made = new Nonces(key.array(), keysOfCluster, random);
            nonces = made;
        }
        return made;
    }

    // ---- credentials that go no further ----

    /**
     * Takes credentials that answer a challenge of ours out of a request that leaves: whoever got
     * them could try the password by them, or use them here first. Those for others go on as they
     * are. RFC 3261 22.3: "A Proxy-Authorization header field value applies only to the proxy whose
     * realm is identified in the "realm" parameter". Told by the nonce, as another server may have
     * the same realm. Any thread.
     *
     * @param own values that stay: the application answers a challenge of another one here
     */
    public void consume(MessageDraft leaving, List<String> own) {
        if (leaving.has(HeaderName.AUTHORIZATION)) {
            consume(leaving, HeaderName.AUTHORIZATION, own);
        }
        if (leaving.has(HeaderName.PROXY_AUTHORIZATION)) {
            consume(leaving, HeaderName.PROXY_AUTHORIZATION, own);
        }
    }

    private void consume(MessageDraft leaving, HeaderName name, List<String> own) {
        List<String> values = leaving.all(name);
        List<String> kept = new ArrayList<>(values.size());
        for (String value : values) {
            if (own.contains(value) || !answersOurs(value)) {
                kept.add(value);
            }
        }
        if (kept.size() < values.size()) {
            consumed.add(values.size() - kept.size());
            leaving.remove(name);
            kept.forEach(value -> leaving.addLast(name, value));
        }
    }

    private boolean answersOurs(String value) {
        if (nonces == null && keysOfCluster.isEmpty()) {
            return false;
        }
        Nonces issued = nonces();
        try {
            AuthHeader header = AuthHeader.parse(value);
            String of = header.param("realm");
            String nonce = header.param("nonce");
            return DigestCredentials.isDigest(header)
                    && of != null
                    && nonce != null
                    && issued.isOfCluster(nonce, of);
        } catch (SipParseException e) {
            return false; // of a scheme that is not ours
        }
    }

    // ---- what is counted ----

    /** Values of credentials that were taken out of requests that left. */
    public long consumed() {
        return consumed.sum();
    }

    /** Requests whose credentials named another URI than their own. */
    public long urisRefused() {
        return urisRefused.sum();
    }

    void uriRefused() {
        urisRefused.increment();
    }

    /** Nonces whose used counts were forgotten before their time. */
    public long noncesForgotten() {
        return counts.forgotten();
    }

    long now() {
        return millis.getAsLong();
    }

    /** An unpredictable text. */
    public String cnonce() {
        return HexFormat.of().toHexDigits(random.getAsLong());
    }
}
