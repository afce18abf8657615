package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StudyProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream console = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private long now;

    @Test
    void withoutATerminalEachStepIsALine() {
        StudyProgress progress = new StudyProgress(console, false, () -> now);
        progress.part("[1/2 g1]", 90);
        progress.step("warming up");
        pass(30);
        progress.tick();
        progress.step("holding");
        progress.say("done");

        assertThat(said())
                .isEqualTo(
                        "[1/2 g1] warming up (about 1:30 left)\n[1/2 g1] holding (about 1:00 left)\n[1/2 g1] done\n");
    }

    @Test
    void onATerminalTheLineIsWrittenOverOnceASecond() {
        StudyProgress progress = new StudyProgress(console, true, () -> now);
        progress.part("[1/2 g1]", 90);
        progress.step("holding");
        bytes.reset();
        progress.tick();
        assertThat(said()).isEmpty();
        pass(1);
        progress.tick();

        assertThat(said()).isEqualTo("\r\u001b[K[1/2 g1] holding ... about 1:29 left");
    }

    @Test
    void whatTakesLongerThanPlannedHasNoTimeLeftAndNotLess() {
        StudyProgress progress = new StudyProgress(console, false, () -> now);
        progress.part("p", 5);
        pass(60);
        progress.step("holding");

        assertThat(said()).endsWith("p holding (about 0:00 left)\n");
    }

    private void pass(long seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }

    private String said() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
