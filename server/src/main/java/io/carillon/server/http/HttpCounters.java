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
 * @param passed between the nodes of a cluster
 */
record HttpCounters(
        LongAdder slowHeads,
        LongAdder timesFull,
        LongAdder gaveWay,
        LongAdder slowBodies,
        LongAdder slowReaders,
        LongAdder noThread,
        LongAdder noRoom,
        LongAdder unknownHosts,
        Passed passed) {
    HttpCounters() {
        this(
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new Passed());
    }

    /**
     * Requests for pages whose session is another node's.
     *
     * @param on passed on to another node
     * @param in taken from another node
     * @param failed of those passed on: the node was not reached, or went away
     * @param unserved not passed on: nobody has the session now, or too many are under way
     * @param refused at the place for other nodes, without what they say of the visitor
     */
    record Passed(
            LongAdder on, LongAdder in, LongAdder failed, LongAdder unserved, LongAdder refused) {
        Passed() {
            this(
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder());
        }
    }
}
