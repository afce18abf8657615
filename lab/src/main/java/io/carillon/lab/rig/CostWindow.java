package io.carillon.lab.rig;

import io.carillon.lab.process.ThreadTimes;
import java.io.IOException;
import java.util.List;

/**
 * What a server used while its load ran for some seconds. A collection takes some tenths of a
 * second of CPU at once and falls into one window of several; so what collections cost is shared
 * out by the bytes that each window allocated, at what a byte cost in all windows together.
 *
 * @param calls begun in it
 * @param work CPU of all threads but the collector's and the JIT compilers', nanoseconds
 * @param collector CPU of the collector's threads, nanoseconds
 * @param allocated bytes, by all threads
 */
public record CostWindow(double calls, long work, long collector, long allocated) {
    /** The counts of a server at one moment; a window lies between two. */
    public record Reading(long nanoTime, ThreadTimes times, long allocated) {
        public static Reading of(Carillon server) throws IOException {
            return new Reading(System.nanoTime(), server.threadTimes(), server.allocatedBytes());
        }

        public CostWindow until(Reading end, int callsPerSecond) {
            return new CostWindow(
                    callsPerSecond * ((end.nanoTime - nanoTime) / 1e9),
                    work(end.times) - work(times),
                    end.times.collector() - times.collector(),
                    end.allocated - allocated);
        }

        private static long work(ThreadTimes times) {
            return times.all() - times.collector() - times.compilers();
        }
    }

    /** CPU of the collector for each byte allocated, nanoseconds. */
    public static double priceOfByte(List<CostWindow> windows) {
        double allocated = windows.stream().mapToDouble(CostWindow::allocated).sum();
        return allocated == 0
                ? 0
                : windows.stream().mapToDouble(CostWindow::collector).sum() / allocated;
    }

    /** CPU per call with its share of the collections, microseconds. */
    public double perCall(double priceOfByte) {
        return (work + priceOfByte * allocated) / 1e3 / calls;
    }
}
