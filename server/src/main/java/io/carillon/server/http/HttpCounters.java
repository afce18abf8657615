package io.carillon.server.http;

import java.util.concurrent.atomic.LongAdder;

/**
 * What strangers were refused. Any thread.
 *
 * @param slowHeads connections closed since a head came too slowly
 * @param timesFull times that a place to listen had as many connections as it may
 * @param gaveWay connections closed for others
 * @param slowBodies requests given up since their body came too slowly
 * @param slowReaders connections closed since their reader was too slow
 * @param noThread requests refused as there was no thread for them
 * @param noRoom bodies given up since too many were coming
 * @param unknownHosts requests to a name that is not ours
 */
record HttpCounters(
        LongAdder slowHeads,
        LongAdder timesFull,
        LongAdder gaveWay,
        LongAdder slowBodies,
        LongAdder slowReaders,
        LongAdder noThread,
        LongAdder noRoom,
        LongAdder unknownHosts) {
    HttpCounters() {
        this(
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder());
    }
}
