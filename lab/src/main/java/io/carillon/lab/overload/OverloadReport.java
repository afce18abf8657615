package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.report.Chart;
import io.carillon.lab.report.Page;
import io.carillon.lab.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The page of a study. Used by one thread. */
final class OverloadReport {
    private OverloadReport() {}

    /** Writes it; the file. */
    static Path write(
            Path folder, OverloadStudy study, List<PartResult> parts, OverloadVerdict verdict)
            throws IOException {
        Page page = new Page("Carillon above its capacity");
        if (verdict.kept()) {
            page.verdict("Every line was kept", verdict.sentence());
        } else {
            page.failedVerdict("Lines fell short", verdict.sentence());
        }
        for (PartResult part : parts) {
            part.warnings().forEach(page::warning);
        }
        for (PartResult part : parts) {
            page.heading(part.title());
            page.paragraph(part.text());
            table(page, part);
            page.beginGrid();
            for (Chart chart : part.charts()) {
                page.chart(chart);
            }
            page.endGrid();
        }
        page.heading("How this was measured");
        page.paragraph("Machine: " + study.places().machine() + ".");
        page.paragraph(
                format(
                        "%s; %s; both sides by %s. Open loop: a call begins when it is due. The load repeats requests"
                                + " as RFC 3261 says (T1 500 ms); a refused caller calls once more after 2 to 10 s. Goodput: calls"
                                + " answered within 200 ms and completed, over the capacity, which is the highest rate at which"
                                + " 99 of 100 calls are that good, of the two servers' the higher one. Each load is at half of the"
                                + " capacity before and after.",
                        study.application().description(), study.lowering(), study.transport()));
        Path file = folder.resolve("report.html");
        page.write(file);
        return file;
    }

    private static void table(Page page, PartResult part) {
        List<Table.Row> rows =
                part.lines().stream()
                        .map(line ->
                                Table.Row.plain(
                                        line.subject(),
                                        List.of(
                                                line.measured(),
                                                line.wanted(),
                                                line.judged()
                                                        ? line.kept() ? "kept" : "short"
                                                        : "")))
                        .toList();
        page.table(new Table(List.of("what", "measured", "asked", ""), rows));
    }
}
