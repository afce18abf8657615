package io.carillon.it.place;

import io.carillon.it.line.Line;
import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Phones on connections that call the application {@code uas} again and again while something
 * happens to the cluster. Each call has a connection of its own, and an UPDATE every 500 ms.
 */
public final class RestlessCallers implements AutoCloseable {
    private static final int UPDATE_MILLIS = 500;
    private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** A call whose last request is not answered ends after 32 s. */
    private static final long END_SECONDS = 60;

    /** It has failed long before. */
    private static final int MOST_FAULTS = 1_000;

    private final ExecutorService phones = Executors.newVirtualThreadPerTaskExecutor();
    private final InetSocketAddress cluster;
    private final Map<String, LongAdder> made = new TreeMap<>();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    /**
     * How their calls went.
     *
     * @param made by transport
     * @param faults of those that failed
     */
    public record Calls(Map<String, Long> made, List<String> faults) {
        /** Did nothing fail, and did each transport have calls? */
        public boolean good() {
            return faults.isEmpty() && made.values().stream().allMatch(count -> count > 0);
        }

        /** These and others. */
        public Calls and(Calls others) {
            Map<String, Long> all = new TreeMap<>(made);
            all.putAll(others.made);
            List<String> faultsOfAll = new ArrayList<>(faults);
            faultsOfAll.addAll(others.faults);
            return new Calls(all, List.copyOf(faultsOfAll));
        }
    }

    /**
     * They begin to call.
     *
     * @param cluster its address, which stands in their Request-URIs
     * @param doors where the router is reached by each transport
     * @param many phones for each of them
     */
    public RestlessCallers(
            InetSocketAddress cluster, Map<String, InetSocketAddress> doors, int many) {
        this.cluster = cluster;
        if (many == 0) {
            return;
        }
        doors.keySet().forEach(transport -> made.put(transport, new LongAdder()));
        doors.forEach((transport, door) -> {
            for (int i = 0; i < many; i++) {
                int phone = i;
                phones.execute(() -> callAgainAndAgain(transport, door, phone));
            }
        });
    }

    private void callAgainAndAgain(String transport, InetSocketAddress door, int phone) {
        for (int i = 0; !over && faults.size() < MOST_FAULTS; i++) {
            String id = transport + "-" + phone + "-" + i + "-" + System.nanoTime();
            try (PlacedCall call = new PlacedCall(cluster, id, Line.open(transport, door))) {
                long end = System.nanoTime() + CALL_NANOS;
                call.invite();
                while (System.nanoTime() - end < 0) {
                    Pause.millis(UPDATE_MILLIS);
                    call.update();
                }
                call.bye();
            } catch (IOException e) {
                faults.add(String.valueOf(e.getMessage()));
            }
            count(transport);
        }
    }

    private void count(String transport) {
        LongAdder of = made.get(transport);
        if (of != null) {
            of.increment();
        }
    }

    /** Each ends the call that it has, and makes no other. */
    public Calls end() throws IOException {
        over = true;
        phones.shutdown();
        try {
            if (!phones.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                faults.add("a call did not end within " + END_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        Map<String, Long> counts = new TreeMap<>();
        made.forEach((transport, count) -> counts.put(transport, count.sum()));
        return new Calls(counts, List.copyOf(faults));
    }

    @Override
    public void close() {
        over = true;
        phones.shutdownNow();
    }
}
