package io.carillon.servlet.identity;

import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Certificates of the trust folder, and those that were fetched from hosts on the operator's list:
 * a stranger's {@code info} makes us ask nobody else. Bounded; failures are remembered too, and
 * whoever asks for what is being fetched waits for the same answer. Any thread; its lock is held
 * for looking up alone.
 */
@SuppressWarnings("JavaUtilDate") // what certificates have
public final class CredentialCache implements CredentialSource {
    private static final int MAX_KEPT = 1_000;
    private static final int MAX_FETCHING = 32;
    private static final long FAILURE_MILLIS = 60_000;

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

    private static final String BAD = "Bad Identity Info";

    private final TrustFolder folder;
    private final CertificateFetcher fetcher;
    private final Set<String> hosts;
    private final long keepMillis;
    private final LongSupplier millis;
    private final Map<URI, CompletableFuture<Credential>> fetching = new HashMap<>();
    private final LinkedHashMap<URI, Kept> kept =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<URI, Kept> eldest) {
                    return size() > MAX_KEPT;
                }
            };

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
            LongSupplier millis) {
        this.folder = folder;
        this.fetcher = fetcher;
        this.hosts = Set.copyOf(hosts);
        this.keepMillis = keepMillis;
        this.millis = millis;
    }

    @Override
    public CompletionStage<Credential> find(URI info) {
        Credential local = folder.local(info);
        if (local != null) {
            return CompletableFuture.completedFuture(local);
        }
        if (!allowed(info)) {
            return CompletableFuture.failedFuture(new CredentialFailure(436, BAD));
        }
        CompletableFuture<Credential> answer;
        synchronized (kept) {
            Kept known = kept.get(info);
            if (known != null && known.until() > millis.getAsLong()) {
                return known.answer();
            }
            CompletableFuture<Credential> underWay = fetching.get(info);
            if (underWay != null) {
                return underWay;
            }
            if (fetching.size() >= MAX_FETCHING) {
                return CompletableFuture.failedFuture(new CredentialFailure(436, BAD));
            }
            answer = new CompletableFuture<>();
            fetching.put(info, answer);
        }
        fetch(info, answer);
        return answer;
    }

    private boolean allowed(URI info) {
        String host = info.getHost();
        if (host == null || info.getUserInfo() != null) {
            return false;
        }
        String name = host.toLowerCase(Locale.ROOT);
        int port = info.getPort();
        return hosts.contains(port < 0 || port == 443 ? name : name + ':' + port);
    }

    private void fetch(URI info, CompletableFuture<Credential> answer) {
        CompletionStage<byte[]> fetched;
        try {
            fetched = fetcher.fetch(info);
        } catch (RuntimeException e) {
            fetched = CompletableFuture.failedFuture(e);
        }
        fetched.whenComplete((bytes, failure) -> {
            Kept result = judged(bytes, failure);
            synchronized (kept) {
                kept.remove(info);
                kept.put(info, result);
                fetching.remove(info);
            }
            Credential credential = result.credential();
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

    /** Certificates and failures that are remembered now. */
    int size() {
        synchronized (kept) {
            return kept.size();
        }
    }
}
