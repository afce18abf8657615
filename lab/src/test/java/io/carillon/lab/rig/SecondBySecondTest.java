package io.carillon.lab.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecondBySecondTest {
    private static final List<String> COUNTS =
            List.of(
                    "CurrentTime;ElapsedTime;0_INVITE_Sent;0_INVITE_Retrans;7_BYE_Sent;7_BYE_Retrans;",
                    "2026-11-21\t10:00:00.000000\t1000.000000;00:00:00:000000;1;0;0;0;",
                    "2026-11-21\t10:00:01.003000\t1001.003000;00:00:01:000000;500;7;480;0;",
                    "2026-11-21\t10:00:01.990000\t1001.990000;00:00:02:000000;990;7;980;3;",
                    "2026-11-21\t10:00:04.100000\t1004.100000;00:00:04:000000;990;9;980;3;");

    @TempDir private Path folder;

    @Test
    void retransmissionsAreTheGrowthFromLineToLine() {
        assertThat(SecondBySecond.retransmissions(COUNTS, 1000, 4)).containsExactly(7, 3, 0, 2);
    }

    @Test
    void whatComesBeforeOrAfterCountsWithTheFirstAndTheLastSecond() {
        assertThat(SecondBySecond.retransmissions(COUNTS, 1001, 2)).containsExactly(10, 2);
    }

    @Test
    void theLongestAnswerBelongsToTheSecondOfItsInvite() throws Exception {
        Files.writeString(
                folder.resolve("caller_1_rtt.csv"),
                "Date_ms;response_time_ms;rtd_no\n500.001;20;1\n1200;450;1\n1900;5;1\n");

        assertThat(SecondBySecond.longestAnswers(folder, 3)).containsExactly(450, 5, 0);
    }

    @Test
    void theFirstLineIsTheBegin() throws Exception {
        Files.write(folder.resolve("caller_1_counts.csv"), COUNTS);

        assertThat(SecondBySecond.begin(folder)).isEqualTo(1000);
    }
}
