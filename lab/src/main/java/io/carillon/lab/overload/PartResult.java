package io.carillon.lab.overload;

import io.carillon.lab.report.Chart;
import java.util.List;

/**
 * What came out of a part of the study.
 *
 * @param title what was looked at
 * @param text how, in sentences
 * @param lines what is asked, and what came out
 * @param charts over time
 * @param warnings what speaks against trusting the figures
 */
record PartResult(
        String title, String text, List<Line> lines, List<Chart> charts, List<String> warnings) {
    boolean kept() {
        return lines.stream().allMatch(Line::kept);
    }
}
