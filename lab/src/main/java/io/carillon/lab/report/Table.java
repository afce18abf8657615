package io.carillon.lab.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table whose first column stays in view while the others scroll.
 *
 * @param head names of the columns, the first one's too
 * @param rows in their order
 */
public record Table(List<String> head, List<Row> rows) {
    /**
     * A row.
     *
     * @param name first cell
     * @param cells the others
     * @param best indices of the cells that are the best of the row
     * @param group true: the name alone, as a heading of the rows below
     */
    public record Row(String name, List<String> cells, List<Integer> best, boolean group) {
        public static Row group(String name) {
            return new Row(name, List.of(), List.of(), true);
        }

        public static Row plain(String name, List<String> cells) {
            return new Row(name, cells, List.of(), false);
        }

        /** A row whose least (or greatest) numbers are marked; NaN is no number. */
        public static Row of(String name, List<String> cells, double[] values, boolean least) {
            double best = least ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
            for (double value : values) {
                if (!Double.isNaN(value)) {
                    best = least ? Math.min(best, value) : Math.max(best, value);
                }
            }
            List<Integer> marked = new ArrayList<>();
            for (int i = 0; i < values.length; i++) {
                if (values[i] == best) {
                    marked.add(i);
                }
            }
            // Where all are alike there is nothing to see.
            return new Row(name, cells, marked.size() == values.length ? List.of() : marked, false);
        }
    }
}
