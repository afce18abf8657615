package io.carillon.lab.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart of lines over one axis.
 *
 * @param title what is shown, with its unit
 * @param xLabel what the horizontal axis counts
 * @param log whether the vertical axis is logarithmic; values that are not above 0 are left out
 *     then
 * @param points whether each value gets a dot
 * @param x horizontal values, rising
 * @param lines what is drawn
 * @param marks horizontal lines across the chart
 */
public record Chart(
        String title,
        String xLabel,
        boolean log,
        boolean points,
        List<Double> x,
        List<Line> lines,
        List<Mark> marks) {
    /** The same with a dot for each value. */
    public Chart withPoints() {
        return new Chart(title, xLabel, log, true, x, lines, marks);
    }

    /**
     * A line.
     *
     * @param color index of its colour, the same for the same thing in all charts of a page
     * @param values one for each horizontal value; null: none there
     */
    public record Line(String label, int color, List<@Nullable Double> values) {}

    /** A limit: a horizontal line with its name. */
    public record Mark(double y, String label) {}
}
