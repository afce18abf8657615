package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.it.SourceSizes.Item;
import io.carillon.it.SourceSizes.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Files of 500 lines, methods of 60, classes of 15 fields, 7 parameters: nothing of the main
 * sources is larger, but what stands in {@code .ci/large-sources.txt} with its size and reason.
 * That list may only shrink. {@code -Dcarillon.sizes=write} takes out of it what is no longer
 * needed and lowers its figures; it adds nothing.
 */
class SourceSizesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path LIST = ROOT.resolve(".ci/large-sources.txt");
    private static final String MOST = "at most ";
    private static final String REASON = " - ";

    /** An exception: what it is, how large it may be, and why. */
    private record Exemption(Item item, int size, String reason) {
        @Override
        public String toString() {
            return item + " " + size + (reason.isEmpty() ? "" : REASON + reason);
        }
    }

    private static final List<String> HEAD = new ArrayList<>();
    private static final Map<Kind, Integer> CEILINGS = new EnumMap<>(Kind.class);
    private static final SortedMap<Item, Exemption> EXEMPTIONS = new TreeMap<>();
    private static final SortedMap<Item, Integer> LARGE = new TreeMap<>();

    @BeforeAll
    static void measure() throws IOException {
        SourceSizes.of(ROOT)
                .forEach((item, size) -> {
                    if (size > item.kind().limit) {
                        LARGE.put(item, size);
                    }
                });
        for (String line : Files.readAllLines(LIST)) {
            if (line.startsWith("#")) {
                HEAD.add(line);
            } else if (line.startsWith(MOST)) {
                String[] words = line.substring(MOST.length()).split(" ", -1);
                CEILINGS.put(kind(words[1]), Integer.parseInt(words[0]));
            } else if (!line.isBlank()) {
                Exemption exemption = exemption(line);
                assertThat(EXEMPTIONS.put(exemption.item(), exemption)).as(line).isNull();
            }
        }
        if ("write".equals(System.getProperty("carillon.sizes"))) {
            shrink();
        }
    }

    private static Kind kind(String word) {
        return Kind.valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** {@code method io.carillon.net.Network.open(Config) 71 - why}. */
    private static Exemption exemption(String line) {
        int reason = line.indexOf(REASON);
        String[] words = (reason < 0 ? line : line.substring(0, reason)).split(" ", -1);
        assertThat(words).as(line).hasSize(3);
        return new Exemption(
                new Item(kind(words[0]), words[1]),
                Integer.parseInt(words[2]),
                reason < 0 ? "" : line.substring(reason + REASON.length()));
    }

    private static void shrink() throws IOException {
        EXEMPTIONS.keySet().retainAll(LARGE.keySet());
        EXEMPTIONS.replaceAll((item, old) ->
                new Exemption(item, Math.min(old.size(), LARGE.get(item)), old.reason()));
        List<String> lines = new ArrayList<>(HEAD);
        for (Kind kind : Kind.values()) {
            List<String> entries =
                    EXEMPTIONS.values().stream()
                            .filter(exemption -> exemption.item().kind() == kind)
                            .map(Exemption::toString)
                            .toList();
            CEILINGS.merge(kind, entries.size(), Math::min);
            lines.add("");
            lines.add(MOST + CEILINGS.get(kind) + " " + kind.word());
            lines.addAll(entries);
        }
        Files.write(LIST, lines);
    }

    @Test
    void nothingIsLargerThanItsLimitOrItsException() {
        List<String> grown = new ArrayList<>();
        LARGE.forEach((item, size) -> {
            Exemption exemption = EXEMPTIONS.get(item);
            if (exemption == null) {
                grown.add(item + " " + size + ", the limit is " + item.kind().limit);
            } else if (size > exemption.size()) {
                grown.add(item + " " + size + ", the list says " + exemption.size());
            }
        });
        assertThat(grown)
                .as("take them apart (docs/how-it-works/architecture.md, Sizes)")
                .isEmpty();
    }

    @Test
    void noExceptionIsLeftOver() {
        assertThat(EXEMPTIONS.values())
                .filteredOn(exemption -> !LARGE.containsKey(exemption.item()))
                .as("no longer needed in %s; -Dcarillon.sizes=write takes them out", LIST)
                .isEmpty();
    }

    /** So an exception that went makes no room for another. */
    @Test
    void theListMayOnlyShrink() {
        for (Kind kind : Kind.values()) {
            long entries = EXEMPTIONS.keySet().stream().filter(item -> item.kind() == kind).count();
            assertThat(CEILINGS)
                    .as("exceptions in %s; -Dcarillon.sizes=write lowers the line", LIST)
                    .containsEntry(kind, (int) entries);
        }
    }
}
