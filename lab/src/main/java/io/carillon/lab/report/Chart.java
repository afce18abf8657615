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
 * @param style how values are drawn
 * @param x horizontal values, rising
 * @param lines what is drawn
 * @param marks horizontal lines across the chart
 */
public record Chart(
        String title,
        String xLabel,
        boolean log,
        Style style,
        List<Double> x,
        List<Line> lines,
        List<Mark> marks) {
    /** How values are drawn. */
    public enum Style {
        LINE,
        LINE_AND_POINTS,
        POINTS
    }

    /** The same with dots and no lines: what happens now and then has nothing in between. */
    public Chart withPoints() {
        return new Chart(title, xLabel, log, Style.POINTS, x, lines, marks);
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
