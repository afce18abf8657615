package io.carillon.server;

import io.carillon.net.shard.ShardGroup;
import io.carillon.server.guard.LimitWatch;
import io.carillon.server.guard.OverloadWatch;
import io.carillon.server.guard.SlowHandlerWatch;
import io.carillon.server.health.Health;
import io.carillon.server.health.HealthBoard;
import io.carillon.server.http.AdminHttp;
import io.carillon.server.log.LibraryLines;
import io.carillon.server.log.LogQueueFull;
import io.carillon.server.log.RaisedLevels;
import io.carillon.server.measure.GcPauses;
import io.carillon.server.measure.KernelDrops;
import io.carillon.server.measure.Meters;
import io.carillon.server.measure.RateWindow;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.measure.StatusSource;
import io.carillon.servlet.HeapRoom;
import io.carillon.servlet.HeapTouch;
import io.carillon.sip.hop.HostPort;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the status together. Any thread reads; a thread of its own samples rates and watches limits.
 */
final class StatusBoard implements StatusSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatusBoard.class);
    private static final int RATE_SECONDS = 5;

    private final SipSide sip;
    private final LimitWatch limits;
    private final SlowHandlerWatch slow = new SlowHandlerWatch();
    private final OverloadWatch overload = new OverloadWatch();
    private final KernelDrops drops;
    private final GcPauses pauses = new GcPauses();
    private final RateWindow callRate = new RateWindow(RATE_SECONDS + 1);
    private final HeapRoom room = HeapRoom.start();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The log is the process's, which may have had another server before. */
    private final LogCounts logBefore = LogCounts.now();

    private final HealthBoard health;

    private volatile String state = "starting";
    private volatile @Nullable Shown shown;
    private volatile @Nullable HeapTouch touch;

    /** Of the thread that samples. */
    private boolean failed;

    StatusBoard(SipSide sip, LimitWatch limits) {
        this.sip = sip;
        this.limits = limits;
        this.drops = new KernelDrops(sip.udpAddresses());
        this.health = new HealthBoard(sip.health(), () -> state, System::nanoTime);
    }

    /**
     * Begins to sample; the flight recorder's stream starts behind the READY line.
     *
     * @param touchHeap whether the heap is taken in the background
     * @param work folder of this process, which outlives this board
     */
    void start(boolean touchHeap, Path work) {
        touch = HeapTouch.start(touchHeap, JvmThreads::niceOwnThread);
        Thread.ofPlatform().daemon().name("housekeeping").start(() -> sample(work));
        health.start();
    }

    private void sample(Path work) {
        pauses.start(work.resolve("flight-recorder"));
        try {
            do {
                look(System.nanoTime());
            } while (!closed.await(1, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One look; what fails in it is told once, and the next second looks again. */
    void look(long nowNanos) {
        try {
            callRate.sample(sip.callsStarted(), nowNanos);
            Map<String, Long> counters = sip.counters();
            addHttp(counters, http());
            limits.look(counters, nowNanos);
            overload.look(
                    sip.overload(),
                    shed(counters),
                    counters.getOrDefault("applications.refused_handler_delay", 0L),
                    nowNanos);
            slow.look(sip.slowHandlers(), nowNanos);
            RaisedLevels.ofProcess().on(); // ends what is over
        } catch (RuntimeException e) {
            if (!failed) {
                LOG.error("Looking at rates and limits failed; told once", e);
                failed = true;
            }
        }
    }

    /** What the shards refused or dropped as they were overloaded. */
    private static long shed(Map<String, Long> counters) {
        return counters.entrySet().stream()
                .filter(one -> one.getKey().startsWith("sip.shed"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** What probes are answered, by their paths. */
    Map<String, Supplier<Health>> probes() {
        return Map.of(
                "/health/live", health::live,
                "/health/ready", health::ready,
                "/health/started", health::started);
    }

    void state(String now) {
        state = now;
    }

    /**
     * Where the status is shown.
     *
     * @param http pages
     * @param meters for Prometheus
     */
    private record Shown(AdminHttp http, Meters meters) {}

    void shown(AdminHttp listening, Meters meters) {
        shown = new Shown(listening, meters);
    }

    private @Nullable AdminHttp http() {
        Shown where = shown;
        return where == null ? null : where.http();
    }

    /** As Prometheus gets them; empty before there are any. */
    String metrics() {
        Shown where = shown;
        return where == null ? "" : where.meters().scrape();
    }

    @Override
    public ServerStatus status() {
        SipSide.Figures figures = sip.figures();
        AdminHttp web = http();
        Map<String, Long> counters = new TreeMap<>(figures.counters());
        addHttp(counters, web);
        HeapTouch begun = touch;
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return new ServerStatus(
                Version.current(),
                ProcessHandle.current().pid(),
                state,
                ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0,
                sip.listening(),
                web == null ? "" : web.listening().toString(),
                web == null ? List.of() : pages(web),
                sip.applications(),
                new ServerStatus.Calls(
                        figures.callsHeld(),
                        figures.callsByState(),
                        figures.callsStarted(),
                        callRate.perSecond()),
                figures.messages(),
                figures.transactions(),
                figures.applicationSessions(),
                figures.connections(),
                drops.total(),
                pauses.pauses(),
                new ServerStatus.Heap(
                        heap.getUsed(),
                        heap.getCommitted(),
                        begun == null ? heap.getUsed() : begun.touchedBytes(),
                        HeapTouch.softMaximum(),
                        heap.getMax()),
                figures.slowHandlers(),
                counters,
                sip.tls(),
                sip.databaseFailure(),
                sip.overload(),
                RaisedLevels.ofProcess().on().stream()
                        .map(one ->
                                new ServerStatus.RaisedLog(
                                        one.number(),
                                        one.what(),
                                        one.level(),
                                        one.secondsLeft(),
                                        one.who()))
                        .toList(),
                ShardGroup.handlersApart());
    }

    private void addHttp(Map<String, Long> all, @Nullable AdminHttp web) {
        all.put("http.closed_slow_head", web == null ? 0 : web.closedSlowHead());
        all.put("http.sessions", web == null ? 0L : web.sessions());
        all.put("http.connections_full", web == null ? 0 : web.timesFull());
        all.put("http.closed_too_many", web == null ? 0 : web.gaveWay());
        all.put("http.refused_data_rate", web == null ? 0 : web.slowBodies());
        all.put("http.closed_data_rate", web == null ? 0 : web.slowReaders());
        all.put("http.refused_no_thread", web == null ? 0 : web.noThread());
        all.put("http.refused_no_room", web == null ? 0 : web.noRoom());
        all.put("http.refused_host", web == null ? 0 : web.unknownHosts());
        all.putAll(AdminHttp.passedPages(web));
        LogCounts log = LogCounts.now();
        all.put("log.suppressed", log.suppressed() - logBefore.suppressed());
        all.put("log.lines_left_out", log.leftOut() - logBefore.leftOut());
    }

    /**
     * What the log has counted since the process began.
     *
     * @param leftOut lines that found the queue full
     * @param suppressed lines of libraries
     */
    private record LogCounts(long leftOut, long suppressed) {
        static LogCounts now() {
            return new LogCounts(LogQueueFull.leftOut(), LibraryLines.suppressed());
        }
    }

    /** Where the pages of applications are. */
    private static List<String> pages(AdminHttp web) {
        HostPort own = web.applications();
        String base = "http://" + (own == null ? web.listening() : own);
        return web.pages().stream().map(path -> base + path).toList();
    }

    @Override
    public void close() {
        closed.countDown();
        health.close();
        HeapTouch begun = touch;
        if (begun != null) {
            begun.close();
        }
        pauses.close();
        room.close();
    }
}
