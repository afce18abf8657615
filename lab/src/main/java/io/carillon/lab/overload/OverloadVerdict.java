package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import java.util.List;

/** Whether every line of a study was kept. */
record OverloadVerdict(int judged, List<Line> shortLines) {
    static OverloadVerdict of(List<PartResult> parts) {
        List<Line> judged =
                parts.stream().flatMap(part -> part.lines().stream()).filter(Line::judged).toList();
        return new OverloadVerdict(
                judged.size(), judged.stream().filter(line -> !line.kept()).toList());
    }

    /** A study that asked nothing has kept nothing. */
    boolean kept() {
        return judged > 0 && shortLines.isEmpty();
    }

    /** The last line of a study. */
    String sentence() {
        if (judged == 0) {
            return "VERDICT: nothing was judged";
        }
        if (kept()) {
            return format("VERDICT: all %d lines were kept", judged);
        }
        Line first = shortLines.getFirst();
        return format(
                "VERDICT: %d of %d lines fell short; first: %s: %s (%s)",
                shortLines.size(), judged, first.subject(), first.measured(), first.wanted());
    }
}
