package io.carillon.lab.compare;

import java.util.List;

/** Rows and windows made by hand. */
final class Made {
    private Made() {}

    static Window window(String server, int rate, double cpu) {
        return new Window(
                server, rate, cpu, 100, 0.05, 0.4, 50_000_000, 1000, 0, 0, 0, 0, 0, "", 1, 0);
    }

    static Window unclean(String server, int rate) {
        return new Window(
                server, rate, 500, 100, 0.05, 0.4, 50_000_000, 990, 10, 3, 2, 0, 0, "", 1, 0);
    }

    static Window busy(String server, int rate, double others, double steal) {
        return new Window(
                server, rate, 300, 100, 0.05, 0.4, 1, 1000, 0, 0, 0, 0, 0, "", others, steal);
    }

    static Row row(String against, int pair, Window window) {
        return new Row("carillon", against, pair, 1, true, window);
    }

    static Row notCounted(String against, int pair, Window window) {
        return new Row("carillon", against, pair, 1, false, window);
    }

    static Shape shape(int pairs, Integer... rates) {
        return new Shape(List.of(rates), pairs, 0, 33, 30, 0, "sipp");
    }
}
