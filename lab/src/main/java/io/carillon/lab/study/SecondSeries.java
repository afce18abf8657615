package io.carillon.lab.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the charts over time show: a value for each second of the measured time in every list.
 *
 * @param serverCpu share of one CPU that the server used
 * @param collectorCpu the collector's part of it
 * @param heapMiB heap in use
 * @param longestPauseMillis longest pause of the second
 * @param retransmissions messages sent again by either side
 * @param failed calls that did not end well
 * @param held calls that were up
 * @param p50Millis response times
 */
public record SecondSeries(
        List<Double> serverCpu,
        List<Double> collectorCpu,
        List<Double> heapMiB,
        List<Double> longestPauseMillis,
        List<Double> retransmissions,
        List<Double> failed,
        List<Double> held,
        List<Double> p50Millis,
        List<Double> p99Millis,
        List<Double> maxMillis) {
    /** With lists that are filled second by second. */
    static SecondSeries growing() {
        return new SecondSeries(
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
    }

    /** The same with what the flight recorder said, a value for each second. */
    SecondSeries with(double[] heap, double[] longestPauses) {
        return new SecondSeries(
                serverCpu,
                collectorCpu,
                Arrays.stream(heap).boxed().toList(),
                Arrays.stream(longestPauses).boxed().toList(),
                retransmissions,
                failed,
                held,
                p50Millis,
                p99Millis,
                maxMillis);
    }

    static SecondSeries empty() {
        return growing();
    }
}
