package io.carillon.lab.compare;

import java.util.List;

/** Rows and windows made by hand. */
final class SampleRows {
    private SampleRows() {}

    static MeasuredWindow window(String server, int rate, double cpu) {
        return new MeasuredWindow(
                server, rate, cpu, 100, 0.05, 0.4, 50_000_000, 1000, 0, 0, 0, 0, 0, "", 1, 0);
    }

    static MeasuredWindow unclean(String server, int rate) {
        return new MeasuredWindow(
                server, rate, 500, 100, 0.05, 0.4, 50_000_000, 990, 10, 3, 2, 0, 0, "", 1, 0);
    }

    static MeasuredWindow busy(String server, int rate, double others, double steal) {
        return new MeasuredWindow(
                server, rate, 300, 100, 0.05, 0.4, 1, 1000, 0, 0, 0, 0, 0, "", others, steal);
    }

    static StoredWindow row(String against, int pair, MeasuredWindow window) {
        return new StoredWindow("carillon", against, pair, 1, true, 200, 265, window);
    }

    static StoredWindow notCounted(String against, int pair, MeasuredWindow window) {
        return new StoredWindow("carillon", against, pair, 1, false, 200, 265, window);
    }

    static LoadShape shape(int pairs, Integer... rates) {
        return new LoadShape(List.of(rates), pairs, 0, 33, 30, 0, "sipp");
    }
}
