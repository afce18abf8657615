package io.carillon.net.resolve;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.guard.LimitedLog;
import io.carillon.sip.hop.LookupBudget;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * Questions to the DNS with their answers remembered, one question on its way for each name and
 * type, and bounds on everything that a stranger can make grow. Any thread; answers come on the
 * asking shard's thread, which never waits.
 */
public final class DnsQuestions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DnsQuestions.class);
    private static final LimitedLog WARNINGS = new LimitedLog(TimeUnit.SECONDS.toNanos(10));
    private static final int MAX_ALIASES = 8;
    private static final int HOSTS_SECONDS = 5;

    /**
     * Records that an entry of the table may have on average. A zone of a stranger's can have some
     * thousands of a name, and as many names as he likes.
     */
    private static final int RECORDS_OF_AN_ENTRY = 4;

    private final DnsConfig config;
    private final LongSupplier clock;
    private final ExecutorService thread;
    private final DnsSource source;
    private final HostsFile hosts;
    private final ConcurrentHashMap<Key, CachedAnswer> entries = new ConcurrentHashMap<>();
    private final AtomicLong records = new AtomicLong();
    private final AskedZones zones;

    private record Key(String name, int type) {}

    /** The system's servers, or those of the configuration. */
    public static DnsQuestions of(DnsConfig config) {
        return new DnsQuestions(
                config, executor -> new DnsServers(config, executor), System::nanoTime);
    }

    /**
     * @param source made with the executor that runs what follows an answer
     * @param clock of the remembered answers, in nanoseconds
     */
    DnsQuestions(DnsConfig config, Function<Executor, DnsSource> source, LongSupplier clock) {
        this.config = config;
        this.clock = clock;
        zones =
                new AskedZones(
                        config.questions().maxWaiting(), config.questions().maxInFlight(), clock);
        thread = Executors.newSingleThreadExecutor(new DefaultThreadFactory("carillon-dns", true));
        this.source = source.apply(thread);
        this.hosts = new HostsFile(config.hostsFile());
    }

    /**
     * Asks for the records of a name.
     *
     * @param host as a URI has it
     * @param type of {@link Type}
     * @param budget pays for the question, where the answer is not remembered
     * @param loop the asking shard's loop, on whose thread this is called
     * @param result gets the answer: before this returns when it is remembered, else later on the
     *     loop
     */
    void ask(
            String host,
            int type,
            LookupBudget budget,
            ShardLoop loop,
            Consumer<DnsAnswer> result) {
        String name = normal(host);
        Key key = new Key(name, type);
        CachedAnswer entry = entries.get(key);
        long now = clock.getAsLong();
        DnsAnswer known = entry == null ? null : entry.known(now);
        if (known != null) {
            result.accept(known);
            return;
        }
        Name absolute = absolute(name);
        if (absolute == null) {
            result.accept(DnsAnswer.missing());
            return;
        }
        if (!budget.takeQuestion(config.limits().maxQuestions())) {
            loop.tally().count(NetworkCounter.LOOKUPS_TOO_MANY_QUESTIONS);
            DnsAnswer.Found stale = entry == null ? null : entry.stale(now);
            result.accept(stale == null ? DnsAnswer.failed() : stale);
            return;
        }
        CachedAnswer asked = entries.computeIfAbsent(key, k -> new CachedAnswer());
        CachedAnswer.Waiter waiter = new CachedAnswer.Waiter(budget.countedAt(), loop, result);
        if (!enter(key, absolute, asked, waiter)) {
            DnsAnswer.Found stale = asked.stale(now);
            if (asked.blank()) {
                forget(key, asked);
            }
            loop.tally()
                    .count(
                            stale == null
                                    ? NetworkCounter.LOOKUPS_TOO_MANY_WAITING
                                    : NetworkCounter.LOOKUPS_STALE);
            result.accept(stale == null ? DnsAnswer.failed() : stale);
            return;
        }
        int before = entries.size();
        if (before > config.cache().cacheEntries() || records.get() > mostRecords()) {
            shrink(now);
            loop.tally()
                    .add(NetworkCounter.DNS_CACHE_FORGOTTEN, Math.max(0, before - entries.size()));
        }
    }

    /** False when too many wait. */
    private boolean enter(Key key, Name name, CachedAnswer entry, CachedAnswer.Waiter waiter) {
        List<Runnable> start = new ArrayList<>(1);
        List<CachedAnswer.Shed> shed = new ArrayList<>(1);
        AskedZones.Entrance entrance =
                zones.enter(
                        AskedZones.zone(key.name()),
                        entry,
                        waiter,
                        () -> new Asking(key, name, entry),
                        start,
                        shed);
        shed.forEach(CachedAnswer.Shed::tell);
        if (entrance == AskedZones.Entrance.ASKS) {
            waiter.loop().tally().count(NetworkCounter.LOOKUPS);
        }
        start.forEach(this::run);
        return entrance != AskedZones.Entrance.REFUSED;
    }

    private long mostRecords() {
        return (long) RECORDS_OF_AN_ENTRY * config.cache().cacheEntries();
    }

    private static String normal(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    private static @Nullable Name absolute(String name) {
        try {
            return name.isEmpty() ? null : Name.fromString(name, Name.root);
        } catch (TextParseException noName) {
            return null;
        }
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException closed) {
            // The network is closed, and whoever would have got the answer with it.
            LOG.debug("a question after the end", closed);
        }
    }

    /** One question on its way: the hosts file, search domains, servers, aliases. */
    private final class Asking extends AskedZones.Question {
        private final Key key;
        private final CachedAnswer entry;
        private final List<Name> candidates = new ArrayList<>();
        private final long untilNanos;
        private Name name;
        private int aliases;
        private long seconds = Long.MAX_VALUE;

        Asking(Key key, Name name, CachedAnswer entry) {
            this.key = key;
            this.name = name;
            this.entry = entry;
            this.untilNanos =
                    clock.getAsLong()
                            + TimeUnit.MILLISECONDS.toNanos(
                                    config.limits().resolutionTimeoutMillis());
        }

        @Override
        public void run() {
            try {
                boolean address = key.type() == Type.A || key.type() == Type.AAAA;
                List<InetAddress> local = address ? hosts.addresses(key.name()) : null;
                if (local != null) {
                    seconds = HOSTS_SECONDS;
                    answered(records(local));
                    return;
                }
                if (address && key.name().indexOf('.') < 0 && source instanceof DnsServers own) {
                    for (Name domain : own.search()) {
                        candidates.add(Name.fromString(key.name(), domain));
                    }
                }
                candidates.add(name);
                next();
            } catch (Exception e) {
                failed(e);
            }
        }

        private DnsAnswer records(List<InetAddress> addresses) {
            List<Record> records = new ArrayList<>();
            for (InetAddress address : addresses) {
                boolean four = address.getAddress().length == 4;
                if (four && key.type() == Type.A) {
                    records.add(new ARecord(name, DClass.IN, HOSTS_SECONDS, address));
                } else if (!four && key.type() == Type.AAAA) {
                    records.add(new AAAARecord(name, DClass.IN, HOSTS_SECONDS, address));
                }
            }
            return records.isEmpty() ? DnsAnswer.missing() : new DnsAnswer.Found(records);
        }

        private void next() {
            name = candidates.removeFirst();
            send();
        }

        private void send() {
            Message question = Message.newQuery(Record.newRecord(name, key.type(), DClass.IN));
            source.ask(question)
                    .whenComplete((message, failure) -> {
                        try {
                            if (failure != null) {
                                failed(failure);
                            } else {
                                read(message);
                            }
                        } catch (RuntimeException e) {
                            failed(e);
                        }
                    });
        }

        private void read(Message message) {
            AnswerReader.Read read = AnswerReader.read(message, name, key.type());
            seconds = Math.min(seconds, read.seconds());
            Name alias = read.alias();
            if (alias != null) {
                boolean late = clock.getAsLong() - untilNanos > 0;
                if (++aliases > MAX_ALIASES || late) {
                    answered(late ? DnsAnswer.failed() : DnsAnswer.missing());
                } else {
                    name = alias;
                    send();
                }
            } else if (read.answer() instanceof DnsAnswer.Missing && !candidates.isEmpty()) {
                seconds = Long.MAX_VALUE;
                next();
            } else {
                answered(read.answer() == null ? DnsAnswer.failed() : read.answer());
            }
        }

        private void failed(Throwable why) {
            LOG.debug("no answer for {}", name, why);
            answered(DnsAnswer.failed());
        }

        private void answered(DnsAnswer answer) {
            if (answer instanceof DnsAnswer.Failed) {
                long others = WARNINGS.admit(System.nanoTime());
                if (others >= 0) {
                    LOG.warn(
                            "The DNS gives no answer for: {} {} ({} more since the last of these"
                                    + " lines)",
                            name,
                            Type.string(key.type()),
                            others);
                }
            }
            List<CachedAnswer.Waiter> told =
                    entry.answer(answer, keepSeconds(answer, seconds), config.cache(), clock);
            records.addAndGet(entry.weigh());
            Runnable next = zones.answered(this, entry, told);
            if (next != null) {
                DnsQuestions.this.run(next);
            }
        }
    }

    private long keepSeconds(DnsAnswer answer, long seconds) {
        DnsConfig.Cache cache = config.cache();
        return switch (answer) {
            case DnsAnswer.Found found ->
                    Math.clamp(seconds, cache.minTtlSeconds(), cache.maxTtlSeconds());
            case DnsAnswer.Missing missing -> Math.min(seconds, cache.negativeTtlSeconds());
            case DnsAnswer.Failed failed -> cache.failureTtlSeconds();
        };
    }

    /** Names in the table. */
    int remembered() {
        return entries.size();
    }

    /** Records of all of them together. */
    long records() {
        return records.get();
    }

    /** Requests that wait. */
    int waiting() {
        return zones.waiting();
    }

    /** Sources and zones that hold places, and who waits of them. */
    int held() {
        return zones.held();
    }

    /** An answer that may be forgotten. */
    private record Forgettable(Key key, CachedAnswer entry, int records, long untilNanos) {
        /** Both bounds of the table count. */
        int cost() {
            return Math.max(RECORDS_OF_AN_ENTRY, records);
        }
    }

    /** The answers of a zone, those that end first at the end. */
    private static final class ZoneAnswers {
        final List<Forgettable> all = new ArrayList<>();
        int cost;
    }

    /**
     * Makes room for a sixteenth, so that a full table is not walked for every new name. The zones
     * that hold most give way: whoever has as many names as he likes pushes out his own.
     */
    private void shrink(long now) {
        Map<String, ZoneAnswers> byZone = new HashMap<>();
        entries.forEach((key, entry) -> {
            if (!entry.idle()) {
                return;
            }
            DnsAnswer known = entry.known(now);
            DnsAnswer serves = known == null ? entry.stale(now) : known;
            if (serves == null) {
                forget(key, entry);
                return;
            }
            ZoneAnswers zone =
                    byZone.computeIfAbsent(AskedZones.zone(key.name()), z -> new ZoneAnswers());
            int size = serves.list().size();
            Forgettable one = new Forgettable(key, entry, size, entry.untilNanos() - now);
            zone.all.add(one);
            zone.cost += one.cost();
        });
        PriorityQueue<ZoneAnswers> most =
                new PriorityQueue<>((a, b) -> Integer.compare(b.cost, a.cost));
        for (ZoneAnswers zone : byZone.values()) {
            zone.all.sort(Comparator.comparingLong(Forgettable::untilNanos).reversed());
            most.add(zone);
        }
        while (!roomy() && !most.isEmpty()) {
            ZoneAnswers zone = most.remove();
            Forgettable first = zone.all.removeLast();
            forget(first.key(), first.entry());
            zone.cost -= first.cost();
            if (!zone.all.isEmpty()) {
                most.add(zone);
            }
        }
    }

    private boolean roomy() {
        int entriesAtMost = config.cache().cacheEntries();
        return entries.size() <= entriesAtMost - entriesAtMost / 16
                && records.get() <= mostRecords() - mostRecords() / 16;
    }

    private void forget(Key key, CachedAnswer entry) {
        if (entries.remove(key, entry)) {
            records.addAndGet(entry.dropped());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        source.close();
    }
}
