package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages are short, their links lead somewhere, and their commands exist. */
class PagesTest {
    /** Pages with longer sentences or cells than they should have; it may only shrink. */
    private static final Path LIST = Pages.ROOT.resolve(".ci/long-pages.txt");

    private record Counts(int sentences, int cells) {}

    private static Map<String, Counts> counted() throws IOException {
        Map<String, Counts> all = new TreeMap<>();
        for (Path page : Pages.all()) {
            String text = Files.readString(page);
            Counts one = new Counts(Pages.longSentences(text).size(), Pages.longCells(text).size());
            if (one.sentences > 0 || one.cells > 0) {
                all.put(Pages.ROOT.relativize(page).toString(), one);
            }
        }
        return all;
    }

    private static Map<String, Counts> listed() throws IOException {
        Map<String, Counts> all = new TreeMap<>();
        for (String line : Files.readAllLines(LIST)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" ", -1);
                all.put(
                        parts[0],
                        new Counts(Integer.parseInt(parts[1]), Integer.parseInt(parts[2])));
            }
        }
        return all;
    }

    /** {@code -Dcarillon.pages=write} lowers the figures, and adds no page. */
    @Test
    void sentencesAndCellsAreShortOrListed() throws IOException {
        Map<String, Counts> counted = counted();
        Map<String, Counts> listed = listed();
        List<String> longer = new ArrayList<>();
        counted.forEach((page, now) -> {
            Counts may = listed.getOrDefault(page, new Counts(0, 0));
            if (now.sentences > may.sentences || now.cells > may.cells) {
                longer.add(
                        page
                                + " has "
                                + now.sentences
                                + " sentences over 35 words and "
                                + now.cells
                                + " cells over 25, and may have "
                                + may.sentences
                                + " and "
                                + may.cells);
            }
        });
        assertThat(longer).isEmpty();
        if (System.getProperty("carillon.pages", "").equals("write")) {
            StringBuilder text = new StringBuilder();
            Files.readAllLines(LIST).stream()
                    .filter(line -> line.startsWith("#"))
                    .forEach(line -> text.append(line).append('\n'));
            counted.forEach((page, now) ->
                    text.append(page)
                            .append(' ')
                            .append(now.sentences)
                            .append(' ')
                            .append(now.cells)
                            .append('\n'));
            Files.writeString(LIST, text.toString());
        }
        assertThat(listed().keySet())
                .as("no longer needed in .ci/long-pages.txt; -Dcarillon.pages=write takes it out")
                .isSubsetOf(counted.keySet());
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : Pages.all()) {
            Pages.deadLinks(page, Files.readString(page))
                    .forEach(link -> dead.add(Pages.ROOT.relativize(page) + ": " + link));
        }
        assertThat(dead).isEmpty();
    }

    /** Commands, those below them, and their options, as the commands themselves have them. */
    @Test
    void everyCommandAndOptionExists() throws IOException {
        PageCommands commands = new PageCommands();
        List<String> unknown = new ArrayList<>();
        for (Path page : Pages.withCommands()) {
            commands.wrong(Files.readString(page))
                    .forEach(line -> unknown.add(Pages.ROOT.relativize(page) + ": " + line));
        }
        assertThat(unknown).isEmpty();
    }

    /** A line without text in the middle ends a table, and the rest of it is no table any more. */
    @Test
    void everyTableHasItsHead() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : Pages.withCommands()) {
            Pages.tablesWithoutHead(Files.readString(page))
                    .forEach(line -> broken.add(Pages.ROOT.relativize(page) + ": " + line));
        }
        assertThat(broken).isEmpty();
        assertThat(Pages.tablesWithoutHead("| a |\n| --- |\n| b |\n\n| c |\n"))
                .containsExactly("| c |");
    }

    /** What is read first is short. */
    @Test
    void theReadmeHasLessThanSixtyLines() throws IOException {
        assertThat(Files.readAllLines(Pages.ROOT.resolve("README.md"))).hasSizeLessThan(60);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "`./carillon nothing-such`; no command nothing-such",
                "`carillon users nothing-such`; no command nothing-such",
                "`./carillon it nothing-such`; no command nothing-such",
                "`./dev nothing-such`; no command nothing-such",
                "`bin/carillon run --no-such`; no option --no-such",
                "`./carillon it reload --no-such=1`; no option --no-such",
            })
    void aCommandOrOptionThatDoesNotExistIsSeen(String page, String said) throws IOException {
        assertThat(new PageCommands().wrong(page)).singleElement().asString().endsWith(said);
        assertThat(new PageCommands().wrong("```sh\n" + page.replace("`", "") + "\n```\n"))
                .hasSize(1);
    }

    @Test
    void theRulesSeeWhatTheyShould() throws IOException {
        String words = "word ".repeat(36).strip() + ".";
        assertThat(Pages.longSentences("A b. " + words + "\n```\n" + words + "\n```\n")).hasSize(1);
        assertThat(Pages.longCells("| a | " + words + " |\n")).hasSize(1);
        Path readme = Pages.ROOT.resolve("README.md");
        assertThat(
                        Pages.deadLinks(
                                readme,
                                "[a](docs/none.md) [b](docs/guides/operating.md#none-such)"))
                .hasSize(2);
    }
}
