package io.carillon.lab.study;

/**
 * What the flight recorder says of the collector over a stretch of time.
 *
 * @param collections collections that ended
 * @param pauses times when all threads were stopped for the collector
 * @param maxPauseMillis the longest of them
 * @param p99PauseMillis 99 of 100 were not longer
 * @param totalPauseMillis all together
 * @param stalls times when a thread of ZGC waited for memory, which no pause tells
 * @param maxStallMillis the longest of them
 * @param allocatedBytesPerSecond what the JVM's threads allocated
 * @param heapAfterGcBytes median of what was in use after collections; 0: there was none
 */
public record GcFigures(
        int collections,
        int pauses,
        double maxPauseMillis,
        double p99PauseMillis,
        double totalPauseMillis,
        int stalls,
        double maxStallMillis,
        double allocatedBytesPerSecond,
        long heapAfterGcBytes) {
    static final GcFigures NONE = new GcFigures(0, 0, 0, 0, 0, 0, 0, 0, 0);
}
