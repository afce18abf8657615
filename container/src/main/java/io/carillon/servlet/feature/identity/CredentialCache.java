package io.carillon.servlet.feature.identity;

import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Certificates of the trust folder, and those that were fetched from hosts on the operator's list:
 * a stranger's {@code info} makes us ask nobody else. Whoever asks for what is being fetched waits
 * for the same answer. Any thread; its lock is held for looking up alone.
 *
 * <p>Bounded: certificates give way to certificates alone, the least recently used first. Failures
 * are remembered for a minute in a room of their own. A source, and where there are several a host,
 * takes as many of the fetches that may be under way as it leaves free.
 */
@SuppressWarnings("JavaUtilDate") // what certificates have
public final class CredentialCache implements CredentialSource {
    private static final long FAILURE_MILLIS = 60_000;
    private static final String BAD = "Bad Identity Info";

    /**
     * How much is remembered and done at once.
     *
     * @param certificates that are kept; as many failures are
     * @param fetches under way
     */
    public record Limits(int certificates, int fetches) {
        public static final Limits DEFAULT = new Limits(1_000, 64);
    }

    private record Kept(
            @Nullable Credential credential, @Nullable CredentialFailure failure, long until) {
        CompletionStage<Credential> answer() {
            Credential known = credential;
            return known != null
                    ? CompletableFuture.completedFuture(known)
                    : CompletableFuture.failedFuture(
                            failure == null ? new CredentialFailure(436, BAD) : failure);
        }
    }

    private final TrustFolder folder;
    private final CertificateFetcher fetcher;
    private final Set<String> hosts;
    private final long keepMillis;
    private final LongSupplier millis;
    private final Limits limits;
    private final LongAdder refused = new LongAdder();
    private final LongAdder forgotten = new LongAdder();

    // With the lock.
    private final Object lock = new Object();
    private final Map<URI, CompletableFuture<Credential>> fetching = new HashMap<>();
    private final Map<Object, Integer> sharesTaken = new HashMap<>();
    private final Room good = new Room(true);
    private final Room failed = new Room(false);

    private final class Room extends LinkedHashMap<URI, Kept> {
        private static final long serialVersionUID = 1L;
        private final boolean ofCertificates;

        Room(boolean ofCertificates) {
            super(16, 0.75f, ofCertificates);
            this.ofCertificates = ofCertificates;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<URI, Kept> eldest) {
            if (size() <= limits.certificates()) {
                return false;
            }
            if (ofCertificates) {
                forgotten.increment();
            }
            return true;
        }
    }

    /**
     * @param hosts {@code HOST} or {@code HOST:PORT}, lower case, from which may be fetched
     * @param keepMillis how long a certificate is kept
     * @param millis the wall clock
     */
    public CredentialCache(
            TrustFolder folder,
            CertificateFetcher fetcher,
            Set<String> hosts,
            long keepMillis,
            Limits limits,
            LongSupplier millis) {
        this.folder = folder;
        this.fetcher = fetcher;
        this.hosts = Set.copyOf(hosts);
        this.keepMillis = keepMillis;
        this.limits = limits;
        this.millis = millis;
    }

    @Override
    public CompletionStage<Credential> find(URI info) {
        return find(info, List.of());
    }

    @Override
    public CompletionStage<Credential> find(URI info, InetAddress source) {
        return find(info, List.of(network(source)));
    }

    /** An IPv4 address, or the first 64 bits of an IPv6 address: what one owner has. */
    private static Object network(InetAddress source) {
        ByteBuffer address = ByteBuffer.wrap(source.getAddress());
        return address.remaining() > Integer.BYTES ? (Object) address.getLong() : address.getInt();
    }

    /**
     * @param sources on whose behalf; none or one
     */
    private CompletionStage<Credential> find(URI info, List<Object> sources) {
        Credential local = folder.local(info);
        if (local != null) {
            return CompletableFuture.completedFuture(local);
        }
        String host = allowed(info);
        if (host == null) {
            return CompletableFuture.failedFuture(new CredentialFailure(436, BAD));
        }
        List<Object> takers = new ArrayList<>(sources);
        if (hosts.size() > 1) {
            takers.add(host);
        }
        CompletableFuture<Credential> answer;
        synchronized (lock) {
            Kept known = known(info);
            if (known != null) {
                return known.answer();
            }
            CompletableFuture<Credential> underWay = fetching.get(info);
            if (underWay != null) {
                return underWay;
            }
            if (!take(takers)) {
                refused.increment();
                return CompletableFuture.failedFuture(new CredentialFailure(436, BAD));
            }
            answer = new CompletableFuture<>();
            fetching.put(info, answer);
        }
        fetch(info, answer, takers);
        return answer;
    }

    private @Nullable Kept known(URI info) {
        long now = millis.getAsLong();
        Kept known = good.get(info);
        if (known == null || known.until() <= now) {
            known = failed.get(info);
        }
        return known != null && known.until() > now ? known : null;
    }

    private boolean take(List<Object> takers) {
        int free = limits.fetches() - fetching.size();
        if (free <= 0) {
            return false;
        }
        for (Object taker : takers) {
            if (sharesTaken.getOrDefault(taker, 0) >= free) {
                return false;
            }
        }
        takers.forEach(taker -> sharesTaken.merge(taker, 1, Integer::sum));
        return true;
    }

    private void giveBack(List<Object> takers) {
        takers.forEach(
                taker -> sharesTaken.computeIfPresent(taker, (who, n) -> n == 1 ? null : n - 1));
    }

    /** The host as the list has it; null for one that is not on it. */
    private @Nullable String allowed(URI info) {
        String host = info.getHost();
        if (host == null || info.getUserInfo() != null) {
            return null;
        }
        String name = host.toLowerCase(Locale.ROOT);
        int port = info.getPort();
        String place = port < 0 || port == 443 ? name : name + ':' + port;
        return hosts.contains(place) ? place : null;
    }

    private void fetch(URI info, CompletableFuture<Credential> answer, List<Object> takers) {
        CompletionStage<byte[]> fetched;
        try {
            fetched = fetcher.fetch(info);
        } catch (RuntimeException e) {
            fetched = CompletableFuture.failedFuture(e);
        }
        fetched.whenComplete((bytes, failure) -> {
            Kept result = judged(bytes, failure);
            Credential credential = result.credential();
            synchronized (lock) {
                fetching.remove(info);
                giveBack(takers);
                failed.remove(info);
                if (credential != null) {
                    good.put(info, result);
                } else {
                    failed.put(info, result);
                }
            }
            CredentialFailure why = result.failure();
            if (credential != null) {
                answer.complete(credential);
            } else {
                answer.completeExceptionally(why == null ? new CredentialFailure(436, BAD) : why);
            }
        });
    }

    private Kept judged(byte @Nullable [] bytes, @Nullable Throwable failure) {
        long now = millis.getAsLong();
        if (failure != null || bytes == null) {
            return new Kept(null, new CredentialFailure(436, BAD), now + FAILURE_MILLIS);
        }
        try {
            Credential credential = folder.trusted(bytes, now);
            long expires = credential.certificate().getNotAfter().getTime();
            return new Kept(credential, null, Math.min(expires, now + keepMillis));
        } catch (CredentialFailure e) {
            return new Kept(null, e, now + FAILURE_MILLIS);
        }
    }

    @Override
    public Map<String, Long> counters() {
        return Map.of(
                "certificate_fetches_refused", refused.sum(),
                "certificates_forgotten", forgotten.sum());
    }

    /** Certificates that are remembered now. */
    int size() {
        synchronized (lock) {
            return good.size();
        }
    }

    /** Failures that are remembered now. */
    int failures() {
        synchronized (lock) {
            return failed.size();
        }
    }
}
