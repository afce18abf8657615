package io.carillon.net.resolve;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.SimpleResolver;

/**
 * DNS servers, one after the other, each as often as configured; the one that answered last is
 * asked first. Over UDP, and over TCP when an answer does not fit. Any thread; nothing blocks.
 */
final class DnsServers implements DnsSource {
    /** So often the system's configuration is looked at again. */
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    static {
        // The selector's thread is a daemon and has nothing to save.
        System.setProperty("dnsjava.nio.register_shutdown_hook", "false");
    }

    private final DnsConfig config;
    private final Executor executor;
    private volatile @Nullable Known known;
    private volatile int lastGood;

    /** Servers and what is put behind a name without a dot. */
    private record Known(
            List<InetSocketAddress> addresses,
            List<SimpleResolver> servers,
            List<Name> search,
            long atNanos) {}

    /**
     * @param executor runs what follows an answer
     */
    DnsServers(DnsConfig config, Executor executor) {
        this.config = config;
        this.executor = executor;
    }

    /** What is put behind a name without a dot, in the order to try; reads files. */
    List<Name> search() {
        return config.servers().isEmpty() ? known().search() : List.of();
    }

    private Known known() {
        Known before = known;
        long now = System.nanoTime();
        if (before != null
                && (!config.servers().isEmpty() || now - before.atNanos() < REFRESH_NANOS)) {
            return before;
        }
        List<InetSocketAddress> addresses = config.servers();
        List<Name> search = List.of();
        if (addresses.isEmpty()) {
            if (before != null) {
                ResolverConfig.refresh();
            }
            ResolverConfig system = ResolverConfig.getCurrentConfig();
            addresses = List.copyOf(system.servers());
            search = List.copyOf(system.searchPath());
        }
        List<SimpleResolver> servers =
                before != null && before.addresses().equals(addresses)
                        ? before.servers()
                        : resolvers(addresses);
        Known fresh = new Known(addresses, servers, search, now);
        known = fresh;
        return fresh;
    }

    private List<SimpleResolver> resolvers(List<InetSocketAddress> addresses) {
        List<SimpleResolver> all = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            SimpleResolver resolver = new SimpleResolver(address);
            resolver.setTimeout(Duration.ofMillis(config.questions().timeoutMillis()));
            all.add(resolver);
        }
        return List.copyOf(all);
    }

    @Override
    public CompletionStage<Message> ask(Message question) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        List<SimpleResolver> servers = known().servers();
        if (servers.isEmpty()) {
            answer.completeExceptionally(new IOException("no DNS server is configured"));
        } else {
            attempt(question, servers, Math.floorMod(lastGood, servers.size()), 0, answer);
        }
        return answer;
    }

    private void attempt(
            Message question,
            List<SimpleResolver> servers,
            int first,
            int done,
            CompletableFuture<Message> answer) {
        int index = (first + done) % servers.size();
        servers.get(index)
                .sendAsync(question, executor)
                .whenComplete((message, failure) -> {
                    if (failure == null && useful(message)) {
                        lastGood = index;
                        answer.complete(message);
                    } else if (done + 1 < servers.size() * config.questions().attempts()) {
                        attempt(question, servers, first, done + 1, answer);
                    } else if (failure == null) {
                        answer.complete(message);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
    }

    /** Another server may know more than one that failed or refuses us. */
    private static boolean useful(Message message) {
        int code = message.getRcode();
        return code == Rcode.NOERROR || code == Rcode.NXDOMAIN;
    }
}
