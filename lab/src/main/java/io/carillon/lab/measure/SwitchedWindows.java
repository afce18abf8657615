package io.carillon.lab.measure;

import io.carillon.lab.process.PairRatio;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.CostWindow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * CPU per call of one running server under one load, with something switched on beside without, in
 * the order A B B A. What collections cost is shared out by the bytes that each window allocated.
 *
 * @param rate calls/s of the load
 * @param settleSeconds between the switch and the reading
 * @param measureSeconds of each reading
 */
record SwitchedWindows(
        Carillon server, int rate, int pairs, int settleSeconds, int measureSeconds) {
    /** What is switched on and off. */
    interface Part {
        void on() throws IOException;

        /** Switches it off; fails where it had done nothing. */
        void off() throws IOException;
    }

    /**
     * What the pairs say.
     *
     * @param ratio of CPU per call with it by that without
     * @param plainMicros CPU per call without it, the mean of all windows
     */
    record Cost(PairRatio ratio, double plainMicros) {}

    /** Measures, and prints each pair. */
    Cost measure(String what, Part part) throws IOException {
        List<CostWindow> plain = new ArrayList<>();
        List<CostWindow> switched = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            if (pair % 2 == 1) {
                switched.add(window(part));
                plain.add(window());
            } else {
                plain.add(window());
                switched.add(window(part));
            }
        }
        List<CostWindow> both = new ArrayList<>(plain);
        both.addAll(switched);
        double price = CostWindow.priceOfByte(both);
        List<Double> ratios = new ArrayList<>();
        double sum = 0;
        for (int pair = 0; pair < pairs; pair++) {
            double with = switched.get(pair).perCall(price);
            double without = plain.get(pair).perCall(price);
            sum += without;
            ratios.add(with / without);
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.1f us CPU per call with, %.1f without: %.3f%n",
                    what,
                    with,
                    without,
                    with / without);
        }
        return new Cost(PairRatio.of(ratios), sum / pairs);
    }

    private CostWindow window(Part part) throws IOException {
        part.on();
        CostWindow window = window();
        part.off();
        return window;
    }

    private CostWindow window() throws IOException {
        Pause.millis(1000L * settleSeconds);
        CostWindow.Reading begin = CostWindow.Reading.of(server);
        Pause.millis(1000L * measureSeconds);
        return begin.until(CostWindow.Reading.of(server), rate);
    }
}
