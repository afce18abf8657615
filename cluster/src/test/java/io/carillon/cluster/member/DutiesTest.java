package io.carillon.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every state with every kind of work: what is written here is the rule. */
class DutiesTest {
    private static final Path PAGE = Path.of("../docs/reference/clustering-states.md");
    private static final String BEGIN = "| State |";

    private static final String RULES =
            """
            STARTING  REFUSE   PARK     NO   NO NO KEEP
            JOINING   PASS_ON  PASS_ON  NO   NO NO KEEP
            STABLE    PASS_ON  PASS_ON  NO   NO NO KEEP
            OWNER     DO       DO       DO   DO DO KEEP
            ISOLATED  DROP     PARK     HOLD NO NO KEEP
            LEAVING   PASS_ON  DO       DO   DO DO KEEP
            GONE      DROP     PASS_ON  NO   NO NO KEEP_YOUNGER
            WITNESS   REFUSE   DROP     NO   NO NO NO
            """;

    private static final Work[] COLUMNS = {
        Work.NEW_CALL, Work.IN_DIALOG, Work.TIMER, Work.RECORD, Work.SEND, Work.COPIES
    };

    static Stream<Arguments> pairs() {
        return RULES.lines()
                .flatMap(line -> {
                    String[] words = line.split(" +");
                    return Stream.iterate(0, i -> i < COLUMNS.length, i -> i + 1)
                            .map(i ->
                                    Arguments.of(
                                            MemberState.valueOf(words[0]),
                                            COLUMNS[i],
                                            Duty.valueOf(words[i + 1])));
                });
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void everyPair(MemberState state, Work work, Duty duty) {
        assertThat(Duties.of(state, work)).isEqualTo(duty);
    }

    @Test
    void allPairsAreThere() {
        assertThat(pairs()).hasSize(MemberState.values().length * Work.values().length);
    }

    /** {@code -Dcarillon.docs=write} writes the table into the page. */
    @Test
    void thePageHasTheTable() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN);
        int to = page.indexOf("\n\n", from);
        if ("write".equals(System.getProperty("carillon.docs"))) {
            Files.writeString(PAGE, page.substring(0, from) + table() + page.substring(to));
            return;
        }
        assertThat(page.substring(from, to)).isEqualTo(table());
    }

    private static String table() {
        StringBuilder text = new StringBuilder(BEGIN);
        for (Work work : COLUMNS) {
            text.append(' ').append(work.words()).append(" |");
        }
        text.append("\n|").append(" --- |".repeat(COLUMNS.length + 1));
        for (MemberState state : MemberState.values()) {
            text.append("\n| ").append(state.word()).append(" |");
            for (Work work : COLUMNS) {
                text.append(' ').append(Duties.of(state, work).words()).append(" |");
            }
        }
        return text.toString();
    }
}
