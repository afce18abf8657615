package io.carillon.net.resolve;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.Listener;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Type;

/**
 * One target on its way from a name to hops: RFC 3263 section 4, with RFC 7984 for the two families
 * of addresses. Ends when it has all answers, when its time is over, or a moment after the first
 * addresses when others are late. Owner: the asking loop.
 */
final class Resolution {
    /** How long the first addresses wait for the others, as those of the other family. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /**
     * What is wanted.
     *
     * @param host a name
     * @param port -1 when the URI has none
     * @param named the transport that the URI says, or null
     * @param secure is it a SIPS URI?
     * @param otherwise the transport where neither URI nor DNS says one
     * @param domain what a TLS peer has to prove
     */
    record Wanted(
            String host,
            int port,
            @Nullable Transport named,
            boolean secure,
            Transport otherwise,
            String domain) {}

    /** Asks the DNS. */
    interface Asker {
        void ask(String name, int type, Consumer<DnsAnswer> result);
    }

    private record Target(Transport transport, String host, int port, Found found) {}

    /** Addresses of one host, as they come. */
    private static final class Found {
        final List<InetAddress> six = new ArrayList<>();
        final List<InetAddress> four = new ArrayList<>();
    }

    private final Wanted wanted;
    private final OutboundPaths ways;
    private final DnsConfig.Limits limits;
    private final Asker asker;
    private final ShardLoop loop;
    private final RandomGenerator random;
    private final Consumer<List<Hop>> result;
    private final List<Target> targets = new ArrayList<>();
    private int questions;
    private int open;
    private boolean gathering;
    private boolean limited;
    private boolean done;
    private @Nullable Future<?> deadline;
    private @Nullable Future<?> grace;

    Resolution(
            Wanted wanted,
            OutboundPaths ways,
            DnsConfig.Limits limits,
            Asker asker,
            ShardLoop loop,
            RandomGenerator random,
            Consumer<List<Hop>> result) {
        this.wanted = wanted;
        this.ways = ways;
        this.limits = limits;
        this.asker = asker;
        this.loop = loop;
        this.random = random;
        this.result = result;
    }

    void start() {
        Transport named = wanted.named();
        if (wanted.port() >= 0) {
            // 4.2: "If the TARGET was not a numeric IP address, but a port is present in the URI,
            // the client performs an A or AAAA record lookup of the domain name."
            addressesOnly(wanted.otherwise(), wanted.port());
        } else if (named != null) {
            // "If it was not, because a transport was specified explicitly, the client performs an
            // SRV query for that specific transport".
            SrvName service = SrvName.of(named, wanted.host());
            services(service == null ? List.of() : List.of(service));
        } else {
            // 4.1: "if no transport protocol or port is specified, and the target is not a numeric
            // IP address, the client SHOULD perform a NAPTR query for the domain in the URI."
            ask(wanted.host(), Type.NAPTR, answer -> naptr(answer.list()));
        }
        if (!done) {
            deadline = loop.schedule(this::timeOver, millis(limits.resolutionTimeoutMillis()));
        }
    }

    private static long millis(int number) {
        return TimeUnit.MILLISECONDS.toNanos(number);
    }

    private void ask(String name, int type, Consumer<DnsAnswer> next) {
        if (questions >= limits.maxQuestions()) {
            limited = true;
            next.accept(DnsAnswer.missing());
            return;
        }
        questions++;
        open++;
        asker.ask(
                name,
                type,
                answer -> {
                    open--;
                    if (!done) {
                        next.accept(answer);
                    }
                });
    }

    private void naptr(List<Record> records) {
        limited |= records.size() > limits.maxNaptr();
        List<SrvName> services =
                SrvName.of(records, wanted.secure(), limits.maxNaptr(), this::usable);
        if (!services.isEmpty()) {
            services(services);
            return;
        }
        // 4.1: "If no NAPTR records are found, the client constructs SRV queries for those
        // transport
        // protocols it supports, and does a query for each."
        Set<Transport> order = new LinkedHashSet<>();
        order.add(wanted.otherwise());
        if (!wanted.secure()) {
            order.add(Transport.UDP);
            order.add(Transport.TCP);
        }
        order.add(Transport.TLS);
        List<SrvName> all = new ArrayList<>();
        for (Transport transport : order) {
            SrvName service = SrvName.of(transport, wanted.host());
            if (service != null && usable(transport)) {
                all.add(service);
            }
        }
        services(all);
    }

    private boolean usable(Transport transport) {
        return ways.sends().test(transport)
                && (ways.addresses().reaches(transport, false)
                        || ways.addresses().reaches(transport, true));
    }

    private void services(List<SrvName> services) {
        List<DnsAnswer> answers =
                new ArrayList<>(Collections.nCopies(services.size(), DnsAnswer.missing()));
        if (services.isEmpty()) {
            servers(services, answers);
        }
        int[] missing = {services.size()};
        for (int i = 0; i < services.size(); i++) {
            int index = i;
            ask(
                    services.get(i).name(),
                    Type.SRV,
                    answer -> {
                        answers.set(index, answer);
                        if (--missing[0] == 0) {
                            servers(services, answers);
                        }
                    });
        }
    }

    private void servers(List<SrvName> services, List<DnsAnswer> answers) {
        boolean found = false;
        List<Target> list = new ArrayList<>();
        for (int i = 0; i < services.size(); i++) {
            List<SRVRecord> records = new ArrayList<>();
            for (Record record : answers.get(i).list()) {
                if (record instanceof SRVRecord srv) {
                    records.add(srv);
                }
            }
            found |= !records.isEmpty();
            limited |= records.size() > limits.maxSrv();
            for (SRVRecord srv : SrvOrder.of(records, limits.maxSrv(), random)) {
                // RFC 2782: "A Target of "." means that the service is decidedly not available at
                // this domain."
                if (!srv.getTarget().equals(Name.root) && srv.getPort() != 0) {
                    String host = srv.getTarget().toString(true);
                    list.add(
                            new Target(
                                    services.get(i).transport(), host, srv.getPort(), new Found()));
                }
            }
        }
        if (!found) {
            // 4.2: "If no SRV records were found, the client performs an A or AAAA record lookup of
            // the domain name [...] at the default port for that transport."
            addressesOnly(wanted.otherwise(), wanted.otherwise().defaultPort());
            return;
        }
        addresses(list);
    }

    private void addressesOnly(Transport transport, int port) {
        addresses(List.of(new Target(transport, wanted.host(), port, new Found())));
    }

    private void addresses(List<Target> list) {
        limited |= list.size() > limits.maxServers();
        targets.addAll(list.subList(0, Math.min(list.size(), limits.maxServers())));
        gathering = true;
        // Counts as one more question, so that answers which are there at once do not end it.
        open++;
        for (Target target : targets) {
            gather(target);
        }
        open--;
        checkEnd();
    }

    private void gather(Target target) {
        if (HostLiteral.isNoName(target.host()) || target.host().isEmpty()) {
            return;
        }
        Listener own =
                ways.addresses().isLocal(target.host(), target.port())
                        ? ways.addresses().inward(target.transport(), target.host(), target.port())
                        : null;
        if (own != null) {
            target.found().four.add(ways.addresses().reach(own).getAddress());
            return;
        }
        // RFC 7984 4.1: a client that has both families asks for both kinds of records.
        if (ways.addresses().reaches(target.transport(), true)) {
            ask(
                    target.host(),
                    Type.AAAA,
                    answer -> {
                        for (Record record : answer.list()) {
                            if (record instanceof AAAARecord aaaa) {
                                target.found().six.add(aaaa.getAddress());
                            }
                        }
                        checkEnd();
                    });
        }
        if (ways.addresses().reaches(target.transport(), false)) {
            ask(
                    target.host(),
                    Type.A,
                    answer -> {
                        for (Record record : answer.list()) {
                            if (record instanceof ARecord a) {
                                target.found().four.add(a.getAddress());
                            }
                        }
                        checkEnd();
                    });
        }
    }

    private void checkEnd() {
        if (done || !gathering) {
            return;
        }
        if (open == 0) {
            end();
        } else if (grace == null && any()) {
            grace = loop.schedule(this::graceOver, GRACE_NANOS);
        }
    }

    private boolean any() {
        for (Target target : targets) {
            if (!target.found().six.isEmpty() || !target.found().four.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private void graceOver() {
        inTurn(this::end);
    }

    private void timeOver() {
        inTurn(() -> {
            if (!done) {
                loop.tally().count(NetworkCounter.LOOKUPS_TIMED_OUT);
                end();
            }
        });
    }

    /** A timer of the event loop is a piece of work of its own. */
    private void inTurn(Runnable what) {
        loop.begin();
        what.run();
    }

    private void end() {
        if (done) {
            return;
        }
        done = true;
        cancel(deadline);
        cancel(grace);
        if (limited) {
            loop.tally().count(NetworkCounter.LOOKUPS_LIMITED);
        }
        List<Hop> hops = hops();
        if (hops.isEmpty() && any()) {
            // There are addresses, and nothing is sent to any of them.
            hops = Wire.REFUSED;
        } else if (hops.isEmpty()) {
            loop.tally().count(NetworkCounter.TARGETS_UNRESOLVED);
        }
        result.accept(hops);
    }

    private static void cancel(@Nullable Future<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /**
     * RFC 7984 4.2: addresses of one server are ordered by RFC 6724; those of several servers are
     * not mixed.
     */
    private List<Hop> hops() {
        Set<Hop> hops = new LinkedHashSet<>();
        for (Target target : targets) {
            List<InetAddress> six = target.found().six;
            List<InetAddress> four = target.found().four;
            boolean sixFirst = ways.addresses().prefersSix();
            List<InetAddress> ordered = new ArrayList<>(sixFirst ? six : four);
            ordered.addAll(sixFirst ? four : six);
            List<InetSocketAddress> remotes = new ArrayList<>();
            for (InetAddress address : ordered) {
                remotes.add(new InetSocketAddress(bare(address), target.port()));
            }
            for (InetSocketAddress remote : ways.filter().allowed(remotes, loop.tally())) {
                hops.add(ways.hop(target.transport(), remote, wanted.domain()));
            }
        }
        List<Hop> all = new ArrayList<>(hops);
        return all.size() <= limits.maxServers() ? all : all.subList(0, limits.maxServers());
    }

    /** The address without the name that it was asked for: hops of one server are equal. */
    private static InetAddress bare(InetAddress address) {
        InetAddress known = HostLiteral.parse(address.getHostAddress());
        return known == null ? address : known;
    }
}
